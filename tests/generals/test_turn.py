"""The opening, the phases of a turn, and the end of a game: rulings 50 to 56, 63, 64, 67 and 68."""

from __future__ import annotations

import pytest

from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE, SPECTATOR
from gonfalon.games.generals import Generals
from gonfalon.games.generals.rules import events
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.testing import rule
from tests.ending import ending
from tests.generals.folk import card, plain


def opened(game: Generals, first: int, seed: int = 1) -> GeneralsState:
    """Return the game after the toss and the shuffles."""
    state = game.start(log=True)
    rng = Rng(seed)
    while state.turn == CHANCE:
        toss = state.stack[-1].prompt == "toss"
        state.apply(CHANCE, game.parse(f"first:{first}") if toss else state.chance(rng))
    return state


def events_of(state: GeneralsState, *codes: int) -> list[tuple[int, int, int]]:
    """Return the code, seat and number of the events with these codes."""
    return [(event[0], event[2], event[4]) for event in state.log or [] if event[0] in codes]


# ---- the first turn -------------------------------------------------------------------------------------------------


@rule("generals", 50)
def test_chance_chooses_the_first_player() -> None:
    state = Generals().start()
    while state.stack[-1].prompt != "toss":
        state.apply(CHANCE, state.chance(Rng(1)))
    assert (state.turn, len(state.actions), state.weights()) == (CHANCE, 2, [1, 1])


@rule("generals", 50)
@pytest.mark.parametrize(("starts", "first"), [("seat-1", 0), ("seat-2", 1)])
def test_by_option_the_players_choose_the_first_player(starts: str, first: int) -> None:
    """Chance shuffles but does not choose the first player."""
    state = Generals(starts=starts).start()
    while state.turn == CHANCE:
        assert state.stack[-1].prompt == "shuffle"
        state.apply(CHANCE, state.chance(Rng(1)))
    assert (state.first, state.turn, state.stack[-1].prompt) == (first, first, "main")


@rule("generals", 50)
@pytest.mark.parametrize("first", [0, 1])
def test_the_first_player_has_5_cards_in_the_first_main_phase_and_the_other_6(first: int) -> None:
    game = Generals()
    state = opened(game, first)
    other = 1 - first
    assert (state.turn, state.stack[-1].prompt) == (first, "main")
    assert (len(state.hand[first]), len(state.hand[other])) == (5, 5)
    state.play(first, game.parse("end"))
    while state.stack[-1].prompt != "main":
        state.apply(state.turn, state.sample(Rng(2)))
    assert state.turn == other
    assert len(state.hand[other]) == 6
    state.play(other, game.parse("end"))
    assert len(state.hand[first]) == 6, "only the first turn has no draw"
    assert events_of(state, events.DREW, events.SKIPPED_DRAW) == [
        (events.DREW, first, 5),
        (events.DREW, other, 5),
        (events.SKIPPED_DRAW, first, 0),
        (events.DREW, other, 1),
        (events.DREW, first, 1),
    ]


@rule("generals", 51)
def test_there_is_no_mulligan() -> None:
    assert opened(Generals(), 0).stack[-1].prompt == "main"


@rule("generals", 51)
def test_by_option_each_seat_may_change_its_first_hand_once() -> None:
    game = Generals(mulligan=True)
    state = opened(game, 1)
    asked = []
    for answer in ("yes", "no"):
        asked.append((state.turn, state.stack[-1].prompt, [game.notation(a) for a in state.actions]))
        seat = state.turn
        state.play(seat, game.parse(answer))
        while state.turn == CHANCE:
            state.apply(CHANCE, state.chance(Rng(8)))
        assert (len(state.hand[seat]), len(state.deck[seat])) == (5, len(state.lists[seat]) - 5)
    assert asked == [(1, "mulligan", ["yes", "no"]), (0, "mulligan", ["yes", "no"])]
    assert (state.turn, state.stack[-1].prompt) == (1, "main")
    # The new hand is drawn from all cards, and nobody knows more of it than its owner.
    assert sorted(card & KIND for card in [*state.hand[1], *state.deck[1]]) == state.lists[1]
    view = state.mask(0)
    assert isinstance(view, GeneralsState)
    assert all(card & KIND == KIND for card in view.hand[1])


# ---- drawing --------------------------------------------------------------------------------------------------------


@rule("generals", 52)
def test_a_turn_begins_with_a_draw_that_cannot_be_skipped() -> None:
    """With ten cards in hand and a limit of 6, a card is still drawn, and five are discarded at the end."""
    table = plain()
    hand = ["Ash", "Birch", "Cedar", "Rook", "Kite", "Heron", "Wolf", "Reed", "Sedge", "Militia"]
    table.may.holds(*hand).resource("Guan Yu")
    table.begins(table.may)
    assert table.may.hand == sorted([*hand, "Guan Yu"])
    assert table.may.asked == "main"
    table.may.ends()
    assert table.may.asked == "excess"


@rule("generals", 52)
def test_an_empty_resource_is_no_loss_until_the_draw() -> None:
    table = plain()
    table.may.resource(size=0)
    assert not table.over
    table.begins(table.may)
    assert table.winner is table.david
    outcome = table.state.outcome()
    assert outcome is not None
    assert (outcome.how, outcome.winners) == ("draw", [1])
    assert ending(table.state, SPECTATOR) == "David wins: May has no card left to draw."
    assert ending(table.state, 0) == "Defeat. You have no card left to draw."


def drawing(count: int, **more: object) -> dict[str, object]:
    draw = {"op": "draw", "n": count, "who": "you", **more}
    return card("X30", "Muster", "strategy", {"kind": "play", "do": [draw]})


@rule("generals", 53)
@pytest.mark.parametrize(("left", "over"), [(3, False), (2, False), (1, True), (0, True)])
def test_an_effects_draw_is_compulsory_and_one_by_one(left: int, over: bool) -> None:
    table = plain(drawing(2))
    table.may.holds("Muster").resource(size=left).does("muster")
    assert table.over is over
    assert len(table.may.hand) == min(left, 2), "what is there is drawn first"
    if over:
        assert table.winner is table.david


@rule("generals", 53)
def test_an_optional_draw_from_an_empty_resource_is_not_possible() -> None:
    for left in (2, 1, 0):
        table = plain(drawing(2, optional=True))
        table.may.holds("Muster").resource(size=left).does("muster")
        for _ in range(left):
            assert table.may.asked == "may-draw"
            table.may.does("yes")
        assert table.may.asked == "main"
        assert (len(table.may.hand), table.over) == (left, False)


# ---- Upkeep ---------------------------------------------------------------------------------------------------------


@rule("generals", 54)
@pytest.mark.parametrize(("left", "over"), [(4, False), (3, False), (2, True)])
def test_a_player_one_card_short_loses(left: int, over: bool) -> None:
    table = plain()
    table.may.has("Ash", "Birch", "Cedar").resource(size=left)
    table.may.ends()
    assert table.over is over
    if over:
        assert table.winner is table.david
        outcome = table.state.outcome()
        assert outcome is not None
        assert outcome.how == "upkeep"
        assert table.may.resources == 2, "nothing is paid in part"
    else:
        assert table.may.resources == left - 3


@rule("generals", 54)
def test_upkeep_follows_from_the_cards_and_is_never_below_0() -> None:
    """Lu Bu costs 2, a general 1, and Provisions take 1 off the sum. A single general with two such effects costs 0."""
    table = plain(commandments=("D02", "X99"))
    table.may.has("Ash")
    assert table.may.upkeep() == 0
    table.may.has("Lu Bu")
    assert table.may.upkeep() == 2
    table.may.ends()
    assert table.may.resources == 28
    frugal = plain(commandments=("D02", "X99"))
    assert frugal.may.upkeep() == 0
    frugal.may.has("Xun Yu")
    assert frugal.may.upkeep() == 0, "1 - 1 - 1"
    frugal.may.ends()
    assert frugal.may.resources == 30


# ---- the End Phase --------------------------------------------------------------------------------------------------


@rule("generals", 55)
def test_effects_of_the_turns_end_come_before_upkeep_and_that_before_the_hand_limit() -> None:
    """Councillors draw the last card of RESOURCE, so the Upkeep cannot be paid."""
    table = plain(commandments=("D06", "X99"))
    table.may.has("Ash").resource(size=1)
    table.may.ends()
    assert table.winner is table.david
    outcome = table.state.outcome()
    assert outcome is not None
    assert outcome.how == "upkeep"
    assert len(table.may.hand) == 1


@rule("generals", 55)
def test_effects_of_the_turn_still_hold_while_cards_are_put_away() -> None:
    table = plain()
    table.may.has("Ash").holds("Reward the Army", *["Militia", "Archers", "Red Hare", "Reed", "Sedge", "Rook", "Kite"])
    table.may.does("reward-the-army", "archers").holds("Heron")
    assert len(table.may.hand) == 7
    table.may.ends()
    assert table.may.asked == "excess"
    assert table.may.might("Ash") == 6
    table.may.does("militia")
    assert table.may.might("Ash") == 5


@rule("generals", 56)
def test_the_excess_is_the_owners_choice_and_face_down() -> None:
    """All four factions have a limit of 6. Two of eight cards are discarded."""
    table = plain()
    names = ["Ash", "Birch", "Cedar", "Rook", "Kite", "Militia", "Archers", "Red Hare"]
    table.may.holds(*names)
    table.may.ends()
    assert table.may.asked == "excess"
    table.may.does("red-hare")
    assert table.may.asked == "excess"
    table.may.does("birch")
    assert table.david.asked == "main"
    assert table.may.hand == sorted(set(names) - {"Birch", "Red Hare"})
    assert table.may.discards == ["Birch", "Red Hare"]
    said = [line for line in table.david.reads() if "limit" in line]
    assert said == ["May discards 1 card (limit 6)."] * 2


@rule("generals", 56)
def test_the_limit_holds_only_at_the_end_of_the_players_turn() -> None:
    table = plain()
    names = ["Ash", "Birch", "Cedar", "Rook", "Kite", "Militia", "Archers", "Red Hare"]
    table.david.holds(*names)
    table.may.ends()
    assert table.david.asked == "main"
    assert len(table.david.hand) == 9, "with the card of his draw"


@rule("generals", 56)
@pytest.mark.parametrize(("deck", "limit", "turn"), [("vanguard-of-wei", 10, 13), ("alliance", 8, 9)])
def test_the_hand_limits_of_one_and_two_factions(deck: str, limit: int, turn: int) -> None:
    """Neither seat plays a card. The first player has 5 cards in turn 1, 6 in turn 3 and so on, up to 11 in turn 13."""
    game = Generals(decks=(deck, "red-cliffs"))
    state = opened(game, 0)
    while not (state.turn == 0 and state.stack[-1].prompt == "excess"):
        state.apply(state.turn, state.actions[0])
    assert state.number == turn
    assert len(state.hand[0]) == limit + 1
    state.apply(0, state.actions[0])
    assert len(state.hand[0]) == limit


# ---- the end --------------------------------------------------------------------------------------------------------


@rule("generals", 63)
def test_draws_that_lose_for_both_happen_in_order() -> None:
    """Both must draw from an empty RESOURCE. The seat that draws first loses, and the game is no draw."""
    both = {"kind": "play", "do": [{"op": "draw", "n": 1, "who": "you"}, {"op": "draw", "n": 1, "who": "enemy"}]}
    table = plain(card("X30", "Famine", "strategy", both))
    table.may.holds("Famine").resource(size=0)
    table.david.resource(size=0)
    table.may.does("famine")
    outcome = table.state.outcome()
    assert outcome is not None
    assert outcome.winners == [1]
    assert table.state.returns() == [-1.0, 1.0]
    assert len([event for event in table.events if event[0] == events.OVER]) == 1


CROWN = card(
    "X30",
    "Crown",
    "strategy",
    {"kind": "play", "do": [{"op": "win", "who": "you", "reason": "Crown"}, {"op": "draw", "n": 1, "who": "you"}]},
)


@rule("generals", 64)
def test_a_special_victory_is_immediate() -> None:
    table = plain(CROWN)
    table.may.holds("Crown").does("crown")
    assert table.winner is table.may
    assert table.may.hand == [], "nothing more happens"
    outcome = table.state.outcome()
    assert outcome is not None
    assert outcome.how == "card"
    assert ending(table.state, 0) == "Victory. Crown wins you the game."


@rule("generals", 64)
def test_a_special_victory_can_be_countered_as_its_card_can() -> None:
    table = plain(CROWN, ask=True)
    table.may.holds("Crown")
    table.david.holds("Countermand", "Militia")
    table.may.does("crown")
    table.david.does("countermand")
    assert not table.over
    assert table.may.discards == ["Crown"]


@rule("generals", 67)
def test_a_player_without_generals_plays_on() -> None:
    table = plain()
    table.may.has("Reed", at="BORDER")
    table.david.has("Ash", at="ENEMY_BORDER")
    table.may.does("reed#1", "ash#2")
    assert table.may.field == []
    assert table.may.asked == "main"
    table.may.ends()
    assert not table.over
    table.david.ends()
    assert table.may.asked == "main"


@rule("generals", 68)
def test_passing_players_run_out_of_cards() -> None:
    """Every turn but the first draws a card. After the opening hands Brothers in Arms has 54 of 59 cards left, Red
    Cliffs 47 of 52 (ruling 52)."""
    game = Generals(decks=("brothers-in-arms", "red-cliffs"))
    state = opened(game, 0)
    count = 0
    while not state.over:
        end = game.parse("end")
        state.apply(state.turn, end if end in state.actions else state.actions[0])
        count += 1
        assert count < game.bound
    # The second player draws in turns 2, 4 ... 94, which is 47 times, and finds nothing in turn 96.
    assert (state.number, state.winner) == (96, 0)

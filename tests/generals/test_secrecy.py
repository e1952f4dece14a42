"""Hidden information: both DISCARDs, RESOURCE, the other hand and held Counters. Rulings 65 and 66."""

from __future__ import annotations

import json

import pytest

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN_BY_ANY
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import names_for
from gonfalon.core.rules.state import CHANCE, SPECTATOR, State
from gonfalon.games.generals import Generals
from gonfalon.games.generals.rules import events
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.games.generals.ruleset import compile_standard
from gonfalon.testing import rule
from tests.generals.folk import card, plain
from tests.generals.scenario import Table

EVERYBODY = (0, 1, SPECTATOR)


def collect_output(game: Generals, view: State) -> dict[str, str]:
    """Return all data that leaves the core for a viewer, by type."""
    assert isinstance(view, GeneralsState)
    names = names_for(game, view.viewer, ["May", "David"])
    out = {"board": json.dumps(game.board(view)), "controls": json.dumps(game.controls(view))}
    out["text"] = game.text(view, names)
    out["prompt"] = game.prompt(view, names)
    out["log"] = "\n".join(game.words(event, view, names) for event in view.log or [])
    out["actions"] = "\n".join(game.notation(a) + game.describe(view, a) for a in view.legal(view.viewer))
    out["dump"] = repr(view.dump())
    return out


def all_sent(table: Table, viewer: int) -> dict[str, str]:
    return collect_output(table.game, table.state.mask(viewer))


# ---- the areas that stay undisclosed --------------------------------------------------------------------------------


@rule("generals", 65)
def test_hidden_and_open_information() -> None:
    """All counts are open, and so are the cards of CASUALTY, COMMAND, the field and Equipment. Players see their own
    hand."""
    table = plain(commandments=("D01", "D02"))
    table.may.has("Ash", at="BORDER", gear=("Militia",)).holds("Reed", "Archers").lost("Guan Yu")
    table.may.discarded("Lu Bu", "Red Hare").resource("Zhang Fei", size=9)
    for viewer in EVERYBODY:
        seat = table.game.board(table.state.mask(viewer))["seats"][0]
        assert (seat["resource"], seat["discard"], seat["hand_count"]) == (9, 2, 2)
        assert [face["name"] for face in seat["casualty"]] == ["Guan Yu"]
        assert seat["commandment"]["name"] == "Recruit"
        assert [unit["name"] for unit in seat["units"]] == ["Ash"]
        assert [gear["name"] for gear in seat["units"][0]["gear"]] == ["Militia"]
        assert seat["known_resource"] == []
        assert [face.get("name") for face in seat["hand"]] == (["Archers", "Reed"] if viewer == 0 else [None, None])
        view = table.state.mask(viewer)
        assert isinstance(view, GeneralsState)
        hidden = [*view.discard, *view.deck]
        assert all(card & KIND == KIND for zone in hidden for card in zone)


def one_of_each(seed: int) -> Generals:
    """Return decks of 40 single cards each, so that a name identifies a card."""
    ids = [card.id for card in compile_standard().pool.cards if card.type != "commandment"]
    numbers = list(range(len(ids)))
    Rng(seed).shuffle(numbers)
    ids = [ids[number] for number in numbers]
    lists = [
        {"slug": slug, "name": slug, "style": "", "commandment": "D01", "cards": dict.fromkeys(ids[at : at + 40], 1)}
        for slug, at in (("one", 0), ("two", 40))
    ]
    return Generals(cards={"form": 1, "deck": lists}, decks=("one", "two"))


@rule("generals", 25, 65)
@pytest.mark.parametrize("seed", range(4))
def test_cards_in_discard_are_in_no_view(seed: int) -> None:
    """Each card exists once in every game. A card that went to DISCARD unseen is never named to its owner unless the
    owner held it, and never to the other seat or spectators."""
    game = one_of_each(seed)
    names = [kind.name for kind in game.kinds]
    state = game.start(log=True)
    rng = Rng(seed)
    held: list[set[int]] = [set(), set()]
    shown: set[int] = set()
    number = 0
    while not state.over:
        state.apply(state.turn, state.sample(rng))
        for seat in (0, 1):
            held[seat] |= {card & KIND for card in state.hand[seat]}
            # A search looks through RESOURCE, and Sima Yi through a hand.
            shown |= {card & KIND for zone in (*state.deck, *state.hand) for card in zone if card >> 10 & 3 == 3}
            seen = [card & KIND for card in state.deck[seat] if card >> 10]
            held[seat] |= set(seen)
            held[1 - seat] |= {card & KIND for card in state.hand[seat] if card >> 10 >> (1 - seat) & 1}
        for zone in (*state.casualty, *state.field, *state.gear, *state.flight, *state.out, *state.command):
            shown |= {card & KIND for card in zone}
        # What came and went between two questions.
        shown |= {event[4] for event in state.log or [] if event[0] == events.DECLARED}
        for event in state.log or []:
            if event[0] == events.DREW_CARD:
                held[event[2]].add(event[3] & KIND)
        number += 1
        if number % 9:
            continue
        for viewer in EVERYBODY:
            view = state.mask(viewer)
            assert isinstance(view, GeneralsState)
            assert all(card & KIND == KIND for zone in view.discard for card in zone)
            said = collect_output(game, view)
            board = game.board(view)
            for side in board["seats"]:
                side["list"] = None  # which names every card, wherever it lies
            said["board"] = json.dumps(board)
            mine = held[viewer] if viewer >= 0 else set()
            for seat in (0, 1):
                for card_ in state.discard[seat]:
                    kind = card_ & KIND
                    if kind in shown or kind in mine:
                        continue
                    for what in ("board", "text", "prompt", "log", "controls", "actions"):
                        assert f'"{names[kind]}"' not in said[what], f"{names[kind]} in {what} of {viewer}"
                        assert what == "board" or names[kind] not in said[what], f"{names[kind]} in {what} of {viewer}"


@rule("generals", 65)
def test_played_cards_are_not_readable_from_the_pile_or_the_log() -> None:
    """A Strategy is open while it resolves. Face down, it is one of a number of cards in the pile. The log names it
    until the second turn after and then forgets it."""
    table = plain()
    table.may.holds("Reward the Army", "Militia", "Archers").does("reward-the-army", "militia")
    for viewer in EVERYBODY:
        seat = table.game.board(table.state.mask(viewer))["seats"][0]
        assert (seat["discard"], seat["flight"]) == (2, [])
    assert "You play Reward the Army." in table.may.reads()
    assert not any("Militia" in line for line in [*table.may.reads(), *table.david.reads()])
    table.may.ends()
    assert "May plays Reward the Army." in table.david.reads()
    table.david.ends()
    table.may.ends()
    for lines in (table.may.reads(), table.david.reads()):
        assert not any("Reward the Army" in line for line in lines)


PLAYED = (events.DECLARED, events.EQUIPPED)


@rule("generals", 65)
def test_the_log_no_longer_shows_equipment_that_went_with_its_bearer() -> None:
    """It was open when played and when it came into play, independent of later reports."""
    for more in range(2):
        table = plain()
        table.may.has("Ash").holds("Militia").does("militia", "ash#1")

        def shown(table: Table = table) -> list[bool]:
            log = table.state.log or []
            return [bool(card & SEEN_BY_ANY) for code, _, _, card, _, _ in log if code in PLAYED]

        assert shown() == [True, True]
        for _ in range(more):
            table.state.tell(events.FIZZLED, 0, HIDDEN)
        table.state.unequip(table.may.unit("Ash"), False)
        assert shown() == [False, False]


@rule("generals", 65)
def test_a_payment_and_an_excess_show_only_numbers() -> None:
    """Two hands that pay with different cards look the same to the other seat."""
    seen = []
    for cards in (("Militia", "Archers"), ("Guan Yu", "Lu Bu")):
        table = plain()
        table.may.holds("Rook", "Wooden Oxen", *cards)
        table.may.does("rook")
        while table.may.asked == "pay":
            slugs = {name.lower().replace(" ", "-") for name in cards}
            table.may.does(next(choice for choice in table.may.choices if choice in slugs))
        seen.append([all_sent(table, viewer) for viewer in (1, SPECTATOR)])
        own = all_sent(table, 0)
        assert all(name not in own["log"] for name in cards)
    assert seen[0] == seen[1]


def test_the_question_in_the_middle_of_a_payment_is_the_same_whatever_was_paid() -> None:
    table = plain()
    table.may.holds("Ash", "Militia", "Archers", "Red Hare", "Guan Yu", "Reed")
    table.may.does("ash")
    seen = []
    for choice in table.may.choices:
        twin = table.state.clone()
        twin.apply(0, table.game.parse(choice))
        seen.append([collect_output(table.game, twin.mask(viewer)) for viewer in (1, SPECTATOR)])
        assert {table.game.public(table.state, 0, table.game.parse(choice), v) for v in (1, SPECTATOR)} == {1024}
    assert len(seen) > 1
    assert all(one == seen[0] for one in seen)


# ---- RESOURCE -------------------------------------------------------------------------------------------------------


@rule("generals", 66)
def test_resource_is_searched_only_by_a_card_and_then_shuffled() -> None:
    """With Call to Arms its owner looks through RESOURCE and takes a Character of printed cost 2 or less. Both seats
    see it. After the shuffle neither knows anything about RESOURCE."""
    table = plain()
    table.may.holds("Call to Arms", "Militia").resource("Guan Yu", "Reed", "Archers", "Ash", size=4)
    table.may.does("call-to-arms")
    assert table.may.asked == "search"
    assert table.may.choices == ["done", "reed"]
    assert [face["name"] for face in table.may.board["seats"][0]["known_resource"]] != []
    assert table.david.board["seats"][0]["known_resource"] == []
    assert "Guan Yu" not in all_sent(table, 1)["log"] + all_sent(table, SPECTATOR)["log"]
    table.may.does("reed")
    assert table.state.turn == CHANCE
    table.chance("seed:7")
    assert table.may.hand == ["Reed"]
    assert [face.get("name") for face in table.david.board["seats"][0]["hand"]] == ["Reed"]
    for viewer in EVERYBODY:
        view = table.state.mask(viewer)
        assert isinstance(view, GeneralsState)
        assert all(card & KIND == KIND for card in view.deck[0])
        assert "Guan Yu" not in collect_output(table.game, view)["log"]
        assert {event[3] & KIND for event in view.log or [] if event[0] == events.SOUGHT_CARD} <= {KIND}


@rule("generals", 66)
def test_the_order_of_a_searched_resource_is_unknown() -> None:
    """RESOURCE will be shuffled, so a swap of two of its cards looks the same to every viewer."""
    table = plain()
    table.may.holds("Call to Arms", "Militia").resource("Guan Yu", "Reed", "Archers", "Ash", size=4)
    table.may.does("call-to-arms")
    assert table.may.asked == "search"
    twin = table.state.clone()
    assert twin.deck[0][0] != twin.deck[0][3]
    twin.deck[0][0], twin.deck[0][3] = twin.deck[0][3], twin.deck[0][0]
    for viewer in EVERYBODY:
        assert twin.mask(viewer).dump() == table.state.mask(viewer).dump()


@rule("generals", 66)
def test_a_search_that_finds_nothing_looks_to_the_enemy_like_one_that_takes_nothing() -> None:
    seen = []
    for top in ("Reed", "Guan Yu"):
        table = plain()
        table.may.holds("Call to Arms", "Militia").resource(top, size=1)
        table.may.does("call-to-arms")
        assert table.may.asked == "search", "asked whether there is one or not"
        before = [all_sent(table, viewer) for viewer in (1, SPECTATOR)]
        table.may.does("done")
        table.chance("seed:1")
        seen.append([before, [all_sent(table, viewer) for viewer in (1, SPECTATOR)]])
    assert seen[0] == seen[1]


def test_a_card_that_was_shown_is_known_until_the_hand_loses_one_face_down() -> None:
    """May's Reed returned openly. When she pays with an unknown card, David can no longer be sure of it."""
    home = card(
        "X30", "Home", "strategy", {"kind": "play", "do": [{"op": "bounce", "target": {"side": "friend", "count": 1}}]}
    )
    table = plain(home)
    table.may.has("Reed", "Ash").holds("Home", "Militia", "Kite", "Archers").does("home", "reed#1")
    hand = [face.get("name") for face in table.david.board["seats"][0]["hand"]]
    assert sorted(filter(None, hand)) == ["Reed"]
    table.may.does("kite", "militia")
    assert [face.get("name") for face in table.david.board["seats"][0]["hand"]] == [None, None]
    assert sorted(table.may.hand) == ["Archers", "Reed"]


# ---- Counter windows ------------------------------------------------------------------------------------------------

DRILL = {"kind": "active", "cost": {"hand": 0}, "do": [{"op": "draw", "n": 1, "who": "you"}]}
OAK = card("X31", "Oak", "character", DRILL, might=3, wits=3)
HANDS: list[tuple[str, ...]] = [
    ("Red Hare", "Feather Fan", "Wooden Oxen"),
    ("Countermand", "See Through the Ruse", "Silence the Envoy"),
    ("Stolen Halberds", "Feigned Retreat", "Empty Fort"),
    ("Straw Boats", "Turned Plot", "Iron Discipline"),
]
ACTS = {
    "strategy": ["reward-the-army", "archers"],
    "tactical_strike": ["tactics-falling-rocks", "oak#1", "archers"],
    "active": ["oak#1", "active:1"],
    "equip": ["militia", "oak#1"],
    "melee": ["oak#1", "reed#2"],
}


def at_the_window(act: str, hand: tuple[str, ...]) -> Table:
    table = plain(OAK, ask=True)
    table.may.has("Oak", at="BORDER").holds("Reward the Army", "Tactics - Falling Rocks", "Militia", *["Archers"] * 2)
    table.may.resource("Sedge")
    table.david.has("Reed", at="ENEMY_BORDER").holds(*hand)
    table.may.does(*ACTS[act])
    return table


@pytest.mark.parametrize("act", ACTS)
@rule("generals", 40, 65)
def test_the_window_looks_the_same_with_any_hand(act: str) -> None:
    """The prompt, board, log (and its length), text, actions and state are equal for the enemy and for spectators, at
    the question and after a pass."""
    asked, after = [], []
    for hand in HANDS:
        table = at_the_window(act, hand)
        assert table.david.asked == "answer"
        asked.append([all_sent(table, viewer) for viewer in (0, SPECTATOR)])
        table.david.passes()
        assert table.may.asked == "main"
        after.append([all_sent(table, viewer) for viewer in (0, SPECTATOR)])
    assert all(one == asked[0] for one in asked)
    assert all(one == after[0] for one in after)
    assert "pass" not in asked[0][0]["log"].lower(), "a pass is not told"


def test_the_window_is_skipped_only_by_public_facts() -> None:
    """The window is skipped for an empty hand, or for an act that no Counter of the announced factions answers. With
    open lists, the other list decides."""
    table = at_the_window("melee", ())
    assert table.may.asked == "main"
    lists = []
    for slug, counters in (("with", ["C04"]), ("without", ["C01"])):
        ids = ["S01", "S02", "S03", "S04", "S05", "S06", "S07", "S08", "S09", "S10", "R01", "R02", *counters]
        counts = {**dict.fromkeys(ids, 3), "R04": 1}
        lists.append({"slug": slug, "name": slug, "style": "", "commandment": "D01", "cards": counts})
    for slug, opens in (("with", True), ("without", False)):
        closed = Generals(cards={"form": 1, "deck": lists}, decks=("with", slug))
        assert closed.setup.answerable[1] >> 4 & 1, "4 is a melee; Feigned Retreat is of no faction"
        game = Generals(cards={"form": 1, "deck": lists}, decks=("with", slug), lists="open")
        counter = {kind.name for kind in (game.kinds[number] for number in game.setup.counters[1])}
        assert counter == ({"Feigned Retreat"} if opens else {"See Through the Ruse"})
        assert bool(game.setup.answerable[1] >> 4 & 1) is opens


@rule("generals", 65)
@pytest.mark.parametrize("pair", [("plans-of-wei", "vanguard-of-wei"), ("sleeping-dragon", "plans-of-wei")])
def test_windows_do_not_depend_on_hidden_cards(pair: tuple[str, str]) -> None:
    """Before every act that opens a window the other hand is dealt again from the unseen cards. The seat gets the same
    question, and the enemy sees the same view. A card that both saw go to DISCARD is in no view, because DISCARD
    cannot be searched (ruling 65), but it is no secret, so each world has it."""
    game = Generals(decks=pair)
    rng = Rng(7)
    windows = 0
    for _ in range(3):
        state = game.start(log=True)
        while not state.over:
            doer = state.turn
            busy = len(state.actions) > 1 and state.stack[-1].prompt == "main" and rng.below(4)
            # Anything but the end of the turn, mostly.
            action = state.actions[1 + int(rng.below(len(state.actions) - 1))] if busy else state.sample(rng)
            view = state.mask(doer) if doer >= 0 else None
            before = state.clone()
            state.apply(doer, action)
            if view is None or not state.stack or state.stack[-1].prompt != "answer" or state.turn == doer:
                continue
            windows += 1
            told = collect_output(game, state.mask(doer))
            for _ in range(2):
                world = worlds(view).sample(rng)
                assert world.mask(doer).dump() == before.mask(doer).dump()
                assert isinstance(before, GeneralsState)
                assert isinstance(world, GeneralsState)
                world.gone = before.gone
                world.apply(doer, action)
                assert world.asked() == state.asked()
                assert collect_output(game, world.mask(doer)) == told
    assert windows >= 10


# ---- worlds ---------------------------------------------------------------------------------------------------------

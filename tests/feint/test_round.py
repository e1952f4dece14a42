"""The course of a round and a game: Reinforcement, Scout, turns and passing, length, end."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.games.feint.rules import events
from gonfalon.games.feint.rules.state import BOTH
from gonfalon.testing import rule
from tests.ending import ending
from tests.feint.scenario import Player, Table, card, faces, readable


def long_table(**options: Any) -> Table:
    """Return a table for whole rounds: hands of seven plain cards, and an ox of Strength 6 for the winner of
    a round."""
    table = Table(may=[card("ox", 6, copies=11)], david=[card("bull", 6, copies=11)], **options)
    table.may.holds(*["red-filler"] * 7)
    table.david.holds(*["blue-filler"] * 7)
    return table.deploys(table.may)


def strike(player: Player) -> None:
    """Put the player's strong card at his own battle, so that he wins the round."""
    number = player.table.game.box.locations[player.state.scout[player.seat][0] & KIND]
    player.has("ox" if player.seat == 0 else "bull", at=number)


def rounds_won_by(table: Table, winners: str) -> None:
    """Play rounds, `MMD` for May, May, David. The loser has no card in play and loses no Morale."""
    for winner in winners:
        strike(table.may if winner == "M" else table.david)
        table.both_pass()
        if not table.state.over:
            table.may.does("done")
            table.david.does("done")


# ---- Reinforcement ---------------------------------------------------------------------------------


@rule("feint", 3)
@pytest.mark.parametrize("first", [0, 1])
def test_nothing_of_one_answer_shows_before_both_are_in(first: int) -> None:
    """May and David decide simultaneously. A partial or complete answer of one is not visible to the other or a
    spectator."""
    table = Table(may=[card("ox", 6), card("hen", 1)], david=[card("cow", 5), card("cat", 1)])
    table.may.holds("ox", "ox", "hen")
    table.david.holds("cow", "cow", "cat")
    table.reinforces()
    early, late = (table.may, table.david) if first == 0 else (table.david, table.may)
    answer = {0: ["ox", "hen", "done"], 1: ["cow", "cat", "done"]}

    before = {viewer: readable(table, viewer) for viewer in (late.seat, SPECTATOR)}
    for action in answer[early.seat]:
        early.does(action)
        for viewer, seen in before.items():
            assert readable(table, viewer) == seen, f"after {action}"
    assert early.why_not(answer[early.seat][0]) == "You have already answered. Other players are still deciding."
    own = table.game.board(early.view)["seats"][early.seat]["hand"]
    marked = [card["slug"] for card in own if not card["back"] and card["marked"]]
    assert marked == answer[early.seat][:2], "his own marks"
    assert early.discard == [], "committed, not yet carried out"

    late.does(*answer[late.seat])
    assert table.may.discard == ["ox", "hen"]
    assert table.david.discard == ["cow", "cat"]
    for viewer in (0, 1, SPECTATOR):
        told = readable(table, viewer)["log"]
        assert ("You" if viewer == 0 else "May") + " discard" + ("" if viewer == 0 else "s") + " Ox." in told
        assert ("You" if viewer == 1 else "David") + " discard" + ("" if viewer == 1 else "s") + " Cow." in told
    assert (len(table.may.hand), len(table.david.hand)) == (7, 7)
    assert [event[2] for event in table.happened(events.DISCARDED)] == [0, 0, 1, 1], "May is the start player"


@rule("feint", 3)
def test_discards_are_a_set_of_the_own_hand() -> None:
    """Two oxen in hand can both be discarded, a third is not there. Discarding no card is also an answer."""
    table = Table(may=[card("ox", 6), card("hen", 1)])
    table.may.holds("ox", "ox", "hen")
    table.david.holds("blue-filler")
    table.reinforces()
    assert table.may.legal() == ["done", "ox", "hen"]
    assert table.may.why_not("blue-filler").rule == "ruling 3", "not his card"
    assert table.may.why_not("pass").rule == "ruling 3"
    table.may.does("ox", "ox")
    assert table.may.why_not("ox").rule == "ruling 3"
    assert table.may.legal() == ["done", "hen"]
    table.may.does("hen", "done")
    table.david.does("done")
    assert table.may.discard == ["ox", "ox", "hen"]
    assert table.david.discard == [], "David discarded nothing"
    assert (len(table.may.hand), len(table.david.hand)) == (7, 7)


@rule("feint", 3)
def test_a_player_with_an_empty_hand_is_not_asked() -> None:
    table = Table(may=[card("ox", 6)])
    table.may.holds("ox")
    table.david.holds()
    table.reinforces()
    assert table.may.legal() == ["done", "ox"]
    assert table.david.legal() == []
    table.may.does("done")
    assert (len(table.may.hand), len(table.david.hand)) == (7, 7)


@rule("feint", 4)
def test_discard_piles_are_public_in_full() -> None:
    table = Table(may=[card("ox", 6), card("hen", 1)], david=[card("cow", 5)])
    table.may.holds("red-filler").discarded("ox", "hen", "ox")
    table.david.holds("blue-filler").discarded("cow")
    table.deploys(table.may)
    for viewer in (0, 1, SPECTATOR):
        seats = table.game.board(table.state.mask(viewer))["seats"]
        assert [face["slug"] for face in faces(seats[0]["discard"])] == ["ox", "hen", "ox"]
        assert [face["slug"] for face in faces(seats[1]["discard"])] == ["cow"]


@rule("feint", 5)
def test_the_hand_is_kept_between_rounds() -> None:
    """May keeps three unplayed cards. In the next round she draws 7 - 3 = 4 more."""
    table = Table(may=[card("ox", 6), card("hen", 1), card("pig", 2)])
    table.may.holds("ox", "hen", "pig").stacked(*["red-filler"] * 4)
    table.david.holds("blue-filler")
    table.deploys(table.may).both_pass()
    assert table.may.hand == ["ox", "hen", "pig"]
    table.may.does("done")
    table.david.does("done")
    assert table.may.hand == ["ox", "hen", "pig", *["red-filler"] * 4]


@rule("feint", 6)
@pytest.mark.parametrize("left", [0, 1, 3, 4, 5])
def test_a_short_draw_pile_gives_its_remaining_cards(left: int) -> None:
    """May holds 3 and would draw 4. A smaller pile gives fewer cards and is never rebuilt."""
    table = Table(may=[card("ox", 6), card("pig", 2, copies=5)])
    table.may.holds("ox", "ox", "ox").stacked(*["pig"] * left, only=True)
    table.david.holds("blue-filler")
    cast_off = sorted(table.may.discard)
    assert cast_off, "there would be something to reshuffle"
    table.reinforces()
    table.may.does("done")
    table.david.does("done")
    drawn = min(left, 4)
    assert table.may.hand == ["ox", "ox", "ox"] + ["pig"] * drawn
    assert len(table.may.deck) == left - drawn
    assert sorted(table.may.discard) == cast_off
    assert len(table.david.hand) == 7, "David draws his seven"


# ---- Scout -----------------------------------------------------------------------------------------


def spent_pile(left: int = 0) -> Table:
    """Return a table with one Location Card of each number. May holds 5, `left` more are in her pile, the rest are
    used."""
    table = Table(may=[card("scout", 2, "explorer"), card("pig", 2)], numbers={"location_copies": 1})
    table.may.scouted(5)
    state = table.state
    while len(state.pile[0]) > left:
        state.used[0].append(state.pile[0].pop() | BOTH)
    table.may.holds("scout", "pig")
    table.david.holds("blue-filler", "blue-filler")
    return table.deploys(table.may)


@rule("feint", 7)
def test_an_empty_location_pile_is_shuffled_when_a_card_must_be_drawn() -> None:
    """Five Location Cards last five rounds. In Cleanup the fifth joins the other four. The five are shuffled only at
    the sixth draw."""
    table = spent_pile()
    table.both_pass()
    assert (len(table.state.pile[0]), len(table.state.used[0])) == (0, 5), "Cleanup does not shuffle"
    table.may.does("done")
    table.david.does("done")
    assert table.asked() == (-1, "shuffle")
    assert len(table.happened(events.SHUFFLED)) == 1
    table.seed()
    assert (len(table.state.scout[0]), len(table.state.pile[0]), len(table.state.used[0])) == (1, 4, 0)
    cards = [c & KIND for c in table.state.pile[0] + table.state.scout[0]]
    assert sorted(cards) == [0, 1, 2, 3, 4]
    assert table.asked() == (1, "deploy"), "and the round goes on"
    assert (len(table.state.pile[1]), len(table.state.used[1])) == (3, 1), "David's pile is left alone"


@rule("feint", 7)
def test_looking_at_an_empty_location_pile_shuffles_without_the_current_card() -> None:
    """May's Location Card 5 is in front of her and not in the discard pile. 2, 3, 4 and 6 are shuffled."""
    table = spent_pile()
    table.may.plays("scout@2")
    assert table.asked() == (-1, "shuffle")
    table.seed()
    pile = table.state.pile[0]
    assert sorted(c & KIND for c in pile) == [0, 1, 2, 4]
    assert table.state.scout[0][0] & KIND == 3
    top = table.game.box.locations[pile[-1] & KIND]
    assert table.game.board(table.may.view)["seats"][0]["next_location"] == top
    assert table.game.board(table.david.view)["seats"][0]["next_location"] is None
    # what she saw is what she draws, without another shuffle
    table.david.passes()
    table.may.passes()
    table.may.does("done")
    table.david.does("done")
    assert table.game.box.locations[table.state.scout[0][0] & KIND] == top
    assert len(table.happened(events.SHUFFLED)) == 1


@rule("feint", 7)
def test_a_shuffled_location_pile_is_unknown_again() -> None:
    """All had seen the used cards. No seat knows any place after the shuffle."""
    table = spent_pile()
    table.may.plays("scout@2")
    table.seed()
    assert [c & KIND for c in table.david.view.pile[0]] == [KIND] * 4
    assert [c & KIND == KIND for c in table.may.view.pile[0]] == [True, True, True, False]


# ---- turns and passing -----------------------------------------------------------------------------


@rule("feint", 8)
def test_passing_is_always_allowed_and_final_for_the_round() -> None:
    table = Table(may=[card("ox", 6)])
    table.may.holds("ox")
    table.david.holds("blue-filler", "blue-filler", "blue-filler")
    table.deploys(table.may)
    assert table.may.may_do("ox@2"), "she could play"
    assert table.may.may_do("pass"), "but need not"
    table.may.passes()
    table.david.plays("blue-filler@2")
    assert table.asked() == (1, "deploy")
    assert table.may.why_not("ox@2") == "It is not your decision now."
    table.david.passes()
    assert table.state.round == 2
    table.may.does("done")
    table.david.does("done", "pass")
    assert table.may.may_do("ox@2"), "in the next round she may play again"


@rule("feint", 9)
def test_an_empty_hand_passes_by_itself() -> None:
    table = Table(may=[card("ox", 6), card("hen", 1)])
    table.may.holds("ox", "hen")
    table.david.holds()
    table.deploys(table.may)
    table.may.plays("ox@2")
    assert [event[2] for event in table.happened(events.PASSED)] == [1], "David's pass, and it is a pass"
    assert table.state.passed == 0b10
    assert table.asked() == (0, "deploy")
    table.may.plays("hen@2")
    assert [event[2] for event in table.happened(events.PASSED)] == [1, 0]
    assert table.state.round == 2, "both have passed: the round is over"


@rule("feint", 9)
def test_a_hand_without_a_legal_card_is_asked_with_a_pass_as_its_only_answer() -> None:
    """A Tower needs an Engineer. If May's turn were skipped, David would learn her hand."""
    table = Table(may=[card("keep", 5, "tower", tags=("tower",))])
    table.may.holds("keep")
    table.david.holds("blue-filler", "blue-filler")
    table.deploys(table.may)
    assert table.asked() == (0, "deploy")
    assert table.may.legal() == ["pass"]
    table.may.passes()
    table.david.plays("blue-filler@2")
    assert table.asked() == (1, "deploy"), "it was a pass like any other"


@rule("feint", 10)
def test_after_a_pass_the_other_takes_turn_upon_turn() -> None:
    table = Table(david=[card("cow", 3)])
    table.may.holds("red-filler", "red-filler")
    table.david.holds("cow", "cow", "cow", "blue-filler")
    table.deploys(table.may)
    table.may.plays("red-filler@6")
    table.david.plays("cow@2")
    assert table.asked() == (0, "deploy"), "until then they alternate"
    table.may.passes()
    table.david.plays("cow@2")
    assert table.asked() == (1, "deploy")
    table.david.plays("cow@3")
    assert table.asked() == (1, "deploy")
    table.david.passes()
    assert table.state.round == 2


@rule("feint", 11)
def test_a_player_who_passed_still_moves_his_scrambler() -> None:
    table = Table(may=[card("ox", 6)], david=[card("imp", 3, "scrambler")])
    table.may.holds("ox", "ox")
    table.david.holds("blue-filler").has("imp", at=4)
    table.deploys(table.david)
    table.david.passes()
    table.may.plays("ox@4")
    assert table.asked() == (1, "scramble")
    assert table.david.legal() == ["@2", "@3", "@5", "@6"]
    table.david.answers("@6")
    assert table.david.at(6) == ["imp"]
    assert table.asked() == (0, "deploy"), "and May, alone still in, goes on"


@rule("feint", 12)
def test_extra_plays_stay_inside_the_turn() -> None:
    """Good-for-Something plays a Conjurer, and that a third card. It is one turn of May's, then David's."""
    table = Table(may=[card("idler", 1, "good-for-something"), card("witch", 2, "conjurer"), card("ox", 6)])
    table.may.holds("idler", "witch", "red-filler").discarded("ox").stacked("red-filler")
    table.david.holds("blue-filler", "blue-filler")
    table.deploys(table.may)
    table.may.plays("idler@2")
    assert table.asked() == (0, "play-one")
    table.may.plays("witch@2")
    assert table.asked() == (0, "conjure")
    table.may.plays("ox@3")
    assert table.asked() == (1, "deploy")
    assert (table.may.at(2), table.may.at(3)) == (["idler", "witch"], ["ox"])
    table.david.plays("blue-filler@2")
    assert table.asked() == (0, "deploy"), "David too had one turn"


# ---- the end ---------------------------------------------------------------------------------------


@rule("feint", 13)
def test_four_victory_points_do_not_end_the_game() -> None:
    """May leads 4-0 and still loses, because a card of Morale 1 costs her the last 1 in the fifth round."""
    table = long_table()
    rounds_won_by(table, "MMMM")
    assert table.may.points == 4
    assert not table.state.over
    assert table.state.round == 5
    table.may.morale_is(1).has("red-filler", at=2)
    strike(table.david)
    table.both_pass()
    outcome = table.state.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.how) == ([1], "morale")


@rule("feint", 14)
def test_a_game_lasts_exactly_seven_rounds() -> None:
    """The round marker starts on 1 and meets the end-game marker on 8."""
    table = long_table()
    assert table.game.box.end_round == 8
    rounds_won_by(table, "MDMDMD")
    assert not table.state.over
    assert table.game.board(table.open)["round"] == 7
    rounds_won_by(table, "M")
    outcome = table.state.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.how) == ([0], "rounds")
    assert table.state.returns() == [1.0, -1.0]
    assert len(table.happened(events.ROUND)) + 1 == 7, "the first round began before the log was cleared"
    assert (table.may.points, table.david.points) == (4, 3)
    assert table.may.why_not("pass") == "The game is over."


@rule("feint", 14)
def test_the_winner_has_more_victory_points_not_the_last_round() -> None:
    table = long_table()
    rounds_won_by(table, "DDDDMMM")
    outcome = table.state.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.how) == ([1], "rounds")
    assert ending(table.state, SPECTATOR) == "David wins. 4 rounds to May's 3."
    assert ending(table.state, 0) == "Defeat. David wins 4 rounds to your 3."
    assert ending(table.state, 1) == "Victory. You win 4 rounds to May's 3."


@rule("feint", 15)
@pytest.mark.parametrize(("won", "winner"), [("MMMMDDDD", 1), ("DDDDMMMM", 0), ("MDMDMDDM", 0)])
def test_the_final_round_decides_a_tie_of_eight_rounds(won: str, winner: int) -> None:
    table = long_table(end_round=9)
    rounds_won_by(table, won[:7])
    assert not table.state.over, "seven rounds are not the end here"
    rounds_won_by(table, won[7:])
    assert (table.may.points, table.david.points) == (4, 4)
    outcome = table.state.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.how) == ([winner], "final round")


@rule("feint", 16)
@pytest.mark.parametrize("won", ["MMMM", "DDDD", "MDDM"])
def test_the_start_player_alternates_after_every_result(won: str) -> None:
    table = long_table()
    turns = []
    for winner in won:
        turns.append((table.state.first, table.asked()[0]))
        rounds_won_by(table, winner)
    assert turns == [(0, 0), (1, 1), (0, 0), (1, 1)]


@rule("feint", 17)
def test_no_cleanup_after_morale_is_gone() -> None:
    """David's two cards cost 1 + 1 and he has 2. Exactly 0 loses. All cards stay in place."""
    table = Table(may=[card("ox", 6)])
    table.may.holds("red-filler").has("ox", at=2).scouted(2)
    table.david.holds("blue-filler").has("blue-filler", at=3).has("blue-filler", at=6).scouted(5).morale_is(2)
    table.deploys(table.may).both_pass()
    outcome = table.state.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.how) == ([0], "morale")
    assert table.state.returns() == [1.0, -1.0]
    assert table.david.morale == 0
    assert (table.may.at(2), table.david.at(3), table.david.at(6)) == (["ox"], ["blue-filler"], ["blue-filler"])
    assert (table.may.discard, table.david.discard) == ([], [])
    assert [len(scout) for scout in table.state.scout] == [1, 1]
    assert table.state.first == 0, "nor does the start player marker move"
    assert table.state.round == 1
    assert table.may.points == 1, "the victory point was placed before"

"""Scoring, the end of the game, the match of two games."""

from __future__ import annotations

import pytest

from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import OPEN
from gonfalon.games.jinkei import Jinkei
from gonfalon.games.jinkei.rules import events
from gonfalon.games.jinkei.rules.state import JinkeiState
from gonfalon.games.jinkei.rules.steps import SCORE
from gonfalon.testing import rule
from tests.ending import ending
from tests.jinkei.scenario import Table

PLUS_ONE = [".+1 . .", ". . .", ". . ."]


def last_battle(lead: str, answer: str, may: list[str] | None = None) -> Table:
    """The only battle of the only round: May attacks."""
    table = Table(may, battles=1)
    table.may.stands(vg1=lead)
    table.david.stands(rg1=answer)
    table.attacks(table.may)
    table.may.plays(f"vg1:{lead.rstrip('0123456789')}")
    table.david.plays(f"rg1:{answer.rstrip('0123456789')}")
    return table


# ---- a round's points ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lead", "answer", "points"), [("red0", "blue12", 3), ("red4", "red1", 2), ("red12", "red8", 6)]
)
def test_the_winner_scores_both_cards(lead: str, answer: str, points: int) -> None:
    assert last_battle(lead, answer).state.scored == [[points], [0]]


def test_after_a_tie_each_scores_the_own_card() -> None:
    """4+1 against 5 scores 1 Achievement and 2."""
    assert last_battle("red4", "red5", may=PLUS_ONE).state.scored == [[1], [2]]


@rule("jinkei", 20)
def test_faq_5_a_bonus_adds_no_points() -> None:
    """Blue 7 on Rank +1 counts 8 in the battle, and 2 Achievements, not 3, in the scoring."""
    assert last_battle("blue7", "blue7", may=PLUS_ONE).state.scored == [[4], [0]]


@rule("jinkei", 31)
def test_the_points_of_a_running_round_are_not_shown() -> None:
    """Finished rounds are always visible. The current round's points are visible only at its end."""
    table = Table(battles=2, rounds=2)
    table.may.stands(vg1="red9", rg1="blue2")
    table.david.stands(rg1="red8", vg1="blue3")
    table.attacks(table.may)
    table.may.plays("vg1:red")
    table.david.plays("rg1:red").plays("vg1:blue")
    for player in (table.may, table.david):
        seats = player.board["seats"]
        assert [seat["score"] for seat in seats] == [0, 0]
        assert [seat["scored"] for seat in seats] == [[], []]
        assert [seat["taken_count"] for seat in seats] == [2, 0], "how many cards lie there is no secret"
    table.may.plays("vg1:blue")
    assert [seat["scored"] for seat in table.david.board["seats"]] == [[6], [2]], "3+3 and 1+1"
    assert "Round 1: you 6, David 2." in table.may.log()


def test_taken_cards_count_as_soon_as_the_battle_is_decided() -> None:
    """9 beats 8: May has 2 cards while both are still on the table. After a tie each has 1 more."""
    table = Table(battles=3)
    table.may.stands(vg1="red9", rg2="blue3")
    table.david.stands(rg1="red8", vg1="blue3", rg2="red1")
    table.attacks(table.may)
    table.may.plays("vg1:red")
    assert [seat["taken_count"] for seat in table.may.board["seats"]] == [0, 0]
    table.david.plays("rg1:red")
    assert [seat["taken_count"] for seat in table.may.board["seats"]] == [2, 0]
    assert table.game.score(table.state.mask(OPEN)) == [6, 0], "3+3"
    table.david.plays("vg1:blue")
    assert [seat["taken_count"] for seat in table.david.board["seats"]] == [2, 0]
    table.may.plays("rg2:blue")
    assert [seat["taken_count"] for seat in table.david.board["seats"]] == [3, 1]


# ---- the end ---------------------------------------------------------------------------------------


def end_round(may: int, david: int, starter: int = 0, games: int = 1, totals: tuple[int, int] = (0, 0)) -> JinkeiState:
    """Return the end of the last round of the last game, with these points in it and these totals before it."""
    table = Table(games=games)
    state = table.state
    state.starter = starter
    state.game = games
    state.totals = list(totals)
    state.scored[:] = [[may], [david]]  # and the round that ends now brought nothing
    state.stack[:] = [SCORE]
    state.settle()
    return state


@pytest.mark.parametrize(("may", "david", "winner"), [(30, 20, 0), (20, 30, 1), (1, 0, 0)])
def test_the_higher_score_wins(may: int, david: int, winner: int) -> None:
    state = end_round(may, david)
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.how) == ([winner], "points")
    assert state.returns() == ([1.0, -1.0] if winner == 0 else [-1.0, 1.0])


@pytest.mark.parametrize("starter", [0, 1])
def test_a_tie_goes_to_the_original_second_player(starter: int) -> None:
    state = end_round(25, 25, starter)
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.how) == ([1 - starter], "second player")
    winner = ("May", "David")[1 - starter]
    assert ending(state, -2) == f"{winner} wins. 25 each, and the tie goes to the second player."


def test_a_match_adds_the_scores_of_both_games() -> None:
    """May loses the second game by 5 after winning the first by 6."""
    state = end_round(20, 25, 1, games=2, totals=(31, 25))
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.how) == ([0], "points")
    assert ending(state, -2) == "May wins. 51 to David's 50."
    assert ending(state, 0) == "Victory. You score 51 to David's 50."
    assert ending(state, 1) == "Defeat. May scores 51 to your 50."


def test_after_a_tied_match_both_win() -> None:
    state = end_round(20, 26, 1, games=2, totals=(31, 25))
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.how) == ([0, 1], "shared")
    assert state.returns() == [0.0, 0.0]


# ---- the match -------------------------------------------------------------------------------------


def second_game(seed: int) -> tuple[Jinkei, JinkeiState]:
    """Return a match played at random until the choice of types in the second game."""
    game = Jinkei(games=2)
    state = game.start(log=True)
    rng = Rng(seed)
    while state.game < 2:
        state.apply(state.turn, state.sample(rng))
    return game, state


@rule("jinkei", 33)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_second_game_changes_seats_and_types_are_chosen_anew(seed: int) -> None:
    game, state = second_game(seed)
    assert state.log is not None
    firsts = [event[2] for event in state.log if event[0] == events.GAME]
    assert firsts == [1 - state.starter, state.starter], "the second player of the first game is first now"
    second = 1 - state.starter
    assert [(d.seat, d.prompt) for d in state.decisions()] == [(second, "type")]
    assert [game.notation(a) for a in state.legal(second)] == ["sword", "shield", "bow"]
    assert state.scored == [[], []]
    assert sum(state.totals) > 0


@rule("jinkei", 33)
def test_the_last_battle_of_the_first_game_stays_until_the_types_are_chosen() -> None:
    game, state = second_game(7)
    rng = Rng(8)
    cards = [duel[0] for duel in state.duel]
    while state.stack[-1].prompt == "type":
        shown = game.board(state.mask(0))["duel"]
        assert shown is not None
        assert [fighter and fighter["back"] for fighter in (shown["lead"], shown["answer"])] == [False, False]
        assert [duel[0] for duel in state.duel] == cards
        state.apply(state.turn, state.sample(rng))
    assert state.stack[-1].prompt == "shuffle"
    assert [sorted(deck) for deck in state.deck] == [list(range(22))] * 2
    assert not any([*state.duel, *state.hand, *state.spent])
    assert state.battles == []
    assert [seat["formation"] for seat in game.board(state.mask(0))["seats"]] == [None, None]

"""The moments of a duel and of a round's end: their contents, and no later access (ruling 30)."""

from __future__ import annotations

import pytest

from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import NOBODY, SPECTATOR, State
from gonfalon.games.jinkei.game import Jinkei
from gonfalon.games.jinkei.rules.state import JinkeiState
from gonfalon.table.game.position import Position
from tests.jinkei.scenario import Table


def play_game(game: Jinkei, seed: int) -> tuple[list[JinkeiState], list[State]]:
    """Return the moments of a random game, and the states after the decisions that led through some."""
    state, rng = game.start(log=True), Rng(seed)
    found: list[State] = []
    after: list[State] = []
    state.moments = found
    while not state.over:
        count = len(found)
        state.apply(state.turn, state.sample(rng))
        if len(found) > count:
            after.append(state.clone())
    return [moment for moment in found if isinstance(moment, JinkeiState)], after


def test_every_duel_and_every_round_can_be_seen() -> None:
    found, _ = play_game(Jinkei(), 4)
    assert [moment.moment for moment in found] == ([*["duel"] * 7, "round"] * 3)
    for moment in found:
        assert moment.turn == NOBODY
        assert all(moment.duel)
        for viewer in (0, 1, SPECTATOR):
            board = Jinkei().board(moment.mask(viewer))
            assert board["phase"] == moment.moment
            assert Jinkei().prompt(moment.mask(viewer), ["May", "Bo"])  # the last one has no steps to come
            assert board["duel"] is not None
            assert board["duel"]["number"] == len(moment.battles)
            assert not any(seat["row"] >= 0 for seat in board["seats"])  # nothing is to be played now
            lead = board["duel"]["lead"]
            if moment.moment == "duel":
                assert lead is not None
                assert moment.attacker == lead["seat"]


@pytest.mark.parametrize(
    ("may", "david", "why", "ends"),
    [
        (("vg1", "red9", "red"), ("rg1", "red9", "red"), "9 + 1 = 10 beats 9, same color", "You take both cards"),
        (("vg1", "red4", "red"), ("rg1", "red9", "red"), "9 beats 4 + 1 = 5, same color", "David takes both cards"),
        (
            ("vg1", "red8", "red"),
            ("rg1", "red9", "red"),
            "8 + 1 = 9 meets 9: a tie",
            "Each player keeps their own card",
        ),
        (
            ("vg2", "blue8", "red"),
            ("rg1", "blue9", "blue"),
            "Blue 8 as Red beats Blue 9, Red was led",
            "You take both cards",
        ),
    ],
)
def test_a_duel_says_why(may: tuple[str, str, str], david: tuple[str, str, str], why: str, ends: str) -> None:
    table = Table([".+1 .W .", "# . .", ". . ."], [". . .", ". . .", ". . ."], battles=3)
    table.may.stands(**{may[0]: may[1]})
    table.david.stands(**{david[0]: david[1]})
    table.attacks(table.may)
    found: list[State] = []
    table.state.moments = found
    table.may.plays(f"{may[0]}:{may[2]}")
    table.david.plays(f"{david[0]}:{david[2]}")
    assert table.game.moment_words(found[0].mask(0), ["You", "David"]) == f"{why}. {ends}."


@pytest.mark.parametrize("memory", ["strict", "open"])
def test_a_past_duel_is_shown_to_no_viewer(memory: str) -> None:
    """A table shows the moments of one decision until the next ones, unless it remembers taken cards."""
    position, rng = Position(Jinkei(memory=memory)), Rng(6)
    while not position.over and position.moment_count < 20:
        position.apply(position.state.turn, position.state.sample(rng))
        latest = position.moment(position.moment_count)
        if position.moment_count:
            assert latest is not None
        if position.moment_count > 2:
            assert (position.moment(position.moment_count - 2) is None) == (memory == "strict")
    state = position.state
    assert isinstance(state, JinkeiState)


def test_the_strip_of_a_duel_goes_when_the_next_begins() -> None:
    """It follows from the cards still on the table. The board does not mention taken cards."""
    game, rng = Jinkei(), Rng(3)
    state = game.start(log=True)
    led = 0
    while not state.over:
        state.apply(state.turn, state.sample(rng))
        if not state.stack or state.stack[-1].prompt != "answer" or not state.battles:
            continue
        led += 1
        for viewer in (0, 1, SPECTATOR):
            duel = game.board(state.mask(viewer))["duel"]
            assert duel is not None
            assert duel["answer"] is None
            assert "told" not in duel
            view = state.mask(viewer)
            assert isinstance(view, JinkeiState)
            assert all(card & KIND == KIND for zone in view.taken for card in zone)
    assert led > 10

"""How a game ended: data in the outcome, words from the seats' names."""

from __future__ import annotations

import re

import pytest

from gonfalon import games
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.rules.state import OPEN, SPECTATOR, State
from gonfalon.core.text.english import several, verdict
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.rules.state import FactionState
from gonfalon.games.feint import Feint
from gonfalon.games.feint.rules import events as feint_events
from gonfalon.games.feint.rules.state import FeintState
from tests.ending import NAMES, ending
from tests.stranger.gonfalon_duel import Duel, DuelState


def play_to_end(state: State, seed: int = 1) -> State:
    state.play_out(Rng(seed))
    return state


@pytest.mark.parametrize(
    ("winners", "names", "words"),
    [
        ([0], ["You", "David"], "You win"),
        ([1], ["You", "David"], "You lose"),
        ([1], ["May", "David"], "David wins"),
        ([0, 1], ["May", "You"], "Both win"),
        ([2], ["You", "David", "Ann"], "You lose: Ann wins"),
        ([1, 2], ["You", "David", "Ann"], "You lose: David and Ann win"),
        ([0, 2], ["You", "David", "Ann"], "You and Ann win"),
        ([0, 1, 2], ["May", "You", "Ann"], "All win"),
    ],
)
def test_who_won_in_words(winners: list[int], names: list[str], words: str) -> None:
    assert verdict(winners, names) == words


@pytest.mark.parametrize("name", games.names())
def test_every_ending_uses_names(name: str) -> None:
    """No seat is named by its number, and readers find their own name."""
    for seed in range(3):
        state = play_to_end(games.find_game_class(name).samples()[0].start(), seed)
        outcome = state.outcome()
        assert outcome is not None
        for viewer in (*range(state.seats), SPECTATOR, OPEN):
            words = ending(state, viewer)
            assert words.endswith(".")
            assert not re.search(r"\bseat\b", words, re.IGNORECASE), words
            if viewer >= 0:
                won = viewer in outcome.winners
                assert words.startswith(("You win", "Both", "Victory.") if won else ("You lose", "Defeat.")), words
                assert NAMES[viewer] not in words
            elif not words.startswith("Both"):
                assert words.startswith(several([NAMES[seat] for seat in outcome.winners])), words
        assert ending(games.find_game_class(name).samples()[0].start(), 0) == ""


def test_a_game_that_says_nothing_has_an_ending() -> None:
    state = play_to_end(Duel().start())
    assert isinstance(state, DuelState)
    state.score = [1, 3]
    assert ending(state, SPECTATOR) == "David wins (rounds)."
    assert ending(state, 1) == "You win (rounds)."
    assert ending(state, 0) == "You lose (rounds)."
    state.score = [2, 2]
    assert {ending(state, viewer) for viewer in (0, 1, SPECTATOR)} == {"Both win (rounds)."}


def test_the_loser_of_feint_is_no_stranger() -> None:
    """May has no Morale left. The sentence says "You", not "Player 1"."""
    state = Feint().start()
    assert isinstance(state, FeintState)
    state.stack.clear()
    state.winner, state.how = 1, feint_events.BY_MORALE
    assert ending(state, 0) == "Defeat. You have no Morale left."
    assert ending(state, 1) == "Victory. May has no Morale left."
    assert ending(state, SPECTATOR) == "David wins. May has no Morale left."


def test_a_shared_victory_of_faction_wars() -> None:
    state = play_to_end(FactionWars(seats=3).start())
    assert isinstance(state, FactionState)
    state.winners, state.totals = 0b101, [7, 5, 7]
    assert ending(state, SPECTATOR) == "May and Ann share the win with 7 points."
    assert ending(state, 0) == "Victory. You and Ann share the win with 7 points."
    assert ending(state, 1) == "Defeat. May and Ann share the win with 7 points."


def test_a_records_ending_uses_its_names() -> None:
    game = Duel()
    state, record = game.start(log=True), Record(game, ["Ann", "Bo"])
    rng = Rng(3)
    while not state.over:
        seat, action = state.turn, state.sample(rng)
        record.add(seat, action)
        state.apply(seat, action)
    record.close(state)
    assert record.result is not None
    outcome = state.outcome()
    assert outcome is not None
    assert record.result["why"] == f"{several([record.names[seat] for seat in outcome.winners])} wins (rounds)."
    record.names = ["Cleo", "Dan"]  # whatever they are called, it is the same game
    assert record.replay().dump() == state.dump()

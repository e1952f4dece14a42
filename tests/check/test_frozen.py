"""The law of frozen states catches every forgotten part by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest

from gonfalon.check import run
from gonfalon.check.law import LawResult
from gonfalon.check.laws.formats import serialization
from gonfalon.core.build import find_build
from gonfalon.core.files import freeze as core
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from tests.check.mutants import MUTANTS
from tests.stranger.gonfalon_duel import Duel

pytestmark = pytest.mark.skipif(find_build() == "compiled", reason="compiled functions cannot be patched")


def law(rounds: int = 8) -> LawResult:
    [result] = run(Duel, 0, rounds=rounds, laws=serialization.LAWS)
    return result


def test_a_sound_game_loses_nothing() -> None:
    assert law().ok
    assert law().checked >= 8


def no_log(state: State) -> None:
    state.log = None


def turned_hands(state: Any) -> None:
    state.hand.reverse()


def forgotten_answer(state: State) -> None:
    state.answers = [[] for _ in state.answers]


def other_deck(state: Any) -> None:
    state.deck.reverse()


def cut_stack(state: State) -> None:
    state.stack = state.stack[-1:]


def other_game(state: State) -> None:
    state.rules = None


@pytest.mark.parametrize("slip", [no_log, turned_hands, forgotten_answer, other_deck, cut_stack, other_game])
def test_data_lost_in_a_thaw_is_found(slip: Callable[[Any], None]) -> None:
    def forgetful(game: Game, data: bytes) -> State:
        state = core.thaw(game, data)
        slip(state)
        return state

    with patch.object(serialization, "thaw", forgetful):
        assert not law(24).ok


def test_data_outside_the_states_is_found() -> None:
    [mutant] = [mutant for mutant in MUTANTS if mutant.name == "a round is counted where freezing does not look"]
    with mutant.applied():
        result = law(24)
    assert "has another end" in result.failure or "asks for other decisions" in result.failure


def test_unchecked_bytes_are_found() -> None:
    with patch.object(core, "hash_text", lambda text: b"0"):
        assert "with damage at byte" in law(24).failure

"""The compiled loops do what a loop from outside does."""

from __future__ import annotations

import pytest

import gonfalon
from gonfalon.core.loops import copy_all, deal_all, mask_all, play_noted, play_out
from gonfalon.core.state import CHANCE
from gonfalon.core.worlds import worlds


def by_hand(name: str, seed: int) -> tuple[list[int], int]:
    """The actions of a random game, and how many of them players chose."""
    state, rng = gonfalon.game(name).start(), gonfalon.Rng(seed)
    actions, made = [], 0
    while not state.over:
        seat, action = state.turn, state.sample(rng)
        made += seat != CHANCE
        actions.append(action)
        state.apply(seat, action)
    return actions, made


def fnv(actions: list[int]) -> int:
    """FNV-1a of 32 bits over whole actions, as its authors write it."""
    noted = 2166136261
    for action in actions:
        noted = ((noted ^ action % 2**32) * 16777619) % 2**32
    return noted


@pytest.mark.parametrize("name", gonfalon.names())
def test_random_play_is_that_of_a_loop_from_outside(name: str) -> None:
    for seed in range(3):
        actions, made = by_hand(name, seed)
        state = gonfalon.game(name).start()
        assert play_out(state, gonfalon.Rng(seed)) == made
        assert state.over
        assert play_noted(gonfalon.game(name).start(), gonfalon.Rng(seed)) == (made, fnv(actions))


def test_a_note_stands_for_every_decision() -> None:
    actions, _ = by_hand("jinkei", 1)
    noted = {fnv([*actions[:at], action + 1, *actions[at + 1 :]]) for at, action in enumerate(actions)}
    assert len(noted | {fnv(actions)}) == len(actions) + 1


def test_the_others_count_what_they_did() -> None:
    game = gonfalon.game("jinkei")
    states = [game.start(), game.start(), game.start()]
    assert copy_all(states) == 3
    assert mask_all(states) == 6
    assert deal_all([worlds(state.mask(0)) for state in states], gonfalon.Rng(1)) == 3

"""Helpers for the tests of players with networks."""

from __future__ import annotations

import pytest

from gonfalon import Rng
from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.networks.network_input import advance_to_choice
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State

LITTLE = Budget(iterations=24)
BESIDE = 8
"""Parallel worlds may exceed a budget's rest by this number."""


def positions(game: Game, prompt: str, count: int, rarely: int, seed: int = 2) -> list[State]:
    """Return positions of random play in which a seat gets this question, one of `rarely`."""
    rng = Rng(seed)
    found: list[State] = []
    while len(found) < count:
        state = game.start(log=True)
        while len(found) < count and advance_to_choice(state, rng):
            if state.stack[-1].prompt == prompt and rng.below(rarely) == 0:
                found.append(state.clone())
            state.apply(state.turn, state.actions[int(rng.below(len(state.actions)))])
    return found


def check_choice(bot: Bot, state: State) -> Choice:
    """Return a choice in little time, checked for the properties of a player with a network."""
    view = state.mask(state.turn)
    choice = bot.choose(view, LITTLE, Rng(1))
    assert choice == bot.choose(state.mask(state.turn), LITTLE, Rng(1))
    assert choice.why
    assert sum(share for _, share in choice.policy) == pytest.approx(1.0)
    assert [action for action, _ in choice.policy] == view.actions
    if choice.value is not None:
        assert 0.0 <= choice.value.low <= choice.value.value <= choice.value.high <= 1.0
        assert choice.iterations <= 24 + BESIDE
        for belief in choice.beliefs:
            assert sum(chance for _, chance in belief.likely) == pytest.approx(1.0)
        assert choice.action not in [other.action for other in choice.alternatives]
    return choice

"""What the tests of players with networks share."""

from __future__ import annotations

import pytest

from gonfalon import Rng
from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.networks.network_input import advance_to_choice
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State

LITTLE = Budget(iterations=24)
BESIDE = 8
"""Worlds tried at once may be so many more than a budget has left."""


def positions(game: Game, prompt: str, count: int, rarely: int, seed: int = 2) -> list[State]:
    """Positions of random play in which a seat is asked this, one of `rarely`."""
    rng = Rng(seed)
    found: list[State] = []
    while len(found) < count:
        state = game.start(log=True)
        while len(found) < count and advance_to_choice(state, rng):
            if state.stack[-1].prompt == prompt and rng.below(rarely) == 0:
                found.append(state.clone())
            state.apply(state.turn, state.actions[int(rng.below(len(state.actions)))])
    return found


def told(bot: Bot, state: State) -> Choice:
    """A choice in little time, checked for what a player with a network owes."""
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

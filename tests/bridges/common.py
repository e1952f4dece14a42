"""Sample games for the bridges: every installed game, with chance by seed and card by card."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from _pytest.mark import ParameterSet

from gonfalon import games
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State


def exactly(game: Game) -> Game:
    """Return the game with exact chance."""
    return type(game)(**{**game.options, "exact": True})


def some(kind: type[Game], count: int) -> list[Game]:
    """Return some of a game's samples, from the first to the last, with every number of seats."""
    samples = kind.samples()
    chosen = [samples[i * (len(samples) - 1) // max(1, count - 1)] for i in range(count)]
    for seats in sorted({game.seats for game in samples}):
        if seats not in {game.seats for game in chosen}:
            chosen.append(next(game for game in samples if game.seats == seats))
    return chosen


def name_of(game: Game) -> str:
    """A short name for a configuration, for test reports."""
    default = {option.name: option.default for option in game.options_spec}
    changed = [f"{n}={v}" if len(str(v)) < 30 else n for n, v in game.options.items() if v != default[n]]
    return f"{game.name}({','.join(changed)})".replace(" ", "")


def each(found: list[Game]) -> list[ParameterSet]:
    """Return configurations as parameters of a test."""
    return [pytest.param(game, id=f"{number}-{name_of(game)}") for number, game in enumerate(found)]


SOME: list[Game] = [game for name in games.names() for game in some(games.find_game_class(name), 2)]
EXACT: list[Game] = list({str(game.options): game for game in map(exactly, SOME)}.values())
"""The sample games with exact chance, without duplicates."""
TINY: list[Game] = [game for name in games.names() for game in games.find_game_class(name).tiny()]


def advance(state: State, rng: Rng, count: int) -> State:
    """Play a number of random decisions, at most to the end."""
    for _ in range(count):
        if state.over:
            break
        state.apply(state.turn, state.sample(rng))
    return state


def any_legal(shown: dict[str, Any], chooser: Rng) -> int:
    """Return a random legal action of an observation or info."""
    legal = np.flatnonzero(shown["action_mask"])
    return int(legal[int(chooser.below(len(legal)))])

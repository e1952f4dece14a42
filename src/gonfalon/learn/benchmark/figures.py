"""The figures of a player in one game. Each follows from the seed."""

from __future__ import annotations

from typing import Any

from gonfalon import games
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.basics.options import Options
from gonfalon.lab.run.match import game_of, match, matchups
from gonfalon.learn.benchmark.agents import agent
from gonfalon.learn.benchmark.protocol import LEVELS, SEED
from gonfalon.learn.exact import exploitability_of
from gonfalon.review.data_files import NETWORK, hash_data_file
from gonfalon.vector.networks import Unlearnt

Figures = dict[str, Any]


class NotMeasuredError(GonfalonError):
    """A figure that cannot be measured of a player, with the reason."""


def describe_game(name: str, options: Options, pairs: int) -> Figures:
    """Return what identifies the game that a player is measured in."""
    game = game_of(name, matchups(name, options)[0])
    return {
        "rules": game.version,
        "cards": game.data_hash,
        "network": hash_data_file(game, NETWORK),
        "options": dict(options),
        "pairs": pairs,
    }


def exact(text: str, name: str) -> Figures:
    """Return the exploitability of a player in each tiny configuration for two, and half the width of its interval
    where it is not exact.

    Raises:
        NotMeasuredError: The player does not play the tiny configurations.
    """
    found: Figures = {}
    for number, tiny in enumerate(games.kind(name).tiny()):
        if tiny.seats == 2:
            try:
                player = agent(text, tiny)
            except Unlearnt:
                raise NotMeasuredError(f"The network has not learnt the tiny configurations of {tiny.title}.") from None
            low, high = exploitability_of(tiny, player, SEED)
            found[f"tiny {number}"] = round((low + high) / 2, 6) or 0.0  # and not -0.0
            if low != high:
                found[f"tiny {number} ±"] = round((high - low) / 2, 6)
    return found


def against_levels(text: str, name: str, options: Options, pairs: int, workers: int) -> Figures:
    """Return the score against each fixed level over fixed deals, with its 95 % interval."""
    found: Figures = {}
    for level in LEVELS:
        result = match(text, level, name, options, pairs, SEED, workers, maker=agent)
        found[level] = {"score": round(result.score, 4), "low": round(result.low, 4), "high": round(result.high, 4)}
    return found

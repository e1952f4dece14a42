"""Noise: a weaker level plays second-best actions, never bad ones."""

from __future__ import annotations

from math import exp, log
from typing import Final

from gonfalon.core.basics.rng import Rng

WORST: Final = 3.0
"""The number of noises by which an action may look worse than the best and still be chosen."""

SURE: Final = 0.985
"""Chances beyond this one are no surer."""


def log_odds(chance: float) -> float:
    """Return the log-odds of a chance, within what is sure."""
    chance = max(1.0 - SURE, min(SURE, chance))
    return log(chance / (1.0 - chance))


def choose_with_noise(scores: list[float], noise: float, rng: Rng) -> int:
    """Return the index of the action to play.

    Args:
        scores: How good each action looks, in any unit.
        noise: By how much of that unit an action may look worse and still be played a third as often as the best.
            With 0 the best is played, the first of those that are equal.
        rng: The stream of chance of the decision.
    """
    top = max(scores)
    if noise <= 0.0:
        return scores.index(top)
    weights = [exp((score - top) / noise) if top - score <= WORST * noise else 0.0 for score in scores]
    mark = sum(weights) * rng.random()
    for i, weight in enumerate(weights):
        mark -= weight
        # An excluded action has weight 0 and must not be returned because of rounding.
        if weight > 0.0 and mark < 0.0:
            return i
    return scores.index(top)

"""Weighted random choice."""

from __future__ import annotations

from gonfalon.core.basics.rng import Rng


def resampled(weights: list[float], rng: Rng) -> list[int]:
    """Return as many indices as there are weights, each as often as its weight demands, in random order.

    This is systematic resampling: one random number decides, so an index of twice the weight appears twice as often. If
    all weights are 0, they count as equal.
    """
    count = len(weights)
    total = 0.0
    for weight in weights:
        total += weight
    if total <= 0.0:
        weights = [1.0] * count
        total = float(count)
    step = total / count
    mark = step * rng.random()
    reached = 0.0
    picked: list[int] = []
    for i in range(count):
        reached += weights[i]
        # Rounding may leave room for one mark too many.
        while mark < reached and len(picked) < count:
            picked.append(i)
            mark += step
    # Copies of a world are adjacent here, and a search may stop before it has used all of the list.
    rng.shuffle(picked)
    return picked


def drawn(shares: list[float], rng: Rng) -> int:
    """Return a random index, drawn with the probabilities in `shares`."""
    mark = rng.random()
    last = 0  # for shares that add up to a little less
    for i in range(len(shares)):
        if shares[i] > 0.0:
            last = i
        mark -= shares[i]
        if mark < 0.0:
            break
    return last

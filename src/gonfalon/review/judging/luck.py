"""The luck of the cards, measured when unseen cards become seen.

A shuffle alone is not luck, because no seat knows its result. Luck occurs when cards are seen that no seat had seen.
The baseline after the step is compared with its mean over other deals of the unseen cards, with the same decisions. The
mean of luck is 0 for any baseline.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.review.figures import compute_mean, compute_standard_error
from gonfalon.review.judging.baseline import Baseline
from gonfalon.review.judging.budgets import derive_seed
from gonfalon.review.judging.course import split_strides
from gonfalon.review.judging.worlds import UnseenDeals

LUCK_STREAM: Final = 3
"""Purpose number of the random stream."""
ROUNDING_ERROR: Final = 1e-5
"""Smallest luck that is listed. A network rounds differently for many positions than for one."""


@dataclass(frozen=True)
class Line:
    """The luck of the first seat in one step, as a chance, with its standard error."""

    at: int
    seat0: float
    error: float


def measure_luck(record: Record, baseline: Baseline, deals: int, seed: int) -> list[Line]:
    """Return the steps of a game for two at which cards made a difference.

    Args:
        record: The record.
        baseline: The baseline of the game.
        deals: Number of other deals for each step.
        seed: The seed of the review.
    """
    found = []
    for stride in split_strides(record):
        rng = Rng(derive_seed(seed, stride.at, LUCK_STREAM))
        # Only cards unseen before the step are dealt anew, so that luck is counted when cards are seen.
        undealt = UnseenDeals(stride.before)
        others = [stride.replay_with(undealt.sample(rng), rng) for _ in range(deals)]
        now, *rest = baseline.estimate_chances([stride.after, *others])
        share = baseline.fitted.share
        line = Line(stride.at, share * (now - compute_mean(rest)), share * compute_standard_error(rest))
        if abs(line.seat0) > ROUNDING_ERROR or line.error > ROUNDING_ERROR:
            found.append(line)
    return found


def sum_lines(lines: list[Line]) -> Line:
    """Return the sum of all lines."""
    return Line(0, sum(line.seat0 for line in lines), sqrt(sum(line.error**2 for line in lines)))

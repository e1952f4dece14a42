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
from gonfalon.review.figures import error, mean
from gonfalon.review.judging.baseline import Baseline
from gonfalon.review.judging.budgets import stream
from gonfalon.review.judging.course import strides
from gonfalon.review.judging.worlds import Undealt

USE: Final = 3
"""Purpose number of the random stream."""
NOTHING: Final = 1e-5
"""Smallest luck that is listed. A network rounds differently for many positions than for one."""


@dataclass(frozen=True)
class Line:
    """The luck of the first seat in one step, as a chance, with its standard error."""

    at: int
    seat0: float
    error: float


def luck(record: Record, baseline: Baseline, deals: int, seed: int) -> list[Line]:
    """Return the steps of a game for two at which cards made a difference.

    Args:
        record: The record.
        baseline: The baseline of the game.
        deals: Number of other deals for each step.
        seed: The seed of the review.
    """
    found = []
    for stride in strides(record):
        rng = Rng(stream(seed, stride.at, USE))
        undealt = Undealt(stride.before)
        others = [stride.again(undealt.sample(rng), rng) for _ in range(deals)]
        now, *rest = baseline.chances([stride.after, *others])
        share = baseline.fitted.share
        line = Line(stride.at, share * (now - mean(rest)), share * error(rest))
        if abs(line.seat0) > NOTHING or line.error > NOTHING:
            found.append(line)
    return found


def whole(lines: list[Line]) -> Line:
    """Return the sum of all lines."""
    return Line(0, sum(line.seat0 for line in lines), sqrt(sum(line.error**2 for line in lines)))

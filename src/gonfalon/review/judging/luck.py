"""What the cards brought: what nobody had seen becomes seen, step by step.

A shuffle is no luck yet, for nobody knows what it has laid where. Luck comes when something that no seat had seen is
seen: then the baseline after the step is compared with what it would have been on the average, had all that been dealt
anew before the same decisions. Whatever the baseline, that is nothing on the whole.
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
NOTHING: Final = 1e-5
"""A network that is asked for many positions at once rounds otherwise than for one."""


@dataclass(frozen=True)
class Line:
    """What one step brought the first seat, with its standard error."""

    at: int
    seat0: float
    error: float


def luck(record: Record, baseline: Baseline, deals: int, seed: int) -> list[Line]:
    """Where cards made a difference in a game for two."""
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
    """All lines as one."""
    return Line(0, sum(line.seat0 for line in lines), sqrt(sum(line.error**2 for line in lines)))

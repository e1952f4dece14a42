"""Means that are looked at while they grow, and the intervals that may then be told.

Two questions have two answers. A study that runs *until its interval is narrow enough* may stop there and tell the
usual 95 % interval: when to stop follows from how widely the values vary, and not from what they say (Chow and Robbins
1965, "On the asymptotic theory of fixed-width sequential confidence intervals"). Somebody who *watches the mean* and
stops when they like what they see needs an interval that holds at all times together: the asymptotic confidence
sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas ("Time-uniform central limit theory and asymptotic
confidence sequences", 2021), which is about half as wide again.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, log, sqrt
from typing import Final

from gonfalon.bots.players.choice import Z

ALPHA: Final = 0.05
TUNED: Final = 200
"""The number of values at which the confidence sequence is narrowest, as against the usual interval."""
ADDED: Final = 2.0
"""With 1, a 95 % interval of a win rate would hold as seldom as 86 times in 100; with 2 it is at least 93 times."""
LEAST: Final = 10
"""So many values before anything is told."""


class Track:
    """A mean that grows, with its intervals.

    Twice `grain` squared over n is added to the variance, as Chow and Robbins add 1 / n, so that few values and values
    that are all equal have an interval that holds: what has never happened in n deals happens in at most 2.8 / n of
    all. `grain` is how far one deal can move one value.
    """

    __slots__ = ("grain", "n", "squares", "total")

    def __init__(self, values: Iterable[float] = (), grain: float = 1.0) -> None:
        self.grain: float = grain
        self.n: int = 0
        self.total: float = 0.0
        self.squares: float = 0.0
        for value in values:
            self.add(value)

    def add(self, value: float) -> None:
        """Take a value in."""
        self.n += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        """The mean; 0 of nothing."""
        return self.total / self.n if self.n else 0.0

    @property
    def variance(self) -> float:
        """Of one value, as it shows."""
        return max(0.0, (self.squares - self.n * self.mean**2) / (self.n - 1)) if self.n > 1 else 0.0

    @property
    def firm(self) -> float:
        """The variance that is reckoned with."""
        return self.variance + ADDED * self.grain**2 / self.n

    def half(self) -> float:
        """Half the width of the 95 % interval of a study that stops by its width, or at a number fixed before; by
        Student's distribution, as Peiser (1943) comes near it."""
        if self.n < 2:
            return inf
        return (Z + (Z**3 + Z) / (4 * (self.n - 1))) * sqrt(self.firm / self.n)

    def half_at_any_time(self, tuned: int = TUNED) -> float:
        """Half the width of the interval that holds however often one looks, and whenever one stops."""
        if self.n < 2:
            return inf
        rho = (-2 * log(ALPHA) + log(-2 * log(ALPHA) + 1)) / tuned
        spread = 2 * (self.n * rho + 1) / (self.n**2 * rho) * log(sqrt(self.n * rho + 1) / ALPHA)
        return sqrt(self.firm * spread)

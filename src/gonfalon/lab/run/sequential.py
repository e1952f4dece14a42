"""Running means and the intervals that may be reported while they grow.

There are two cases. A study that runs *until its interval is narrow enough* may stop there and report the usual 95 %
interval, because the stopping time depends on the spread of the values and not on their mean (Chow and Robbins 1965,
"On the asymptotic theory of fixed-width sequential confidence intervals"). An observer that *watches the mean* and
stops at a pleasant value needs an interval that holds at all times together: the asymptotic confidence sequence of
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas ("Time-uniform central limit theory and asymptotic confidence
sequences", 2021), which is about half as wide again.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, log, sqrt
from typing import Final

from gonfalon.bots.players.choice import Z

ALPHA: Final = 0.05
TUNED_DEALS: Final = 200
"""Number of values at which the confidence sequence is narrowest, relative to the usual interval."""
SMALL_SAMPLE_VARIANCE: Final = 2.0
"""Variance added for few values.

With 1, a 95 % interval of a win rate holds only 86 times in 100; with 2, at least 93 times.
"""
MIN_DEALS: Final = 10
"""Number of values before anything is reported."""


class RunningMean:
    """A running mean with its intervals.

    Twice `grain` squared over n is added to the variance, as Chow and Robbins add 1 / n, so that few values and equal
    values have a valid interval too: an event that never happened in n deals happens in at most 2.8 / n of all.

    Args:
        values: The first values.
        grain: The distance that one deal can move one value.
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
        """Add a value."""
        self.n += 1
        # Sums instead of values: a study with millions of games needs no memory for them.
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        """Mean of the values; 0 without any."""
        return self.total / self.n if self.n else 0.0

    @property
    def variance(self) -> float:
        """Sample variance of one value."""
        # Rounding can give a tiny negative difference for equal values.
        return max(0.0, (self.squares - self.n * self.mean**2) / (self.n - 1)) if self.n > 1 else 0.0

    @property
    def regularized_variance(self) -> float:
        """Variance of one value with the correction for few values."""
        return self.variance + SMALL_SAMPLE_VARIANCE * self.grain**2 / self.n

    def half_width(self) -> float:
        """Return half the width of the 95 % interval, if the number of values is fixed or the study stops by width.

        It uses Peiser's approximation (1943) of Student's distribution.
        """
        return inf if self.n < 2 else (Z + (Z**3 + Z) / (4 * (self.n - 1))) * sqrt(self.regularized_variance / self.n)

    def half_width_any_time(self, tuned: int = TUNED_DEALS) -> float:
        """Return half the width of the interval that holds at all times together, whenever the study stops."""
        if self.n < 2:
            return inf
        # The choice of rho that makes the sequence narrowest after `tuned` values.
        rho = (-2 * log(ALPHA) + log(-2 * log(ALPHA) + 1)) / tuned
        spread = 2 * (self.n * rho + 1) / (self.n**2 * rho) * log(sqrt(self.n * rho + 1) / ALPHA)
        return sqrt(self.regularized_variance * spread)

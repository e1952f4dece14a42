"""Means, variances, standard errors, and losses with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple


class Loss(NamedTuple):
    """A loss of the chance to win, with its 95 % interval."""

    value: float
    low: float
    high: float


def compute_mean(values: Sequence[float]) -> float:
    """Return the mean; 0 without values."""
    return sum(values) / len(values) if values else 0.0


def compute_variance(values: Sequence[float]) -> float:
    """Return the sample variance; 0 for fewer than two values."""
    if len(values) < 2:
        return 0.0
    middle = compute_mean(values)
    return sum((value - middle) ** 2 for value in values) / (len(values) - 1)


def compute_standard_error(values: Sequence[float]) -> float:
    """Return the standard error of the mean."""
    return sqrt(compute_variance(values) / len(values)) if values else 0.0

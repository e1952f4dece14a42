"""Means with their errors."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt


def mean(values: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def variance(values: Sequence[float]) -> float:
    """The variance of whatever the values are a sample of; 0 of fewer than two."""
    if len(values) < 2:
        return 0.0
    middle = mean(values)
    return sum((value - middle) ** 2 for value in values) / (len(values) - 1)


def error(values: Sequence[float]) -> float:
    """The standard error of the mean."""
    return sqrt(variance(values) / len(values)) if values else 0.0

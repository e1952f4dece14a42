"""Chi-square tests in plain Python."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

SIGNIFICANCE_LEVEL = 1e-6
"""Significance level: a deviation with a smaller p-value is reported."""


def compute_upper_gamma(a: float, x: float) -> float:
    """Return the regularized upper incomplete gamma function Q(a, x), for a > 0."""
    if x <= 0:
        return 1.0
    # In logarithms, because the factors overflow separately.
    front = math.exp(-x + a * math.log(x) - math.lgamma(a))
    # The series converges fast below a + 1, the continued fraction above.
    if x < a + 1:
        term = total = 1 / a
        n = a
        for _ in range(10_000):
            n += 1
            term *= x / n
            total += term
            if term < total * 1e-15:
                break
        return max(0.0, 1 - total * front)
    # Lentz's continued fraction; 1e-300 stands for 0, which would divide by zero.
    b = x + 1 - a
    c = 1e300
    d = 1 / b
    h = d
    for i in range(1, 10_000):
        an = -i * (i - a)
        b += 2
        d = an * d + b
        d = 1 / (d if abs(d) > 1e-300 else 1e-300)
        c = b + an / c
        c = c if abs(c) > 1e-300 else 1e-300
        h *= d * c
        if abs(d * c - 1) < 1e-14:
            break
    return front * h


def compute_p_value(chi: float, freedom: int) -> float:
    """Return the probability of a chi-square statistic of at least `chi` with this number of degrees of freedom."""
    return 1.0 if freedom <= 0 else compute_upper_gamma(freedom / 2, chi / 2)


def compare_with_weights(counts: Mapping[K, int], weights: Mapping[K, float]) -> float:
    """Return the p-value of counts under the hypothesis that chances are proportional to the weights.

    The result is 0 if a key without a weight was counted. Cells with an expectation below 5 are merged.
    """
    # An outcome that should be impossible refutes the hypothesis at once.
    if any(key not in weights for key in counts):
        return 0.0
    total, mass = sum(counts.values()), sum(weights.values())
    cells: list[tuple[float, int]] = []
    thin_expected, thin_count = 0.0, 0
    for key, weight in weights.items():
        expected = total * weight / mass
        # The chi-square approximation is poor for small expectations.
        if expected < 5:
            thin_expected += expected
            thin_count += counts.get(key, 0)
        else:
            cells.append((expected, counts.get(key, 0)))
    if thin_expected > 0:
        if thin_expected >= 5 or not cells:
            cells.append((thin_expected, thin_count))
        else:
            expected, count = cells.pop()
            cells.append((expected + thin_expected, count + thin_count))
    chi = sum((count - expected) ** 2 / expected for expected, count in cells)
    # The cells have a fixed total, which takes one degree of freedom.
    return compute_p_value(chi, len(cells) - 1)


def compare_samples(a: Mapping[K, int], b: Mapping[K, int]) -> float:
    """Return the p-value of two samples under the hypothesis that they come from one source."""
    total_a, total_b = sum(a.values()), sum(b.values())
    if not total_a or not total_b:
        return 1.0
    cells: list[tuple[int, int]] = []
    thin_a = thin_b = 0
    # The smaller sample decides whether a cell is large enough for the approximation.
    share = min(total_a, total_b) / (total_a + total_b)
    for key in dict.fromkeys([*a, *b]):
        x, y = a.get(key, 0), b.get(key, 0)
        if (x + y) * share < 5:
            thin_a += x
            thin_b += y
        else:
            cells.append((x, y))
    if thin_a + thin_b:
        cells.append((thin_a, thin_b))
    chi = 0.0
    for x, y in cells:
        expected = (x + y) * total_a / (total_a + total_b)
        other = (x + y) - expected
        chi += (x - expected) ** 2 / expected + (y - other) ** 2 / other
    return compute_p_value(chi, len(cells) - 1)

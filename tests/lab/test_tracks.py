"""Means with intervals: against manual sums, and with the right coverage in studies without any effect."""

from __future__ import annotations

from math import comb, isclose, sqrt

import pytest

from gonfalon.core.basics.rng import Rng
from gonfalon.lab.run.sequential import MIN_DEALS, RunningMean

STUDIES = 200


def test_the_usual_interval() -> None:
    """The variance of 1, 2, 3, 4 is 5/3. With a grain of 0 the half width is 1.96 * sqrt(5/12), widened for 3 degrees
    of freedom by (1.96 ** 3 + 1.96) / 12 = 0.79 (close to Student's exact 3.18)."""
    track = RunningMean([1, 2, 3, 4], grain=0.0)
    assert track.mean == 2.5
    assert isclose(track.variance, 5 / 3)
    assert isclose(track.half_width(), (1.96 + 0.7907) * sqrt(5 / 12), rel_tol=1e-3)


@pytest.mark.parametrize("count", [2, 5, 10, 20, 50, 200])
def test_an_interval_of_few_games_holds_the_win_rate_93_times_in_100(count: int) -> None:
    """The coverage of a win rate is a sum over all numbers of wins, weighted by their binomial probabilities."""
    ends = []
    for wins in range(count + 1):
        track = RunningMean([1.0] * wins + [0.0] * (count - wins))
        ends.append((track.mean - track.half_width(), track.mean + track.half_width()))
    for rate in (part / 500 for part in range(1, 500)):
        held = (low <= rate <= high for low, high in ends)
        chances = (comb(count, wins) * rate**wins * (1 - rate) ** (count - wins) for wins in range(count + 1))
        assert sum(chance for chance, inside in zip(chances, held, strict=True) if inside) >= 0.93


def test_the_interval_for_any_time() -> None:
    """At its tuning point, with variance 1, rho squared is (5.991 + log 6.991) / n = 7.936 / n, and the half width is
    sqrt(2 * 8.936 / 7.936 * log(sqrt(8.936) / 0.05)) = 3.035 standard errors, against 1.96."""
    values = [1.0, -1.0] * 5_000
    track = RunningMean(values, grain=0.0)
    error = sqrt(track.variance / track.n)
    assert isclose(track.half_width_any_time(tuned=10_000), 3.035 * error, rel_tol=1e-3)


def differences(rng: Rng) -> float:
    """Return a deal played twice with a change only in its random numbers. Half of them end alike."""
    return (-1.0, 0.0, 0.0, 1.0)[rng.below(4)]


def test_a_study_that_stops_by_its_width_holds_the_truth_19_times_in_20() -> None:
    held = 0
    for study in range(STUDIES):
        rng, track = Rng(1_000 + study), RunningMean()
        while track.n < MIN_DEALS or track.half_width() > 0.1:
            track.add(differences(rng))
        held += abs(track.mean) <= track.half_width()
    assert 0.92 * STUDIES <= held <= 0.98 * STUDIES


def test_anytime_intervals_miss_the_truth_in_at_most_one_of_20_studies() -> None:
    seldom = often = 0
    for study in range(STUDIES):
        rng, track = Rng(2_000 + study), RunningMean()
        left_out = usual_left_out = False
        for _ in range(1_000):
            track.add(differences(rng))
            if track.n >= MIN_DEALS:
                left_out = left_out or abs(track.mean) > track.half_width_any_time()
                usual_left_out = usual_left_out or abs(track.mean) > track.half_width()
        seldom += left_out
        often += usual_left_out
    assert STUDIES - seldom >= 0.92 * STUDIES
    assert often > 0.2 * STUDIES, "the usual interval does not hold at all times together: that is why there are two"

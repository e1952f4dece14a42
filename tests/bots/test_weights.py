"""Worlds are drawn in proportion to their weights."""

from __future__ import annotations

import pytest

from gonfalon import Rng
from gonfalon.bots.search.weighted_choice import resampled


@pytest.mark.parametrize("seed", range(20))
def test_each_comes_as_often_as_it_weighs(seed: int) -> None:
    """Of eight draws, half of the weight gives four, a quarter two, and zero none, without randomness."""
    found = resampled([4.0, 0.0, 2.0, 1.0, 1.0, 0.0, 0.0, 0.0], Rng(seed))
    assert sorted(found) == [0, 0, 0, 0, 2, 2, 3, 4]


def test_a_weight_of_half_a_place_is_drawn_every_other_time() -> None:
    """Weights of 3 and 1 make two places of 2 each. The second place goes to the first half of the time."""
    times = sum(1 in resampled([3.0, 1.0], Rng(seed)) for seed in range(1000))
    assert 430 < times < 570


def test_where_nothing_weighs_anything_all_are_alike() -> None:
    assert sorted(resampled([0.0] * 5, Rng(1))) == [0, 1, 2, 3, 4]


def test_they_come_in_any_order() -> None:
    assert len({tuple(resampled([1.0, 1.0, 1.0], Rng(seed))) for seed in range(100)}) == 6

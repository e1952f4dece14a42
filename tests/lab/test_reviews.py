"""What a check on reviews finds right is told, and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from gonfalon.lab.reviews import Checked, LevelLoss, Right, in_order, keep_trust, met, page
from gonfalon.review.trust import CARDS, INTERVALS, MARKS, SUMS, read


def level(name: str, low: float, high: float) -> LevelLoss:
    return LevelLoss(name, 2, 40, (low + high) / 2, low, high)


LEVELS = [level("gentle", 0.02, 0.03), level("casual", 0.01, 0.022), level("expert", 0.0, 0.01)]
RIGHT = Checked(
    game="jinkei",
    version="2",
    seats=2,
    options={},
    seed=1,
    date="2026-11-26",
    machine="a machine",
    build="plain",
    commit="0123",
    luck_games=2000,
    bias=0.5,
    bias_error=1.0,
    ratio=1.1,
    ratio_low=1.05,
    ratio_high=1.2,
    levels=LEVELS,
    covered=Right(19, 20),
    signs=Right(18, 20),
    cpu_median=1.0,
    cpu_high=2.0,
    refused=3,
)


@pytest.mark.parametrize(
    ("found", "part"),
    [
        (replace(RIGHT, bias=2.5), CARDS),  # more than its error over a point
        (replace(RIGHT, ratio=0.99, ratio_low=0.95), CARDS),
        (replace(RIGHT, ratio=1.0), CARDS),  # it takes nothing off
        (replace(RIGHT, game="feint", ratio=1.04, ratio_low=1.01), CARDS),  # 1.05 is wanted
        (replace(RIGHT, luck_games=0), CARDS),
        (replace(RIGHT, signs=Right(17, 20)), MARKS),  # 85 %
        (replace(RIGHT, signs=Right(0, 0)), MARKS),
        (replace(RIGHT, covered=Right(17, 20)), INTERVALS),  # 85 %
        (replace(RIGHT, covered=Right(98, 100)), INTERVALS),  # 98 %
        (replace(RIGHT, levels=LEVELS[::-1]), SUMS),
    ],
)
def test_what_misses_its_goal_is_left_out(found: Checked, part: str) -> None:
    assert all(met(RIGHT).values())
    assert [name for name, right in met(found).items() if not right] == [part]
    assert "leaves out" in page(found)
    assert "leaves out" not in page(RIGHT)
    assert met(replace(RIGHT, covered=Right(10, 10)))[INTERVALS]  # of ten, 97 % are ten


def test_levels_are_in_order_unless_they_are_not_for_certain() -> None:
    assert in_order([*LEVELS[:2], level("club", 0.015, 0.024), LEVELS[2]])
    assert not in_order([*LEVELS[:2], level("club", 0.023, 0.03), LEVELS[2]])  # loses more than casual for certain
    assert not in_order([level("gentle", 0.0, 0.02), level("expert", 0.01, 0.03)])
    assert in_order([LEVELS[0], level("greedy", 0.05, 0.06), *LEVELS[1:]])  # is none of the numbered ones


def test_a_review_reads_what_the_check_wrote(tmp_path: Path) -> None:
    file = tmp_path / "trust.json"
    keep_trust(replace(RIGHT, signs=Right(17, 20), covered=Right(1, 2)), file)
    assert read(file, "", "2") == (MARKS, INTERVALS)
    assert read(file, "", "3") == ()  # by other rules nothing was checked
    assert json.loads(file.read_text("utf-8"))["about"]["decisions"] == 120

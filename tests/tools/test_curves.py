"""The arithmetic of learning curves, and the page of the named tasks that shows them."""

from __future__ import annotations

import re

import pytest

from docs.generated import pages
from gonfalon.bridges.tasks import TASKS
from tests.bridges.test_tasks import VERSIONS
from tools import curves


def test_the_interval_over_seeds_is_that_of_student() -> None:
    """By hand: the mean of 1, 2, 3 is 2 with a standard deviation of 1; 4.30 / sqrt(3) = 2.4826."""
    mean, half = curves.estimate([1.0, 2.0, 3.0])
    assert mean == 2
    assert half == pytest.approx(4.30 / 3**0.5)


def test_a_level_scores_in_both_seats_of_a_deal() -> None:
    """The same deterministic player in both seats of a deal wins one of two games."""
    assert curves.play("gonfalon/feint-small-v1", "greedy", "greedy", 3) == 0.5


def test_untrained_networks_score_as_much_as_random() -> None:
    """They choose almost uniformly, so their expected score against `random` is 50, which the intervals contain."""
    untrained = [point for point in curves.list_points() if (point.decisions, point.opponent) == (0, "random")]
    assert len(untrained) > 5
    for point in untrained:
        assert abs(point.mean - 0.5) < point.half, point


def test_the_page_has_every_task_with_its_rules_and_runs() -> None:
    page = pages()["reference/tasks.md"]
    for name, (_, _, size, actions) in VERSIONS.items():
        assert f"| `{name}` | {size:,} | {actions} |" in page
    assert re.findall(r"^## (.+)$", page, re.MULTILINE) == [name.split("/")[1] for name in sorted(TASKS)]
    for part, name in zip(page.split("\n## ")[1:], sorted(TASKS), strict=True):
        assert f"| all parts | {VERSIONS[name][2]:,} |" in part

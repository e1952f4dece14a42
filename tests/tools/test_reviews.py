"""The check of reviews: confirmed statements are published, and its fitted values come true."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.review.judging.trust import CARDS, CHECK, MARKS, MadeBy, read_checks, read_omitted_parts
from tools.reviews import reviews
from tools.reviews.__main__ import main
from tools.reviews.reviews import CheckReport, CorrectCount, LevelLoss, find_met_goals, format_page, write_trust

pytestmark = pytest.mark.long


def level(name: str, low: float, high: float) -> LevelLoss:
    return LevelLoss(name, 5, 40, (low + high) / 2, low, high)


LEVELS = [level("gentle", 0.02, 0.03), level("casual", 0.01, 0.022), level("expert", 0.0, 0.01)]
RIGHT = CheckReport(
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
    covered=CorrectCount(19, 20),
    signs=CorrectCount(18, 20),
    cpu_games=7,
    cpu_median=1.0,
    cpu_high=2.0,
    refused=3,
)


@pytest.mark.parametrize(
    ("found", "part"),
    [
        (replace(RIGHT, bias=2.5), CARDS),  # more than its error over a point
        (replace(RIGHT, ratio=0.99, ratio_low=0.95), CARDS),
        (replace(RIGHT, game="feint", ratio=1.04, ratio_low=1.01), CARDS),  # 1.05 is wanted
        (replace(RIGHT, luck_games=29), CARDS),
        (replace(RIGHT, signs=CorrectCount(17, 20)), MARKS),  # 85 %
        (replace(RIGHT, covered=CorrectCount(16, 20)), MARKS),  # 80 %
    ],
)
def test_statements_below_their_goal_are_omitted(found: CheckReport, part: str) -> None:
    assert all(find_met_goals(RIGHT).values())
    assert [name for name, right in find_met_goals(found).items() if not right] == [part]
    assert "leaves out" in format_page(found)
    assert "leaves out" not in format_page(RIGHT)


def test_a_review_reads_the_checks_file(tmp_path: Path) -> None:
    file = tmp_path / "trust.json"
    write_trust(replace(RIGHT, signs=CorrectCount(17, 20), covered=CorrectCount(1, 2)), file)
    by = MadeBy.of(games.game("jinkei"), "")
    assert read_omitted_parts(file, by) == (MARKS,)
    for other in (
        by._replace(seats=3),
        by._replace(rules="3"),
        by._replace(baseline="0123"),
    ):
        assert read_omitted_parts(file, other) == (CHECK,)  # of such reviews none was checked
    assert [check["about"]["decisions"] for check in read_checks(file)] == [120]
    write_trust(replace(RIGHT, game="factionwars", seats=3, options={"seats": 3}), file)
    assert [check["about"]["seats"] for check in read_checks(file)] == [
        2,
        3,
    ]  # each number of seats has a check of its own
    write_trust(RIGHT, file)
    assert [check["about"]["seats"] for check in read_checks(file)] == [2, 3]
    read_omitted_parts.cache_clear()
    assert read_omitted_parts(file, by) == ()


def test_a_check_writes_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reviews, "check_game", lambda *_: RIGHT)
    assert main(["jinkei", "--write", str(tmp_path)]) == 0
    assert capsys.readouterr().out == format_page(RIGHT)
    assert {path.name for path in tmp_path.iterdir()} == {"README.md", "jinkei-review.md", "jinkei-review.svg"}

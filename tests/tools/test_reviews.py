"""The check of reviews: its figures are counted right, and its page says whether they are good enough."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tools.reviews import reviews
from tools.reviews.__main__ import main
from tools.reviews.reviews import CheckedMark, CheckReport, ReviewedGame, SeatMarks, estimate_marks, format_page

SURE = CheckedMark(0, 6, "gentle", "mistake", "Play the 3. Better: Play the 5.", 0.1, 0.05, 0.2, 0.12, 0.06)
UNSURE = replace(SURE, third=0.04)
WRONG = replace(SURE, game=1, at=8, third=-0.08)
MARKS = {"inaccuracy": 2, "mistake": 1, "blunder": 0}
GENTLE = SeatMarks("gentle", 40, 36, 3, MARKS)
STRONG = SeatMarks("strong", 41, 38, 1, dict.fromkeys(MARKS, 0))
RIGHT = CheckReport(
    game="feint",
    version="2",
    seats=2,
    options={},
    seed=1,
    date="2026-11-26",
    machine="a machine",
    build="plain",
    commit="0123",
    luck_games=0,
    bias=0.0,
    bias_error=0.0,
    ratio=0.0,
    ratio_low=0.0,
    ratio_high=0.0,
    games=[ReviewedGame([GENTLE, STRONG], [SURE, UNSURE], 9.5), ReviewedGame([STRONG, GENTLE], [SURE], 21.0)],
)


def test_marks_are_counted_by_level() -> None:
    """Both games have 3 marks of Gentle, so the interval of the mean is a point."""
    text = format_page(RIGHT)
    assert "| gentle | 2 | 80 | 72 | 3.0 | 3.0 to 3.0 | 4, 2, 0 |" in text
    assert "| strong | 2 | 82 | 76 | 0.0 | 0.0 to 0.0 | 0, 0, 0 |" in text
    assert "left without a mark | 8 |" in text
    assert "luck" not in text


def test_a_third_judge_confirms_or_names_what_does_not_stand() -> None:
    text = format_page(RIGHT)
    assert "| 3 of 3, 2 for certain | at least 37 of 40 | yes |" in text
    assert "does not confirm:" not in text
    text = format_page(replace(RIGHT, games=[*RIGHT.games, ReviewedGame([GENTLE, STRONG], [WRONG], 1.0)]))
    assert "| 3 of 4, 2 for certain | at least 37 of 40 | no |" in text
    assert "- game 1, decision 9, gentle, mistake: Play the 3." in text
    assert "10 points (5 to 20), third judge -8 ± 6." in text


def test_a_review_that_takes_too_long_is_reported() -> None:
    """20 s are wanted, and 50 s in Generals."""
    assert "21.0 s | at most 20 s | no |" in format_page(RIGHT)
    assert "21.0 s | at most 50 s | yes |" in format_page(replace(RIGHT, game="generals"))


def test_an_interval_contains_the_loss_of_the_third_judge() -> None:
    """The interval reaches from 5 below to 10 above. Its ends and 6 points of the third judge add up as squares:
    7.8 below and 11.7 above."""
    assert [reviews.is_covered(replace(SURE, third=third)) for third in (0.01, 0.03, 0.21, 0.22)] == [
        False,
        True,
        True,
        False,
    ]


def test_more_different_games_have_a_wider_interval() -> None:
    assert estimate_marks([3, 3, 3])[1:] == (3.0, 3.0)
    mean, low, high = estimate_marks([0, 6])
    assert (mean, low, high) == (3.0, 0.0, 6.0)


def test_a_check_writes_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reviews, "check_game", lambda *_: RIGHT)
    assert main(["feint", "--write", str(tmp_path)]) == 0
    assert capsys.readouterr().out == format_page(RIGHT)
    assert {path.name for path in tmp_path.iterdir()} == {"README.md", "feint-review.md"}

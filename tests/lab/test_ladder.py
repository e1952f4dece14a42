"""Ladders: known scores have known ratings, and a small ladder is climbed alike by any number of workers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from gonfalon.core.errors import OptionError
from gonfalon.lab import ladder
from gonfalon.lab.ladder import climb, page, ratings

pytest.importorskip("choix", reason="the ladder needs its extra")


def test_ten_to_one_is_four_hundred_points() -> None:
    """Elo's scale: odds of 10 to 1 are 400 points. 100 games leave little to the prior."""
    (low, high) = ratings(["low", "high"], {("high", "low"): [10 / 11] * 1000})
    assert low == 0
    assert high == pytest.approx(400, abs=2)


def test_equals_have_equal_ratings_and_odds_multiply() -> None:
    found = ratings(
        ["a", "b", "c"],
        {("b", "a"): [0.75] * 1000, ("c", "b"): [0.75] * 1000, ("c", "a"): [0.9] * 1000},
    )
    # Odds 3 and 3 make 9: a score of 0.9. So all three fit, at 400 * log10(3) = 190.8 points a rung.
    assert found == pytest.approx([0, 190.8, 381.7], abs=2)


def test_a_level_that_never_loses_has_a_rating() -> None:
    low, high = ratings(["low", "high"], {("high", "low"): [1.0] * 10})
    assert 400 < high - low < 4000


def test_the_same_with_any_number_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "SAMPLES", 20)
    one, two = (climb("jinkei", {"games": 1}, pairs=3, workers=n, levels=["random", "greedy"]) for n in (1, 2))
    untimed = [replace(rung, p50=0, p95=0) for rung in one.rungs]
    assert untimed == [replace(rung, p50=0, p95=0) for rung in two.rungs]
    assert one.meetings == two.meetings
    assert one.meetings[0].games == 6
    text = page(one)
    assert "| greedy |" in text
    assert "Levels of Jinkei" in text


def test_ladders_are_for_two(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="two seats"):
        climb("factionwars", {"seats": 3}, pairs=1)
    with pytest.raises(OptionError, match="two rungs"):
        climb("jinkei", pairs=1, levels=["random"])


def test_what_is_written_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "SAMPLES", 20)
    monkeypatch.setattr(ladder, "levels_for", lambda _: ["random", "greedy"])
    assert ladder.main("jinkei", {"games": 1}, 2, 5, 1, tmp_path, False) == 0
    held = json.loads((tmp_path / "jinkei.json").read_text("utf-8"))
    assert [rung["level"] for rung in held["rungs"]] == ["random", "greedy"]
    assert held["seed"] == 5
    assert "random" in (tmp_path / "jinkei.md").read_text("utf-8")
    assert (tmp_path / "jinkei.svg").read_text("utf-8").startswith("<?xml")

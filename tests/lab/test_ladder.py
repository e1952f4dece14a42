"""Ladders: known scores give known ratings, and a small ladder is the same with any number of workers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gonfalon.core.basics.errors import OptionError
from gonfalon.lab.run.match import Deal, play_deal
from gonfalon.lab.studies import ladder
from gonfalon.lab.studies.ladder import fit_ratings, format_page, list_pairings, play_ladder


def test_ten_to_one_is_four_hundred_points() -> None:
    """On Elo's scale odds of 10 to 1 are 400 points. With 100 games the prior has little effect."""
    (low, high) = fit_ratings(["low", "high"], {("high", "low"): [10 / 11] * 1000})
    assert low == 0
    assert high == pytest.approx(400, abs=2)


def test_equals_have_equal_ratings_and_odds_multiply() -> None:
    found = fit_ratings(
        ["a", "b", "c"], {("b", "a"): [0.75] * 1000, ("c", "b"): [0.75] * 1000, ("c", "a"): [0.9] * 1000}
    )
    # Odds 3 and 3 make 9: a score of 0.9. So all three fit, at 400 * log10(3) = 190.8 points a rung.
    assert found == pytest.approx([0, 190.8, 381.7], abs=2)


def test_among_four_a_third_against_three_is_more_than_even() -> None:
    """A player that wins half of the games alone against three others has three times the strength of each: 400 *
    log10(3). The others win one in six against three of it, although 1 / (1 + 3 * 3) would be a tenth."""
    found = fit_ratings(["a", "b"], {("b", "a"): [0.5] * 1000, ("a", "b"): [0.1] * 1000}, seats=4)
    assert found == pytest.approx([0, 190.8], abs=2)
    assert fit_ratings(["a", "b"], {("b", "a"): [0.25] * 50, ("a", "b"): [0.25] * 50}, seats=4) == pytest.approx([0, 0])


def by_greedy(a: str, b: str, *rest: Any) -> Deal:
    """Play a deal with `greedy` in place of the slow exploiter."""
    return play_deal("greedy" if a.startswith("exploiter/") else a, b, *rest)


@pytest.mark.usefixtures("near")
def test_the_same_with_any_number_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "BOOTSTRAP_SAMPLES", 20)
    monkeypatch.setattr(ladder, "play_deal", by_greedy)
    one, two = (
        play_ladder("jinkei", {"games": 1}, pairs=3, workers=n, levels=["random", "gentle"], exploits=1) for n in (1, 2)
    )
    untimed = [replace(rung, p50=0, p95=0) for rung in one.rungs]
    assert untimed == [replace(rung, p50=0, p95=0) for rung in two.rungs]
    assert one.meetings == two.meetings
    assert one.meetings[0].games == 6
    assert one.exploits == two.exploits
    assert [(m.a, m.b, m.games) for m in one.exploits] == [("exploiter/gentle", "gentle", 2)]
    assert (one.rungs[1].limit, one.rungs[1].iterations) == (50, None)
    assert one.digest == two.digest
    text = format_page(one)
    assert f"Digest {one.digest}:" in text
    assert "| gentle |" in text
    assert "Levels of Jinkei" in text


def test_more_seats_play_alone_against_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "BOOTSTRAP_SAMPLES", 20)
    found = play_ladder("factionwars", {"seats": 3}, pairs=1, levels=["random", "gentle"])
    assert "not played" not in format_page(found)
    assert "not played" in format_page(replace(found, meetings=found.meetings[:1]))
    assert [(m.a, m.b, m.games) for m in found.meetings] == [("gentle", "random", 3), ("random", "gentle", 3)]
    assert "alone against 2 of" in format_page(found)


def test_close_levels_meet_their_neighbors_and_greedy() -> None:
    """Greedy ranks between others and does not separate neighbors."""
    levels = ["random", "club", "greedy", "strong"]
    near = [("random", "club"), ("random", "greedy"), ("club", "greedy"), ("club", "strong"), ("greedy", "strong")]
    assert list_pairings(levels, 2, near=True) == near
    assert sorted(list_pairings(levels, 3, near=True)) == sorted([*near, *((b, a) for a, b in near)])
    assert sorted({*list_pairings(levels, 2, near=False)} - {*near}) == [("random", "strong")]


def test_a_ladder_has_two_rungs() -> None:
    with pytest.raises(OptionError, match="two levels"):
        play_ladder("jinkei", pairs=1, levels=["random"])

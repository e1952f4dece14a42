"""What a check on reviews finds right is told, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gonfalon import games
from gonfalon.core.errors import OptionError
from gonfalon.core.options import Options
from gonfalon.core.record import Record
from gonfalon.lab import baselines, reviews
from gonfalon.lab.baselines import game_between
from gonfalon.lab.notebook import Notebook
from gonfalon.lab.reviews import (
    Checked,
    GameJudged,
    Judged,
    LevelLoss,
    Right,
    in_order,
    judge_game,
    keep_trust,
    level_loss,
    met,
    page,
    picture,
    study_of,
)
from gonfalon.review.baseline import Baseline
from gonfalon.review.luck import Line
from gonfalon.review.players import Table
from gonfalon.review.trust import CARDS, CHECK, INTERVALS, MARKS, PARTS, SUMS, MadeBy, checks, read
from gonfalon.review.work import Counted, Desk, Part


def level(name: str, low: float, high: float) -> LevelLoss:
    return LevelLoss(name, 5, 40, (low + high) / 2, low, high)


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
        (replace(RIGHT, ratio=1.0), CARDS),  # it takes nothing off
        (replace(RIGHT, game="feint", ratio=1.04, ratio_low=1.01), CARDS),  # 1.05 is wanted
        (replace(RIGHT, luck_games=0), CARDS),
        (replace(RIGHT, luck_games=29), CARDS),
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
    by = MadeBy.of(games.game("jinkei"), "")
    assert read(file, by) == (MARKS, INTERVALS)
    for other in (
        by._replace(seats=3),
        by._replace(rules="3"),
        by._replace(baseline="0123"),
        by._replace(losses="0123"),
    ):
        assert read(file, other) == (CHECK,)  # of such reviews none was checked
    assert [check["about"]["decisions"] for check in checks(file)] == [120]
    keep_trust(replace(RIGHT, game="factionwars", seats=3, options={"seats": 3}), file)
    assert [check["about"]["seats"] for check in checks(file)] == [2, 3]  # each number of seats has a check of its own
    keep_trust(RIGHT, file)
    assert [check["about"]["seats"] for check in checks(file)] == [2, 3]
    read.cache_clear()
    assert read(file, by) == ()


@pytest.mark.parametrize(("name", "options"), [*((name, {}) for name in games.names()), ("factionwars", {"seats": 2})])
def test_what_ships_was_checked_as_it_is(name: str, options: Options) -> None:
    """As the lobby deals it: with this number of seats, these rules, this network, this baseline of luck and this scale
    of losses."""
    table = Table(games.game(name, **options))
    assert CHECK not in table.untold


def test_a_study_goes_on_after_its_trust_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, path = games.game("jinkei"), tmp_path / "notes"
    Notebook(path, study_of(game, {}, 20, 1)).add("gentle 0", {})
    for untold in ((), PARTS):
        monkeypatch.setattr("gonfalon.review.players.untold_of", lambda *_, untold=untold: untold)
        assert Notebook(path, study_of(game, {}, 20, 1)).found == {"gentle 0": {}}


@pytest.mark.parametrize("changed", ["reviews.build", "sources.of_game", "sources.of_reviews"])
def test_a_study_of_another_version_is_another_study(
    changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = games.game("jinkei")
    Notebook(tmp_path / "notes", study_of(game, {}, 20, 1))
    monkeypatch.setattr(f"gonfalon.lab.{changed}", lambda *_: "another")
    with pytest.raises(OptionError, match="or one of another version"):
        Notebook(tmp_path / "notes", study_of(game, {}, 20, 1))


def judged(loss: float) -> GameJudged:
    return GameJudged([Judged(loss, loss, loss, loss, 0.0, "", None, 0.0)], None)


def test_each_game_of_the_check_deals_anew_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same deals for all of them, what is told of luck came out two points too high over 2,000 games."""
    seeds: list[int] = []

    def luck(record: Record, baseline: Baseline, deals: int, seed: int) -> list[Line]:
        seeds.append(seed)
        return []

    monkeypatch.setattr(baselines, "luck", luck)
    for number in range(3):
        baselines.tried("jinkei", [{}], 77, (), 1.0, number)
    assert len(set(seeds)) == 3


def test_too_few_games_have_no_interval() -> None:
    """In one game drawn anew there is nothing but that game."""
    few = level_loss("gentle", [judged(0.0)] * 2 + [judged(0.1)] * 2)
    assert (few.games, few.loss, few.low, few.high) == (4, 0.05, None, None)
    more = level_loss("gentle", [judged(0.0)] * 3 + [judged(0.1)] * 2)
    assert more.loss == 0.04
    assert more.low is not None
    assert more.high is not None
    assert more.low < 0.04 < more.high
    # The weakest and the strongest differ for certain only where both have an interval.
    single = replace(LEVELS[2], games=1, low=None, high=None)
    assert not in_order([LEVELS[0], single])
    assert in_order([*LEVELS, single])
    told = page(replace(RIGHT, levels=[*LEVELS[:2], single]))
    assert "| expert | 1 | 40 | 0.50 | none |" in told
    assert "fewer than 5 games has no interval" in told
    assert "fewer than 5 games" not in page(RIGHT)
    assert "expert" in picture(replace(RIGHT, levels=[*LEVELS[:2], single]))


@pytest.mark.parametrize(
    ("change", "row", "word"),
    [
        ({"bias": 0.5, "bias_error": 0.4}, "luck", "yes"),
        ({"luck_games": 1, "bias_error": 0.0}, "luck", "not settled"),
        ({"luck_games": 2, "ratio_low": 1.5}, "variance", "not settled"),
        ({"bias": -0.5, "bias_error": 0.6}, "luck", "not settled"),
        ({"bias": -2.0, "bias_error": 0.9}, "luck", "no"),
        ({"ratio_low": 1.05}, "variance", "yes"),
        ({"ratio_low": 0.99}, "variance", "not settled"),
        ({"ratio": 0.9, "ratio_low": 0.8, "ratio_high": 1.0}, "variance", "no"),
        ({"covered": Right(27, 29)}, "second referee", "not settled"),
        ({"covered": Right(28, 30)}, "second referee", "yes"),
        ({"covered": Right(26, 30)}, "second referee", "no"),
        ({"signs": Right(29, 29)}, "marks", "not settled"),
        ({"signs": Right(27, 30)}, "marks", "yes"),
        ({"signs": Right(26, 30)}, "marks", "no"),
    ],
)
def test_what_is_not_settled_says_so(change: dict[str, Any], row: str, word: str) -> None:
    [line] = [line for line in page(replace(RIGHT, **change)).split("\n") if line.startswith(f"| {row}")]
    assert line.endswith(f" | {word} |")


def test_one_game_in_twenty_is_reviewed_as_a_whole_for_what_that_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the others two decisions are looked at; an hour for the cards is an hour of the cost."""
    looked: list[int] = []
    part = Desk.part

    def watched(desk: Desk, at: int) -> Part:
        looked.append(at)
        return part(desk, at)._replace(spent=1.0)

    monkeypatch.setattr(Desk, "part", watched)
    monkeypatch.setattr(Desk, "counted", lambda _: Counted(None, None, [], 3600.0))
    record = game_between("jinkei", [{}], ("gentle", "gentle"), 3, 0)
    monkeypatch.setattr(reviews, "game_between", lambda *_: record)
    asked = [at for at, (seat, _) in enumerate(record.decisions) if seat >= 0]
    whole = judge_game("jinkei", [{}], "gentle", 2, 3, False, 20)
    assert sorted(looked) == asked
    assert whole.spent == 3600.0 + len(asked)
    looked.clear()
    some = judge_game("jinkei", [{}], "gentle", 2, 3, False, 21)
    assert len(some.judged) == 2
    assert len(looked) < len(asked)
    assert some.spent is None

"""The files of docs/strength are whole: their figures make the pages that lie beside them."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from benchmarks import tables
from gonfalon import games
from gonfalon.lab import calibration, ladder, results, reviews
from gonfalon.lab.calibration import Bin, Calibration, Report
from gonfalon.lab.ladder import Ladder, Meeting, Rung
from gonfalon.lab.reviews import Checked, LevelLoss, Right

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "strength"
FILES = sorted(FOLDER.glob("*.json"))


def ladder_page(held: dict[str, Any], plot: str) -> str:
    """Raises where a figure is missing, or one too many."""
    held["rungs"] = [Rung(**rung) for rung in held["rungs"]]
    for meetings in ("meetings", "exploits"):
        held[meetings] = [Meeting(**meeting) for meeting in held[meetings]]
    found = Ladder(**held)
    levels = [rung.level for rung in found.rungs]
    met = {(one.b, one.a) for one in found.meetings}
    assert len(met) == len(found.meetings)
    assert met in [set(ladder.pairings(levels, found.seats, near)) for near in (False, True)]
    # To exploit a level that thinks long takes days: it may be left out, as all are with `--exploit 0`.
    exploited = [meeting.b for meeting in found.exploits]
    assert exploited == [level for level in levels if level != "random"][: len(exploited)]
    return ladder.page(found, plot)


def calibration_page(held: dict[str, Any], plot: str) -> str:
    for level in held["levels"]:
        level["bins"] = [Bin(**one) for one in level["bins"]]
        assert sum(one.count for one in level["bins"]) == level["decisions"]
    held["levels"] = [Calibration(**level) for level in held["levels"]]
    return calibration.page(Report(**held), plot)


def tables_page(held: dict[str, Any], plot: str) -> str:
    return tables.page(held)


def review_page(held: dict[str, Any], plot: str) -> str:
    held["levels"] = [LevelLoss(**level) for level in held["levels"]]
    held["covered"], held["signs"] = Right(**held["covered"]), Right(**held["signs"])
    return reviews.page(Checked(**held), plot)


def test_figures_and_pages_belong_together() -> None:
    for path in FILES:
        held = json.loads(path.read_text("utf-8"))
        assert held["machine"], path.name
        assert held["date"], path.name
        assert held["commit"], f"{path.name} was measured outside of a checkout"
        page: Callable[[dict[str, Any], str], str] = ladder_page
        if path.stem.endswith("-calibration"):
            page = calibration_page
        elif path.stem.endswith("-review"):
            page = review_page
        elif path.stem.endswith("-tables"):
            page = tables_page
        plot = path.with_suffix(".svg")
        assert page(held, plot.name) == path.with_suffix(".md").read_text("utf-8"), path.name
        if page is not tables_page:
            assert ElementTree.fromstring(plot.read_text("utf-8")).tag.endswith("svg")


LADDERS = [path for path in FILES if not path.stem.endswith(("-calibration", "-review", "-tables"))]


@pytest.mark.parametrize("path", LADDERS, ids=lambda path: path.stem)
def test_a_level_meets_the_next_and_greedy_over_a_hundred_deals(path: Path) -> None:
    """Each deal is played from every seat."""
    held = json.loads(path.read_text("utf-8"))
    levels = [rung["level"] for rung in held["rungs"]]
    games_of = {frozenset((one["a"], one["b"])): one["games"] for one in held["meetings"]}
    wanted = [*pairwise(levels), *((one, "greedy") for one in levels if one not in ("greedy", "random"))]
    found = {pair: games_of.get(frozenset(pair), 0) for pair in wanted}
    assert {pair: count for pair, count in found.items() if count < 100 * held["seats"]} == {}


def test_every_game_is_measured() -> None:
    assert {path.stem for path in LADDERS} == set(games.names())


def test_the_index_lists_all_pages() -> None:
    assert (FOLDER / results.INDEX).read_text("utf-8") == results.index(FOLDER)
    assert {path.stem for path in FILES} == {path.stem for path in FOLDER.glob("*.md")} - {"README"}


def test_an_index_is_made_with_the_files(tmp_path: Path) -> None:
    results.write(tmp_path, "tag", {"a": 1}, "# Tag, you are it\n\nText.\n", "<svg/>")
    results.write(tmp_path, "hide", {}, "# Hide\n")
    assert json.loads((tmp_path / "tag.json").read_text("utf-8")) == {"a": 1}
    last = (tmp_path / results.INDEX).read_text("utf-8").splitlines()[-2:]
    assert last == ["- [Hide](hide.md), [figures](hide.json)", "- [Tag, you are it](tag.md), [figures](tag.json)"]

"""The pages of docs/strength: they are written with their pictures, and the index lists all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.lab.studies import ladder
from tools.strength import pages
from tools.strength.__main__ import main

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "strength"


@pytest.mark.long
def test_a_ladder_and_its_chances_become_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "BOOTSTRAP_SAMPLES", 20)
    monkeypatch.setattr(ladder, "list_playable_levels", lambda _: ["random", "greedy"])
    short = ["--option", "games=1", "--write", str(tmp_path)]
    assert main(["ladder", "jinkei", "--pairs", "2", "--seed", "5", "--exploit", "0", *short]) == 0
    assert main(["calibration", "jinkei", "club", "--games", "2", *short]) == 0
    for name in ("jinkei", "jinkei-calibration"):
        assert f"({name}.svg)" in (tmp_path / f"{name}.md").read_text("utf-8")
        assert (tmp_path / f"{name}.svg").read_text("utf-8").startswith("<svg ")
    assert (tmp_path / pages.INDEX).read_text("utf-8") == pages.format_index(tmp_path)


def test_the_levels_of_every_game_are_measured_and_the_index_lists_all_pages() -> None:
    """Outdated pages of chances, reviews and times are removed until the next measurement."""
    assert (FOLDER / pages.INDEX).read_text("utf-8") == pages.format_index(FOLDER)
    for name in games.names():
        assert (FOLDER / f"{name}.md").is_file()

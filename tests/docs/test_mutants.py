"""The files of docs/mutants are whole: pages are made of the figures beside them, and each survivor is judged."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from gonfalon import games
from tests.mutants import pages

FILES = sorted(pages.FOLDER.glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_page_says_what_the_figures_and_the_judgements_say(path: Path) -> None:
    figures = json.loads(path.read_text("utf-8"))
    verdicts = pages.judged().get(path.stem, {})
    assert path.with_suffix(".md").read_text("utf-8") == pages.page(figures, verdicts)
    assert [one["id"] for one in pages.unjudged(figures, verdicts)] == []


def test_there_is_a_page_for_every_game() -> None:
    assert {path.stem for path in FILES} == set(games.names())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nine_of_ten_mutants_that_differ_are_killed(path: Path) -> None:
    figures = json.loads(path.read_text("utf-8"))
    assert len(figures["mutants"]) + figures.get("gone", 0) >= 100
    assert pages.killed_share(figures, pages.judged().get(path.stem, {})) >= 0.9


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_that_is_listed_exists(path: Path) -> None:
    listed = {one["file"] for one in json.loads(path.read_text("utf-8"))["mutants"]}
    assert listed - pages.rule_files(games.kind(path.stem).folder) == set()


def test_a_version_is_read_from_the_source() -> None:
    for name in games.names():
        kind = games.kind(name)
        assert pages.version(kind.folder) == kind.version


def mutant(id: str, killed: bool) -> dict[str, Any]:
    return {"id": id, "killed": killed}


def test_the_share_leaves_out_what_is_equivalent() -> None:
    """Of ten that differ eight are killed; two that are alive do not differ."""
    mutants = [mutant(str(number), number < 8) for number in range(12)]
    verdicts = {"8": {"verdict": "equivalent"}, "9": {"verdict": "equivalent"}, "10": {"verdict": "missing"}}
    assert pages.killed_share({"mutants": mutants}, verdicts) == 0.8


def test_what_cannot_be_tried_again_is_counted() -> None:
    figures = {"mutants": [mutant("a", True), mutant("b", False), mutant("c", False)], "gone": 2}
    found = pages.tried_again(figures, {"b", "c"}, {"c": mutant("c", True)})
    assert found == {"mutants": [mutant("a", True), mutant("c", True)], "gone": 3}
    assert "3 more can no longer be tried" in pages.summary(found, {})
    assert "no longer" not in pages.summary(found | {"gone": 0}, {})


def test_judgements_are_sentences() -> None:
    for game, verdicts in pages.judged().items():
        for id, said in verdicts.items():
            assert said["verdict"] in pages.VERDICTS, f"{game}.{id}"
            assert re.fullmatch(r"[A-Z`].*[.]", said["why"]), f"{game}.{id}"

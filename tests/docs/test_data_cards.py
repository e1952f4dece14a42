"""Every included data file has a card on the page of data cards, and the sizes there are true."""

from __future__ import annotations

import re

import pytest

from gonfalon import games
from tests.docs.examples import ROOT

PAGE = (ROOT / "docs" / "pages" / "reference" / "data.md").read_text("utf-8")
DATA = {".csv", ".json", ".jsonl", ".npz", ".toml"}


@pytest.mark.parametrize("name", games.names())
def test_every_data_file_has_a_card(name: str) -> None:
    folder = games.find_game_class(name).folder
    found = [path.relative_to(folder) for path in folder.rglob("*") if path.suffix in DATA]
    # Settings of portraits are code in another form.
    named = [path for path in found if path.parts[0] != "face"]
    assert named
    assert [str(path) for path in named if not {f"`{path.as_posix()}`", f"`{path.parts[0]}`"} & mentions()] == []


def mentions() -> set[str]:
    return set(re.findall(r"`[^`]+`", PAGE))


def test_each_card_is_complete() -> None:
    cards = PAGE.split("\n## ")[1:]
    assert len(cards) >= 7
    for card in cards:
        assert re.findall(r"^\| (\w[\w ]*) \| \S", card, re.M) == [
            "Files",
            "Content",
            "Made by",
            "Size",
            "License",
            "Limits",
        ]


def test_the_sizes_are_true() -> None:
    for name in games.names():
        folder = games.find_game_class(name).folder
        puzzles = folder / "puzzles.jsonl"
        assert 0 < len(puzzles.read_text("utf-8").splitlines()) <= 60
        assert puzzles.stat().st_size <= 110_000
        assert len([*folder.glob("lessons/*.record.json"), *folder.glob("library/*.record.json")]) <= 10
        for network in folder.glob("bots/network.npz"):
            assert 150_000 <= network.stat().st_size <= 950_000

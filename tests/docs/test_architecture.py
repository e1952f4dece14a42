"""What ARCHITECTURE.md names in the house is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gonfalon.core.rules.game import Game

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
HOUSE = ROOT / "src" / "gonfalon"


@pytest.mark.parametrize("room", sorted(set(re.findall(r"`((?:core|check|bots|table|web)/[\w/]+\.py)`", TEXT))))
def test_modules_that_it_names_are_there(room: str) -> None:
    assert (HOUSE / room).is_file()


def test_the_house_is_drawn_in_full() -> None:
    [drawing] = re.findall(r"^src/gonfalon/\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    drawn = {line.split("/")[0].strip() for line in drawing.splitlines() if re.match(r"  \w[\w/]*/", line)}
    folders = {path.name for path in HOUSE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert drawn == folders


def test_the_readers_classes_are_those_of_a_game() -> None:
    named = set(re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE))
    assert named == {cls.__name__ for cls in Game.__mro__} - {"Game", "object"}

"""The guides tell of the observation tensors what the code does."""

from __future__ import annotations

import pytest

from gonfalon import games
from gonfalon.core.arrays.layout import Layout
from tests.docs.tensors import HEADING, table

GUIDES = {name: (games.kind(name).folder / "guide.md").read_text("utf-8") for name in games.names()}


def test_every_game_has_the_section() -> None:
    assert [name for name, guide in GUIDES.items() if HEADING not in guide] == []


@pytest.mark.parametrize("name", GUIDES)
def test_the_table_of_parts_is_the_layout(name: str) -> None:
    section = GUIDES[name].partition(HEADING)[2].partition("\n## ")[0]
    assert table(name) in section, f"print it with: python -m tests.docs.tensors {name}"
    layout = Layout(games.game(name))
    assert f"{layout.size:,} numbers" in section
    assert f"{len(layout.actions)} actions" in section

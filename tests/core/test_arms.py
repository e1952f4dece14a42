"""The arms of factions from card files."""

from __future__ import annotations

import re
from pathlib import Path

import gonfalon
from gonfalon.core.rules.page import COLORS, dress_factions

STYLES = Path(gonfalon.__file__).parent / "web/static/gonfalon.css"


def test_factions_without_a_known_color_get_different_ones() -> None:
    factions = dress_factions([{"colour": "teal"}, {}, {"colour": "mauve"}, {"glyph": "cog", "pattern": "paly"}])
    assert [faction["colour"] for faction in factions] == ["teal", "purple", "brown", "black"]
    assert [faction["glyph"] for faction in factions] == ["gonfalon", "gonfalon", "gonfalon", "cog"]
    assert [faction["pattern"] for faction in factions] == ["plain", "plain", "plain", "paly"]


def test_the_known_colors_are_those_of_the_style_sheet() -> None:
    assert set(re.findall(r"\.t-(\w+)", STYLES.read_text("utf-8"))) == COLORS

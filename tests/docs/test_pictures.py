"""The README's picture is one that a notebook shows."""

from __future__ import annotations

import re

from tests.docs.pictures import PATH, draw


def words(svg: str) -> set[str]:
    """What is written in a picture, line by line."""
    return set(re.findall(r"<text[^>]*>([^<]*)</text>", svg))


def test_the_picture_is_of_the_same_making() -> None:
    """How bots play may change; how a view looks shows in what is written at the same places."""
    shown, drawn = PATH.read_text("utf-8"), draw()
    first = [re.findall(r"<(\w+)", svg)[:5] for svg in (shown, drawn)]
    assert first[0] == first[1]
    assert "Jinkei: White" in words(shown) & words(drawn)
    assert any(line.startswith("Your hand") for line in words(shown))

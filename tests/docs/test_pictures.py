"""The pictures of README and documentation match a notebook's."""

from __future__ import annotations

import re

import pytest

from tools.pictures import FOLDER, SHOTS, draw_picture


def words(svg: str) -> set[str]:
    """Return the lines of text in a picture."""
    return set(re.findall(r"<text[^>]*>([^<]*)</text>", svg))


@pytest.mark.parametrize("name", SHOTS)
def test_the_picture_is_of_the_same_making(name: str) -> None:
    """The bots' moves may change, but the format must match: the same elements, with text in the same places."""
    shown, drawn = (FOLDER / f"{name}.svg").read_text("utf-8"), draw_picture(name)
    first = [re.findall(r"<(\w+)", svg)[:5] for svg in (shown, drawn)]
    assert first[0] == first[1]
    assert len(words(shown) & words(drawn)) > 2

"""The pictures of the documentation show the screens as they are."""

from __future__ import annotations

import pytest

from tools.terminal_pictures import FOLDER, SHOTS, draw_picture


@pytest.mark.extended
@pytest.mark.parametrize("name", SHOTS)
def test_the_picture_matches_the_screen(name: str) -> None:
    """`make pictures` redraws them."""
    assert (FOLDER / f"{name}.svg").read_text("utf-8") == draw_picture(name)

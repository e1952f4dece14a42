"""The context of templates, and the values of a page without a question."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

Context = dict[str, Any]
"""The values of a template, by their names there."""
HERE: Final = Path(__file__).parents[1]
NO_CONTROLS: Final[Mapping[str, object]] = {"mode": None, "cards": {}, "choices": []}
FACE: Final = "face"
"""The part of a game's folder with templates and styles."""
PLAIN: Final = "_plain.html"
"""The template for games without one of their own."""
BLANK_UI: Final[Context] = {
    "pass": False,
    "confirm_pass": None,
    "by_itself": False,
    "window": None,
    "live": False,
    "hints": False,
    "hint_url": None,
    "tip": "",
}


@cache
def has_part(folder: Path, part: str) -> bool:
    """Return whether a game has its own file of this name."""
    return (folder / FACE / part).is_file()

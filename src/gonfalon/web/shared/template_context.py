"""The vocabulary of templates: their context, and the values of a page that asks nothing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

Context = dict[str, Any]
"""What a template is given, by its names there."""
HERE: Final = Path(__file__).parents[1]
NO_CONTROLS: Final[Mapping[str, object]] = {"mode": None, "cards": {}, "choices": []}
FACE: Final = "face"
"""Where a game's folder holds templates and styles."""
PLAIN: Final = "_plain.html"
"""The table of a game that brings no template of its own."""
BLANK_UI: Final[Context] = {
    "pass": False,
    "confirm_pass": None,
    "by_itself": False,
    "window": None,
    "hint_url": None,
    "tip": "",
}


@cache
def has_part(folder: Path, part: str) -> bool:
    """Whether a game brings its own file of this name."""
    return (folder / FACE / part).is_file()

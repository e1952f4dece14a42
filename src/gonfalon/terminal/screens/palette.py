"""Styles of pieces: the dark colors of the web pages."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rich.style import Style

PAPER: Final = "#131417"
INK: Final = "#efe8da"
GOLD: Final = "#e5bf64"
GOLD_FILL: Final = "#4a3b14"
FIELDS: Final = {
    "yellow": ("#ecc75c", "#3a3113"),
    "green": ("#8fd3a4", "#1b3424"),
    "red": ("#ff9f9b", "#421d20"),
    "crimson": ("#ff9f9b", "#421d20"),
    "blue": ("#9dc2f7", "#1a2d49"),
    "purple": ("#d0aaeb", "#332141"),
    "violet": ("#d0aaeb", "#332141"),
    "orange": ("#f3ad72", "#42270f"),
    "copper": ("#f3ad72", "#42270f"),
    "brown": ("#dcb592", "#37281b"),
    "grey": ("#c0c9d3", "#2c3138"),
    "gray": ("#c0c9d3", "#2c3138"),
    "silver": ("#c0c9d3", "#2c3138"),
    "black": ("#c9ccd3", "#2a2c31"),
    "white": ("#efe9da", "#34322c"),
    "teal": ("#8fd4da", "#143236"),
}
"""The tint of each color, and its background for a card."""
WORD_STYLES: Final = {
    "soft": Style(color="#b3ab99"),
    "bold": Style(bold=True),
    "good": Style(color="#6fca8d"),
    "bad": Style(color="#ff9a9a", bold=True),
    "title": Style(color=INK, bold=True),
    "own": Style(color=INK),
    "line": Style(color="#4a4d58"),
    "banner": Style(color="#fdf6e3", bgcolor="#8a1c2c", bold=True),
    "ask": Style(color=GOLD, bold=True),
    "key": Style(color=INK, bold=True),
    "card": Style(bgcolor="#282b33"),
    "lifted": Style(color=GOLD, bgcolor=GOLD_FILL, bold=True),
    "button": Style(color=INK, bgcolor="#33363f"),
    "may": Style(color=GOLD, bold=True, underline=True),
    "last": Style(bold=True, reverse=True),
    "wash": Style(),
}
"""Styles by the words of a piece's look."""
BASE: Final = Style(color=INK, bgcolor=PAPER)
HERE: Final = Style(color="#1a1405", bgcolor=GOLD, bold=True)
"""The cursor on a spot that leads to an answer."""
HERE_ONLY: Final = Style(color=INK, bgcolor="#4d525f", bold=True)
"""The cursor on a spot that can only be read."""
HERE_PLAIN: Final = Style(reverse=True, bold=True)
"""The cursor without colors."""


@lru_cache(maxsize=512)
def build_style(look: str, may: bool = False) -> Style:
    """Return the style of a piece. Spots that can be touched are gold and underlined."""
    style = BASE
    words = look.split()
    for word in words:
        if word in WORD_STYLES:
            style += WORD_STYLES[word]
        elif word in FIELDS:
            tint, wash = FIELDS[word]
            style += Style(color=tint, bgcolor=wash) if "wash" in words or "card" in words else Style(color=tint)
    return style + WORD_STYLES["may"] if may else style

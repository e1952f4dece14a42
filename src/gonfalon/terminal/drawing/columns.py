"""Texts with characters that take two columns."""

from __future__ import annotations

import textwrap
import unicodedata
from functools import lru_cache

from gonfalon.core.text.sheet import FILL
from gonfalon.core.text.untrusted import printable, without_isolates


@lru_cache(4096)
def pad_wide(text: str) -> str:
    """Return a text in which every character takes one column; a filler follows each wide character."""
    if text.isascii():
        return text
    # A letter and a separate accent take one column together, so they are composed.
    letters = unicodedata.normalize("NFC", without_isolates(printable(text)).replace(FILL, ""))
    return "".join(f"{one}{FILL}" if unicodedata.east_asian_width(one) in "WF" else one for one in letters)


def wrap_columns(text: str, width: int) -> list[str]:
    """Return a text as lines. A wide character is not separated from its filler."""
    text = pad_wide(text)
    if FILL not in text:
        return textwrap.wrap(text, width)
    # One column is left for a filler that moves to the end of its line.
    lines = textwrap.wrap(text, width - 1)
    filled = [line + FILL * after.startswith(FILL) for line, after in zip(lines, [*lines[1:], ""], strict=True)]
    return [line.removeprefix(FILL) for line in filled if line != FILL]

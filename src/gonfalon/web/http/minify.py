"""Minifies our own scripts and styles: removes comments and indentation.

Quoted text and patterns stay unchanged. Lines stay separate, for a line of JavaScript may end without a semicolon.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

QUOTED: Final = r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"""
PATTERN: Final = r"(?<=[(,])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+/"
"""A regular expression, which our scripts use as an argument, and in brackets elsewhere."""
IDLE: Final = re.compile(rf"(?P<kept>{QUOTED}|{PATTERN})|\s*//[^\n]*|\s*/\*.*?\*/|(?P<line>\s*\n\s*)", re.DOTALL)


@cache
def minify_text(text: str) -> str:
    """Return one of our scripts or style sheets without comments and indentation."""
    # Twice, because a removed comment leaves an empty line.
    for _ in range(2):
        text = IDLE.sub(lambda found: found["kept"] or ("\n" if found["line"] else ""), text)
    return text.strip() + "\n"

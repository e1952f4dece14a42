"""Minifies our own scripts and styles: removes comments and redundant space.

Quoted text and patterns stay unchanged. Lines stay separate, for a line of JavaScript may end without a semicolon.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

QUOTED: Final = r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"""
PATTERN: Final = r"(?<=[(,])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+/"
"""A regular expression, which our scripts use as an argument, and in brackets elsewhere."""
SCRIPT: Final = re.compile(rf"(?P<kept>{QUOTED}|{PATTERN})|\s*//[^\n]*|\s*/\*.*?\*/|(?P<space>\s+)", re.DOTALL)
STYLE: Final = re.compile(rf"(?P<kept>{QUOTED})|\s*/\*.*?\*/|\s*(?P<mark>[{{}};])\s*|(?P<space>\s+)", re.DOTALL)
IDLE: Final = frozenset("{}()[];,=?:!*&|<>")
"""The characters beside which a script needs no space."""


@cache
def lean_script(text: str) -> str:
    """Return one of our scripts, with each line shortened."""
    # Comments are removed first, so that the second pass sees the characters that really meet.
    text = SCRIPT.sub(lambda found: found["kept"] or found["space"] or "", text).strip()

    def lean(found: re.Match[str]) -> str:
        if found["kept"]:
            return found["kept"]
        beside = text[found.start() - 1], text[found.end()]
        if "\n" in found["space"]:
            # A line break after one of these characters never ends a statement.
            return "" if beside[0] in "{;," else "\n"
        return "" if IDLE.intersection(beside) else " "

    return SCRIPT.sub(lean, text).strip() + "\n"


@cache
def lean_style(text: str) -> str:
    """Return one of our style sheets, shortened. Spaces stay around arithmetic signs and between parts of selectors."""

    def lean(found: re.Match[str]) -> str:
        return found["kept"] or found["mark"] or (" " if found["space"] else "")

    return STYLE.sub(lean, text).strip() + "\n"

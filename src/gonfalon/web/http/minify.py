"""Our own scripts and styles as they are sent: without comments, and without space that means nothing.

What stands in quotes or is a pattern stays as it is; lines stay apart, for a line of JavaScript may end without a
semicolon.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

QUOTED: Final = r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"""
PATTERN: Final = r"(?<=[(,])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+/"
"""A regular expression; our scripts have them as arguments, elsewhere in brackets."""
SCRIPT: Final = re.compile(rf"(?P<kept>{QUOTED}|{PATTERN})|\s*//[^\n]*|\s*/\*.*?\*/|(?P<space>\s+)", re.DOTALL)
STYLE: Final = re.compile(rf"(?P<kept>{QUOTED})|\s*/\*.*?\*/|\s*(?P<mark>[{{}};])\s*|(?P<space>\s+)", re.DOTALL)
IDLE: Final = frozenset("{}()[];,=?:!*&|<>")
"""Beside these signs a script needs no space."""


@cache
def lean_script(text: str) -> str:
    """A script of ours, as short as it can be made line by line."""
    text = SCRIPT.sub(lambda found: found["kept"] or found["space"] or "", text).strip()

    def lean(found: re.Match[str]) -> str:
        if found["kept"]:
            return found["kept"]
        beside = text[found.start() - 1], text[found.end()]
        if "\n" in found["space"]:
            return "" if beside[0] in "{;," else "\n"
        return "" if IDLE.intersection(beside) else " "

    return SCRIPT.sub(lean, text).strip() + "\n"


@cache
def lean_style(text: str) -> str:
    """A style sheet of ours. Space is needed round signs of arithmetic and between the parts of a selector."""

    def lean(found: re.Match[str]) -> str:
        return found["kept"] or found["mark"] or (" " if found["space"] else "")

    return STYLE.sub(lean, text).strip() + "\n"

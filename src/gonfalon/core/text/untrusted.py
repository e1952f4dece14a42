"""Texts of people and other machines, made safe for terminals and sentences."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, TextIO

ISOLATE: Final = "\N{FIRST STRONG ISOLATE}"
POP_ISOLATE: Final = "\N{POP DIRECTIONAL ISOLATE}"
CONTROLS: Final = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufff9-\ufffb]")
"""Control characters: escape sequences begin with them, a carriage return overwrites a line, BEL rings."""
DIRECTIONS: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067]")
"""Characters that turn the text around them. Only isolates that end in their own line are allowed."""
LINE_ENDS: Final = re.compile("[\u0085\u2028\u2029]")
UNSAFE: Final = re.compile(
    "|".join(one.pattern for one in (CONTROLS, DIRECTIONS, LINE_ENDS)) + f"|[{ISOLATE}{POP_ISOLATE}]"
)
RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})


def printable(text: str) -> str:
    """Return a text that a terminal shows without executing it.

    Control characters become U+FFFD, so that they are visible. Characters that change the direction of the text are
    removed, and isolates are closed in their line.
    """
    # Most texts end here. Marks of direction and isolates are not printable either, so nothing is missed.
    if text.isprintable():
        return text
    # Line ends come first, because U+0085 is a control character as well.
    text = DIRECTIONS.sub("", CONTROLS.sub("\N{REPLACEMENT CHARACTER}", LINE_ENDS.sub("\n", text)))
    if ISOLATE in text or POP_ISOLATE in text:
        text = "\n".join(map(_close_isolates, text.split("\n")))
    return text


def _close_isolates(line: str) -> str:
    """Return a line in which every isolate is closed, without closing marks that have no beginning."""
    depth, found = 0, []
    for letter in line:
        if letter == POP_ISOLATE and not depth:
            continue
        depth += (letter == ISOLATE) - (letter == POP_ISOLATE)
        found.append(letter)
    return "".join(found) + POP_ISOLATE * depth


def printable_cells(text: str) -> str:
    """Return a printable text of the same number of characters, for a place whose width is measured."""
    return text if text.isprintable() else UNSAFE.sub("\N{REPLACEMENT CHARACTER}", text)


def one_line(text: str) -> str:
    """Return a printable text of one line, with single spaces."""
    return " ".join(printable(text).split())


def print_text(text: str = "", file: TextIO | None = None) -> None:
    """Print a text of any origin to standard output, or to another stream."""
    print(printable(text), file=file)


def escape_json(text: str) -> str:
    """Return JSON text with all characters escaped that a terminal would execute."""
    return UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def print_json(data: object, indent: int | None = None) -> None:
    """Print data as JSON on standard output."""
    import json

    print(escape_json(json.dumps(data, indent=indent, ensure_ascii=False)))


def isolate(name: str) -> str:
    """Return a name that does not change the direction of the sentence around it. Names that are written from left to
    right are unchanged."""
    if name.isascii() or name.startswith(ISOLATE):
        return name
    turns = any(unicodedata.bidirectional(letter) in RIGHT_TO_LEFT for letter in name)
    return f"{ISOLATE}{name}{POP_ISOLATE}" if turns else name


def without_isolates(text: str) -> str:
    """Return a text without the marks that `isolate` adds."""
    return text.replace(ISOLATE, "").replace(POP_ISOLATE, "")


def initial(name: str) -> str:
    """Return the first letter of a name, as a capital."""
    return without_isolates(name)[:1].upper()

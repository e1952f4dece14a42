"""What a socket is sent: of a part of the page only what its last frame did not have.

The server draws the whole part as ever and compares it with what the same socket was sent last, line by line: a frame
is runs of lines that lie in the browser already, and new lines between them. There is nothing to keep in step, and
no mark that could be forgotten. The browser joins the lines (live.js) and morphs the whole in as if it had come.

Each frame is packed by itself, once for all sockets with the same last frame. It is drawn for one link, and holds no
token or key (see `compression.py`); what other frames held, of this link or of others, does not change its length.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from typing import Final

Run = tuple[int, int]
"""Lines of the last frame: the first, and how many."""
LONG: Final = 160
"""Signs from which on a line is cut further: much of a long one stays as it is."""
CUT_BEFORE: Final = ("<li", "<button", "<label", "<p", "<section", "<details")
STRIDE: Final = 32
"""Lines that are compared at a time where much has stayed."""
SEAM: Final = "\0"
"""HTML has no such sign."""
LOG: Final = SEAM + "log" + SEAM
"""Stands in a drawn part where the lines of the log belong."""
LEVEL: Final = 1
_JSON: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_numbers: Final = count(1)


class Frame:
    """A part of a page as it was drawn for one link. `eyes`: the viewer, which changes at a device of several people;
    `mark`: what it was drawn for; `log`: the lines that stand at LOG, which are many and are cut already."""

    def __init__(self, part: str, html: str, eyes: int, mark: object = None, log: Sequence[str] = ()) -> None:
        self.part: str = part
        before, _, after = html.partition(LOG)
        self.lines: list[str] = [*cut(before), *log, *cut(after)]
        self.eyes: int = eyes
        self.mark: object = mark
        self.number: int = next(_numbers)
        self._after: tuple[int, bytes] = (-1, b"")

    @property
    def html(self) -> str:
        """The part as it was drawn. Kept is what it is made of: most lines are those of other frames too."""
        return "".join(self.lines)

    def after(self, last: Frame | None) -> bytes:
        """What brings a browser here from the last frame of its socket, worked out once for all who had the same.
        Nothing is made of what other eyes have seen: that begins anew."""
        if last is not None and last.eyes != self.eyes:
            last = None
        number = 0 if last is None else last.number
        if self._after[0] != number:
            self._after = number, packed(self.part, [] if last is None else last.lines, self.lines)
        return self._after[1]


def cut(html: str) -> list[str]:
    """The lines of some HTML, which joined are the same again."""
    lines = html.splitlines(keepends=True)
    return [piece for line in lines for piece in ((shared(line),) if len(line) < LONG else pieces(line))]


@lru_cache(1 << 15)
def shared(line: str) -> str:
    """One string for equal lines, for with a thousand tables most memory would be lines that come again and again."""
    return line


@lru_cache(1 << 10)
def pieces(line: str) -> list[str]:
    """A long line cut before each of some tags."""
    if SEAM in line:
        return [line]
    for tag in CUT_BEFORE:
        line = line.replace(tag, SEAM + tag)
    return [shared(piece) for piece in line.split(SEAM) if piece]


def runs(old: list[str], new: list[str]) -> list[Run | str]:
    """How the new lines are made of runs of the old ones, and of what was not there."""
    at = dict(zip(reversed(old), range(len(old) - 1, -1, -1), strict=True))  # the first of equal ones stays
    found: list[Run | str] = []
    i, end, most = 0, len(new), len(old)
    first = past = 0
    while i < end:
        line = new[i]
        # Equal lines that follow the last run come before the first ones of all.
        start = past if past < most and old[past] == line else at.get(line)
        if start is None:
            found.append(line)
            i += 1
            continue
        first = past = start
        while past + STRIDE <= most and i + STRIDE <= end and old[past : past + STRIDE] == new[i : i + STRIDE]:
            past += STRIDE
            i += STRIDE
        while i < end and past < most and old[past] == new[i]:
            past += 1
            i += 1
        found.append((first, past - first))
    return found


def joined(old: list[str], found: list[Run | str]) -> list[str]:
    """The new lines; what the browser does."""
    new: list[str] = []
    for run in found:
        new += [run] if isinstance(run, str) else old[run[0] : run[0] + run[1]]
    return new


def message(part: str, old: list[str], new: list[str]) -> str:
    """The frame as the browser reads it: its part, how many lines there were and will be, and the runs."""
    return _JSON.encode([part, len(old), len(new), runs(old, new)])


def packed(part: str, old: list[str], new: list[str]) -> bytes:
    """The same as it is sent."""
    return zlib.compress(message(part, old, new).encode(), LEVEL, wbits=-zlib.MAX_WBITS)

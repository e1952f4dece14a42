"""The signs and lines of a review's charts (`web/table/charts.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, TypedDict

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.files.record import Record
from gonfalon.core.files.replay import trace_course
from gonfalon.core.rules.state import OPEN
from gonfalon.web.table.charts import Span

PHONE: Final = (270.0, 150.0)
"""Width and height of a chart on a phone, in units of its text: there numbers have the least room."""
ABOVE: Final = -9
BELOW: Final = 18
"""The possible places of a decision's number, relative to its sign."""
SIGN: Final = 6
"""Half the width of a sign."""
DIGIT: Final = 7
TALL: Final = 12
"""The width of a digit, and the height of a number."""


class Dot(TypedDict):
    """A marked decision on a line; `label` is the place of its number, if there is room."""

    x: float
    y: float
    mark: str
    n: int
    label: int | None


def chapters_of(record: Record) -> list[str]:
    """Return the part of the game before each decision of a record and at its end; empty if today's rules cannot replay
    it."""
    try:
        found = trace_course(record, OPEN)
    except GonfalonError:
        return []
    # Marks with a fraction are moments, which reviews do not count.
    return [name for mark, name in zip(found.marks, found.chapters, strict=True) if mark == int(mark)]


def place_dots(marked: Sequence[tuple[int, float, str]], span: Span) -> list[Dot]:
    """Return marked decisions (place, chance, mark) on their line, with numbers where these touch no sign and no other
    number."""
    signs = [(PHONE[0] * span.x(at) / 100, PHONE[1] * (1 - value)) for at, value, _ in marked]
    taken = [(x - SIGN, y - SIGN, x + SIGN, y + SIGN) for x, y in signs]
    found: list[Dot] = []
    for (at, value, mark), (x, y) in zip(marked, signs, strict=True):
        half = DIGIT * len(str(at + 1)) / 2
        boxes = {place: (x - half, y + place - TALL + 2, x + half, y + place) for place in (ABOVE, BELOW)}
        free = [place for place, box in boxes.items() if is_free(box, taken)]
        # The place above a sign is preferred, because it comes first in `boxes`.
        taken += [boxes[place] for place in free[:1]]
        label = free[0] if free else None
        found.append({"x": span.x(at), "y": round(100 - 100 * value, 1), "mark": mark, "n": at + 1, "label": label})
    return found


Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def is_free(box: Box, taken: Sequence[Box]) -> bool:
    """Return whether a box is inside the chart and touches no other."""
    left, top, right, bottom = box
    inside = top > -TALL and bottom < PHONE[1]
    return inside and not any(left < x1 and x0 < right and top < y1 and y0 < bottom for x0, y0, x1, y1 in taken)


def split_lines(points: Sequence[tuple[int, int, str]]) -> list[list[tuple[int, int]]]:
    """Return points (place, percent, value) as lines, split where the value changes."""
    found = [[points[0][:2]]] if points else []
    for (_, _, before), (at, percent, now) in pairwise(points):
        if now != before:
            found.append([])
        found[-1].append((at, percent))
    return found

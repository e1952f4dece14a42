"""The charts of a review as numbers for inline SVG of variable width and fixed height.

Positions and heights are percentages of the chart, so that text and signs keep their size at any width.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypedDict

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.files.record import Record
from gonfalon.core.files.replay import trace_course
from gonfalon.core.rules.state import OPEN
from gonfalon.web.table.charts import split_parts

PHONE: Final = (270.0, 150.0)
"""Width and height of a chart on a phone, in units of its text: there numbers have the least room."""
MOST_LABELS: Final = 10
STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""The number of decisions between two numbers."""
ABOVE: Final = -9
BELOW: Final = 18
"""The possible places of a decision's number, relative to its sign."""
SIGN: Final = 6
"""Half the width of a sign."""
DIGIT: Final = 7
TALL: Final = 12
"""The width of a digit, and the height of a number."""


class Tick(TypedDict):
    """A number, and the line at which the part of that number begins; None if it counts decisions."""

    line: float | None
    x: float
    label: str


class Axis(TypedDict):
    """The numbers along the bottom of a chart, and their subject."""

    ticks: list[Tick]
    counts: str


class Spot(TypedDict):
    """A point of a chart."""

    x: float
    y: float


class Dot(TypedDict):
    """A marked decision on a line; `label` is the place of its number, if there is room."""

    x: float
    y: float
    mark: str
    n: int
    label: int | None


class Plot(TypedDict):
    """Percentages over a game: paths in a box of 1000 by 100, and single values."""

    paths: list[str]
    areas: list[str]
    alone: list[Spot]


class Span(NamedTuple):
    """The length of a game in decisions, and its part before each of them, as far as known."""

    last: int
    chapters: Sequence[str] = ()

    def x(self, at: float) -> float:
        """Return the position of a decision in percent."""
        return round(100 * at / max(self.last, 1), 2)


def chapters_of(record: Record) -> list[str]:
    """Return the part of the game before each decision of a record and at its end; empty if today's rules cannot replay
    it."""
    try:
        found = trace_course(record, OPEN)
    except GonfalonError:
        return []
    # Marks with a fraction are moments, which reviews do not count.
    return [name for mark, name in zip(found.marks, found.chapters, strict=True) if mark == int(mark)]


def plot_lines(lines: Sequence[Sequence[tuple[int, int]]], span: Span) -> Plot:
    """Return lines of (decision, percent) that do not touch."""
    found: Plot = {"paths": [], "areas": [], "alone": []}
    for points in lines:
        if len(points) == 1:
            [(at, percent)] = points
            found["alone"].append({"x": span.x(at), "y": float(100 - percent)})
            continue
        path = "L".join(f"{10 * span.x(at):.4g} {100 - percent}" for at, percent in points)
        found["paths"].append(f"M{path}")
        ends = f"L{10 * span.x(points[-1][0]):.4g} 100L{10 * span.x(points[0][0]):.4g} 100Z"
        found["areas"].append(f"M{path}{ends}")
    return found


def build_axis(span: Span) -> Axis:
    """Return the rounds or turns for the axis if they are known, else decisions."""
    found = split_parts(span.chapters)
    if len(found) < 2:
        step = next(step for step in STEPS if span.last // step <= MOST_LABELS or step == STEPS[-1])
        numbers = range(step, span.last + 1, step)
        return {"ticks": [{"line": None, "x": span.x(n - 1), "label": str(n)} for n in numbers], "counts": "Decisions"}
    # Division rounded up: only every n-th part gets a number.
    every = -(-len(found) // MOST_LABELS)
    ends = [*(part.first for part in found[1:]), span.last]
    ticks: list[Tick] = [
        {
            "line": span.x(part.first),
            "x": round((span.x(part.first) + span.x(end)) / 2, 2),
            "label": part.name.rpartition(" ")[2],
        }
        for part, end in list(zip(found, ends, strict=True))[::every]
    ]
    word = found[0].name.rpartition(" ")[0].rpartition(" ")[2]
    return {"ticks": ticks, "counts": f"{word.capitalize()}s" if word else "Parts of the game"}


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

"""The charts of a review as numbers for inline SVG that is as wide as its place and always as high.

Places along it and heights are percents of the chart, so that letters and signs keep their size however wide it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypedDict

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.files.record import Record
from gonfalon.core.files.replay import course
from gonfalon.core.rules.state import OPEN
from gonfalon.web.table.charts import parts

PHONE: Final = (270.0, 150.0)
"""How wide and high a chart is on a phone, in the units of its letters: there numbers have the least room."""
MOST_LABELS: Final = 10
STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""So many decisions lie from one number to the next."""
ABOVE: Final = -9
BELOW: Final = 18
"""Where the number of a decision may stand, from its sign."""
SIGN: Final = 6
"""Half the width of a sign."""
DIGIT: Final = 7
TALL: Final = 12
"""The width of a digit, and the height of a number."""


class Tick(TypedDict):
    """A number, and the line at which the part of that number begins; None where it counts decisions."""

    line: float | None
    x: float
    label: str


class Axis(TypedDict):
    """What stands along the foot of a chart, and what it counts."""

    ticks: list[Tick]
    counts: str


class Spot(TypedDict):
    """A place on a chart."""

    x: float
    y: float


class Dot(TypedDict):
    """A marked decision on a line; `label` says where its number stands, if that has room."""

    x: float
    y: float
    mark: str
    n: int
    label: int | None


class Plot(TypedDict):
    """Percents over a game: paths in a box of 1000 by 100, and values that stand alone."""

    paths: list[str]
    areas: list[str]
    alone: list[Spot]


class Span(NamedTuple):
    """How long a game was, in decisions, and which part of it was on before each of them, as far as that is known."""

    last: int
    chapters: Sequence[str] = ()

    def x(self, at: float) -> float:
        """Where a decision lies, in percent."""
        return round(100 * at / max(self.last, 1), 2)


def chapters_of(record: Record) -> list[str]:
    """Which part of the game was on before each decision of a record, and at its end; nothing where today's rules do
    not lead through it."""
    try:
        found = course(record, OPEN)
    except GonfalonError:
        return []
    return [name for mark, name in zip(found.marks, found.chapters, strict=True) if mark == int(mark)]


def plot(lines: Sequence[Sequence[tuple[int, int]]], span: Span) -> Plot:
    """Lines of (decision, percent), which do not touch one another."""
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


def axis(span: Span) -> Axis:
    """Rounds or turns along the foot where they are known, else decisions."""
    found = parts(span.chapters)
    if len(found) < 2:
        step = next(step for step in STEPS if span.last // step <= MOST_LABELS or step == STEPS[-1])
        numbers = range(step, span.last + 1, step)
        return {"ticks": [{"line": None, "x": span.x(n - 1), "label": str(n)} for n in numbers], "counts": "Decisions"}
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


def dots(marked: Sequence[tuple[int, float, str]], span: Span) -> list[Dot]:
    """Marked decisions (place, chance, mark) on their line, numbered where the number touches no sign and no other
    number."""
    signs = [(PHONE[0] * span.x(at) / 100, PHONE[1] * (1 - value)) for at, value, _ in marked]
    taken = [(x - SIGN, y - SIGN, x + SIGN, y + SIGN) for x, y in signs]
    found: list[Dot] = []
    for (at, value, mark), (x, y) in zip(marked, signs, strict=True):
        half = DIGIT * len(str(at + 1)) / 2
        boxes = {place: (x - half, y + place - TALL + 2, x + half, y + place) for place in (ABOVE, BELOW)}
        free = [place for place, box in boxes.items() if is_free(box, taken)]
        taken += [boxes[place] for place in free[:1]]
        label = free[0] if free else None
        found.append({"x": span.x(at), "y": round(100 - 100 * value, 1), "mark": mark, "n": at + 1, "label": label})
    return found


Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def is_free(box: Box, taken: Sequence[Box]) -> bool:
    """Whether a box lies within the chart and touches no other."""
    left, top, right, bottom = box
    inside = top > -TALL and bottom < PHONE[1]
    return inside and not any(left < x1 and x0 < right and top < y1 and y0 < bottom for x0, y0, x1, y1 in taken)


def broken(points: Sequence[tuple[int, int, str]]) -> list[list[tuple[int, int]]]:
    """Points (place, percent, what is true) as lines: what is true of one is true all along it."""
    found = [[points[0][:2]]] if points else []
    for (_, _, before), (at, percent, now) in pairwise(points):
        if now != before:
            found.append([])
        found[-1].append((at, percent))
    return found

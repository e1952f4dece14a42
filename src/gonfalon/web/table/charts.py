"""Charts as numbers for inline SVG of variable width and fixed height.

Positions and heights are percentages of the chart, so that text and signs keep their size at any width.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypedDict

MOST_LABELS: Final = 10
STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""The number of decisions between two numbers."""


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


class Part(NamedTuple):
    """A range of steps in one part of the game."""

    name: str
    first: int
    last: int


def plot_lines(lines: Sequence[Sequence[tuple[float, float]]], span: Span) -> Plot:
    """Return lines of (decision, percent) that do not touch."""
    found: Plot = {"paths": [], "areas": [], "alone": []}
    for points in lines:
        if len(points) == 1:
            [(at, percent)] = points
            found["alone"].append({"x": span.x(at), "y": float(100 - percent)})
            continue
        path = "L".join(f"{10 * span.x(at):.4g} {100 - percent:.4g}" for at, percent in points)
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


def split_parts(chapters: Sequence[str]) -> list[Part]:
    """Return the parts of a game in order. Steps before the first belong to none."""
    found: list[Part] = []
    for step, name in enumerate(chapters):
        if found and found[-1].name == name:
            found[-1] = found[-1]._replace(last=step)
        elif name:
            found.append(Part(name, step, step))
    return found

"""Charts as numbers for inline SVG: bars to both sides of a line, and lines over the steps of a game.

All numbers are in units of a viewBox of WIDE by HIGH, so that the page needs no styles for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypedDict

from gonfalon.core.files.replay import Course
from gonfalon.core.rules.state import Seat

WIDE: Final = 360
HIGH: Final = 210
LEFT, RIGHT, TOP, BOTTOM = 6, 326, 10, 188
"""The box around the lines of a chart. The numbers are beside and below it."""
MOST_LABELS: Final = 10
SPACE: Final = 13
"""The minimum distance between the numbers at the ends of lines."""
MAX_TURNS, MIN_CHANGE = 3, 5
"""The maximum number of marked changes of a line, and the minimum size of a marked change."""
REACH: Final = 84
"""The height of the longest bar."""
LINE: Final = 20
"""The height of a number beside a bar."""
MIDDLE: Final = 14
"""Half the distance between the two sides."""


Points = Sequence[tuple[int, int]]
"""Points of a line, as (step, value)."""


class Bar(TypedDict):
    """A round: its two bars, above and below."""

    name: str
    x: float
    middle: float
    wide: float
    up: int
    low: int
    up_y: float
    up_high: float
    low_y: float
    low_high: float
    won: str
    """`up`, `low`, or empty."""


class Bars(TypedDict):
    """Rounds as bars. They meet at `axis`, and fill `high` units from `top` on."""

    axis: int
    top: float
    high: float
    bars: list[Bar]


class Line(TypedDict):
    """A seat's line. The solid one is drawn last; each of the others has its own `dash`."""

    seat: Seat
    dash: int
    path: str
    area: str
    end: int
    x: float
    y: float
    label_y: float


class Turn(TypedDict):
    """A step at which a line differs much from its previous value. `mark` is the step of that value."""

    number: int
    x: float
    y: float
    name: str
    mark: str
    before: int
    after: int


class Tick(TypedDict):
    """The start of a part of the game, and its number."""

    x: float
    middle: float
    label: str


class Row(TypedDict):
    """A part of the game in numbers at its end, with the mark of its first step."""

    name: str
    mark: str
    values: list[int | None]


class Curve(TypedDict):
    """Lines over the steps of a game."""

    lines: list[Line]
    ticks: list[Tick]
    grid: list[tuple[float, int]]
    rows: list[Row]
    turns: list[Turn]


class Part(NamedTuple):
    """A range of steps in one part of the game."""

    name: str
    first: int
    last: int


def build_bars(rounds: Sequence[tuple[str, Sequence[int], Seat | None]], low: Seat) -> Bars:
    """Return rounds (name, values, winner) as bars."""
    most = max(1, *(max(values) for _, values, _ in rounds))
    slot = WIDE / len(rounds)
    wide = min(38.0, slot * 0.8)
    axis = REACH + MIDDLE + LINE

    def high(value: int) -> float:
        return round(REACH * max(0, value) / most, 1)

    drawn: list[Bar] = [
        {
            "name": name,
            "x": round(slot * (n + 0.5) - wide / 2, 1),
            "middle": round(slot * (n + 0.5), 1),
            "wide": round(wide, 1),
            "up": values[1 - low],
            "low": values[low],
            "up_y": round(axis - MIDDLE - high(values[1 - low]), 1),
            "up_high": high(values[1 - low]),
            "low_y": axis + MIDDLE,
            "low_high": high(values[low]),
            "won": "" if winner is None else "low" if winner == low else "up",
        }
        for n, (name, values, winner) in enumerate(rounds)
    ]
    top = min(bar["up_y"] for bar in drawn) - LINE
    foot = max(bar["low_y"] + bar["low_high"] for bar in drawn) + LINE
    return {"axis": axis, "top": round(top, 1), "high": round(foot - top, 1), "bars": drawn}


def build_curve(
    course: Course, lines: Sequence[tuple[Seat, Points]], least: int | None = None, most: int | None = None
) -> Curve:
    """Return a chart of lines, each given as (step, value). The first line is solid.

    The axis goes from `least` to `most`; without them it fits the values.
    """
    values = [value for _, points in lines for _, value in points]
    bottom = min(0, *values) if least is None else least
    top = max(bottom + 1, *values) if most is None else most
    last = max(1, len(course.marks) - 1)

    def x(step: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * step / last, 1)

    def y(value: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (value - bottom) / (top - bottom), 1)

    drawn = draw_lines(lines, x, y)
    spread_labels(drawn)
    found = split_parts(course.chapters)
    turns = find_turns(lines[0][1]) if len(lines) == 1 else []
    return {
        "lines": drawn,
        "ticks": build_ticks(found, x),
        "grid": [(y(value), value) for value in axis_levels(bottom, top)],
        "rows": [
            {"name": part.name, "mark": f"{course.marks[part.first]:.10g}", "values": values_at(lines, part.last)}
            for part in found
        ],
        "turns": [
            {
                "number": number,
                "x": x(step),
                "y": y(after),
                "name": course.chapters[step],
                "mark": f"{course.marks[since]:.10g}",
                "before": before,
                "after": after,
            }
            for number, ((since, before), (step, after)) in enumerate(turns, 1)
        ],
    }


def draw_lines(
    lines: Sequence[tuple[Seat, Points]], x: Callable[[int], float], y: Callable[[float], float]
) -> list[Line]:
    """Return lines of (step, value) as paths, the first one last."""
    drawn: list[Line] = []
    for dash, (seat, points) in enumerate(lines):
        path = " ".join(f"{'L' if n else 'M'}{x(step)} {y(value)}" for n, (step, value) in enumerate(points))
        end_step, end = points[-1]
        area = f"{path} L{x(end_step)} {BOTTOM} L{x(points[0][0])} {BOTTOM}Z"
        ends: Line = {
            "seat": seat,
            "dash": dash,
            "path": path,
            "area": area,
            "end": end,
            "x": x(end_step),
            "y": y(end),
            "label_y": y(end),
        }
        # The solid line is drawn last, above the others.
        drawn.insert(0, ends)
    return drawn


def find_turns(points: Points) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the pairs of successive points with the largest changes, in order: at most MAX_TURNS, of at least
    MIN_CHANGE."""
    pairs = [pair for pair in pairwise(points) if abs(pair[1][1] - pair[0][1]) >= MIN_CHANGE]
    most = sorted(pairs, key=lambda pair: -abs(pair[1][1] - pair[0][1]))[:MAX_TURNS]
    return [pair for pair in pairs if pair in most]


def spread_labels(lines: list[Line]) -> None:
    """Move the numbers at the ends of lines apart so that all can be read."""
    order = sorted(lines, key=lambda line: line["y"])
    # First downward, then upward from the bottom, so that the lowest numbers stay inside the box.
    above = TOP - SPACE / 2
    for line in order:
        line["label_y"] = max(line["y"], above + SPACE)
        above = line["label_y"]
    below = BOTTOM + SPACE / 2
    for line in reversed(order):
        line["label_y"] = round(min(line["label_y"], below - SPACE / 2), 1)
        below = line["label_y"] - SPACE / 2


def split_parts(chapters: Sequence[str]) -> list[Part]:
    """Return the parts of a game in order. Steps before the first belong to none."""
    found: list[Part] = []
    for step, name in enumerate(chapters):
        if found and found[-1].name == name:
            found[-1] = found[-1]._replace(last=step)
        elif name:
            found.append(Part(name, step, step))
    return found


def build_ticks(found: Sequence[Part], x: Callable[[int], float]) -> list[Tick]:
    """Return a line for the start of each part, with as many numbers as fit."""
    every = -(-len(found) // MOST_LABELS) if found else 1
    return [
        {
            "x": x(part.first),
            "middle": round((x(part.first) + x(part.last)) / 2, 1),
            "label": part.name.rpartition(" ")[2] if n % every == 0 else "",
        }
        for n, part in enumerate(found)
    ]


def axis_levels(bottom: int, top: int) -> list[int]:
    """Return three values for the vertical axis: both ends and the middle."""
    middle = 0 if bottom < 0 else (bottom + top) // 2
    return sorted({bottom, middle, top})


def values_at(lines: Sequence[tuple[Seat, Points]], step: int) -> list[int | None]:
    """Return the value of each line at a step: its latest one."""
    return [next((value for there, value in reversed(points) if there <= step), None) for _, points in lines]

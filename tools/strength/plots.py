"""Small plots, drawn as SVG without any library. They use no colour but those of their few lines, so that they
can be read on a light page and on a dark one."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from gonfalon.lab.studies.calibration import Report
from gonfalon.lab.studies.ladder import Ladder

INK: Final = "#767676"
RED: Final = "#a63d49"
COLOURS: Final = ("#a63d49", "#3a7ca5", "#6b8e23", "#b07d2b", "#7b5ea7", "#4d908e", "#8a6d5b")
FONT: Final = 'font-family="sans-serif" font-size="12"'


def page(width: float, height: float, parts: Sequence[str]) -> str:
    """A whole picture."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" {FONT}>'
    return "\n".join([head, *parts, "</svg>"]) + "\n"


def text(x: float, y: float, words: str, anchor: str = "start", fill: str = INK) -> str:
    """A line of text; `y` is its baseline."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}">{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, stroke: str = INK, width: float = 1.0, dashes: str = "") -> str:
    """A straight line."""
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" stroke-width="{width:g}"'
        f"{dashed}/>"
    )


def dot(x: float, y: float, radius: float, fill: str = RED) -> str:
    """A filled circle."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}"/>'


def ticks(low: float, high: float) -> list[float]:
    """Round numbers from low to high, five or so."""
    for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000):
        if (high - low) / step <= 7:
            break
    first = int(-(-low // step))
    return [float(step * i) for i in range(first, int(high // step) + 1)]


def bars(rows: Sequence[tuple[str, float, float, float]], label: str) -> str:
    """Values with their intervals, a row for each: name, value, low, high."""
    left, wide, row = 80.0, 480.0, 26.0
    low, high = min(r[2] for r in rows), max(r[3] for r in rows)
    pad = 0.04 * ((high - low) or 1.0)
    low, high = low - pad, high + pad

    def at(value: float) -> float:
        return left + wide * (value - low) / (high - low)

    bottom = 10 + row * len(rows)
    parts = [line(left, bottom, left + wide, bottom)]
    for tick in ticks(low, high):
        parts += [line(at(tick), bottom, at(tick), bottom + 4), text(at(tick), bottom + 18, f"{tick:g}", "middle")]
    for i, (name, value, least, most) in enumerate(reversed(rows)):
        y = 10 + row * (i + 0.5)
        parts += [
            text(left - 8, y + 4, name, "end"),
            line(at(least), y, at(most), y, RED, 1.5),
            line(at(least), y - 4, at(least), y + 4, RED, 1.5),
            line(at(most), y - 4, at(most), y + 4, RED, 1.5),
            dot(at(value), y, 4),
        ]
    parts.append(text(left + wide / 2, bottom + 36, label, "middle"))
    return page(left + wide + 20, bottom + 44, parts)


def curves(found: dict[str, list[tuple[float, float, int]]], across: str, up: str) -> str:
    """Lines in the unit square, with its diagonal: for each name its points, each with what it stands for, which
    makes its size."""
    left, top, size = 60.0, 12.0, 320.0

    def at(x: float, y: float) -> tuple[float, float]:
        return left + size * x, top + size * (1.0 - y)

    parts = [line(*at(0, 0), *at(1, 0)), line(*at(0, 0), *at(0, 1)), line(*at(0, 0), *at(1, 1), dashes="3 4")]
    for tenth in range(0, 11, 2):
        x, y = at(tenth / 10, 0.0)
        parts.append(text(x, y + 18, f"{10 * tenth}", "middle"))
        x, y = at(0.0, tenth / 10)
        parts.append(text(x - 8, y + 4, f"{10 * tenth}", "end"))
    for i, (name, points) in enumerate(found.items()):
        colour = COLOURS[i % len(COLOURS)]
        most = max(count for _, _, count in points)
        path = " ".join("{:.1f},{:.1f}".format(*at(x, y)) for x, y, _ in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        parts += [dot(*at(x, y), 2 + 3 * (count / most) ** 0.5, colour) for x, y, count in points]
        y = top + 14 + 20 * i
        parts += [dot(left + size + 24, y - 4, 4, colour), text(left + size + 34, y, name)]
    parts.append(text(left + size / 2, top + size + 38, across, "middle"))
    parts.append(text(left, top - 2, up))
    return page(left + size + 120, top + size + 46, parts)


def plot_ladder(ladder: Ladder) -> str:
    """The ratings with their intervals."""
    rows = [(rung.level, rung.rating, rung.low, rung.high) for rung in ladder.rungs]
    return bars(rows, f"rating, {ladder.rungs[0].level} = 0")


def plot_calibration(report: Report) -> str:
    """Told chances across, what came of them up, a line for each level."""
    return curves(
        {c.level: [(b.told, b.came, b.count) for b in c.bins] for c in report.levels},
        "told, %",
        "came true, %",
    )

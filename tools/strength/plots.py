"""Small plots, drawn as SVG without a library. Their few colors are readable in light and dark mode."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from gonfalon.lab.studies.calibration import CalibrationReport
from gonfalon.lab.studies.ladder import Ladder

INK: Final = "#767676"
RED: Final = "#a63d49"
COLOURS: Final = ("#a63d49", "#3a7ca5", "#6b8e23", "#b07d2b", "#7b5ea7", "#4d908e", "#8a6d5b")
FONT: Final = 'font-family="sans-serif" font-size="12"'


def format_svg(width: float, height: float, parts: Sequence[str]) -> str:
    """Return a complete picture."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" {FONT}>'
    return "\n".join([head, *parts, "</svg>"]) + "\n"


def draw_text(x: float, y: float, words: str, anchor: str = "start", fill: str = INK) -> str:
    """Return a line of text; `y` is its baseline."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}">{escape(words)}</text>'


def draw_line(
    x1: float, y1: float, x2: float, y2: float, stroke: str = INK, width: float = 1.0, dashes: str = ""
) -> str:
    """Return a straight line."""
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" stroke-width="{width:g}"'
        f"{dashed}/>"
    )


def draw_dot(x: float, y: float, radius: float, fill: str = RED) -> str:
    """Return a filled circle."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}"/>'


def find_ticks(low: float, high: float) -> list[float]:
    """Return about five round numbers from low to high."""
    for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000):
        if (high - low) / step <= 7:
            break
    first = int(-(-low // step))
    return [float(step * i) for i in range(first, int(high // step) + 1)]


def draw_bars(rows: Sequence[tuple[str, float, float, float]], label: str) -> str:
    """Return a plot of values with intervals, one row each: name, value, low, high."""
    left, wide, row = 80.0, 480.0, 26.0
    low, high = min(r[2] for r in rows), max(r[3] for r in rows)
    pad = 0.04 * ((high - low) or 1.0)
    low, high = low - pad, high + pad

    def at(value: float) -> float:
        return left + wide * (value - low) / (high - low)

    bottom = 10 + row * len(rows)
    parts = [draw_line(left, bottom, left + wide, bottom)]
    for tick in find_ticks(low, high):
        parts += [
            draw_line(at(tick), bottom, at(tick), bottom + 4),
            draw_text(at(tick), bottom + 18, f"{tick:g}", "middle"),
        ]
    for i, (name, value, least, most) in enumerate(reversed(rows)):
        y = 10 + row * (i + 0.5)
        parts += [
            draw_text(left - 8, y + 4, name, "end"),
            draw_line(at(least), y, at(most), y, RED, 1.5),
            draw_line(at(least), y - 4, at(least), y + 4, RED, 1.5),
            draw_line(at(most), y - 4, at(most), y + 4, RED, 1.5),
            draw_dot(at(value), y, 4),
        ]
    parts.append(draw_text(left + wide / 2, bottom + 36, label, "middle"))
    return format_svg(left + wide + 20, bottom + 44, parts)


def draw_curves(found: dict[str, list[tuple[float, float, int]]], across: str, up: str) -> str:
    """Return a plot of lines in the unit square with its diagonal. Points have a count, shown as their size."""
    left, top, size = 60.0, 12.0, 320.0

    def at(x: float, y: float) -> tuple[float, float]:
        return left + size * x, top + size * (1.0 - y)

    parts = [
        draw_line(*at(0, 0), *at(1, 0)),
        draw_line(*at(0, 0), *at(0, 1)),
        draw_line(*at(0, 0), *at(1, 1), dashes="3 4"),
    ]
    for tenth in range(0, 11, 2):
        x, y = at(tenth / 10, 0.0)
        parts.append(draw_text(x, y + 18, f"{10 * tenth}", "middle"))
        x, y = at(0.0, tenth / 10)
        parts.append(draw_text(x - 8, y + 4, f"{10 * tenth}", "end"))
    for i, (name, points) in enumerate(found.items()):
        colour = COLOURS[i % len(COLOURS)]
        most = max(count for _, _, count in points)
        path = " ".join("{:.1f},{:.1f}".format(*at(x, y)) for x, y, _ in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        parts += [draw_dot(*at(x, y), 2 + 3 * (count / most) ** 0.5, colour) for x, y, count in points]
        y = top + 14 + 20 * i
        parts += [draw_dot(left + size + 24, y - 4, 4, colour), draw_text(left + size + 34, y, name)]
    parts.append(draw_text(left + size / 2, top + size + 38, across, "middle"))
    parts.append(draw_text(left, top - 2, up))
    return format_svg(left + size + 120, top + size + 46, parts)


def plot_ladder(ladder: Ladder) -> str:
    """Return a plot of the ratings with their intervals."""
    rows = [(rung.level, rung.rating, rung.low, rung.high) for rung in ladder.rungs]
    return draw_bars(rows, f"rating, {ladder.rungs[0].level} = 0")


def plot_calibration(report: CalibrationReport) -> str:
    """Return a plot of the win rate against the estimated win chance, with a line for each level."""
    return draw_curves(
        {c.level: [(b.told, b.came, b.count) for b in c.bins] for c in report.levels},
        "estimate, %",
        "win rate, %",
    )

"""Charts of plain numbers, as SVG and PNG.

Altair describes a chart, and vl-convert draws it locally, without a browser and without a network. Every mark has a
text for screen readers. The few colors are named, so that a page can replace them in dark mode.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from math import ceil, floor
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeAlias

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.extras import describe_missing
from gonfalon.lab.run import atomic_files

INK: Final = "#231c14"
SOFT: Final = "#5c5142"
LINE_COLOR: Final = "#d6cbb3"
BEFORE: Final = "#867a63"
AFTER: Final = "#8a1c2c"
PAPER: Final = "#fbf8ef"
GOLD: Final = "#c99a2e"
FONT: Final = "Alegreya Sans, system-ui, Segoe UI, Roboto, Liberation Sans, sans-serif"
CHART_WIDTH: Final = 360
PHONE_WIDTH: Final = 320
"""Width of a chart on a phone in pixels, including its labels."""
MAX_NAME_WIDTHS: Final = (360, 150)
"""Maximum width of a row's name in pixels: on a screen, on a phone."""
SIDE_PADDING: Final = 28
"""Padding at either side in pixels, because text may be wider where it is shown than where it was measured."""
MAX_PERCENT: Final = 100.0
"""Limit of every share and every change, in percent. Intervals are cut there."""
MAX_LABELS: Final = 6
"""Upper limit for the number of axis labels."""
TICK_STEPS: Final = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
FILLED_NOTE: Final = (
    "Filled marks exclude the line from their interval. Chance alone causes that for one mark in twenty."
)
PNG_SCALE: Final = 2.0
"""Scale of a PNG in pixels for each point."""
Chart = Any
"""A chart of Altair. Its layers have many types, and the library is optional."""
Interval: TypeAlias = tuple[str, float, float]
"""A name, a share or a difference of shares, and half of its 95 % interval."""
Step: TypeAlias = tuple[int, float, float, float]
"""The number of games, a difference of shares, and half of its two intervals."""


def import_libraries() -> tuple[ModuleType, ModuleType]:
    """Return the modules altair and vl_convert.

    Raises:
        OptionError: They are not installed.
    """
    try:
        import altair
        import vl_convert
    except ModuleNotFoundError as error:
        raise OptionError(describe_missing(error, "A chart") or str(error)) from None
    return altair, vl_convert


def are_charts_available() -> bool:
    """Return whether the libraries for charts are installed."""
    return all(find_spec(name) is not None for name in ("altair", "vl_convert"))


def describe_chart(chart: Chart, phone: bool = False) -> dict[str, object]:
    """Return the description of a chart in the project's colors and fonts.

    On a phone the letters keep their size, and the marks get the remaining room.
    """
    made: dict[str, object] = (
        chart.configure(background="transparent", font=FONT)
        .configure_view(stroke=None)
        .configure_axis(
            labelFontSize=14, titleFontSize=13, labelColor=INK, titleColor=SOFT, titleFontWeight="normal",
            labelLimit=MAX_NAME_WIDTHS[phone], labelSeparation=6,
            gridColor=LINE_COLOR, domainColor=LINE_COLOR, tickColor=LINE_COLOR,
        )
        .configure_legend(labelFontSize=14, orient="top", title=None, labelColor=INK, symbolStrokeWidth=2)
        .to_dict()
    )  # fmt: skip
    room = SIDE_PADDING // 2 if phone else SIDE_PADDING
    made["padding"] = {"left": room, "right": room, "top": 4, "bottom": 4}
    if phone:
        # On a phone the width includes labels and padding.
        made |= {"width": PHONE_WIDTH, "autosize": {"type": "fit-x", "contains": "padding"}}
    return made


def render_svg(chart: Chart, phone: bool = False) -> str:
    """Return a chart as SVG."""
    drawn: str = import_libraries()[1].vegalite_to_svg(describe_chart(chart, phone))
    return drawn


def render_png(chart: Chart) -> bytes:
    """Return a chart as PNG with a paper-colored background."""
    # An SVG shows the background of its page. A PNG is viewed alone and needs a background of its own.
    drawn: bytes = import_libraries()[1].vegalite_to_png(
        {**describe_chart(chart), "background": PAPER}, scale=PNG_SCALE
    )
    return drawn


def write_chart(folder: Path, name: str, chart: Chart, title: str) -> None:
    """Write a chart with a title as SVG and as PNG."""
    folder.mkdir(parents=True, exist_ok=True)
    # Only files have a title inside; on a page the heading says it.
    chart = chart.properties(
        title=import_libraries()[0].Title(title, anchor="start", fontSize=16, color=INK, offset=12)
    )
    atomic_files.write_file(folder / f"{name}.svg", render_svg(chart))
    atomic_files.write_file(folder / f"{name}.png", render_png(chart))


def draw_intervals(found: Sequence[Interval], title: str, even: float = 0.0) -> Chart:
    """Return a chart of intervals with their means, one row each, beside a line.

    Args:
        found: Shares, or differences of shares.
        title: The title of the axis.
        even: The line: the even share, or 0 for differences. Marks whose interval excludes it are filled.
    """
    alt, _ = import_libraries()
    # Shares start at 0; differences may be negative and show their sign.
    least, form, unit = (0.0, ".1f", " %") if even else (-MAX_PERCENT, "+.1f", " points")
    zero = 100 * even
    # Intervals are cut where shares end, or they would widen the axis to impossible values.
    ends = [(max(least, 100 * (value - half)), min(MAX_PERCENT, 100 * (value + half))) for _, value, half in found]
    low, high = min([zero, *(end for end, _ in ends)]), max([zero, *(end for _, end in ends)])
    rows = [
        {
            "what": what,
            "value": 100 * value,
            "low": start,
            "high": end,
            "sure": not value - half <= even <= value + half,
            "says": f"{what}: {100 * value:{form}}{unit}, ±{100 * half:.1f}",
        }
        for (what, value, half), (start, end) in zip(found, ends, strict=True)
    ]
    y = alt.Y("what:N", sort=None, title=None)
    colour = alt.Color("sure:N", scale=alt.Scale(domain=[True, False], range=[AFTER, BEFORE]), legend=None)
    base = alt.Chart(alt.Data(values=rows)).properties(width=CHART_WIDTH, height=34 * len(rows))
    says = alt.Description("says:N")
    axis = alt.Axis(values=find_ticks(low, high))
    x = alt.X("low:Q", title=title, axis=axis, scale=alt.Scale(zero=False, domain=[low, high]))
    fill = alt.condition("datum.sure", alt.value(AFTER), alt.value(PAPER))
    return (
        base.mark_rule(color=SOFT, strokeDash=[3, 3]).encode(x=alt.datum(zero))
        + base.mark_rule(strokeWidth=3, strokeCap="round").encode(y=y, x=x, x2="high:Q", color=colour, description=says)
        + base.mark_point(size=90, strokeWidth=2, opacity=1, filled=False).encode(
            y=y, x="value:Q", stroke=colour, fill=fill, description=says
        )
    )


def find_ticks(low: float, high: float) -> list[float]:
    """Return round numbers between two ends, few enough that their labels do not touch."""
    step = next((step for step in TICK_STEPS if (high - low) / step < MAX_LABELS), TICK_STEPS[-1])
    return [round(n * step, 1) for n in range(ceil(low / step), floor(high / step) + 1)]


def draw_matrix(cells: Sequence[tuple[str, str, float, float]], order: Sequence[str]) -> Chart:
    """Return a chart of win rates in %: each row against each column.

    Shares surely above one half are gold, shares surely below it are red.

    Args:
        cells: The row, the column, the share and half of its interval, once for each pair.
        order: The rows from the top, and the columns.
    """
    alt, _ = import_libraries()
    rows = [
        {
            "row": a,
            "column": b,
            "text": f"{100 * score:.0f}",
            "off": 100 * (score - 0.5) if abs(score - 0.5) > half else 0.0,
            "says": f"{a} against {b}: {100 * score:.0f} %, ±{100 * half:.0f}",
        }
        for one, other, share, half in cells
        for a, b, score in ((one, other, share), (other, one, 1 - share))
    ]
    # Empty cells of the diagonal, so that every side has its row and column.
    rows += [{"row": side, "column": side, "text": "", "off": 0.0, "says": f"{side} against itself"} for side in order]
    scale = alt.Scale(domain=[-30, 0, 30], range=[AFTER, PAPER, GOLD], clamp=True)
    colour = alt.Color("off:Q", scale=scale, legend=None)
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("column:N", sort=list(order), title=None, axis=alt.Axis(orient="top", labelAngle=-45)),
        y=alt.Y("row:N", sort=list(order), title=None),
        description=alt.Description("says:N"),
    )
    ink = alt.condition("datum.off < -20", alt.value(PAPER), alt.value(INK))
    return (
        base.mark_rect(stroke=LINE_COLOR).encode(fill=colour)
        + base.mark_text(fontSize=14).encode(text="text:N", color=ink)
    ).properties(width=alt.Step(44), height=alt.Step(34))


def draw_bars(rows: dict[str, list[float]], title: str, across: str) -> Chart:
    """Return a chart of the share of games with each value, before and after side by side."""
    alt, _ = import_libraries()
    sides = ["before", "after"]
    told = [
        {"value": value, "when": when, "share": 100 * share, "says": f"{value}, {when}: {100 * share:.0f} %"}
        for value, both in rows.items()
        for when, share in zip(sides, both, strict=True)
    ]
    return (
        alt.Chart(alt.Data(values=told))
        .mark_bar(strokeWidth=1.5)
        .encode(
            x=alt.X("value:N", sort=None, title=across, axis=alt.Axis(labelAngle=0, grid=False, labelOverlap=True)),
            xOffset=alt.XOffset("when:N", sort=sides),
            y=alt.Y("share:Q", title=title),
            stroke=alt.Color("when:N", sort=sides, scale=alt.Scale(domain=sides, range=[BEFORE, AFTER]), legend=None),
            fill=alt.Color("when:N", sort=sides, scale=alt.Scale(domain=sides, range=[PAPER, AFTER]), legend=None),
            description=alt.Description("says:N"),
        )
        .properties(width=CHART_WIDTH, height=190)
    )


def draw_path(steps: Sequence[Step]) -> Chart:
    """Return a chart of a difference during a study.

    It shows the final interval and the wider one that holds at any time.
    """
    alt, _ = import_libraries()
    rows = [
        {"games": games, "points": 100 * mean,
         "low": max(-MAX_PERCENT, 100 * (mean - half)), "high": min(MAX_PERCENT, 100 * (mean + half)),
         "least": max(-MAX_PERCENT, 100 * (mean - wide)), "most": min(MAX_PERCENT, 100 * (mean + wide))}
        for games, mean, half, wide in steps
    ]  # fmt: skip
    base = alt.Chart(alt.Data(values=rows)).properties(width=CHART_WIDTH, height=190)
    x = alt.X("games:Q", title="games played", scale=alt.Scale(zero=False, nice=False), axis=alt.Axis(tickCount=5))
    y = alt.Y("least:Q", title="points")
    return (
        base.mark_area(color=BEFORE, opacity=0.22, aria=False).encode(x=x, y=y, y2="most:Q")
        + base.mark_area(color=AFTER, opacity=0.3, aria=False).encode(x=x, y="low:Q", y2="high:Q")
        + base.mark_rule(color=SOFT, strokeDash=[3, 3]).encode(y=alt.datum(0))
        + base.mark_line(color=AFTER, strokeWidth=2.5).encode(x=x, y="points:Q")
    )

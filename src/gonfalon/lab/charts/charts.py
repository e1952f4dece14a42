"""Charts of plain numbers, as SVG and PNG.

Altair describes a chart, and vl-convert draws it here, without a browser and without a network. Every mark has a text
for screen readers. Colors are few and named once, so that a page can replace them in the dark.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from math import ceil, floor
from pathlib import Path
from typing import Any, Final, TypeAlias

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.extras import describe_missing
from gonfalon.lab.run import atomic_files

INK: Final = "#231c14"
SOFT: Final = "#5c5142"
LINE: Final = "#d6cbb3"
BEFORE: Final = "#867a63"
AFTER: Final = "#8a1c2c"
PAPER: Final = "#fbf8ef"
GOLD: Final = "#c99a2e"
FONT: Final = "Alegreya Sans, system-ui, Segoe UI, Roboto, Liberation Sans, sans-serif"
WIDE: Final = 360
PHONE: Final = 320
"""As wide as a chart is there, its labels counted in."""
NAME: Final = (360, 150)
"""How long a name may be that stands beside a row: on a screen, on a phone."""
ROOM: Final = 28
"""At either side, for letters that are wider where they are shown than where they were measured."""
WHOLE: Final = 100.0
"""No share changes by more, and none is more, whatever an interval says."""
LABELS: Final = 6
"""At most so many stand below a chart."""
STEPS: Final = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
FILLED: Final = "A filled mark: the line lies outside its interval, which chance alone does to one mark in twenty."
DENSE: Final = 2.0
"""Pixels of a PNG for each of its points."""
Chart = Any
"""Layers of Altair have many types."""
Interval: TypeAlias = tuple[str, float, float]
"""A name, a share or a difference of shares, and half of its 95 % interval."""
Step: TypeAlias = tuple[int, float, float, float]
"""The games played, a difference of shares, and half of its two intervals."""


def needed() -> tuple[Any, Any]:
    """Altair and vl-convert. Raises OptionError where they are not installed."""
    try:
        import altair
        import vl_convert
    except ModuleNotFoundError as error:
        raise OptionError(describe_missing(error, "A chart") or str(error)) from None
    return altair, vl_convert


def available() -> bool:
    """Whether charts can be drawn here."""
    return all(find_spec(name) is not None for name in ("altair", "vl_convert"))


def dressed(chart: Chart, phone: bool = False) -> dict[str, Any]:
    """A chart as a description, in the colours and type of the house. On a phone its letters are as large, and what is
    drawn has the room that they leave."""
    made: dict[str, Any] = (
        chart.configure(background="transparent", font=FONT)
        .configure_view(stroke=None)
        .configure_axis(
            labelFontSize=14, titleFontSize=13, labelColor=INK, titleColor=SOFT, titleFontWeight="normal",
            labelLimit=NAME[phone], labelSeparation=6, gridColor=LINE, domainColor=LINE, tickColor=LINE,
        )
        .configure_legend(labelFontSize=14, orient="top", title=None, labelColor=INK, symbolStrokeWidth=2)
        .to_dict()
    )  # fmt: skip
    room = ROOM // 2 if phone else ROOM
    made["padding"] = {"left": room, "right": room, "top": 4, "bottom": 4}
    if phone:
        made |= {"width": PHONE, "autosize": {"type": "fit-x", "contains": "padding"}}
    return made


def svg(chart: Chart, phone: bool = False) -> str:
    """A chart as SVG."""
    drawn: str = needed()[1].vegalite_to_svg(dressed(chart, phone))
    return drawn


def png(chart: Chart) -> bytes:
    """A chart as PNG, on paper."""
    drawn: bytes = needed()[1].vegalite_to_png({**dressed(chart), "background": PAPER}, scale=DENSE)
    return drawn


def write(folder: Path, name: str, chart: Chart, title: str) -> None:
    """Write a chart as SVG and as PNG. By itself it needs a title."""
    folder.mkdir(parents=True, exist_ok=True)
    chart = chart.properties(title=needed()[0].Title(title, anchor="start", fontSize=16, color=INK, offset=12))
    atomic_files.write(folder / f"{name}.svg", svg(chart))
    atomic_files.write(folder / f"{name}.png", png(chart))


def intervals(found: Sequence[Interval], title: str, even: float = 0.0) -> Chart:
    """Return intervals with their middles, a row for each, beside a line.

    Args:
        found: Shares, or differences of shares.
        title: Names what the axis shows.
        even: Where the line is: the even share, or 0 for differences. Marks whose interval leaves it out are filled.
    """
    alt, _ = needed()
    least, form, unit = (0.0, ".1f", " %") if even else (-WHOLE, "+.1f", " points")
    zero = 100 * even
    ends = [(max(least, 100 * (value - half)), min(WHOLE, 100 * (value + half))) for _, value, half in found]
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
    base = alt.Chart(alt.Data(values=rows)).properties(width=WIDE, height=34 * len(rows))
    says = alt.Description("says:N")
    axis = alt.Axis(values=ticks(low, high))
    x = alt.X("low:Q", title=title, axis=axis, scale=alt.Scale(zero=False, domain=[low, high]))
    fill = alt.condition("datum.sure", alt.value(AFTER), alt.value(PAPER))
    return (
        base.mark_rule(color=SOFT, strokeDash=[3, 3]).encode(x=alt.datum(zero))
        + base.mark_rule(strokeWidth=3, strokeCap="round").encode(y=y, x=x, x2="high:Q", color=colour, description=says)
        + base.mark_point(size=90, strokeWidth=2, opacity=1, filled=False).encode(
            y=y, x="value:Q", stroke=colour, fill=fill, description=says
        )
    )


def ticks(low: float, high: float) -> list[float]:
    """Round numbers between two ends, so few that their labels stand apart."""
    step = next((step for step in STEPS if (high - low) / step < LABELS), STEPS[-1])
    return [round(n * step, 1) for n in range(ceil(low / step), floor(high / step) + 1)]


def shares(found: Sequence[tuple[str, float, float]], title: str) -> Chart:
    """Return names with their shares before and after, a row for each, from a hollow mark to a filled one."""
    alt, _ = needed()
    rows = [
        {
            "what": what,
            "before": 100 * before,
            "after": 100 * after,
            "says": f"{what}: before {100 * before:.1f} %, after {100 * after:.1f} %",
        }
        for what, before, after in found
    ]
    y = alt.Y("what:N", sort=None, title=None)
    base = alt.Chart(alt.Data(values=rows)).properties(width=WIDE, height=34 * len(rows))
    even = base.mark_rule(color=SOFT, strokeDash=[3, 3]).encode(x=alt.datum(50))
    x = alt.X("before:Q", title=title, scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(tickCount=5))
    says = alt.Description("says:N")
    return (
        even
        + base.mark_rule(strokeWidth=3, color=BEFORE).encode(y=y, x=x, x2="after:Q", description=says)
        + base.mark_point(size=90, strokeWidth=2, stroke=BEFORE, fill=PAPER, opacity=1).encode(
            y=y, x=x, description=says
        )
        + base.mark_point(size=100, strokeWidth=2, stroke=AFTER, fill=AFTER, opacity=1).encode(
            y=y, x="after:Q", description=says
        )
    )


def grid(cells: Sequence[tuple[str, str, float, float]], order: Sequence[str]) -> Chart:
    """Return what each row wins against each column in %, in gold what is sure to be more than half, in red what is
    sure to be less.

    Args:
        cells: The row, the column, the share and half of its interval, once for each pair.
        order: The rows from above, and the columns.
    """
    alt, _ = needed()
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
        base.mark_rect(stroke=LINE).encode(fill=colour) + base.mark_text(fontSize=14).encode(text="text:N", color=ink)
    ).properties(width=alt.Step(44), height=alt.Step(34))


def bars(rows: dict[str, list[float]], title: str, across: str) -> Chart:
    """Return the share of games with each value, before and after side by side."""
    alt, _ = needed()
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
        .properties(width=WIDE, height=190)
    )


def path(steps: Sequence[Step]) -> Chart:
    """Return how a difference became known during a study, with the interval of its end and the wider one that holds at
    any time."""
    alt, _ = needed()
    rows = [
        {"games": games, "points": 100 * mean,
         "low": max(-WHOLE, 100 * (mean - half)), "high": min(WHOLE, 100 * (mean + half)),
         "least": max(-WHOLE, 100 * (mean - wide)), "most": min(WHOLE, 100 * (mean + wide))}
        for games, mean, half, wide in steps
    ]  # fmt: skip
    base = alt.Chart(alt.Data(values=rows)).properties(width=WIDE, height=190)
    x = alt.X("games:Q", title="games played", scale=alt.Scale(zero=False, nice=False), axis=alt.Axis(tickCount=5))
    y = alt.Y("least:Q", title="points")
    return (
        base.mark_area(color=BEFORE, opacity=0.22, aria=False).encode(x=x, y=y, y2="most:Q")
        + base.mark_area(color=AFTER, opacity=0.3, aria=False).encode(x=x, y="low:Q", y2="high:Q")
        + base.mark_rule(color=SOFT, strokeDash=[3, 3]).encode(y=alt.datum(0))
        + base.mark_line(color=AFTER, strokeWidth=2.5).encode(x=x, y="points:Q")
    )

"""Self-contained pages of studies: a frame, sections with charts, and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Final

from gonfalon.lab.charts import charts
from gonfalon.lab.charts.charts import AFTER, BEFORE, INK, LINE_COLOR, PAPER, SOFT

STYLE_FILE: Final = Path(__file__).with_name("pages.css")
DARK_VARIABLES: Final = {INK: "ink", SOFT: "soft", LINE_COLOR: "line", BEFORE: "before", AFTER: "after", PAPER: "panel"}
"""CSS variables that replace the colors of charts in dark mode."""


def render_document(kicker: str, title: str, parts: Iterable[str]) -> str:
    """Return a complete HTML page."""
    style = STYLE_FILE.read_text("utf-8") + "".join(
        f'svg [{what}="{colour}"]{{{what}:var(--{name})}}'
        for colour, name in DARK_VARIABLES.items()
        for what in ("fill", "stroke")
    )
    lines = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{escape(title)}</title><style>{style}</style></head><body><main>",
        f"<header><p class=soft>{escape(kicker)}</p><h1>{escape(title)}</h1></header>",
        *parts,
        "</main></body></html>",
    ]
    return "\n".join(lines) + "\n"


def render_section(title: str, words: str, chart: charts.Chart, beside: str) -> str:
    """Return a section with a chart, its explanation and a table.

    Args:
        title: The heading, plain text.
        words: The explanation as trusted HTML.
        chart: The chart.
        beside: The table as HTML.
    """
    drawn = embed_svg(title, charts.render_svg(chart)) + embed_svg(title, charts.render_svg(chart, phone=True), "phone")
    return (
        f"<section><h3>{escape(title)}</h3><p>{words}</p>"
        f"<div class=both><div>{drawn}</div><div class=wide>{beside}</div></div></section>"
    )


def embed_svg(title: str, svg: str, kind: str = "screen") -> str:
    """Return the SVG of a chart for a page, scaled to the available width. CSS shows one of the two kinds."""
    named = re.sub(r"^<svg ", f'<svg role="img" aria-label="{escape(title)}" ', svg.strip())
    # Drop the fixed size, so that CSS can scale the chart by its view box.
    bare = re.sub(r' (?:width|height)="[\d.]+"(?=[^>]*viewBox)', "", named, count=2)
    return re.sub(r'class="[^"]*"', f'class="{kind}"', bare, count=1)


def render_table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]], firm: Sequence[bool] = ()) -> str:
    """Return an HTML table. Rows marked in `firm` are bold."""
    heads = "".join(f"<th scope=col{' class=n' * (at > 0)}>{escape(word)}</th>" for at, word in enumerate(head))
    body = []
    for at, row in enumerate(rows):
        bold = " class=sure" if at < len(firm) and firm[at] else ""
        cells = "".join(f"<td class=n>{escape(word)}</td>" for word in row[1:])
        body.append(f"<tr{bold}><th scope=row>{escape(row[0])}</th>{cells}</tr>")
    top = f"<caption>{escape(caption)}</caption><thead><tr>{heads}</tr></thead>"
    return f"<table>{top}<tbody>{''.join(body)}</tbody></table>"

"""Pages of studies, each of which needs nothing else: a frame, sections with a chart, tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

from gonfalon.lab.charts import charts
from gonfalon.lab.charts.charts import AFTER, BEFORE, INK, LINE, PAPER, SOFT

STYLE: Final = Path(__file__).with_name("pages.css")
DARK: Final = {INK: "ink", SOFT: "soft", LINE: "line", BEFORE: "before", AFTER: "after", PAPER: "panel"}
"""What the page calls the colours of charts, so that they are others in the dark."""


def document(kicker: str, title: str, parts: Iterable[str]) -> str:
    """Return a whole page."""
    style = STYLE.read_text("utf-8") + "".join(
        f'svg [{what}="{colour}"]{{{what}:var(--{name})}}'
        for colour, name in DARK.items()
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


def section(title: str, words: str, chart: Any, beside: str) -> str:
    """A chart with what it says in words and as a table. `words` is ours, not somebody's."""
    drawn = drawing(title, charts.svg(chart)) + drawing(title, charts.svg(chart, phone=True), "phone")
    return (
        f"<section><h3>{escape(title)}</h3><p>{words}</p>"
        f"<div class=both><div>{drawn}</div><div class=wide>{beside}</div></div></section>"
    )


def drawing(title: str, svg: str, kind: str = "screen") -> str:
    """A chart for a page, which is as wide as it may be. One of the two is shown."""
    named = re.sub(r"^<svg ", f'<svg role="img" aria-label="{escape(title)}" ', svg.strip())
    bare = re.sub(r' (?:width|height)="[\d.]+"(?=[^>]*viewBox)', "", named, count=2)
    return re.sub(r'class="[^"]*"', f'class="{kind}"', bare, count=1)


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]], firm: Sequence[bool] = ()) -> str:
    """A table; the rows that are firm are bold."""
    heads = "".join(f"<th scope=col{' class=n' * (at > 0)}>{escape(word)}</th>" for at, word in enumerate(head))
    body = []
    for at, row in enumerate(rows):
        bold = " class=sure" if at < len(firm) and firm[at] else ""
        cells = "".join(f"<td class=n>{escape(word)}</td>" for word in row[1:])
        body.append(f"<tr{bold}><th scope=row>{escape(row[0])}</th>{cells}</tr>")
    top = f"<caption>{escape(caption)}</caption><thead><tr>{heads}</tr></thead>"
    return f"<table>{top}<tbody>{''.join(body)}</tbody></table>"

"""The command `gonfalon lab balance`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from html import escape
from pathlib import Path
from typing import Final

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.lab.charts import charts, pages
from gonfalon.lab.charts.charts import FILLED, Chart
from gonfalon.lab.data.tables import Kept
from gonfalon.lab.run.progress import tell
from gonfalon.lab.studies import overrides
from gonfalon.lab.studies.balance import balance
from gonfalon.lab.studies.balance.balance import Balance, Figure, clear, known, score_of
from gonfalon.lab.studies.request import Wanted
from gonfalon.lab.studies.whatif.whatif import BY_HAND

STEPS: Final = ((0.2, 3), (0.1, 2), (0.04, 1))
"""From so far off the even share on a cell of the matrix has the colour of a step."""
NARROW: Final = 3
"""So many sides a phone shows beside each other."""


def main(name: str, options: Options, players: str, sides: Sequence[str], wanted: Wanted) -> int:
    """Ask, tell, and write what is to be written. Raises KeyboardInterrupt in the end where somebody has stopped it."""
    if "," in players:
        raise OptionError("A study of fairness is played by one level; ask for each by itself.")
    wanted.check()
    watcher = wanted.watcher

    def said(games: int, widest: float, more: int) -> None:
        watcher.say(
            games,
            f"{games:,} games; the least known matchup to ±{100 * widest:.1f} points; {more:,} more in this wave",
        )

    kept = Kept(wanted.parquet)
    asked = (wanted.precision, wanted.most, wanted.seed, wanted.workers, wanted.folder, said, kept.add, sides)
    found = balance.study(name, options, players, *asked)
    watcher.done()
    kept.write()
    names = overrides.names_of(name, options)
    tell(json.dumps(asdict(found), indent=1) if wanted.as_json else "\n".join(balance.lines(found, names)))
    return wanted.write(partial(page, found, names), partial(pictures, found, names), found.stopped)


def page(balance: Balance, names: dict[str, str]) -> str:
    """The page."""
    who = f"<p>{escape(balance.players.capitalize())} {escape(balance.believe)}</p>"
    parts = [f"<p class=lead>{escape(verdict(balance, names))}</p>", who, tiles(balance, names)]
    if balance.cells:
        parts.append(matrix(balance, names))
    parts += [pages.section(title, words, chart, figures(rows)) for title, words, chart, rows in drawn(balance, names)]
    if balance.endings:
        ends = [replace(figure, what=figure.what.replace("_", " ")) for figure in balance.endings]
        parts.append(
            f"<section><h3>How games end</h3><p>In % of the games between two sides.</p>"
            f"<div class=wide>{figures(ends)}</div></section>"
        )
    if balance.story:
        words = "By the players' own chances to win: what happens between the first card and the last."
        parts.append(
            f"<section><h3>How games go</h3><p>{words}</p><div class=wide>{figures(balance.story)}</div></section>"
        )
    parts.append(footer(balance))
    return pages.document(f"{balance.title}, played by {balance.players.capitalize()}", "Is it fair?", parts)


def verdict(balance: Balance, names: dict[str, str]) -> str:
    """What the page comes to, in a sentence."""
    if not balance.sides:
        return "All play with the same cards: what counts is where one sits, and what one comes to have."
    off = clear(balance)
    if not off:
        return "No side surely lies outside 45 to 55 %."
    told = ", ".join(f"{names.get(figure.what, figure.what)} with {100 * figure.value:.0f} %" for figure in off)
    return f"Surely outside 45 to 55 %: {told}."


def tiles(balance: Balance, names: dict[str, str]) -> str:
    """The few figures that matter most."""
    best = [replace(figure, what=f"of its games: {names.get(figure.what, figure.what)}") for figure in balance.sides]
    first = (
        "of its games: who decides first, among equals"
        if balance.equals
        else "of its games: who decides first, whichever side"
    )
    told = [*(best[:1] + best[-1:]), *(replace(figure, what=first) for figure in balance.first)]
    cells = [f"<li><b>{percent(figure)} %</b><span>{escape(figure.what)}</span></li>" for figure in told]
    cells += [f"<li><b>{figure.value:.1f}</b><span>{escape(figure.what)}</span></li>" for figure in balance.length[-1:]]
    return f"<ul class=told>{''.join(cells)}</ul>"


def percent(figure: Figure) -> str:
    """`54.1 ±1.9`."""
    return f"{100 * figure.value:.1f} ±{100 * figure.half:.1f}"


def matrix(balance: Balance, names: dict[str, str]) -> str:
    """The matchups as a table, the further off the even share the darker."""
    sides = [figure.what for figure in balance.sides]
    head = "".join(f"<th scope=col>{escape(names.get(side, side))}</th>" for side in sides)
    body = []
    for a in sides:
        cells = []
        for b in sides:
            found = score_of(balance, a, b)
            if found is None:
                cells.append("<td></td>")
            else:
                cells.append(f"<td{shade(*found)}>{100 * found[0]:.0f}<small>±{100 * found[1]:.0f}</small></td>")
        body.append(f"<tr><th scope=row>{escape(names.get(a, a))}</th>{''.join(cells)}</tr>")
    hint = "<p class=scrolls>The table can be moved sideways.</p>" if len(sides) > NARROW else ""
    return (
        "<section><h3>Who beats whom</h3><p>Games that the side of the row wins against that of the column, in %, from "
        f"either seat. Gold: it wins more; red: fewer; no colour: it may be chance.</p>{hint}"
        "<div class=wide><table class=matrix><caption>Matchups</caption>"
        f"<thead><tr><th></th>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div></section>"
    )


def shade(score: float, half: float) -> str:
    """The class of a cell; none where chance alone may have made the difference."""
    off = round(score - 0.5, 4)
    step = next((step for least, step in STEPS if abs(off) >= max(least, half)), 0)
    return f" class={'up' if off > 0 else 'down'}{step}" if step else ""


def drawn(balance: Balance, names: dict[str, str]) -> list[tuple[str, str, Chart, list[Figure]]]:
    """What is drawn: title, words, chart, figures."""
    told = []
    even = 1 / len(balance.seats)
    for title, words, rows, line in (
        ("How strong each side is", "Share of victories over all opponents, who count alike.", balance.sides, 0.5),
        ("What they came to have", "Share of victories with what was chosen or dealt in the game.", balance.came, even),
        ("Where one sits", "Share of victories by seat.", balance.seats, even),
    ):
        called = [replace(figure, what=names.get(figure.what, figure.what)) for figure in rows]
        if called:
            note = f"{words} In %, with the 95 % interval. {FILLED}"
            told.append(
                (title, note, charts.intervals([(f.what, f.value, f.half) for f in called], "share, %", line), called)
            )
    return told


def figures(rows: Sequence[Figure]) -> str:
    """Figures as a table; what is no share stands as it is."""
    told = [
        (figure.what, f"{figure.value:.1f}" if "lead" in figure.what else f"{100 * figure.value:.1f} %",
         f"±{figure.half if 'lead' in figure.what else 100 * figure.half:.1f}", f"{figure.games:,}")
        for figure in rows
    ]  # fmt: skip
    return pages.table("Figures", ("", "share", "95 %", "games"), told)


def footer(balance: Balance) -> str:
    """How the study was made."""
    asked = "" if balance.reached else f", and ±{100 * balance.precision:g} were asked for"
    by_hand = f"{BY_HAND} " if balance.stopped else ""
    apart = sum(cell.games for cell in balance.cells)
    alike = balance.games - apart if apart else 0
    mirrored = f", {alike:,} of them between equal sides, to tell what it is worth to decide first" if alike else ""
    told = (
        f"{balance.games:,} games{mirrored}, shared out by what was least known; each matchup is known to "
        f"±{100 * known(balance):.1f} points or more closely{asked}. {by_hand}"
        f"Rules version {balance.version}, data {balance.data}, seed {balance.seed}, digest {balance.digest}. "
        "Between programs: what people would make of it may differ."
    )
    return f"<footer><p>{escape(told)}</p></footer>"


def pictures(balance: Balance, names: dict[str, str], folder: Path) -> None:
    """Write each chart as SVG and PNG."""
    head = f"{balance.title}, played by {balance.players}"
    if balance.cells:
        called = [(names.get(c.a, c.a), names.get(c.b, c.b), c.score, c.half) for c in balance.cells]
        order = [names.get(figure.what, figure.what) for figure in balance.sides]
        charts.write(folder, "who-beats-whom", charts.grid(called, order), f"{head}: who beats whom")
    for title, _, chart, _ in drawn(balance, names):
        charts.write(folder, title.lower().replace(" ", "-"), chart, f"{head}: {title[:1].lower()}{title[1:]}")

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
from gonfalon.lab.charts.charts import FILLED_NOTE, Chart
from gonfalon.lab.data.tables import GameCollector
from gonfalon.lab.run.progress import print_result
from gonfalon.lab.studies import overrides
from gonfalon.lab.studies.balance import balance
from gonfalon.lab.studies.balance.balance import Balance, Figure, find_score, find_uneven_sides, worst_precision
from gonfalon.lab.studies.request import StudySettings
from gonfalon.lab.studies.whatif.whatif import INTERRUPTED_NOTE

SHADES: Final = ((0.2, 3), (0.1, 2), (0.04, 1))
"""Distances from 50 % with the color steps of the matrix, largest first."""
PHONE_SIDES: Final = 3
"""Number of sides that fit next to each other on a phone."""


def main(name: str, options: Options, players: str, sides: Sequence[str], wanted: StudySettings) -> int:
    """Run the study, print its result, and write the requested files.

    Raises:
        OptionError: An option is unknown, or a path cannot be written.
        KeyboardInterrupt: The study was interrupted; raised after everything is written.
    """
    if "," in players:
        raise OptionError("A study of fairness uses one level. Run it once for each level.")
    wanted.check()
    watcher = wanted.watcher

    def said(games: int, widest: float, more: int) -> None:
        watcher.report(
            games, f"{games:,} games; least precise matchup ±{100 * widest:.1f} points; {more:,} more in this wave"
        )

    kept = GameCollector(wanted.parquet)
    asked = (wanted.precision, wanted.most, wanted.seed, wanted.workers, wanted.folder, said, kept.add, sides)
    found = balance.study_balance(name, options, players, *asked)
    watcher.clear_line()
    # The table is written even after an interruption, like the page and the charts.
    kept.write()
    names = overrides.map_names(name, options)
    print_result(
        json.dumps(asdict(found), indent=1) if wanted.as_json else "\n".join(balance.format_lines(found, names))
    )
    return wanted.write(partial(render_page, found, names), partial(write_pictures, found, names), found.stopped)


def render_page(balance: Balance, names: dict[str, str]) -> str:
    """Return the HTML page of a study."""
    who = f"<p>{escape(balance.players.capitalize())} {escape(balance.believe)}</p>"
    parts = [f"<p class=lead>{escape(summarize_result(balance, names))}</p>", who, render_tiles(balance, names)]
    if balance.cells:
        parts.append(render_matrix(balance, names))
    parts += [
        pages.render_section(title, words, chart, render_figures(rows))
        for title, words, chart, rows in list_charts(balance, names)
    ]
    if balance.endings:
        ends = [replace(figure, what=figure.what.replace("_", " ")) for figure in balance.endings]
        parts.append(
            f"<section><h3>How games end</h3><p>In % of the games between different sides.</p>"
            f"<div class=wide>{render_figures(ends)}</div></section>"
        )
    if balance.story:
        words = "The course of games, by the players' own estimates of their win chances."
        story = render_figures(balance.story)
        parts.append(f"<section><h3>How games go</h3><p>{words}</p><div class=wide>{story}</div></section>")
    parts.append(render_footer(balance))
    return pages.render_document(f"{balance.title}, played by {balance.players.capitalize()}", "Is it fair?", parts)


def summarize_result(balance: Balance, names: dict[str, str]) -> str:
    """Return the result in a sentence."""
    if not balance.sides:
        return "All seats play with the same cards. Only the seat and the goal or type make a difference."
    off = find_uneven_sides(balance)
    if not off:
        return "No side is clearly outside 45 to 55 %."
    told = ", ".join(f"{names.get(figure.what, figure.what)} with {100 * figure.value:.0f} %" for figure in off)
    return f"Clearly outside 45 to 55 %: {told}."


def render_tiles(balance: Balance, names: dict[str, str]) -> str:
    """Return the most important figures as HTML."""
    best = [replace(figure, what=f"of its games: {names.get(figure.what, figure.what)}") for figure in balance.sides]
    first = (
        "of its games: the seat that decides first, in mirror matches"
        if balance.equals
        else "of its games: the seat that decides first, any side"
    )
    told = [*(best[:1] + best[-1:]), *(replace(figure, what=first) for figure in balance.first)]
    cells = [f"<li><b>{format_percent(figure)} %</b><span>{escape(figure.what)}</span></li>" for figure in told]
    cells += [f"<li><b>{figure.value:.1f}</b><span>{escape(figure.what)}</span></li>" for figure in balance.length[-1:]]
    return f"<ul class=told>{''.join(cells)}</ul>"


def format_percent(figure: Figure) -> str:
    """Return text like `54.1 ±1.9`."""
    return f"{100 * figure.value:.1f} ±{100 * figure.half:.1f}"


def render_matrix(balance: Balance, names: dict[str, str]) -> str:
    """Return the matchups as an HTML table. Cells far from 50 % are darker."""
    sides = [figure.what for figure in balance.sides]
    head = "".join(f"<th scope=col>{escape(names.get(side, side))}</th>" for side in sides)
    body = []
    for a in sides:
        cells = []
        for b in sides:
            found = find_score(balance, a, b)
            if found is None:
                cells.append("<td></td>")
            else:
                cells.append(f"<td{cell_class(*found)}>{100 * found[0]:.0f}<small>±{100 * found[1]:.0f}</small></td>")
        body.append(f"<tr><th scope=row>{escape(names.get(a, a))}</th>{''.join(cells)}</tr>")
    hint = "<p class=scrolls>Scroll sideways to see the whole table.</p>" if len(sides) > PHONE_SIDES else ""
    return (
        "<section><h3>Who beats whom</h3><p>Win rate of the row's side against the column's side, in %, from "
        f"either seat. Gold: above 50 %; red: below; no color: possibly chance.</p>{hint}"
        "<div class=wide><table class=matrix><caption>Matchups</caption>"
        f"<thead><tr><th></th>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div></section>"
    )


def cell_class(score: float, half: float) -> str:
    """Return the class of a cell; empty if chance alone may explain the difference."""
    off = round(score - 0.5, 4)
    step = next((step for least, step in SHADES if abs(off) >= max(least, half)), 0)
    return f" class={'up' if off > 0 else 'down'}{step}" if step else ""


def list_charts(balance: Balance, names: dict[str, str]) -> list[tuple[str, str, Chart, list[Figure]]]:
    """Return the charts: title, explanation, chart and figures."""
    told = []
    even = 1 / len(balance.seats)
    for title, words, rows, line in (
        ("How strong each side is", "Win rate over all opponents with equal weights.", balance.sides, 0.5),
        ("Goals and types", "Win rate with each goal or type that is chosen or dealt in the game.", balance.came, even),
        ("Seats", "Win rate by seat.", balance.seats, even),
    ):
        called = [replace(figure, what=names.get(figure.what, figure.what)) for figure in rows]
        if called:
            note = f"{words} In %, with the 95 % interval. {FILLED_NOTE}"
            told.append(
                (
                    title,
                    note,
                    charts.draw_intervals([(f.what, f.value, f.half) for f in called], "share, %", line),
                    called,
                )
            )
    return told


def render_figures(rows: Sequence[Figure]) -> str:
    """Return figures as an HTML table. Counts are shown without a percent sign."""
    told = [
        (figure.what, f"{figure.value:.1f}" if "lead" in figure.what else f"{100 * figure.value:.1f} %",
         f"±{figure.half if 'lead' in figure.what else 100 * figure.half:.1f}", f"{figure.games:,}")
        for figure in rows
    ]  # fmt: skip
    return pages.render_table("Figures", ("", "share", "95 %", "games"), told)


def render_footer(balance: Balance) -> str:
    """Return a description of the study's method."""
    asked = "" if balance.reached else f" (requested: ±{100 * balance.precision:g})"
    by_hand = f"{INTERRUPTED_NOTE} " if balance.stopped else ""
    apart = sum(cell.games for cell in balance.cells)
    alike = balance.games - apart if apart else 0
    mirrored = f", {alike:,} of them mirror matches, to measure the advantage of deciding first" if alike else ""
    told = (
        f"{balance.games:,} games{mirrored}, most of them for the least precise matchups; each matchup is known to "
        f"±{100 * worst_precision(balance):.1f} points or better{asked}. {by_hand}"
        f"Rules version {balance.version}, data {balance.data}, seed {balance.seed}, digest {balance.digest}. "
        "The games were played by bots; results of people may differ."
    )
    return f"<footer><p>{escape(told)}</p></footer>"


def write_pictures(balance: Balance, names: dict[str, str], folder: Path) -> None:
    """Write each chart as SVG and PNG."""
    head = f"{balance.title}, played by {balance.players}"
    if balance.cells:
        called = [(names.get(c.a, c.a), names.get(c.b, c.b), c.score, c.half) for c in balance.cells]
        order = [names.get(figure.what, figure.what) for figure in balance.sides]
        charts.write_chart(folder, "who-beats-whom", charts.draw_matrix(called, order), f"{head}: who beats whom")
    for title, _, chart, _ in list_charts(balance, names):
        charts.write_chart(folder, title.lower().replace(" ", "-"), chart, f"{head}: {title[:1].lower()}{title[1:]}")

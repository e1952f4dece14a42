"""The command `gonfalon lab cards`."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from html import escape
from pathlib import Path

from gonfalon.core.basics.options import Options
from gonfalon.lab.charts import charts, pages
from gonfalon.lab.run.progress import ProgressReporter, print_result
from gonfalon.lab.studies import overrides
from gonfalon.lab.studies.cards import card_values
from gonfalon.lab.studies.cards.card_values import (
    INTERRUPTED_NOTE,
    METHOD_NOTES,
    CardValues,
    CardWorth,
    Study,
    list_sides,
    rank_cards,
)
from gonfalon.lab.studies.request import StudySettings

STATISTICS_NOTE = (
    "Cards that were drawn or played in won games are not counted: winners see more of their cards, so any card would "
    "look good."
)
"""Note on statistics that the study avoids."""


def main(name: str, options: Options, players: Sequence[str], sides: Sequence[str], wanted: StudySettings) -> int:
    """Run one study for each level.

    Raises:
        OptionError: An option is unknown, or a path cannot be written.
        KeyboardInterrupt: A study was interrupted; raised after everything is written.
    """
    wanted.check()
    names = overrides.map_names(name, options)
    watcher = wanted.watcher
    found = []
    for level in players:
        study = Study(name, options, level, tuple(sides), "", wanted.precision, wanted.most, wanted.seed)
        found.append(
            card_values.value_cards(study, wanted.workers, wanted.folder, partial(report_progress, watcher, level))
        )
        watcher.clear_line()
        if not wanted.as_json:
            print_result("\n".join(card_values.format_lines(found[-1], names)), "\n\n")
        if found[-1].stopped:
            break
    if wanted.as_json:
        print_result(json.dumps([asdict(values) for values in found], indent=1, ensure_ascii=False))
    return wanted.write(partial(render_page, found, names), partial(write_pictures, found, names), found[-1].stopped)


def report_progress(watcher: ProgressReporter, players: str, games: int, widest: float, more: int) -> None:
    """Report the progress of a study."""
    known = f"least precise card ±{100 * widest:.1f} points"
    watcher.report(games, f"{players}: {games:,} games; {known}; {more:,} more games next")


def render_page(found: Sequence[CardValues], names: dict[str, str]) -> str:
    """Return the HTML page of the studies of one or several levels."""
    top = found[0]
    parts = [
        f"<p class=lead>{escape(summarize_result(top, names))}</p>",
        f"<p>{escape(describe_baseline(top))} {escape(STATISTICS_NOTE)}</p>",
    ]
    for values in found:
        level = escape(values.players.capitalize())
        parts.append(f"<h2>Played by {level}</h2><p>{level} {escape(values.believe)}</p>")
        parts += [render_side(values, side, names.get(side, side)) for side in list_sides(values)]
    parts.append(render_footer(found))
    return pages.render_document(f"{top.title}, card by card", "What is each card worth?", parts)


def describe_baseline(values: CardValues) -> str:
    """Return the baseline of the worths in a sentence."""
    return f"Points of win rate that one copy adds, compared with {'; '.join(values.plain)}."


def summarize_result(values: CardValues, names: dict[str, str]) -> str:
    """Return the most and the least valuable card in a sentence."""
    sure = sorted((worth for worth in values.cards if worth.sure), key=lambda worth: worth.worth)
    if not sure:
        return "No card clearly differs from a plain one."
    best = format_worth(sure[-1], names)
    return (
        f"Worth most: {best}." if sure[0].worth > 0 else f"Worth most: {best}; least: {format_worth(sure[0], names)}."
    )


def format_worth(worth: CardWorth, names: dict[str, str]) -> str:
    """Return a card with its worth."""
    side = names.get(worth.side, worth.side)
    return f"{worth.name} of {side} with {100 * worth.worth:+.1f} points per copy".replace("-", "−")


def render_side(values: CardValues, side: str, name: str) -> str:
    """Return the cards of a side as a chart and a table."""
    own = rank_cards(values, side)
    words = "The best card first, with the 95 % interval. " + charts.FILLED_NOTE
    return pages.render_section(name, words, draw_worths(own), render_figures(own))


def draw_worths(own: Sequence[CardWorth]) -> charts.Chart:
    """Return a chart of worths with their intervals."""
    return charts.draw_intervals([(w.name, w.worth, w.half) for w in own], "points per copy")


def render_figures(own: Sequence[CardWorth]) -> str:
    """Return worths as an HTML table."""
    rows = [
        (w.name, str(w.copies), f"{100 * w.worth:+.1f}".replace("-", "−"), f"±{100 * w.half:.1f}", f"{w.games:,}")
        for w in own
    ]
    return pages.render_table(
        "Figures", ("", "copies", "points per copy", "95 %", "games"), rows, [w.sure for w in own]
    )


def render_footer(found: Sequence[CardValues]) -> str:
    """Return a description of the study's method."""
    lines = []
    for values in found:
        enough = "" if values.reached else f" Not every card reached ±{100 * values.precision:g} points."
        enough += f" {INTERRUPTED_NOTE}" if values.stopped else ""
        lines.append(f"{values.players.capitalize()}: {values.games:,} games.{enough} Digest {values.digest}.")
    top = found[0]
    lines.append(
        f"{METHOD_NOTES[top.way]} {top.title}, rules version {top.version}, data {top.data}, seed {top.seed}. "
        "The games were played by bots; results of people may differ."
    )
    return f"<footer>{''.join(f'<p>{escape(line)}</p>' for line in lines)}</footer>"


def write_pictures(found: Sequence[CardValues], names: dict[str, str], folder: Path) -> None:
    """Write each chart as SVG and PNG."""
    for values in found:
        for side in list_sides(values):
            stem = re.sub("[^a-z0-9]+", "-", f"{values.players}-{names.get(side, side)}".lower())
            head = f"{values.title}, played by {values.players}: the cards of {names.get(side, side)}"
            charts.write_chart(folder, stem, draw_worths(rank_cards(values, side)), head)

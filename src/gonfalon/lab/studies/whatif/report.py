"""The self-contained page of a comparison: no script, no font, no network.

A table next to every chart has the same content, so the page is readable without seeing the charts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from gonfalon.lab.charts import charts, pages
from gonfalon.lab.charts.charts import FILLED_NOTE
from gonfalon.lab.studies.whatif.whatif import INTERRUPTED_NOTE, PRECISE, STOPPED, Answer, Effect

TITLE_CHANGES: Final = 2
"""Number of changes in the title."""


def render_page(answers: Sequence[Answer], names: dict[str, str]) -> str:
    """Return the HTML page of the studies of one or several levels. `names` are the names of sides by their slugs."""
    top = answers[0]
    title = "; ".join(
        f"{c.title} {format_value(c.before)} → {format_value(c.after)}" for c in top.changes[:TITLE_CHANGES]
    )
    title += f", and {len(top.changes) - TITLE_CHANGES} more" if len(top.changes) > TITLE_CHANGES else ""
    parts = [
        render_changes(top),
        *[part for answer in answers for part in render_level(answer, names)],
        render_footer(answers),
    ]
    return pages.render_document(f"{top.title}, what does this change do?", title, parts)


def format_value(value: object) -> str:
    """Return a value for a heading."""
    return "nothing" if value is None else str(value)


def render_changes(answer: Answer) -> str:
    """Return the changes and the origins of the old numbers as HTML."""
    rows = [(c.title, format_value(c.before), format_value(c.after), c.origin) for c in answer.changes]
    head = ("Number", "before", "after", "origin of the old value")
    return f"<section><h3>The change</h3><div class=wide>{pages.render_table('The change', head, rows)}</div></section>"


def render_level(answer: Answer, names: dict[str, str]) -> Iterator[str]:
    """Yield the sections about one level."""
    level = escape(answer.players.capitalize())
    yield f"<h2>Played by {level}</h2><p>{level} {escape(answer.believe)}</p>"
    yield render_tiles(answer, names)
    for section in list_sections(answer, names):
        yield pages.render_section(section.title, section.words, section.chart, section.table)


class Section(NamedTuple):
    """A chart with its explanation and its table."""

    stem: str
    """The end of the file name of the chart."""
    title: str
    words: str
    """Trusted HTML."""
    chart: charts.Chart
    table: str


def list_sections(answer: Answer, names: dict[str, str]) -> Iterator[Section]:
    """Yield the charts about one level."""
    changed, met = ([name_sides(effect, names) for effect in effects] for effects in (answer.sides, answer.matchups))
    yield Section(
        "sides",
        "Who gains, who loses",
        "Points of win rate over all opponents, with the 95 % interval. " + FILLED_NOTE,
        charts.draw_intervals(list_intervals(answer, changed), "points"),
        render_figures(answer, changed, 100.0),
    )
    if met:
        words = "Points for the first side of each matchup, with the 95 % interval."
        yield Section(
            "matchups",
            "Against whom",
            f"{words} {FILLED_NOTE} {describe_missing(answer)}",
            charts.draw_intervals(list_intervals(answer, met), "points"),
            render_figures(answer, met, 100.0),
        )
    if answer.rounds_of:
        yield build_length_section(answer)
    ends = {e.what: [e.before or 0.0, e.after or 0.0] for e in answer.endings}
    yield Section(
        "endings",
        "How games end",
        "In % of all games." + LEGEND,
        charts.draw_bars(ends, "games, %", "ended by"),
        render_figures(answer, answer.endings, 100.0),
    )
    yield Section(
        "path",
        "How sure, and since when",
        "The dark band is the interval at the end. The light band is valid at any time: use it "
        "while the study is running.",
        charts.draw_path(answer.path),
        render_path(answer),
    )


def build_length_section(answer: Answer) -> Section:
    """Return the chart of the lengths of games."""
    rows = [(n, f"{100 * a:.0f}", f"{100 * b:.0f}") for n, (a, b) in answer.rounds_of.items()]
    return Section(
        "lengths",
        "How long games are",
        f"Games that end in each turn or round, in %. {describe_lengths(answer)}" + LEGEND,
        charts.draw_bars(answer.rounds_of, "games, %", "ends in turn or round"),
        pages.render_table("Lengths", ("ends in", "before, %", "after, %"), rows),
    )


def list_intervals(answer: Answer, effects: Sequence[Effect]) -> list[charts.Interval]:
    """Return effects as intervals of a chart."""
    return [(effect.what, effect.difference, reported_half(answer, effect)) for effect in effects]


LEGEND: Final = "</p><p class=key><span>before</span><span class=new>after</span>"
"""Legend of the colors."""


def render_tiles(answer: Answer, names: dict[str, str]) -> str:
    """Return the most important figures as HTML."""
    cells = [render_tile(answer, name_sides(effect, names), 100.0, f"points for {names.get(effect.what, effect.what)}")
             for effect in answer.sides[:1]]  # fmt: skip
    cells += [render_tile(answer, effect, 1.0, f"{effect.what} a game") for effect in answer.length[-1:]]
    cells.append(f"<li><b>{100 * (1 - answer.alike):.0f} %</b><span>{describe_flips(answer)}</span></li>")
    return f"<ul class=told>{''.join(cells)}</ul>"


def describe_flips(answer: Answer) -> str:
    """Return a sentence about the deals with another result."""
    return (
        f"of the deals end differently: {100 * answer.lost:.0f} % become losses, {100 * answer.won:.0f} % become wins"
    )


def render_tile(answer: Answer, effect: Effect, scale: float, words: str) -> str:
    """Return one figure as HTML."""
    number = format_amount(answer, effect, scale, 1 if scale > 1 else 2)
    if effect.before is not None and effect.after is not None:
        words += f": {scale * effect.before:.1f} before, {scale * effect.after:.1f} after"
    mark = " class=sure" if is_significant(answer, effect) else ""
    return f"<li><b{mark}>{escape(number)}</b><span>{escape(words)}</span></li>"


def format_amount(answer: Answer, effect: Effect, scale: float, places: int = 1) -> str:
    """Return text like `+3.1 ±1.9`."""
    return f"{scale * effect.difference:+.{places}f} ±{scale * reported_half(answer, effect):.{places}f}".replace(
        "-", "−"
    )


def is_significant(answer: Answer, effect: Effect) -> bool:
    """Return whether an effect is significant at the 5 % level."""
    return abs(effect.difference) > reported_half(answer, effect)


def describe_lengths(answer: Answer) -> str:
    """Return the change of the length of games in a sentence."""
    effect = answer.length[-1]
    return (
        f"On average {effect.before:.1f} before and {effect.after:.1f} after: {format_amount(answer, effect, 1.0, 2)}."
    )


def render_figures(answer: Answer, effects: Sequence[Effect], scale: float) -> str:
    """Return effects as an HTML table."""
    rows = [
        (
            effect.what,
            *("" if value is None else f"{scale * value:.1f}" for value in (effect.before, effect.after)),
            format_amount(answer, effect, scale),
        )
        for effect in effects
    ]
    firm = [is_significant(answer, effect) for effect in effects]
    return pages.render_table("Figures", ("", "before", "after", "difference"), rows, firm)


def render_path(answer: Answer) -> str:
    """Return the course of a study as a table of a few steps."""
    steps = answer.path[:: max(1, len(answer.path) // 6)]
    steps += answer.path[-1:] if steps[-1:] != answer.path[-1:] else []
    rows = [
        (f"{games:,}", f"{100 * mean:+.1f}".replace("-", "−"), f"±{100 * half:.1f}", f"±{100 * wide:.1f}")
        for games, mean, half, wide in steps
    ]
    return pages.render_table("Path", ("games", "points", "at the end", "at any time"), rows)


def render_footer(answers: Sequence[Answer]) -> str:
    """Return a description of the study's method, sufficient to repeat it."""
    top = answers[0]
    told = [
        f"{answer.players.capitalize()}: {answer.games // 2:,} deals, each played with both variants. "
        f"{describe_end(answer)} {describe_savings(answer)}".strip()
        + f" Digest {answer.digest}."
        for answer in answers
    ]
    about = (
        f"{top.title}, rules version {top.version}, data {top.before} and {top.after}, seed {top.seed}. "
        "The games were played by bots; results of people may differ."
    )
    return f"<footer>{''.join(f'<p>{escape(line)}</p>' for line in [*told, about])}</footer>"


def write_pictures(answers: Sequence[Answer], names: dict[str, str], folder: Path) -> None:
    """Write each chart as SVG and PNG."""
    for answer in answers:
        who = re.sub("[^a-z0-9]+", "-", answer.players)
        for section in list_sections(answer, names):
            title = section.title[:1].lower() + section.title[1:]
            head = f"{answer.title}, played by {answer.players}: {title}"
            charts.write_chart(folder, f"{who}-{section.stem}", section.chart, head)


MIN_SAVED_FACTOR: Final = 1.5
"""Smallest factor of saved games that is reported."""


def describe_end(answer: Answer) -> str:
    """Return the reason for the end of the study in a sentence."""
    asked = f"±{100 * answer.precision:g}"
    if answer.ended == PRECISE:
        return f"Stopped at the requested precision of {asked} points."
    if answer.ended == STOPPED:
        return INTERRUPTED_NOTE
    return (
        f"The precision of {asked} points was not reached: it needs about {answer.needed:,} games. "
        "The intervals describe the games played so far."
    )


def reported_half(answer: Answer, effect: Effect) -> float:
    """Return half of the interval that may be reported."""
    # A person may have stopped at a pleasant value, so only the interval that holds at all times is valid.
    return effect.at_any_time if answer.ended == STOPPED else effect.half


def describe_savings(answer: Answer) -> str:
    """Return a sentence about the games saved by playing the same deals; empty if the factor is small."""
    times = answer.sides[0].saved if answer.sides else 0.0
    return f"Separate deals would have needed {times:g} times as many games." if times >= MIN_SAVED_FACTOR else ""


def name_sides(effect: Effect, names: Mapping[str, str]) -> Effect:
    """Return an effect with the names of its sides."""
    return replace(effect, what=" against ".join(names.get(word, word) for word in effect.what.split(" against ")))


def describe_missing(answer: Answer) -> str:
    """Return a sentence about the matchups without a result; empty if there are none."""
    if not answer.untold:
        return ""
    more = "more " if answer.matchups else ""
    return f"There are too few games for {answer.untold} {more}matchup{'s' if answer.untold > 1 else ''}."


def format_lines(answer: Answer, names: Mapping[str, str]) -> list[str]:
    """Return an answer as lines of text. `names` are the names of factions and decks by their slugs."""
    sides, met = ([name_sides(effect, names) for effect in effects] for effects in (answer.sides, answer.matchups))
    told = [
        f"{answer.title}, played by {answer.players}. Note: {answer.players} {answer.believe}",
        f"{answer.games // 2:,} deals, each with both, in {answer.spent:.0f} s of CPU time. {describe_end(answer)}",
        "",
        *format_table("win rate, %", answer, sides, 100.0),
    ]
    if answer.matchups:
        told += ["", *format_table("matchup, %", answer, met, 100.0)]
    if answer.untold:
        told += [*([] if answer.matchups else [""]), describe_missing(answer)]
    told += [
        "",
        *format_table("length", answer, answer.length, 1.0),
        "",
        *format_table("ended by, %", answer, answer.endings, 100.0),
    ]
    if answer.first:
        told += ["", *format_table("other win rates, %", answer, answer.first, 100.0)]
    return [
        *told,
        "",
        *([saving] if (saving := describe_savings(answer)) else []),
        f"Digest {answer.digest}: the same with any number of workers.",
    ]


def format_table(head: str, answer: Answer, effects: list[Effect], scale: float) -> list[str]:
    """Return effects as lines with columns."""
    wide = max([len(head), *[len(effect.what) for effect in effects]]) + 2
    told = [f"{head:<{wide}}{'before':>9}{'after':>9}{'difference':>16}"]
    for effect in effects:
        moved = f"{scale * effect.difference:+.1f} ±{scale * reported_half(answer, effect):.1f}"
        old, new = ("" if value is None else f"{scale * value:.1f}" for value in (effect.before, effect.after))
        told.append(f"{effect.what:<{wide}}{old:>9}{new:>9}{moved:>16}")
    return told

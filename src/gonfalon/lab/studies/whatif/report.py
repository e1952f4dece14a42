"""A study as one page that needs nothing else: no script, no font, no network. Every chart stands beside a table that
says the same, so nothing rests on seeing it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Final

from gonfalon.lab.charts import charts, pages
from gonfalon.lab.charts.charts import FILLED
from gonfalon.lab.studies.whatif.whatif import BY_HAND, PRECISE, STOPPED, Answer, Effect

FEW: Final = 2
"""So many changes stand in the title."""


def page(answers: Sequence[Answer], names: dict[str, str]) -> str:
    """The page of a study by one or several kinds of players. `names`: how people call factions and decks."""
    top = answers[0]
    title = "; ".join(f"{c.title} {shown(c.before)} → {shown(c.after)}" for c in top.changes[:FEW])
    title += f", and {len(top.changes) - FEW} more" if len(top.changes) > FEW else ""
    parts = [changes(top), *[part for answer in answers for part in judged(answer, names)], footer(answers)]
    return pages.document(f"{top.title}, what does this change do?", title, parts)


def shown(value: object) -> str:
    """A value in a heading."""
    return "nothing" if value is None else str(value)


def changes(answer: Answer) -> str:
    """What was changed, and where the old numbers come from."""
    rows = [(c.title, shown(c.before), shown(c.after), c.origin) for c in answer.changes]
    head = ("What", "before", "after", "the old one is")
    return f"<section><h3>The change</h3><div class=wide>{pages.table('The change', head, rows)}</div></section>"


def judged(answer: Answer, names: dict[str, str]) -> Iterator[str]:
    """What one kind of players found."""
    yield f"<h2>Played by {escape(answer.players.capitalize())}</h2><p>Who {escape(answer.believe)}</p>"
    yield tiles(answer, names)
    changed = [named(effect, names) for effect in answer.sides]
    met = [named(effect, names) for effect in answer.matchups]
    yield pages.section(
        "Who gains, who loses",
        "Points of the share of victories over all opponents, with the 95 % interval. " + FILLED,
        charts.intervals(intervals_of(answer, changed), "points"),
        figures(answer, changed, 100.0),
    )
    if answer.matchups:
        yield matchups(answer, met)
    if answer.rounds_of:
        rows = [(n, f"{100 * a:.0f}", f"{100 * b:.0f}") for n, (a, b) in answer.rounds_of.items()]
        yield pages.section(
            "How long games are",
            f"Games that end in each turn or round, in %. {lengths(answer)}" + KEY,
            charts.bars(answer.rounds_of, "games, %", "ends in turn or round"),
            pages.table("Lengths", ("ends in", "before, %", "after, %"), rows),
        )
    ends = {e.what: [e.before or 0.0, e.after or 0.0] for e in answer.endings}
    yield pages.section(
        "How games end",
        "In % of all games." + KEY,
        charts.bars(ends, "games, %", "ended by"),
        figures(answer, answer.endings, 100.0),
    )
    yield pages.section(
        "How sure, and since when",
        "The dark band is the interval that is told at the end. The light one holds whenever one looks: believe it "
        "while a study runs.",
        charts.path(answer.path),
        walked(answer),
    )


def matchups(answer: Answer, met: list[Effect]) -> str:
    """What the change does in each matchup; where all are of one side, how many games it won."""
    firsts = {effect.what.partition(" against ")[0] for effect in met}
    if len(firsts) > 1:
        words = f"Points for the first named in each matchup, with the 95 % interval. {FILLED} {too_few(answer)}"
        chart = charts.intervals(intervals_of(answer, met), "points")
        return pages.section("Against whom", words, chart, figures(answer, met, 100.0))
    [own] = firsts
    others = [replace(effect, what=effect.what.partition(" against ")[2]) for effect in met]
    both = [(e.what, e.before, e.after) for e in others if e.before is not None and e.after is not None]
    words = f"Games that {escape(own)} won, in %. {too_few(answer)}" + KEY
    return pages.section("Against whom", words, charts.shares(both, "games won, %"), figures(answer, others, 100.0))


def intervals_of(answer: Answer, effects: Sequence[Effect]) -> list[charts.Interval]:
    """Return effects as charts draw them."""
    return [(effect.what, effect.difference, half_of(answer, effect)) for effect in effects]


KEY: Final = "</p><p class=key><span>before</span><span class=new>after</span>"


def tiles(answer: Answer, names: dict[str, str]) -> str:
    """The few figures that matter most."""
    cells = [tile(answer, named(effect, names), 100.0, f"points for {names.get(effect.what, effect.what)}")
             for effect in answer.sides[:1]]  # fmt: skip
    cells += [tile(answer, effect, 1.0, f"{effect.what} a game") for effect in answer.length[-1:]]
    cells.append(f"<li><b>{100 * (1 - answer.alike):.0f} %</b><span>{otherwise(answer)}</span></li>")
    return f"<ul class=told>{''.join(cells)}</ul>"


def otherwise(answer: Answer) -> str:
    """How many deals the change has turned, after their sum."""
    return f"of the deals end otherwise: {100 * answer.lost:.0f} % are lost by it, {100 * answer.won:.0f} % won"


def tile(answer: Answer, effect: Effect, scale: float, words: str) -> str:
    """One of them."""
    number = amount(answer, effect, scale, 1 if scale > 1 else 2)
    if effect.before is not None and effect.after is not None:
        words += f": {scale * effect.before:.1f} before, {scale * effect.after:.1f} after"
    mark = " class=sure" if sure(answer, effect) else ""
    return f"<li><b{mark}>{escape(number)}</b><span>{escape(words)}</span></li>"


def amount(answer: Answer, effect: Effect, scale: float, places: int = 1) -> str:
    """`+3.1 ±1.9`."""
    return f"{scale * effect.difference:+.{places}f} ±{scale * half_of(answer, effect):.{places}f}".replace("-", "−")


def sure(answer: Answer, effect: Effect) -> bool:
    """Whether an effect is more than chance alone would do, 19 times in 20."""
    return abs(effect.difference) > half_of(answer, effect)


def lengths(answer: Answer) -> str:
    """How much longer games are, as a sentence."""
    effect = answer.length[-1]
    return f"On the average {effect.before:.1f} before and {effect.after:.1f} after: {amount(answer, effect, 1.0, 2)}."


def figures(answer: Answer, effects: Sequence[Effect], scale: float) -> str:
    """Effects as a table."""
    rows = [
        (
            effect.what,
            *("" if value is None else f"{scale * value:.1f}" for value in (effect.before, effect.after)),
            amount(answer, effect, scale),
        )
        for effect in effects
    ]
    firm = [sure(answer, effect) for effect in effects]
    return pages.table("Figures", ("", "before", "after", "difference"), rows, firm)


def walked(answer: Answer) -> str:
    """How a study came where it is, as a table of a few steps."""
    steps = answer.path[:: max(1, len(answer.path) // 6)]
    steps += answer.path[-1:] if steps[-1:] != answer.path[-1:] else []
    rows = [
        (f"{games:,}", f"{100 * mean:+.1f}".replace("-", "−"), f"±{100 * half:.1f}", f"±{100 * wide:.1f}")
        for games, mean, half, wide in steps
    ]
    return pages.table("Path", ("games", "points", "at the end", "at any time"), rows)


def footer(answers: Sequence[Answer]) -> str:
    """How the study was made, so that anybody can make it again."""
    top = answers[0]
    told = [
        f"{answer.players.capitalize()}: {answer.games // 2:,} deals, each played with both variants. "
        f"{why_stopped(answer)} {saved(answer)}".strip()
        + f" Digest {answer.digest}."
        for answer in answers
    ]
    about = (
        f"{top.title}, rules version {top.version}, data {top.before} and {top.after}, seed {top.seed}. "
        "Between programs: what people would make of the change may differ."
    )
    return f"<footer>{''.join(f'<p>{escape(line)}</p>' for line in [*told, about])}</footer>"


def pictures(answers: Sequence[Answer], names: dict[str, str], folder: Path) -> None:
    """Write each chart as SVG and PNG."""
    for answer in answers:
        changed, met = ([named(e, names) for e in effects] for effects in (answer.sides, answer.matchups))
        ends = {e.what: [e.before or 0.0, e.after or 0.0] for e in answer.endings}
        made = [("sides", "who gains, who loses", charts.intervals(intervals_of(answer, changed), "points"))]
        if met:
            made.append(("matchups", "against whom", charts.intervals(intervals_of(answer, met), "points")))
        if answer.rounds_of:
            bars = charts.bars(answer.rounds_of, "games, %", "ends in turn or round")
            made.append(("lengths", "how long games are", bars))
        made.append(("endings", "how games end", charts.bars(ends, "games, %", "ended by")))
        made.append(("path", "how sure, and since when", charts.path(answer.path)))
        who = re.sub("[^a-z0-9]+", "-", answer.players)
        for stem, title, chart in made:
            charts.write(folder, f"{who}-{stem}", chart, f"{answer.title}, played by {answer.players}: {title}")


WORTH_TELLING: Final = 1.5


def why_stopped(answer: Answer) -> str:
    """Why the study ended there, as a sentence."""
    asked = f"±{100 * answer.precision:g}"
    if answer.ended == PRECISE:
        return f"Stopped at the precision that was asked for, {asked} points."
    if answer.ended == STOPPED:
        return BY_HAND
    return (
        f"The precision of {asked} points was not reached: it would take about {answer.needed:,} games. "
        "The intervals are those of what was played."
    )


def half_of(answer: Answer, effect: Effect) -> float:
    """Half the interval that may be told."""
    return effect.at_any_time if answer.ended == STOPPED else effect.half


def saved(answer: Answer) -> str:
    """What it saved to play the same deals with both, as a sentence; empty where that is hardly anything."""
    times = answer.sides[0].saved if answer.sides else 0.0
    return f"Separate deals would have taken {times:g} times as many games." if times >= WORTH_TELLING else ""


def named(effect: Effect, names: Mapping[str, str]) -> Effect:
    """An effect that is called as people call it."""
    return replace(effect, what=" against ".join(names.get(word, word) for word in effect.what.split(" against ")))


def too_few(answer: Answer) -> str:
    """What is said of matchups that are not told; nothing where all are."""
    if not answer.untold:
        return ""
    more = "more " if answer.matchups else ""
    return f"Of {answer.untold} {more}matchup{'s' if answer.untold > 1 else ''} there are too few games."


def lines(answer: Answer, names: Mapping[str, str]) -> list[str]:
    """An answer as lines of text. `names`: how people call factions and decks."""
    sides, met = ([named(effect, names) for effect in effects] for effects in (answer.sides, answer.matchups))
    told = [
        f"{answer.title}, played by {answer.players}, who {answer.believe}",
        f"{answer.games // 2:,} deals, each with both, in {answer.spent:.0f} s of CPU time. {why_stopped(answer)}",
        "",
        *table("share of victories, %", answer, sides, 100.0),
    ]
    if answer.matchups:
        told += ["", *table("matchup, %", answer, met, 100.0)]
    if answer.untold:
        told += [*([] if answer.matchups else [""]), too_few(answer)]
    told += ["", *table("length", answer, answer.length, 1.0), "", *table("ended by, %", answer, answer.endings, 100.0)]
    if answer.first:
        told += ["", *table("victories of, %", answer, answer.first, 100.0)]
    return [
        *told,
        "",
        *([saving] if (saving := saved(answer)) else []),
        f"Digest {answer.digest}: the same with any number of workers.",
    ]


def table(head: str, answer: Answer, effects: list[Effect], scale: float) -> list[str]:
    """Effects as lines with columns."""
    wide = max([len(head), *[len(effect.what) for effect in effects]]) + 2
    told = [f"{head:<{wide}}{'before':>9}{'after':>9}{'difference':>16}"]
    for effect in effects:
        moved = f"{scale * effect.difference:+.1f} ±{scale * half_of(answer, effect):.1f}"
        old, new = ("" if value is None else f"{scale * value:.1f}" for value in (effect.before, effect.after))
        told.append(f"{effect.what:<{wide}}{old:>9}{new:>9}{moved:>16}")
    return told

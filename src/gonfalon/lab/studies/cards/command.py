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
from gonfalon.lab.run.progress import Watcher, tell
from gonfalon.lab.studies import overrides
from gonfalon.lab.studies.cards import card_values
from gonfalon.lab.studies.cards.card_values import BY_HAND, HOW, Study, Values, Worth, ranked, sides_in
from gonfalon.lab.studies.request import Wanted

NEVER = (
    "What was drawn or played in games that were won is not asked: winners see more of their cards, so that makes any "
    "card look good."
)


def main(name: str, options: Options, players: Sequence[str], sides: Sequence[str], wanted: Wanted) -> int:
    """One study for each kind of players. Raises KeyboardInterrupt in the end where somebody has stopped it."""
    wanted.check()
    names = overrides.names_of(name, options)
    watcher = wanted.watcher
    found = []
    for level in players:
        study = Study(name, options, level, tuple(sides), "", wanted.precision, wanted.most, wanted.seed)
        found.append(card_values.value(study, wanted.workers, wanted.folder, partial(say, watcher, level)))
        watcher.done()
        if not wanted.as_json:
            tell("\n".join(card_values.lines(found[-1], names)), "\n\n")
        if found[-1].stopped:
            break
    if wanted.as_json:
        tell(json.dumps([asdict(values) for values in found], indent=1, ensure_ascii=False))
    return wanted.write(partial(page, found, names), partial(pictures, found, names), found[-1].stopped)


def say(watcher: Watcher, players: str, games: int, widest: float, more: int) -> None:
    """Say how far a study is."""
    known = f"the least known card to ±{100 * widest:.1f} points"
    watcher.say(games, f"{players}: {games:,} games; {known}; {more:,} more games next")


def page(found: Sequence[Values], names: dict[str, str]) -> str:
    """The page of a study by one or several kinds of players."""
    top = found[0]
    parts = [f"<p class=lead>{escape(verdict(top, names))}</p>", f"<p>{escape(stands_in(top))} {escape(NEVER)}</p>"]
    for values in found:
        parts.append(f"<h2>Played by {escape(values.players.capitalize())}</h2><p>Who {escape(values.believe)}</p>")
        parts += [side_section(values, side, names.get(side, side)) for side in sides_in(values)]
    parts.append(footer(found))
    return pages.document(f"{top.title}, card by card", "What is each card worth?", parts)


def stands_in(values: Values) -> str:
    """What a worth is measured against, in a sentence."""
    return f"Points of the share of victories that one copy adds, against {'; '.join(values.plain)}."


def verdict(values: Values, names: dict[str, str]) -> str:
    """The cards that are known to matter most, in a sentence."""
    sure = sorted((worth for worth in values.cards if worth.sure), key=lambda worth: worth.worth)
    if not sure:
        return "No card is known to differ from a plain one."
    best = told(sure[-1], names)
    return f"Worth most: {best}." if sure[0].worth > 0 else f"Worth most: {best}; least: {told(sure[0], names)}."


def told(worth: Worth, names: dict[str, str]) -> str:
    """A card with its worth."""
    side = names.get(worth.side, worth.side)
    return f"{worth.name} of {side} with {100 * worth.worth:+.1f} points a copy".replace("-", "−")


def side_section(values: Values, side: str, name: str) -> str:
    """A side's cards, drawn and as a table."""
    own = ranked(values, side)
    words = "The best card first, with the 95 % interval. " + charts.FILLED
    return pages.section(name, words, chart(own), figures(own))


def chart(own: Sequence[Worth]) -> charts.Chart:
    """Worths with their intervals."""
    return charts.intervals([(w.name, w.worth, w.half) for w in own], "points a copy")


def figures(own: Sequence[Worth]) -> str:
    """Worths as a table."""
    rows = [
        (w.name, str(w.copies), f"{100 * w.worth:+.1f}".replace("-", "−"), f"±{100 * w.half:.1f}", f"{w.games:,}")
        for w in own
    ]
    return pages.table("Figures", ("", "copies", "points a copy", "95 %", "games"), rows, [w.sure for w in own])


def footer(found: Sequence[Values]) -> str:
    """How the study was made."""
    lines = []
    for values in found:
        enough = "" if values.reached else f" Not every card is known to ±{100 * values.precision:g} points."
        enough += f" {BY_HAND}" if values.stopped else ""
        lines.append(f"{values.players.capitalize()}: {values.games:,} games.{enough} Digest {values.digest}.")
    top = found[0]
    lines.append(
        f"{HOW[top.way]} {top.title}, rules version {top.version}, data {top.data}, seed {top.seed}. Between programs: "
        "what people would make of the cards may differ."
    )
    return f"<footer>{''.join(f'<p>{escape(line)}</p>' for line in lines)}</footer>"


def pictures(found: Sequence[Values], names: dict[str, str], folder: Path) -> None:
    """Write each chart as SVG and PNG."""
    for values in found:
        for side in sides_in(values):
            stem = re.sub("[^a-z0-9]+", "-", f"{values.players}-{names.get(side, side)}".lower())
            head = f"{values.title}, played by {values.players}: the cards of {names.get(side, side)}"
            charts.write(folder, stem, chart(ranked(values, side)), head)

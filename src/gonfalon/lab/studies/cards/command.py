"""The command `gonfalon lab cards`."""

from __future__ import annotations

import json
from collections.abc import Sequence

from gonfalon.core.basics.options import Options
from gonfalon.lab.run.progress import Watcher, tell
from gonfalon.lab.studies import report
from gonfalon.lab.studies.cards import card_values
from gonfalon.lab.studies.cards import report as cards_report
from gonfalon.lab.studies.cards.card_values import Study, Telling
from gonfalon.lab.studies.whatif.request import Wanted


def main(name: str, options: Options, players: Sequence[str], sides: Sequence[str], wanted: Wanted) -> int:
    """One study for each kind of players. Raises KeyboardInterrupt in the end where somebody has stopped it."""
    wanted.check()
    names = report.names_of(name, options)
    watcher = wanted.watcher
    found = []
    for level in players:
        study = Study(name, options, level, tuple(sides), "", wanted.precision, wanted.most, wanted.seed)
        found.append(card_values.value(study, wanted.workers, wanted.folder, telling(watcher, level)))
        watcher.done()
        if not wanted.as_json:
            tell("\n".join(card_values.lines(found[-1], names)), "\n\n")
        if found[-1].stopped:
            break
    if wanted.as_json:
        tell(json.dumps([card_values.as_json(values) for values in found], indent=1, ensure_ascii=False))
    wanted.write(lambda: cards_report.page(found, names), lambda folder: cards_report.pictures(folder, found, names))
    if found[-1].stopped:
        raise KeyboardInterrupt
    return 0


def telling(watcher: Watcher, players: str) -> Telling:
    """Who says how far a study is."""

    def tell(games: int, widest: float, more: int) -> None:
        watcher.say(
            games,
            f"{players}: {games:,} games; the least known card to ±{100 * widest:.1f} points; {more:,} more games next",
        )

    return tell

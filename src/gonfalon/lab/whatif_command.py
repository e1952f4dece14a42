"""The command `gonfalon lab whatif`: asks, says how far it is, tells."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from gonfalon.core.errors import OptionError
from gonfalon.lab import charts, report, whatif
from gonfalon.lab.overrides import Variant
from gonfalon.lab.watching import Watcher, left
from gonfalon.lab.whatif import STOPPED, Progress, Question
from gonfalon.lab.whatif_words import lines


def say(watcher: Watcher, players: str, progress: Progress) -> None:
    """Say how far a study is."""
    effect = progress.effect
    watcher.say(
        f"{players}: {progress.games:,} games; {effect.what} {100 * effect.difference:+.1f} ±{100 * effect.half:.1f} "
        f"(whenever one stops: ±{100 * effect.at_any_time:.1f}); {left(progress.left)}"
    )


def main(
    name: str,
    before: Variant,
    after: Variant,
    players: Sequence[str],
    precision: float,
    most: int,
    seed: int,
    workers: int,
    folder: Path | None,
    as_json: bool,
    page: Path | None = None,
    pictures: Path | None = None,
) -> int:
    """The command `gonfalon lab whatif`: one study for each kind of players."""
    if not after.changes:
        raise OptionError("Nothing differs between the two, so there is nothing to find out.")
    if not as_json:
        print("\n".join(f"  {change}" for change in after.changes), end="\n\n", flush=True)
    if page is not None or pictures is not None:
        charts.needed()
    answers = []
    watcher = Watcher()
    for level in players:
        question = Question(name, level, before, after, precision, most, seed)
        answers.append(whatif.ask(question, workers, folder, partial(say, watcher, level)))
        watcher.done()
        if not as_json:
            print("\n".join(lines(answers[-1])), end="\n\n", flush=True)
        if answers[-1].ended == STOPPED:
            break
    if as_json:
        print(json.dumps([whatif.as_json(answer) for answer in answers], indent=1, ensure_ascii=False))
    names = report.names_of(name, before.options)
    if page is not None:
        page.write_text(report.page(answers, names), "utf-8")
    if pictures is not None:
        report.pictures(pictures, answers, names)
    return 0

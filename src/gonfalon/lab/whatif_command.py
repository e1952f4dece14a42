"""The command `gonfalon lab whatif`: asks, says how far it is, tells."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Final

from gonfalon.core.errors import OptionError
from gonfalon.lab import charts, report, whatif
from gonfalon.lab.overrides import Variant
from gonfalon.lab.whatif import STOPPED, Progress, Question
from gonfalon.lab.whatif_words import lines

OFTEN: Final = 0.5
"""Seconds between two looks at a terminal; in a file a line is enough now and then."""
SELDOM: Final = 15.0


class Watcher:
    """Says on the error stream how far a study is."""

    def __init__(self, players: str) -> None:
        self.players = players
        self.live: bool = sys.stderr.isatty()
        self.next: float = monotonic() + (OFTEN if self.live else SELDOM)

    def __call__(self, far: Progress) -> None:
        if monotonic() < self.next:
            return
        self.next = monotonic() + (OFTEN if self.live else SELDOM)
        effect = far.effect
        said = (
            f"{self.players}: {far.games:,} games; {effect.what} {100 * effect.difference:+.1f} "
            f"±{100 * effect.half:.1f} (whenever one stops: ±{100 * effect.at_any_time:.1f}); {left(far.left)}"
        )
        print(f"\r{said:<110}" if self.live else said, end="" if self.live else "\n", file=sys.stderr, flush=True)

    def done(self) -> None:
        """Leave the line to what follows."""
        if self.live:
            print(f"\r{'':<110}\r", end="", file=sys.stderr, flush=True)


def left(seconds: float) -> str:
    """How much longer it takes, in words."""
    if seconds < 100:
        return f"about {seconds:.0f} s more"
    minutes = seconds / 60
    return f"about {minutes:.0f} min more" if minutes < 100 else f"about {minutes / 60:,.0f} h more"


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
    for level in players:
        watcher = Watcher(level)
        question = Question(name, level, before, after, precision, most, seed)
        answers.append(whatif.ask(question, workers, folder, watcher))
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

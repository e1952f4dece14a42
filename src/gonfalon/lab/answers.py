"""What a study has found, in words for a terminal; and how far it is while it runs."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Final

from gonfalon.core.errors import OptionError
from gonfalon.lab import whatif
from gonfalon.lab.overrides import Variant
from gonfalon.lab.whatif import PRECISE, STOPPED, Answer, Effect, Progress, Question

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
) -> int:
    """The command `gonfalon lab whatif`: one study for each kind of players."""
    if not after.changes:
        raise OptionError("Nothing differs between the two, so there is nothing to find out.")
    if not as_json:
        print("\n".join(f"  {change}" for change in after.changes), end="\n\n", flush=True)
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
    return 0


def why_stopped(answer: Answer) -> str:
    """Why the study ended there, as a sentence."""
    asked = f"±{100 * answer.precision:g}"
    if answer.ended == PRECISE:
        return f"Stopped at the precision that was asked for, {asked} points."
    if answer.ended == STOPPED:
        return "Stopped by hand: the intervals are the wider ones, which hold whenever one stops."
    return (
        f"The precision of {asked} points was not reached: it would take about {answer.needed:,} games. "
        "The intervals are those of what was played."
    )


def half_of(answer: Answer, effect: Effect) -> float:
    """Half the interval that may be told."""
    return effect.at_any_time if answer.ended == STOPPED else effect.half


def lines(answer: Answer) -> list[str]:
    """An answer as lines of text."""
    told = [
        f"{answer.title}, played by {answer.players}, who {answer.believe}",
        f"{answer.games // 2:,} deals, each with both, in {answer.spent:.0f} s of CPU time. {why_stopped(answer)}",
        "",
        *table("share of victories, %", answer, answer.sides, 100.0),
    ]
    if len(answer.sides) > 2:
        told += ["", *table("matchup, %", answer, answer.matchups, 100.0)]
    told += ["", *table("length", answer, answer.length, 1.0), "", *table("ended by, %", answer, answer.endings, 100.0)]
    if answer.first:
        told += ["", *table("victories of, %", answer, answer.first, 100.0)]
    if answer.sides and answer.sides[0].saved:
        told += ["", f"Separate deals would have taken {answer.sides[0].saved:g} times as many games."]
    return [*told, f"Digest {answer.digest}: the same with any number of workers."]


def table(head: str, answer: Answer, effects: list[Effect], scale: float) -> list[str]:
    """Effects as lines with columns."""
    wide = max([len(head), *[len(effect.what) for effect in effects]]) + 2
    told = [f"{head:<{wide}}{'before':>9}{'after':>9}{'difference':>16}"]
    for effect in effects:
        moved = f"{scale * effect.difference:+.1f} ±{scale * half_of(answer, effect):.1f}"
        old, new = ("" if value is None else f"{scale * value:.1f}" for value in (effect.before, effect.after))
        told.append(f"{effect.what:<{wide}}{old:>9}{new:>9}{moved:>16}")
    return told

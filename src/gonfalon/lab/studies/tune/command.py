"""The command `gonfalon lab tune`: measures, asks which step to take, goes on."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path as File
from tempfile import TemporaryDirectory

from gonfalon.core.basics.errors import OptionError
from gonfalon.lab.run import atomic_files
from gonfalon.lab.run.progress import tell
from gonfalon.lab.run.session import Crew
from gonfalon.lab.studies import overrides
from gonfalon.lab.studies.request import Wanted
from gonfalon.lab.studies.tune import report, tune
from gonfalon.lab.studies.tune.steps import Step
from gonfalon.lab.studies.tune.tune import Choice, Tuning, Turn, check


def main(tuning: Tuning, by_itself: bool, out: File | None, wanted: Wanted) -> int:
    """Tune, with somebody who chooses, or with the best step so many times. Raises KeyboardInterrupt in the end where
    somebody has stopped it."""
    wanted.check()
    if out is not None:
        atomic_files.check_file(out)
    check(tuning)
    if not by_itself and not sys.stdin.isatty():
        raise OptionError("Nobody is at a terminal to choose a step; give --take N, to take the best N times.")
    names = overrides.names_of(tuning.game, tuning.options)
    watcher = wanted.watcher

    def show(turn: Turn) -> None:
        watcher.done()
        tell("\n".join(report.lines_of_turn(turn, names)), file=sys.stderr if wanted.as_json else sys.stdout)

    def hear(turn: Turn) -> None:
        if by_itself or not turn.proposals:
            show(turn)
        watcher.done()
        print(report.line_of_taken(turn), end="\n\n", file=sys.stderr, flush=True)

    choose = best if by_itself else asked(show)
    with TemporaryDirectory() as passing, Crew(wanted.workers, wanted.folder or File(passing)) as crew:
        path = tune.tune(tuning, choose, crew, lambda what, games: watcher.say(games, f"{games:,} games; {what}"), hear)
    watcher.done()
    tell(json.dumps(tune.as_json(path), indent=1) if wanted.as_json else "\n".join(report.lines(path, names)))
    if out is not None and path.steps:
        atomic_files.write(out, report.as_file(path))
    elif out is not None:
        print(f"Nothing was changed, so {out} is not written.", file=sys.stderr)
    stopped = path.ended == tune.STOPPED
    if stopped:
        watcher.earlier = path.games
    return wanted.write(partial(report.page, path, names), partial(report.pictures, path, names), stopped)


def best(turn: Turn) -> Step | None:
    """Who takes the best step."""
    return turn.proposals[0].step


def asked(show: tune.Hearing) -> Choice:
    """Who asks at the terminal."""

    def choose(turn: Turn) -> Step | None:
        show(turn)
        while True:
            print(f"Which step, 1 to {len(turn.proposals)}? (Enter: none, and end here) ", end="", file=sys.stderr)
            sys.stderr.flush()
            word = sys.stdin.readline().strip()
            if not word:
                return None
            if word.isdecimal() and 1 <= int(word) <= len(turn.proposals):
                return turn.proposals[int(word) - 1].step

    return choose

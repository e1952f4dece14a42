"""The command `gonfalon lab tune`: measures the sides, proposes steps, and repeats."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path as File
from tempfile import TemporaryDirectory

from gonfalon.core.basics.errors import OptionError
from gonfalon.lab.run import atomic_files
from gonfalon.lab.run.progress import print_result
from gonfalon.lab.run.session import BlockTeam
from gonfalon.lab.studies import overrides
from gonfalon.lab.studies.request import StudySettings
from gonfalon.lab.studies.tune import report, tune
from gonfalon.lab.studies.tune.steps import Step
from gonfalon.lab.studies.tune.tune import ChooseStep, Tuning, TuningResult, Turn, check_tuning


def main(tuning: Tuning, by_itself: bool, out: File | None, wanted: StudySettings) -> int:
    """Tune numbers, with steps chosen at the terminal or always with the best step.

    Raises:
        OptionError: There is nothing to tune, or no terminal to choose at.
        KeyboardInterrupt: The study was interrupted; raised after everything is written.
    """
    wanted.check()
    if out is not None:
        atomic_files.check_file(out)
    check_tuning(tuning)
    # Without a terminal nobody could choose, and the study would wait forever.
    if not by_itself and not sys.stdin.isatty():
        raise OptionError("No terminal to choose a step at. Use --take N to take the best step N times.")
    names = overrides.map_names(tuning.game, tuning.options)
    watcher = wanted.watcher

    def show(turn: Turn) -> None:
        watcher.clear_line()
        print_result("\n".join(report.format_turn(turn, names)), file=sys.stderr if wanted.as_json else sys.stdout)

    def hear(turn: Turn) -> None:
        if by_itself or not turn.proposals:
            show(turn)
        watcher.clear_line()
        print(report.format_choice(turn), end="\n\n", file=sys.stderr, flush=True)

    choose = choose_best if by_itself else ask_at_terminal(show)
    with TemporaryDirectory() as passing, BlockTeam(wanted.workers, wanted.folder or File(passing)) as crew:
        path = tune.tune_game(
            tuning, choose, crew, lambda what, games: watcher.report(games, f"{games:,} games; {what}"), hear
        )
    watcher.clear_line()
    print_tuning(path, names, wanted.as_json)
    if out is not None:
        write_changes(path, out)
    if stopped := path.ended == tune.STOPPED:
        watcher.earlier = path.games
    return wanted.write(partial(report.render_page, path, names), partial(report.write_pictures, path, names), stopped)


def print_tuning(path: TuningResult, names: dict[str, str], as_json: bool) -> None:
    """Print the result as JSON or as text."""
    print_result(json.dumps(tune.to_json(path), indent=1) if as_json else "\n".join(report.format_lines(path, names)))


def write_changes(path: TuningResult, out: File) -> None:
    """Write the changed numbers to a file, if any has changed."""
    if path.steps:
        atomic_files.write_file(out, report.format_file(path))
    else:
        print(f"No number was changed, so {out} was not written.", file=sys.stderr)


def choose_best(turn: Turn) -> Step | None:
    """Return the best step of a turn."""
    return turn.proposals[0].step


def ask_at_terminal(show: tune.ReportTurn) -> ChooseStep:
    """Return a function that lets the user choose a step at the terminal."""

    def choose(turn: Turn) -> Step | None:
        show(turn)
        while True:
            # Questions go to the error stream, because standard output may be a file of JSON.
            print(f"Which step, 1 to {len(turn.proposals)}? (Enter: stop here) ", end="", file=sys.stderr)
            sys.stderr.flush()
            word = sys.stdin.readline().strip()
            if not word:
                return None
            if word.isdecimal() and 1 <= int(word) <= len(turn.proposals):
                return turn.proposals[int(word) - 1].step

    return choose

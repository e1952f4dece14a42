"""The conformance kit, which tests any game against the laws.

    from gonfalon.check import run
    results = run(MyGame, seconds=20, report=print)
    assert all(result.ok for result in results)

The kit knows a game only through the core. It plays `Game.samples()` at random and enumerates the trees of
`Game.tiny()`. Facts that it cannot know are judged by `ReferenceRules`, if a package supplies them. The laws are in
`check/laws`.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from gonfalon.check.kit import LAWS, MIN_GAMES, run
from gonfalon.check.law import Law, LawBrokenError, LawResult
from gonfalon.check.play import Coverage, Pages, Requests, Sender
from gonfalon.check.reference_rules import ReferenceRules, load_reference_rules
from gonfalon.core.basics.options import Options
from gonfalon.core.rules.game import Game
from gonfalon.games import find_game_class

__all__ = [
    "LAWS",
    "Coverage",
    "Law",
    "LawBrokenError",
    "LawResult",
    "Pages",
    "ReferenceRules",
    "Requests",
    "Sender",
    "load_reference_rules",
    "main",
    "run",
]

REDRAW_SECONDS: Final = 0.2
"""CPU seconds between two states of the progress on a terminal."""
PROGRESS_SECONDS: Final = 5.0
"""CPU seconds between two lines of progress elsewhere."""


class ProgressPrinter:
    """Prints the progress of a run on standard error: on a terminal in one line, elsewhere a line every few seconds.

    Args:
        clock: Returns the CPU time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.process_time) -> None:
        self.clock = clock
        self.terminal = sys.stderr.isatty()
        self.wait = REDRAW_SECONDS if self.terminal else PROGRESS_SECONDS
        self.due = clock() + self.wait
        self.drawn = 0
        """Width of the line that is drawn on the terminal."""

    def show(self, text: str) -> None:
        """Show a sentence if it is time."""
        if self.clock() < self.due:
            return
        self.due = self.clock() + self.wait
        self.clear()
        if self.terminal:
            text = text[: shutil.get_terminal_size().columns - 1]
            self.drawn = len(text)
        print(text, end="" if self.terminal else "\n", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Erase the line that is drawn on the terminal."""
        if self.drawn:
            print(f"\r{' ' * self.drawn}\r", end="", file=sys.stderr, flush=True)
        self.drawn = 0

    def print_line(self, line: str) -> None:
        """Print a line of the report."""
        self.clear()
        print(line, flush=True)


def main(
    name: str,
    seconds: float | None = None,
    options: Options | None = None,
    senders: Iterable[Sender] = (),
    pages: Pages | None = None,
    requests: Requests | None = None,
    laws: Iterable[Law] = LAWS,
) -> int:
    """Run `gonfalon check NAME`: check an installed game and print a line for each law.

    Args:
        name: The name of an installed game.
        seconds: The CPU time to spend. Without it the command takes at least 20 seconds, and as long as each law needs
            to see enough games.
        options: Options of the game; the games of `Game.samples_with(options)` are played. Without them
            `Game.samples()` are.
        senders: See `run`.
        pages: See `run`.
        requests: See `run`.
        laws: The laws to check.

    Returns:
        The exit code: 1 when a law is broken, or when the laws saw too few games to prove anything.

    Raises:
        OptionError: There is no such game or option.
    """
    game = find_game_class(name)
    chosen: type[Game] | Sequence[Game] = game
    if options:
        chosen = game.samples_with(options)
    # Compiled rules in an endless loop cannot be stopped from inside.
    with contextlib.suppress(OSError, ValueError, AttributeError):
        # This limit is wall-clock time, so it leaves much room for a busy machine.
        faulthandler.dump_traceback_later((seconds or 20.0) * 20 + 600, exit=True)
    seen, printer = Coverage(), ProgressPrinter()
    try:
        results = run(
            chosen,
            20.0 if seconds is None else seconds,
            printer.print_line,
            senders=senders,
            # With a given time each law still sees one game, although that proves little.
            rounds=MIN_GAMES if seconds is None else 1,
            seen=seen,
            pages=pages,
            requests=requests,
            laws=laws,
            progress=printer.show,
        )
    finally:
        printer.clear()
        faulthandler.cancel_dump_traceback_later()
    return print_summary(game, results, seen)


def print_summary(game: type[Game], results: list[LawResult], seen: Coverage) -> int:
    """Save the records of broken laws, print the counts of a run, and return its exit code."""
    broken = [result for result in results if not result.ok]
    save_records(game.name, broken)
    held = sum(result.ok and not result.skipped for result in results)
    bad = bool(broken or seen.missing)
    if seen.missing:
        print(f"-- inconclusive: {seen.missing}. Allow more time with --seconds.")
    out = sys.stderr if bad else sys.stdout
    print(f"{game.title}: {held} laws hold, {len(broken)} broken; seen: {seen.line()}.", file=out)
    return int(bad)


def save_records(name: str, broken: list[LawResult]) -> None:
    """Save a record of each game that broke a law, and print how to replay it."""
    for number, result in enumerate(broken, start=1):
        if result.record:
            # The process id keeps runs in parallel from overwriting each other's records.
            path = Path(tempfile.gettempdir()) / f"gonfalon-check-{name}-{os.getpid()}-{number}.json"
            path.write_text(result.record, encoding="utf-8")
            print(f"     {result.law}: replay with: gonfalon replay {path} --all")

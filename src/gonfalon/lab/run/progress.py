"""Progress of a study on the error stream, and its message after an interruption.

In a terminal one line changes; elsewhere a new line is printed now and then.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Final, Self, TextIO

from gonfalon.core.basics.errors import OptionError
from gonfalon.lab.run.workers import WorkersLostError

TERMINAL_INTERVAL_S: Final = 0.5
"""Seconds between two updates in a terminal."""
LOG_INTERVAL_S: Final = 15.0
"""Seconds between two lines elsewhere."""
LINE_WIDTH: Final = 110
"""Width of the line in a terminal, in characters."""


class ProgressReporter:
    """Reports the progress of a study, and the rest after an interruption.

    Args:
        kept: The folder with the games of the study, if they are kept.
        keep: The option that would keep them; empty if there is none.
    """

    def __init__(self, kept: Path | None = None, keep: str = "") -> None:
        self.kept = kept
        self.keep = keep
        self.games: int = 0
        self.earlier: int = 0
        self.live: bool = sys.stderr.isatty()
        self.next: float = monotonic() + (TERMINAL_INTERVAL_S if self.live else LOG_INTERVAL_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        if isinstance(error, KeyboardInterrupt):
            self.report_interruption()
        if isinstance(error, WorkersLostError):
            self.clear_line()
            raise OptionError(f"{str(error).rstrip('.')}; {self.describe_rest()}.") from None

    def report(self, games: int, text: str) -> None:
        """Print a progress line, unless the last one is recent.

        Args:
            games: The number of games so far.
            text: The line.
        """
        self.games = games
        if monotonic() < self.next:
            return
        self.next = monotonic() + (TERMINAL_INTERVAL_S if self.live else LOG_INTERVAL_S)
        # The line is padded, so that a shorter one overwrites all of a longer one.
        print(
            f"\r{text:<{LINE_WIDTH}}" if self.live else text, end="" if self.live else "\n", file=sys.stderr, flush=True
        )

    def clear_line(self) -> None:
        """Clear the line for further output. Another study of the same command may follow."""
        self.earlier, self.games = self.earlier + self.games, 0
        if self.live:
            print(f"\r{'':<{LINE_WIDTH}}\r", end="", file=sys.stderr, flush=True)

    def report_interruption(self) -> None:
        """Report an interruption, the games that are kept, and the way to continue."""
        self.clear_line()
        after = f" after {self.earlier:,} games" if self.earlier else ""
        print(f"Interrupted{after}; {self.describe_rest()}.", file=sys.stderr, flush=True)

    def describe_rest(self) -> str:
        """Return where games are kept and how to continue."""
        if self.kept is not None:
            return f"finished games are kept in {self.kept}, and the same command continues from there"
        if self.keep:
            return f"no games are kept; with {self.keep} the same command could continue"
        return "no games are kept, so the same command starts over"


def format_time_left(seconds: float) -> str:
    """Return the remaining time in words."""
    if seconds < 100:
        return f"about {seconds:.0f} s more"
    minutes = seconds / 60
    return f"about {minutes:.0f} min more" if minutes < 100 else f"about {minutes / 60:,.0f} h more"


def print_result(text: str, end: str = "\n", file: TextIO | None = None) -> None:
    """Print a result. A closed pipe does not stop the study, which still writes its files."""
    try:
        print(text, end=end, file=file, flush=True)
    except BrokenPipeError:
        discard_output(file or sys.stdout)


def discard_output(stream: TextIO) -> None:
    """Discard the buffered output of a closed stream, so that Python ends without an error."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        # Python flushes standard output at exit; the null device accepts what the closed pipe refuses.
        os.dup2(nowhere, stream.fileno())
    except (OSError, ValueError):
        pass
    finally:
        os.close(nowhere)

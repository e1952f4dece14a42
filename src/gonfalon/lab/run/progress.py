"""What a study says while it runs: on the error stream, one line that changes in a terminal, a line now and then
elsewhere. And what it says to somebody who breaks it off."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Final, Self, TextIO

from gonfalon.core.basics.errors import OptionError
from gonfalon.lab.run.workers import Lost

OFTEN: Final = 0.5
"""Seconds between two looks at a terminal."""
SELDOM: Final = 15.0
"""Those where lines stay."""
WIDTH: Final = 110


class Watcher:
    """Says how far a study is, and what is left of one that is broken off. `kept` is where its games are kept, `keep`
    what would keep them; empty where nothing can."""

    def __init__(self, kept: Path | None = None, keep: str = "") -> None:
        self.kept = kept
        self.keep = keep
        self.games: int = 0
        self.earlier: int = 0
        self.live: bool = sys.stderr.isatty()
        self.next: float = monotonic() + (OFTEN if self.live else SELDOM)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        if isinstance(error, KeyboardInterrupt):
            self.broken_off()
        if isinstance(error, Lost):
            self.done()
            raise OptionError(f"{str(error).rstrip('.')}; {self.rest()}.") from None

    def say(self, games: int, text: str) -> None:
        """Say it, if it is time, after so many games."""
        self.games = games
        if monotonic() < self.next:
            return
        self.next = monotonic() + (OFTEN if self.live else SELDOM)
        print(f"\r{text:<{WIDTH}}" if self.live else text, end="" if self.live else "\n", file=sys.stderr, flush=True)

    def done(self) -> None:
        """Leave the line to what follows; a study of the same command may begin."""
        self.earlier, self.games = self.earlier + self.games, 0
        if self.live:
            print(f"\r{'':<{WIDTH}}\r", end="", file=sys.stderr, flush=True)

    def broken_off(self) -> None:
        """Say what was done, what is kept, and how it goes on."""
        self.done()
        after = f" after {self.earlier:,} games" if self.earlier else ""
        print(f"Broken off{after}; {self.rest()}.", file=sys.stderr, flush=True)

    def rest(self) -> str:
        """What is kept, and how it goes on."""
        if self.kept is not None:
            return f"what was played is kept in {self.kept}, and the same command goes on from there"
        if self.keep:
            return f"nothing is kept, but with {self.keep} the same command would go on where it was"
        return "nothing is kept, so the same command begins anew"


def left(seconds: float) -> str:
    """How much longer it takes, in words."""
    if seconds < 100:
        return f"about {seconds:.0f} s more"
    minutes = seconds / 60
    return f"about {minutes:.0f} min more" if minutes < 100 else f"about {minutes / 60:,.0f} h more"


def tell(text: str, end: str = "\n", file: TextIO | None = None) -> None:
    """Say what was found. Where nobody reads any more a study goes on all the same, and writes its files."""
    try:
        print(text, end=end, file=file, flush=True)
    except BrokenPipeError:
        hush(file or sys.stdout)


def hush(stream: TextIO) -> None:
    """Nobody reads any more; what is still buffered must not fail when Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, stream.fileno())
    except (OSError, ValueError):
        pass
    finally:
        os.close(nowhere)

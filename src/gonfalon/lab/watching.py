"""What a study says while it runs: on the error stream, one line that changes in a terminal, a line now and then
elsewhere."""

from __future__ import annotations

import sys
from time import monotonic
from typing import Final

OFTEN: Final = 0.5
"""Seconds between two looks at a terminal."""
SELDOM: Final = 15.0
"""Those where lines stay."""
WIDTH: Final = 110


class Watcher:
    """Says how far a study is."""

    def __init__(self) -> None:
        self.live: bool = sys.stderr.isatty()
        self.next: float = monotonic() + (OFTEN if self.live else SELDOM)

    def say(self, text: str) -> None:
        """Say it, if it is time."""
        if monotonic() < self.next:
            return
        self.next = monotonic() + (OFTEN if self.live else SELDOM)
        print(f"\r{text:<{WIDTH}}" if self.live else text, end="" if self.live else "\n", file=sys.stderr, flush=True)

    def done(self) -> None:
        """Leave the line to what follows."""
        if self.live:
            print(f"\r{'':<{WIDTH}}\r", end="", file=sys.stderr, flush=True)


def left(seconds: float) -> str:
    """How much longer it takes, in words."""
    if seconds < 100:
        return f"about {seconds:.0f} s more"
    minutes = seconds / 60
    return f"about {minutes:.0f} min more" if minutes < 100 else f"about {minutes / 60:,.0f} h more"

"""Whether there is a screen, and what runs on it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from gonfalon.bots.driver import Driver
from gonfalon.terminal.local import LocalDesk

PACE: Final = 0.7
"""Seconds for which a bot's move is looked at."""


def fits() -> bool:
    """Whether this terminal can hold a screen: it is one, knows where its cursor is, and Textual is installed."""
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    return os.environ.get("TERM", "dumb" if os.name != "nt" else "windows") != "dumb" and installed()


def installed() -> bool:
    """Whether what draws the screen is installed."""
    return find_spec("textual") is not None


def play(driver: Driver, names: Sequence[str], path: Path | None, motion: bool) -> int:
    """A game on this machine, until it is over or somebody leaves."""
    from gonfalon.terminal.screen.table import TableApp

    desk = LocalDesk(driver, names, path, PACE if motion else 0.0)
    app = TableApp(desk, motion)
    app.run()
    desk.write()
    if app.failure is not None:
        raise app.failure
    if driver.state.over:
        print(desk.sight().over)
    elif path is not None:
        print(f"The game waits. `gonfalon play {driver.game.name} --record {path}` goes on with it.")
    else:
        print("The game stops here; with --record FILE it would have waited.")
    return 0

"""Whether there is a screen, and what runs on it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gonfalon.bots import levels
from gonfalon.bots.driver import Driver
from gonfalon.terminal import kept
from gonfalon.terminal.local import LocalDesk

if TYPE_CHECKING:
    from gonfalon.terminal.menu import Chosen, Menu

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

    desk = LocalDesk(driver, names, path or kept.new_path(driver.game.name), PACE if motion else 0.0)
    app = TableApp(desk, motion)
    app.run()
    desk.write()
    if app.failure is not None:
        raise app.failure
    if driver.state.over:
        print(desk.sight().over)
        print(f"The record is in {desk.path}.")
    else:
        print(f"The game waits: `gonfalon play` goes on with it, or --record {desk.path}.")
    return 0


def menu(found: Menu) -> Chosen | None:
    """The menu, until something is chosen; None for whoever leaves."""
    from gonfalon.terminal.screen.menu import MenuApp

    return MenuApp(found).run()


def levels_of(names: Sequence[str]) -> str:
    """The levels of the bots of a record, as their names tell them."""
    words = [name.partition(" ")[0].lower() for name in names[1:]]
    return ",".join(word if word in levels() else "club" for word in words)

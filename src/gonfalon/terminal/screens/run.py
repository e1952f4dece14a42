"""Whether there is a screen, and what runs on it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gonfalon.bots import levels
from gonfalon.bots.players.driver import Driver
from gonfalon.core.text.untrusted import print_text
from gonfalon.terminal.games import saved_games
from gonfalon.terminal.games.local import LocalDesk

if TYPE_CHECKING:
    from gonfalon.core.files.record import Record
    from gonfalon.core.rules.game import Game
    from gonfalon.terminal.games.joined import JoinedDesk
    from gonfalon.terminal.games.menu import Chosen, Menu

PACE: Final = 0.7
"""Seconds for which a bot's move is looked at."""


def fits() -> bool:
    """Whether this terminal can hold a screen: it is one, knows where its cursor is, and Textual is installed."""
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    return (
        os.environ.get("TERM", "dumb" if os.name != "nt" else "windows") != "dumb" and find_spec("textual") is not None
    )


def moves(wanted: bool) -> bool:
    """Whether things move: not for whoever leaves it out here, or asks every Textual program for none."""
    return wanted and os.environ.get("TEXTUAL_ANIMATIONS", "").lower() != "none"


def play(driver: Driver, names: Sequence[str], path: Path | None, motion: bool, tips: Mapping[str, str]) -> int:
    """A game on this machine, until it is over or somebody leaves; with `tips` at its first questions."""
    from gonfalon.terminal.screens.table import TableApp

    motion = moves(motion)
    desk = LocalDesk(driver, names, path or saved_games.new_path(driver.game.name), PACE if motion else 0.0, tips)
    app = TableApp(desk, motion)
    app.run()
    desk.write()
    if app.failure is not None:
        raise app.failure
    if driver.state.over:
        print_text(desk.sight().over)
        print_text(f"The record is in {desk.path}; `gonfalon review` shows where the game turned.")
    else:
        print_text(f"The game waits: `gonfalon play` goes on with it, or --record {desk.path}.")
    return 0


def menu(found: Menu) -> Chosen | None:
    """The menu, until something is chosen; None for whoever leaves."""
    from gonfalon.terminal.screens.menu import MenuApp

    return MenuApp(found).run()


def sitters_of(names: Sequence[str]) -> str:
    """Who sits at each seat of a record, as `--bots` has it: a level, or else a person, as their names tell."""
    words = [name.partition(" ")[0].lower() for name in names]
    return ",".join(word if word in levels() else "person" for word in words)


def join(link: str, name: str, brings: str, watch: bool, motion: bool, plain: bool = False) -> int:
    """A seat at a server's table, or a place among those who watch. Raises ServerError and Away."""
    from gonfalon.terminal.decks import brought
    from gonfalon.terminal.games.joined import JoinedDesk
    from gonfalon.terminal.games.server import Remote, reading_answers

    with reading_answers():
        remote = Remote(link)
        if watch:
            remote.token = "watch"
        rules = rules_of(str(remote.ask()["game"]))
        desk = JoinedDesk(remote, rules, name, brought(rules, brings), watch)
        over = by_lines(desk, plain) if plain or not fits() else on_screen(desk, moves(motion))
        while desk.next:
            link = desk.next
            desk = JoinedDesk(Remote(link), rules, name)
            over = on_screen(desk, moves(motion))
        if over and desk.mine is not None:
            print_text(f"The deal was proved: save {desk.remote.page}record.json as game.json, then:")
            print_text(f"gonfalon verify game.json --mine {desk.mine}")
        if over:
            rest = "" if watch else ", with a review and another game"
            print_text(f"Its replay{rest}: {desk.remote.page}")
        else:
            print_text(f"The table waits: `gonfalon {'watch' if watch else 'join'} {link}` comes back to it.")
        return 0


def on_screen(desk: JoinedDesk, motion: bool) -> bool:
    """A server's table on a screen; whether the game is over."""
    from gonfalon.terminal.screens.table import TableApp

    desk.lingers = True
    app = TableApp(desk, motion)
    app.run()
    if app.failure is not None:
        raise app.failure
    over = desk.sight().over if desk.view else ""
    if over:
        print_text(over)
    return bool(over)


def by_lines(desk: JoinedDesk, plain: bool) -> bool:
    """The same line by line; a pipe, too, gets each line when it is written."""
    import asyncio
    import io

    from gonfalon.terminal.drawing.console import Console
    from gonfalon.terminal.games.lines import Lines

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    lines = Lines(desk, Console(plain))
    asyncio.run(lines.run())
    return lines.sight is not None and bool(lines.sight.over)


def replay(record: Record, viewer: int) -> int:
    """Show a record step by step; return the exit code."""
    from gonfalon.terminal.drawing.past import Past
    from gonfalon.terminal.screens.past import PastApp

    app = PastApp(Past(record, viewer))
    app.run()
    if app.failure is not None:
        raise app.failure
    return 0


def rules_of(name: str) -> Game | None:
    """The rules of a game, where they are installed here: they draw the board and tell the cards."""
    from gonfalon import games

    return games.game(name) if name in games.names() else None

"""The start of each screen, and the test whether the terminal can show one."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gonfalon.bots import list_levels
from gonfalon.bots.outside.faults import describe_game_faults
from gonfalon.bots.players.driver import Driver
from gonfalon.core.files.record import Record
from gonfalon.core.text.untrusted import print_text
from gonfalon.terminal import messages
from gonfalon.terminal.games import saved_games
from gonfalon.terminal.games.local import LocalDesk
from gonfalon.terminal.games.own_cards import make_rules

if TYPE_CHECKING:
    from gonfalon.terminal.games.joined import JoinedDesk
    from gonfalon.terminal.games.menu import Chosen, Menu

PACE: Final = 0.7
"""Seconds for which a bot's move is shown."""


def can_show_screen() -> bool:
    """Return whether the terminal can show a screen: it is interactive and addressable, and Textual is installed."""
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    return (
        os.environ.get("TERM", "dumb" if os.name != "nt" else "windows") != "dumb" and find_spec("textual") is not None
    )


def is_animated(wanted: bool) -> bool:
    """Return whether to animate: neither this command nor the setting of all Textual programs forbids it."""
    return wanted and os.environ.get("TEXTUAL_ANIMATIONS", "").lower() != "none"


def play_on_screen(
    driver: Driver, names: Sequence[str], path: Path | None, motion: bool, tips: Mapping[str, str]
) -> int:
    """Play a game on this machine on a screen. Return the exit code.

    Args:
        driver: The game and its bots.
        names: Names of the seats.
        path: File of the record; None for a new one among the saved games.
        motion: Whether to animate.
        tips: Tips by prompt.
    """
    motion = is_animated(motion)
    desk = LocalDesk(driver, names, path or saved_games.new_path(driver.game.name), PACE if motion else 0.0, tips)
    show_local(desk, motion)
    while desk.plays_again:
        record, seed = Record(driver.game, list(names)), desk.driver.chance.seed()
        again = Driver(record, driver.bots, seed, log=True)
        desk = LocalDesk(again, names, saved_games.new_path(driver.game.name), desk.pace, desk.tips)
        show_local(desk, motion)
    return 0


def show_local(desk: LocalDesk, motion: bool) -> None:
    """Play a game on this machine on a screen, and print its result."""
    # Textual takes a while to load and may be missing, so only the functions of screens import it.
    from gonfalon.terminal.screens.table import TableApp

    app = TableApp(desk, motion)
    app.run()
    # Written before a failure of the app is raised, so that the game is not lost.
    desk.write()
    if app.failure is not None:
        raise app.failure
    if desk.driver.state.over:
        print_text(desk.sight().over)
        for line in describe_game_faults(desk.driver, desk.names):
            print_text(line)
        print_text(messages.RECORD_IN_REVIEW.format(file=desk.path))
    else:
        print_text(messages.SAVED_MENU.format(file=desk.path))


def show_menu(found: Menu) -> Chosen | None:
    """Show the menu and return the choice; None if the user leaves."""
    from gonfalon.terminal.screens.menu import MenuApp

    return MenuApp(found).run()


def guess_seating(names: Sequence[str]) -> str:
    """Return the people and bots of a record as a value of `--bots`, by their names."""
    words = [name.partition(" ")[0].lower() for name in names]
    return ",".join(word if word in list_levels() else "person" for word in words)


def join_table(link: str, name: str, brings: str, watch: bool, motion: bool, plain: bool = False) -> int:
    """Join or watch a table at a server, on a screen or by lines. Return the exit code.

    Args:
        link: The link to the table.
        name: The player's name.
        brings: A deck file, slug or code.
        watch: Watch instead of taking a seat.
        motion: Whether to animate.
        plain: Play by lines.

    Raises:
        ServerError: The server refuses.
        ServerAwayError: The server does not answer.
    """
    from gonfalon.terminal.decks import read_brought_deck
    from gonfalon.terminal.games.joined import JoinedDesk
    from gonfalon.terminal.games.server import Remote, reading_answers

    with reading_answers():
        remote = Remote(link)
        if watch:
            # A spectator who uses the link of a seat must not see its cards.
            remote.token = "watch"
        view = remote.ask()
        rules = make_rules(str(view["game"]), view.get("cards"))
        desk = JoinedDesk(remote, rules, name, read_brought_deck(rules, brings), watch)
        over = play_by_lines(desk, plain) if plain or not can_show_screen() else show_joined(desk, is_animated(motion))
        while desk.rematch_link:
            link = desk.rematch_link
            desk = JoinedDesk(Remote(link), rules, name)
            over = show_joined(desk, is_animated(motion))
        if over and desk.proof_file is not None:
            print_text(messages.PROVED_DEAL.format(page=desk.remote.page))
            print_text(messages.VERIFY_COMMAND.format(file=desk.proof_file))
        print_text(format_way_back(desk.remote.page, link, over, watch))
        return 0


def format_way_back(page: str, link: str, over: bool, watch: bool) -> str:
    """Return the link to the replay if the game is over, or else the command that returns to the table."""
    if over:
        return messages.REPLAY_LINK.format(page=page) if watch else messages.REPLAY_LINK_PLAYER.format(page=page)
    return messages.RETURN_WATCHING.format(link=link) if watch else messages.RETURN_PLAYING.format(link=link)


def show_joined(desk: JoinedDesk, motion: bool) -> bool:
    """Show a server's table on a screen. Return whether the game is over."""
    from gonfalon.terminal.screens.table import TableApp

    desk.stays_after_end = True
    app = TableApp(desk, motion)
    app.run()
    if app.failure is not None:
        raise app.failure
    over = desk.sight().over if desk.view else ""
    if over:
        print_text(over)
    return bool(over)


def play_by_lines(desk: JoinedDesk, plain: bool) -> bool:
    """Show a server's table by lines. Return whether the game is over."""
    import asyncio
    import io

    from gonfalon.terminal.drawing.console import Console
    from gonfalon.terminal.games.lines import Lines

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    lines = Lines(desk, Console(plain))
    asyncio.run(lines.run())
    return lines.sight is not None and bool(lines.sight.over)


def show_replay(record: Record, viewer: int) -> int:
    """Show a record step by step. Return the exit code."""
    from gonfalon.terminal.drawing.past import Past
    from gonfalon.terminal.screens.past import PastApp

    app = PastApp(Past(record, viewer))
    app.run()
    if app.failure is not None:
        raise app.failure
    return 0

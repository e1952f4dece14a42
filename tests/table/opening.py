"""Live tables on their own database, with the Moot and the Duel, for the tests of many seats."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Barrier
from typing import Any

import anyio

from gonfalon import games
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import LinkHolder, OldTable, Seating, Store, Table, Tables
from gonfalon.table.game.entries import Entry
from gonfalon.table.game.position import Position
from gonfalon.table.live.views import Over
from tests.table.duel import Duel
from tests.table.moot import Moot

GRACE = 60.0
"""Seconds after which people without a page are away. None are away while a test runs, except after `let_all_go`."""
GAMES: dict[str, type[Game]] = {"duel": Duel, "moot": Moot}


def find(name: str, **options: Any) -> Game:
    """Find a game of the tests or of Gonfalon."""
    return GAMES[name](**options) if name in GAMES else games.game(name, **options)


def ending_of(game: Game, entries: list[Entry], names: list[str]) -> str:
    """Return the ending that a table keeps with the last entry of a finished game."""
    position = Position(game)
    for entry in entries:
        position.replay(entry)
    return position.ending(names)


@asynccontextmanager
async def tables_at(folder: Path, **more: Any) -> AsyncIterator[Tables]:
    async with tables_on(f"sqlite:///{folder / 'tables.db'}", **more) as tables:
        yield tables


@asynccontextmanager
async def tables_on(database: str, **more: Any) -> AsyncIterator[Tables]:
    """Return the tables of one process. A test can have several on one database."""
    store = Store(database)
    try:
        async with Tables(store, **{"pace": 0, "pause": (0, 0), "grace": GRACE, "find": find, **more}).open() as tables:
            yield tables
    finally:
        store.close()


async def moot(tables: Tables, *seating: Seating, rounds: int = 2) -> tuple[Table, dict[int, str]]:
    return await tables.open_table(Moot(seats=len(seating), rounds=rounds), seating)


def let_pass(tables: Tables, seconds: float) -> None:
    """Advance table time, as if another process had been awake."""
    tables.store.beat("elsewhere", tables.now() + seconds, 0.0)
    tables.heartbeat.beat()


def let_all_go(tables: Tables) -> None:
    """Mark people without a page as away."""
    let_pass(tables, GRACE + 1)


def over_of(table: Table | OldTable, viewer: int) -> Over:
    """Return the end of a game as shown to a viewer."""
    over = table.build_view(viewer)["over"]
    assert over is not None
    return over


def nonce(word: str) -> str:
    """Return a long enough nonce for sitting down, the same for the same word."""
    return word.ljust(22, "-")


async def sit_ready(table: Table, invitation: str, word: str, name: str, brings: str = "") -> str:
    """Take a free seat and be ready at once. Return the token."""
    token = await table.seats.take_seat(invitation, nonce(word), name)
    who = table.seats.find_holder(token)
    await table.gathering.be_ready(who, {who.viewer: brings} if brings else {})
    return token


async def say(table: Table, who: LinkHolder, *texts: str) -> None:
    await table.moves.act(who, table.position.version(who.viewer), [table.game.parse(text) for text in texts])


async def first(table: Table, *seats: int) -> None:
    """Give each of these seats' first legal answer."""
    for seat in seats:
        await table.moves.act(LinkHolder(seat), table.position.version(seat), table.view(seat).legal(seat)[:1])


async def play_on(table: Table, *seats: int) -> None:
    """Play these seats' last legal answers until the game is over. The other seats are bots."""
    watch = table.watch(SPECTATOR)
    table.presence.enter([SPECTATOR])
    with anyio.fail_after(60):
        while table.build_view(SPECTATOR)["over"] is None:
            for seat in seats:
                while table.position.is_asked(seat):
                    await table.moves.act(
                        LinkHolder(seat), table.position.version(seat), table.view(seat).legal(seat)[-1:]
                    )
            if not any(table.position.is_asked(seat) for seat in seats):
                await watch.changed()


def run_at_once(*calls: Callable[[], object]) -> None:
    """Start calls simultaneously in separate threads and wait until all have returned."""
    begin = Barrier(len(calls))

    def run(call: Callable[[], object]) -> None:
        begin.wait()
        call()

    with ThreadPoolExecutor(len(calls)) as threads:
        for done in [threads.submit(run, call) for call in calls]:
            done.result()


async def until(true: Any, seconds: float = 60.0) -> None:
    """Wait until a condition holds."""
    with anyio.fail_after(seconds):
        while not true():
            await anyio.sleep(0.005)

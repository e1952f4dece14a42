"""The hall: all live tables of this process, loaded at first touch."""

from __future__ import annotations

import os
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final
from weakref import WeakValueDictionary

import anyio
import anyio.abc
import anyio.to_thread

from gonfalon import bots, games
from gonfalon.core.errors import GonfalonError, OptionError
from gonfalon.core.game import Game
from gonfalon.table.errors import Broken, NoTable
from gonfalon.table.fold import Entry, Fold, fold
from gonfalon.table.live import Table
from gonfalon.table.minds import SLOTS, Here, Mind
from gonfalon.table.store import SeatRow, Store, TableRow
from gonfalon.table.who import (
    Beside,
    Open,
    Person,
    Robot,
    Seating,
    clean_name,
    hashed,
    invitation,
    new_key,
    new_token,
    unlike,
)

PACE: Final = 0.4
"""Seconds that people have to see each move of a bot."""
PAUSE: Final = (1.2, 3.2)
"""Between these, in seconds, lies the time after which an answer to a window is given, whoever gives it."""
GRACE: Final = 60.0
"""Seconds after which somebody who does not show himself is away."""
LONGEST_KEY: Final = 32


class Hall:
    """Opens and finds tables. Use within `async with hall.open():`, which owns the bots' tasks.

    `find(name, **options)` makes a game and `make_bot(level, game)` a bot, which thinks in this process
    unless there is a `mind` for it.
    """

    def __init__(
        self,
        store: Store,
        pace: float = PACE,
        find: Callable[..., Game] = games.game,
        make_bot: Callable[..., Any] = bots.make,
        keep: int = 256,
        mind: Mind | None = None,
        pause: tuple[float, float] = PAUSE,
        grace: float = GRACE,
    ) -> None:
        self.store: Store = store
        self.pace: float = pace
        self.pause: tuple[float, float] = pause
        self.grace: float = grace
        self.find: Callable[..., Game] = find
        self.make_bot: Callable[..., Any] = make_bot
        self.keep: int = keep
        self.mind: Mind = mind or Here(make_bot)
        own = max(1, (os.cpu_count() or 2) - 1) if mind is None else SLOTS
        self.thinkers: anyio.CapacityLimiter = anyio.CapacityLimiter(own)
        self._tasks: anyio.abc.TaskGroup | None = None
        # A table lives as long as somebody watches it; the last ones used are kept in any case. So there
        # are never two owners of one table in a process.
        self._alive: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._recent: OrderedDict[str, Table] = OrderedDict()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Hall]:
        async with anyio.create_task_group() as tasks:
            self._tasks = tasks
            self.mind.start()
            try:
                yield self
            finally:
                self._tasks = None
                self.mind.close()
                tasks.cancel_scope.cancel()

    def stand_in(self, game: Game) -> str:
        """The level that plays for somebody who is not there: the strongest of the game."""
        return bots.opponents(game)[-1]

    def spawn(self, task: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if self._tasks is not None:
            self._tasks.start_soon(task)

    async def table(self, key: str) -> Table:
        """The table with this key. Raises NoTable, Broken."""
        table = self._alive.get(key)
        if table is None:
            if not key.isascii() or len(key) > LONGEST_KEY:
                raise NoTable("There is no such table.")
            row, game, position = await anyio.to_thread.run_sync(self._load, key)
            # Somebody else may have loaded it meanwhile.
            table = self._alive.get(key) or Table(self, row, game, position)
            self._alive[key] = table
        self._recent[key] = table
        self._recent.move_to_end(key)
        if len(self._recent) > self.keep:
            self._recent.popitem(last=False)
        table.wake_bots()
        return table

    def _load(self, key: str) -> tuple[TableRow, Game, Fold]:
        row = self.store.table(key)
        try:
            game = self.find(row.game, **row.options)
        except GonfalonError as error:
            raise Broken(f"The game of this table cannot be set up any more: {error}") from None
        if (row.rules, row.data) != (game.version, game.data_hash):
            raise Broken("This table was opened with other rules or card data than this server has now.")
        return row, game, fold(game, self.store.entries(key))

    async def open_table(
        self, game: Game, seating: Sequence[Seating], hints: bool = False
    ) -> tuple[Table, dict[int, str]]:
        """Open a table. Returns it and the token of every `Person`'s seat.

        If seats are open, the invitations to them follow from the first person's token (see
        `who.invitation`). With `hints` its people may ask what a bot would do in their place.
        """
        if len(seating) != game.seats:
            raise OptionError(f"{game.title} needs {game.seats} seats.")
        tokens = self._tokens(seating)
        opener = next(iter(tokens.values()), None)
        names: list[str] = []
        rows: list[SeatRow] = []
        for seat, sitter in enumerate(seating):
            if isinstance(sitter, Robot):
                self.make_bot(sitter.level, game)
                name = unlike(sitter.level.capitalize(), names)
                rows.append(SeatRow(seat, name, bot=sitter.level))
            elif isinstance(sitter, Open):
                name = ""
                rows.append(SeatRow(seat, invitation=hashed(invitation(opener, seat)) if opener else None))
            else:
                name = unlike(clean_name(sitter.name, seat), names)
                rows.append(SeatRow(seat, name, token=hashed(tokens[seat])))
            names.append(name)
        inviting = any(isinstance(sitter, Open) for sitter in seating) and opener
        row = await self._create(game, rows, hashed(invitation(opener)) if inviting and opener else None, hints)
        return await self.table(row.key), tokens

    @staticmethod
    def _tokens(seating: Sequence[Seating]) -> dict[int, str]:
        """A token for each person, the opener's first; who sits beside the opener shares his."""
        tokens = {seat: new_token() for seat, sitter in enumerate(seating) if isinstance(sitter, Person)}
        beside = [seat for seat, sitter in enumerate(seating) if isinstance(sitter, Beside)]
        if beside and not tokens:
            raise OptionError("Somebody must open the table before another can sit beside him.")
        return tokens | dict.fromkeys(beside, next(iter(tokens.values()), ""))

    async def open_rematch(self, old: Table) -> None:
        """Open the table at which everybody of `old` finds his seat, one further round the table."""
        seats = old.game.seats
        rows: list[SeatRow] = []
        for seat in range(seats):
            before = old.row.seats[(seat - 1) % seats]
            # Whoever had a bot in his place is asked to the rematch himself.
            rows.append(SeatRow(seat, before.name, bot=None if before.stood_for else before.bot))
        row = await self._create(old.game, rows, None, old.row.hints)
        await anyio.to_thread.run_sync(self.store.name_rematch, old.key, row.key)

    async def _create(self, game: Game, seats: Sequence[SeatRow], invited: str | None, hints: bool) -> TableRow:
        row = TableRow(
            key=new_key(),
            game=game.name,
            options=game.shown_options(),
            rules=game.version,
            data=game.data_hash,
            invitation=invited,
            rematch=None,
            opened=time.time(),
            seats=tuple(seats),
            hints=hints,
        )

        def work() -> None:
            entries: list[Entry] = Fold(game).chance()
            self.store.create(row, entries)

        await anyio.to_thread.run_sync(work)
        return row

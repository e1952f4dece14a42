"""The current state of a live table, as far as this process has read it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import anyio
from anyio.to_thread import run_sync

from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat
from gonfalon.table.errors import NoTable
from gonfalon.table.game.position import Position
from gonfalon.table.shared.heartbeat import Heartbeat
from gonfalon.table.store.store import SeatRow, Store, TableRow

Load = Callable[[str], tuple[TableRow, Game, Position]]


class Current:
    """The seats and the position of a table, the lock under which they change, and the news of changes.

    The store holds the truth, and any process may add to it. This is a copy that catches up (see `Table.hear`).
    `next_row` is the table of the rematch, once one is offered. `load` reads a stored table; `publish` is called after
    each change of seats or position, `finished` after this process has written the last entry of a game.
    """

    def __init__(
        self,
        time: Heartbeat,
        row: TableRow,
        game: Game,
        position: Position,
        next_row: TableRow | None,
        *,
        load: Load,
        publish: Callable[[], None],
        finished: Callable[[TableRow, Game], None],
    ) -> None:
        self.time: Heartbeat = time
        self.store: Store = time.store
        self.load: Load = load
        self.key: str = row.key
        self.row: TableRow = row
        self.game: Game = game
        self.position: Position = position
        self.next_row: TableRow | None = next_row
        self.seating: int = 0
        """The number of changes of the seats."""
        self.private_changes: list[int] = [0] * game.seats
        """For each seat the number of changes of its standing answer and hints, which concern no other seat."""
        self.lock: anyio.Lock = anyio.Lock()
        self.publish: Callable[[], None] = publish
        self.finished: Callable[[TableRow, Game], None] = finished
        self.news: anyio.Event = anyio.Event()
        """Set when something may have changed, and then replaced by a new event."""

    def wake_followers(self) -> None:
        """Wake all followers to look for changes."""
        # Replaced before it is set, so that a woken follower never waits for an event that is set already.
        news, self.news = self.news, anyio.Event()
        news.set()

    async def seats_changed(self) -> None:
        """Read the seats from the store, and the deal if another process has dealt."""
        row = await run_sync(self.store.table, self.key)
        if row == self.row:
            return
        if row.stage == "dealt" and not self.position.dealt:
            row, self.game, self.position = await run_sync(self.load, self.key)
        old, self.row = self.row, row
        for before, now in zip(old.seats, row.seats, strict=True):
            # Standing answers are secret: a change may show in the version of its own seat alone.
            self.private_changes[now.seat] += before.standing != now.standing
        if _public_row(old) != _public_row(row):
            self.seating += 1
        self.publish()

    async def refresh_rematch(self) -> None:
        """Read the seats of the rematch from the store."""
        if self.row.rematch is not None:
            with suppress(NoTable):
                self.set_rematch(await run_sync(self.store.table, self.row.rematch))

    def set_rematch(self, row: TableRow) -> None:
        """Take over the row of the rematch."""
        if row != self.next_row:
            self.next_row = row
            self.seating += 1
            self.publish()

    def list_asked_people(self, seats: tuple[Seat, ...]) -> list[Seat]:
        """Return the seats among these at which a person has to answer."""
        return [seat for seat in seats if self.row.seats[seat].bot is None and self.position.is_asked(seat)]

    def free_seats(self) -> list[SeatRow]:
        """Return the seats that any player may take: those without a player that are not kept for one."""
        return [seat for seat in self.row.seats if seat.free and not seat.expected]


def _public_row(row: TableRow) -> TableRow:
    """Return the public part of a table's row."""
    return replace(row, seats=tuple(replace(seat, standing="") for seat in row.seats))

"""What a live table is now, as far as this process has read it."""

from __future__ import annotations

from collections.abc import Callable

import anyio
from anyio.to_thread import run_sync

from gonfalon.core.game import Game
from gonfalon.core.state import Seat
from gonfalon.table.position import Position
from gonfalon.table.store import SeatRow, Store, TableRow


class Current:
    """Who sits at a table, and its position; the lock under which they change, and the news that they have.

    The store holds the truth, and any process may add to it: this is a copy that is caught up (see `Moves`).
    """

    def __init__(self, store: Store, row: TableRow, game: Game, position: Position) -> None:
        self.store: Store = store
        self.key: str = row.key
        self.row: TableRow = row
        self.game: Game = game
        self.position: Position = position
        self.next_row: TableRow | None = None
        """The table of the rematch, once one is offered."""
        self.seating: int = 0
        """Counts the changes of who sits where."""
        self.private_changes: list[int] = [0] * game.seats
        """Counts the changes of each seat's standing answer and hints, which are nobody else's business."""
        self.lock: anyio.Lock = anyio.Lock()
        self.publish: Callable[[], None] = self.tell
        """Called after each change of seats or position; the table has more to do then than to tell."""
        self.news: anyio.Event = anyio.Event()
        """Set when something may have changed; then there is a new one."""

    def tell(self) -> None:
        """Have everybody who follows look whether something has changed for them."""
        news, self.news = self.news, anyio.Event()
        news.set()

    async def seats_changed(self) -> None:
        """Take over who sits where from the store."""
        row = await run_sync(self.store.table, self.key)
        if row != self.row:
            self.row = row
            self.seating += 1
            self.publish()

    def people_asked(self, seats: tuple[Seat, ...]) -> list[Seat]:
        """Those of some seats at which a person has to answer."""
        return [seat for seat in seats if self.row.seats[seat].bot is None and self.position.asked(seat)]

    def alone(self, seat: Seat) -> bool:
        """Whether a seat's person plays against bots alone."""
        others = [row for row in self.row.seats if row.seat != seat]
        return self.row.seats[seat].by == "person" and all(row.bot and not row.stood_for for row in others)

    def free_seats(self) -> list[SeatRow]:
        """The seats at which nobody sits yet."""
        return [seat for seat in self.row.seats if seat.free]

"""Lets flags fall at a table, and what follows from them.

When that is follows from what is stored, so a server that starts again, or another process, does it too; whichever is
first to write it down has done it.
"""

from __future__ import annotations

import time

from anyio.to_thread import run_sync

from gonfalon.table.current import Current
from gonfalon.table.errors import Finished, Stale
from gonfalon.table.position import Position
from gonfalon.table.seating import Seats


class Clocks:
    """The chore of letting the next flag of a table fall."""

    def __init__(self, current: Current, seats: Seats) -> None:
        self.current: Current = current
        self.seats: Seats = seats

    def due(self, position: Position) -> float | None:
        """When there is something to do in this position, by the clock of the world."""
        found = self.seats.flag_due(position)
        return None if found is None else found[0]

    async def serve(self) -> None:
        """Do what is due."""
        async with self.current.lock:
            while (found := self.seats.flag_due(self.current.position)) is not None and found[0] <= time.time():
                try:
                    await self.seats.flag_falls(found[1])
                except (Stale, Finished):  # somebody else was faster
                    return

    async def reread(self) -> None:
        """Take over since when time is used, which moves on where no server lived."""
        async with self.current.lock:
            clock = self.current.position.clock
            if clock is None or not clock.asked:
                return
            since = await run_sync(self.current.store.since, self.current.key)
            if since is not None and since != clock.since:
                clock.since = since
                self.current.seating += 1  # what is shown of the seats has changed
                self.current.publish()

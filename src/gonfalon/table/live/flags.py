"""Lets flags fall at a table, and what follows from them.

When that is follows from what is stored, so a server that starts again, or another process, does it too; whichever is
first to write it down has done it.
"""

from __future__ import annotations

from gonfalon.table.errors import Finished, Stale
from gonfalon.table.game.position import Position
from gonfalon.table.seats.seating import Seats
from gonfalon.table.shared.current import Current


class Clocks:
    """The chore of letting the next flag of a table fall."""

    def __init__(self, current: Current, seats: Seats) -> None:
        self.current: Current = current
        self.seats: Seats = seats

    def due(self, position: Position) -> float | None:
        """When there is something to do in this position, by table time."""
        found = self.seats.flag_due(position)
        return None if found is None else found[0]

    async def serve(self) -> None:
        """Do what is due."""
        async with self.current.lock:
            while (found := self.seats.flag_due(self.current.position)) and found[0] <= self.current.time.now():
                try:
                    await self.seats.flag_falls(found[1])
                except (Stale, Finished):  # somebody else was faster
                    return

    def show_anew(self) -> None:
        """Show the clocks anew, for table time has moved against the wall clock by which they are shown."""
        if self.current.position.since is not None:
            self.current.seating += 1
        self.current.publish()

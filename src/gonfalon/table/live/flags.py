"""The timer of flags: it lets them fall, and carries out the consequences.

The time of a fall follows from the store, so any process finds the same one, even after a restart. The first process
that stores the fall has carried it out.
"""

from __future__ import annotations

from gonfalon.core.rules.state import Seat
from gonfalon.table.errors import Finished, Stale
from gonfalon.table.game.position import Position
from gonfalon.table.seats.seating import Seats
from gonfalon.table.shared.current import Current
from gonfalon.table.shared.moves import Moves


class Clocks:
    """The timer by which the flags of a table fall."""

    def __init__(self, current: Current, moves: Moves, seats: Seats) -> None:
        self.current: Current = current
        self.moves: Moves = moves
        self.seats: Seats = seats

    def due(self, position: Position) -> float | None:
        """Return the table time at which something has to be done in this position."""
        found = self._next(position)
        return None if found is None else found[0]

    async def serve(self) -> None:
        """Carry out everything that is due."""
        async with self.current.lock:
            while (found := self._next(self.current.position)) and found[0] <= self.current.time.now():
                try:
                    await self._fall(found[1])
                except (Stale, Finished):  # somebody else was faster
                    return

    def _next(self, position: Position) -> tuple[float, Seat] | None:
        """Return the time and seat of the next flag in a position; the time 0.0 for a consequence that is still due."""
        clock = position.clock
        if clock is None or position.over:
            return None
        people = [row.seat for row in self.current.row.seats if row.by == "person"]
        # A flag is stored before its consequence, so a crash in between leaves the consequence due.
        if clock.pace.end != "claim":
            for seat in people:
                if seat in clock.fallen - clock.secret:
                    return 0.0, seat
        return position.flag_due(people)

    async def _fall(self, seat: Seat) -> None:
        """Carry out the consequence for a seat whose time is up. The caller holds the lock."""
        clock = self.current.position.clock
        assert clock is not None
        if seat not in clock.fallen:
            await self.moves.drop_flag(seat, lost=clock.pace.end == "lose" and self.seats.is_last_person(seat))
        elif self.current.row.seats[seat].by == "person":
            await self.seats.seat_bot(seat)

    def show_again(self) -> None:
        """Show the clocks again because table time has moved against the wall clock in which they are shown."""
        if self.current.position.since is not None:
            # Marks leave out when a clock started to run (`Sight.mark`), so another part of the mark must change.
            self.current.seating += 1
        self.current.publish()

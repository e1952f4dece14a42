"""Lets flags fall at a table, and what follows from them.

When that is follows from what is stored, so a server that starts again, or another process, does it too; whichever is
first to write it down has done it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

import anyio
from anyio.to_thread import run_sync

from gonfalon.table.backend import Spawn
from gonfalon.table.current import Current
from gonfalon.table.errors import Finished, Stale, place
from gonfalon.table.position import Position
from gonfalon.table.seating import Seats

logger: Final = logging.getLogger("gonfalon.table")
AGAIN: Final = 0.5
"""Seconds until it is tried again after the store has failed."""
NEAR: Final = 3600.0
"""Seconds: a flag that falls later is not waited for, so that the table may leave memory."""


class Clocks:
    """Waits for the next flag of a table."""

    def __init__(self, current: Current, seats: Seats, spawn: Spawn, keep: Callable[[], None]) -> None:
        self.current: Current = current
        self.seats: Seats = seats
        self.spawn: Spawn = spawn
        self.keep: Callable[[], None] = keep
        """Something of the table, which stays in memory as long as a flag is waited for."""
        self.waiting: bool = False

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

    def wake(self) -> None:
        """Wait for the next flag; never waits itself."""
        if not self.waiting and self._near():
            self.waiting = True
            self.spawn(self._wait)

    def _near(self) -> bool:
        due = self.due(self.current.position)
        return due is not None and due < time.time() + NEAR

    async def _wait(self) -> None:
        try:
            while self._near():
                news, due = self.current.news, self.due(self.current.position)
                with anyio.move_on_after(max(0.0, (due or 0.0) - time.time())):
                    await news.wait()
                    continue  # the clock may run for somebody else now
                try:
                    await self.serve()
                except Exception as error:
                    logger.error("table %s: a flag falls later, %s", self.current.key[:4], place(error))
                    await anyio.sleep(AGAIN)
        finally:
            self.waiting = False

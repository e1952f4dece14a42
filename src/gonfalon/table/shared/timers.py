"""The timers of a table: bots and standing answers move, take-backs are granted, flags fall."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from typing import Final, Protocol

import anyio

from gonfalon.table.errors import StoreError, locate_error
from gonfalon.table.game.position import Position
from gonfalon.table.shared.claims import Claims
from gonfalon.table.shared.current import Current
from gonfalon.table.shared.services import Spawn
from gonfalon.table.store.claim_rows import Due

logger: Final = logging.getLogger("gonfalon.table")
NOW: Final = 0.0
AGAIN: Final = 0.5
AGAIN_AT_MOST: Final = 5.0
"""Seconds before a failed timer is retried: at first, and after many failures."""
NEAR: Final = 60.0
"""Seconds for which a task waits. Timers that are due later are found by the sweep."""


class Timer(Protocol):
    """A thing that a table does by itself."""

    def due(self, position: Position) -> float | None:
        """Return when it is due in this position: NOW, a table time that follows from the record alone, or None for
        never."""

    async def serve(self) -> None:
        """Do the work that is due."""


class Timers:
    """Serves the timers of a table, each in a task of its own, while this process holds the lease."""

    def __init__(self, current: Current, claims: Claims, spawn: Spawn, timers: Sequence[Timer]) -> None:
        self.current: Current = current
        self.timers: Sequence[Timer] = timers
        self.claims: Claims = claims
        self.spawn: Spawn = spawn
        self.busy: set[Timer] = set()

    def due(self, position: Position, after: float = -1.0) -> float | None:
        """Return when the next timer is due, among those due after a time."""
        dues = [due for timer in self.timers if (due := timer.due(position)) is not None and due > after]
        return min(dues, default=None)

    def due_after(self, position: Position) -> Due:
        """Return the lease to store with a change that leads to this position."""
        timed = self.due(self.current.position, self.current.time.now())
        return self.claims.due(self.current.key, self.due(position), timed)

    def wake(self) -> None:
        """Start the timers that are due soon. Never waits."""
        for timer in self.timers:
            due = timer.due(self.current.position)
            if timer not in self.busy and due is not None and due < self.current.time.now() + NEAR:
                self.busy.add(timer)
                self.spawn(partial(self._see_to, timer))

    async def serve_claimed(self) -> None:
        """Serve the timers of a table that was claimed."""
        self.wake()
        if not self.busy:
            await self._release()

    async def _see_to(self, timer: Timer) -> None:
        key, pause = self.current.key, AGAIN
        try:
            while (due := timer.due(self.current.position)) is not None:
                if (seconds := due - self.current.time.now()) > 0:
                    # A sweep claims the table when the time comes, at this or another process.
                    if seconds > NEAR:
                        return
                    news = self.current.news
                    with anyio.move_on_after(seconds):
                        await news.wait()
                    continue
                try:
                    if not await self._claim():
                        return
                    self.claims.serving.add(key)
                    await timer.serve()
                    pause = AGAIN
                except Exception as error:
                    # The disk may be full or the database locked for a moment: the timer is retried until it is served.
                    if not isinstance(error, StoreError):
                        logger.error("table %s: what is due is done in %s s, %s", key[:4], pause, locate_error(error))
                    await anyio.sleep(pause)
                    pause = min(2 * pause, AGAIN_AT_MOST)
        finally:
            self.busy.discard(timer)
            if not self.busy:
                self.claims.serving.discard(key)
                # In a task of its own, because a canceled task can no longer await anything.
                self.spawn(self._release)

    async def _claim(self) -> bool:
        async with self.current.lock:  # a concurrent write would mistake the lease for another process's
            return await self.claims.claim(self.current.key, self.due(self.current.position, self.current.time.now()))

    async def _release(self) -> None:
        async with self.current.lock:
            if not self.busy:
                await self.claims.release(self.current.key, self.due(self.current.position))

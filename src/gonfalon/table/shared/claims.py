"""Leases: which tables' timers this process serves, and until when.

No process owns a table. A process that changes a table whose timers become due serves them, and stores a lease with the
change, which it renews while it works. An overdue table is claimed by the first process that notices it, so the work of
a dead process continues within seconds. If two processes serve one table, the record decides.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import anyio
from anyio.to_thread import run_sync

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.table.errors import StoreError, locate_error
from gonfalon.table.store.claim_rows import Due
from gonfalon.table.store.store import Store

logger: Final = logging.getLogger("gonfalon.table")
LEASE: Final = 2.0
"""Seconds of a lease, which may be renewed."""
SWEEP: Final = 0.5
IDLE_SWEEP: Final = 1.0
"""Seconds between two searches for overdue tables and for leases that end soon: while this process serves tables, and
otherwise."""
ROUND: Final = 10
"""The number of sweeps after which the tables in memory are checked too, so that no lost notification stops a table."""


class Claims:
    """The leases of a process, by table time.

    Args:
        store: The store of the leases.
        now: Returns the table time.
        serve: Serves the timers of a claimed table.
        check_all: Checks all tables in memory.
    """

    def __init__(
        self,
        store: Store,
        now: Callable[[], float],
        serve: Callable[[str], Awaitable[None]],
        check_all: Callable[[], None],
    ) -> None:
        self.store: Store = store
        self.now: Callable[[], float] = now
        self.serve: Callable[[str], Awaitable[None]] = serve
        self.check_all: Callable[[], None] = check_all
        self.serving: set[str] = set()
        """The tables whose timers are being served. The leases of other tables expire."""
        self._ends: dict[str, float] = {}

    def holds(self, key: str) -> bool:
        """Return whether this process holds the lease of a table."""
        return self._ends.get(key, 0.0) > self.now()

    def due(self, key: str, at: float | None, timed: float | None) -> Due:
        """Return the lease to store for timers that are due at a time. It may replace a lease of this process, and the
        time that followed from the record so far."""
        now = self.now()
        over = tuple(end for end in (self._ends.get(key), timed) if end is not None)
        return Due(now + LEASE if at is not None and at <= now else at, over)

    def note_stored(self, key: str, due: Due, stands: float | None) -> bool:
        """Take over the stored result, and return whether it is a lease of this process."""
        mine = stands is not None and stands == due.at and stands > self.now()
        if mine and stands is not None:
            self._ends[key] = stands
        else:
            self._ends.pop(key, None)
        return mine

    async def claim(self, key: str, timed: float | None) -> bool:
        """Claim a table whose timers are due now, unless another process holds it (see `due`)."""
        if self.holds(key):
            return True
        due = self.due(key, 0.0, timed)
        return self.note_stored(key, due, await run_sync(self.store.claim, key, self.now(), due))

    async def release(self, key: str, at: float | None) -> None:
        """Release a table until a time."""
        end = self._ends.get(key)
        if end is not None:
            with suppress(StoreError):
                await run_sync(self.store.release, key, end, at)
            # A write may have renewed the lease meanwhile.
            if self._ends.get(key) == end:
                del self._ends[key]

    def release_all(self) -> None:
        """Release all tables, as this process stops."""
        now = self.now()
        ends, self._ends = self._ends, {}
        with suppress(StoreError):
            if ends:
                self.store.renew(list(ends.items()), now)

    async def run(self) -> None:
        """Renew and claim leases for the life of the process."""
        rounds = 0
        while True:
            await anyio.sleep(SWEEP if self.serving else IDLE_SWEEP)
            rounds += 1
            try:
                await self.sweep()
                if rounds % ROUND == 0:
                    self.check_all()
            except StoreError:
                pass  # the next sweep finds what is due
            except Exception as error:
                logger.error("what is due was not looked up, %s", locate_error(error))

    async def sweep(self) -> None:
        """Renew the leases that end soon, and claim overdue tables."""
        now = self.now()
        # Renewed after a quarter of its time, a lease survives a slow database.
        ends = [(key, end) for key, end in self._ends.items() if key in self.serving and end < now + 0.75 * LEASE]
        if ends:
            kept = await run_sync(self.store.renew, ends, now + LEASE)
            for key, end in ends:
                if key in kept:
                    self._ends[key] = now + LEASE  # writes since then have kept this lease
                elif self._ends.get(key) == end:
                    del self._ends[key]
        for key in await run_sync(self.store.claim_overdue, now, now + LEASE):
            self._ends[key] = now + LEASE
            try:
                await self.serve(key)
            except StoreError:
                # The database is away, so no other table can be served either.
                raise
            except GonfalonError:
                await self.release(key, None)  # it is damaged, or of other rules: no process can serve it

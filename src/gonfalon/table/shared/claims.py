"""Which tables' machines this process serves, until when.

Nobody owns a table. Whoever changes one so that its machine has something to do serves it, and says so with the change
itself: a lease, which is renewed as long as that takes. What is overdue is claimed by whichever process sees it first;
so what a process that has died has left goes on within seconds. Should two serve the same, the record decides.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import anyio
from anyio.to_thread import run_sync

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.table.errors import StoreError, place
from gonfalon.table.store.claim_rows import Due
from gonfalon.table.store.store import Store

logger: Final = logging.getLogger("gonfalon.table")
LEASE: Final = 4.0
"""Seconds for which a machine is somebody's, who may renew that."""
SWEEP: Final = 0.5
"""Seconds between two looks at what is overdue, and at which leases end soon."""
ROUND: Final = 10
"""Every so many sweeps the tables in memory are looked at too, so that no missed word leaves one waiting."""


class Claims:
    """The leases of a process by table time, which is `now`. `serve` sees to a table that has been claimed,
    `look_round` to all in memory."""

    def __init__(
        self,
        store: Store,
        now: Callable[[], float],
        serve: Callable[[str], Awaitable[None]],
        look_round: Callable[[], None],
    ) -> None:
        self.store: Store = store
        self.now: Callable[[], float] = now
        self.serve: Callable[[str], Awaitable[None]] = serve
        self.look_round: Callable[[], None] = look_round
        self.serving: set[str] = set()
        """The tables at which something is being done; the others' leases end by themselves."""
        self._ends: dict[str, float] = {}

    def mine(self, key: str) -> bool:
        """Whether a table's machine is this process's."""
        return self._ends.get(key, 0.0) > self.now()

    def due(self, key: str, at: float | None, timed: float | None) -> Due:
        """What to write where the machine is due `at` some time. It may replace a lease of this process, and the time
        that followed from the record until now."""
        now = self.now()
        over = tuple(end for end in (self._ends.get(key), timed) if end is not None)
        return Due(now + LEASE if at is not None and at <= now else at, over)

    def written(self, key: str, due: Due, stands: float | None) -> bool:
        """Take notice of what stands after it; whether that is a lease of this process."""
        mine = stands is not None and stands == due.at and stands > self.now()
        if mine and stands is not None:
            self._ends[key] = stands
        else:
            self._ends.pop(key, None)
        return mine

    async def claim(self, key: str, timed: float | None) -> bool:
        """Take a table's machine, which is due now, unless it is somebody else's; see `due`."""
        if self.mine(key):
            return True
        due = self.due(key, 0.0, timed)
        return self.written(key, due, await run_sync(self.store.claim, key, self.now(), due))

    async def release(self, key: str, at: float | None) -> None:
        """Nothing is to be done at a table before that time."""
        end = self._ends.get(key)
        if end is not None:
            with suppress(StoreError):
                await run_sync(self.store.release, key, end, at)
            if self._ends.get(key) == end:
                del self._ends[key]

    def release_all(self) -> None:
        """This process serves nothing any more."""
        now = self.now()
        ends, self._ends = self._ends, {}
        with suppress(StoreError):
            if ends:
                self.store.renew(list(ends.items()), now)

    async def run(self) -> None:
        """Renew and claim for as long as the process lives."""
        rounds = 0
        while True:
            await anyio.sleep(SWEEP)
            rounds += 1
            try:
                await self.sweep()
                if rounds % ROUND == 0:
                    self.look_round()
            except StoreError:
                pass  # the next sweep finds what is due
            except Exception as error:
                logger.error("what is due was not looked up, %s", place(error))

    async def sweep(self) -> None:
        """Once."""
        now = self.now()
        ends = [(key, end) for key, end in self._ends.items() if key in self.serving and end < now + LEASE / 2]
        if ends:
            kept = await run_sync(self.store.renew, ends, now + LEASE)
            for key, end in ends:
                if key in kept:
                    self._ends[key] = now + LEASE  # whatever was written meanwhile has left it alone
                elif self._ends.get(key) == end:
                    del self._ends[key]
        for key in await run_sync(self.store.claim_overdue, now, now + LEASE):
            self._ends[key] = now + LEASE
            try:
                await self.serve(key)
            except StoreError:
                raise
            except GonfalonError:
                await self.release(key, None)  # it is damaged, or of other rules: nobody can serve it

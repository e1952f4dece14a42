"""The clocks of a machine, which tests set."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gonfalon.table import Tables
from tests.table.opening import tables_on


class Machine:
    """A machine whose processes share its clocks, and whose heartbeats run only while a test allows them."""

    def __init__(self) -> None:
        self.monotonic: float = 100.0
        self.wall: float = 1_800_000_000.0

    def jump(self, monotonic: float, wall: float) -> None:
        """Advance the clocks by these seconds while no process is awake.

        A change of the wall clock and a sleeping laptop change only the wall clock, a frozen machine changes both.
        """
        self.monotonic += monotonic
        self.wall += wall

    async def wake(self, seconds: float, *tables: Tables) -> None:
        """Advance time for these processes."""
        end = self.monotonic + seconds
        while (left := end - self.monotonic) > 0:
            self.jump(min(2.0, left), min(2.0, left))
            for one in tables:
                await one.beat()

    @asynccontextmanager
    async def process(self, database: str) -> AsyncIterator[Tables]:
        """Start a process of this machine whose bots think for a minute."""
        clocks = {"monotonic": lambda: self.monotonic, "wall": lambda: self.wall}
        async with tables_on(database, pace=60, grace=60.0, patience=600.0, **clocks) as tables:
            yield tables

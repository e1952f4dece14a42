"""The clocks of a machine, which tests set as they like."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gonfalon.table import Tables
from tests.table.opening import tables_on


class Machine:
    """A machine whose processes have its clocks, and whose hearts beat only while a test lets them."""

    def __init__(self) -> None:
        self.monotonic: float = 100.0
        self.wall: float = 1_800_000_000.0

    def jump(self, monotonic: float, wall: float) -> None:
        """Let the clocks go on by these seconds while no process is awake.

        A wall clock that is set and a laptop that sleeps change the wall clock alone, a machine that freezes both.
        """
        self.monotonic += monotonic
        self.wall += wall

    async def wake(self, seconds: float, *tables: Tables) -> None:
        """Let time pass for these processes."""
        end = self.monotonic + seconds
        while (left := end - self.monotonic) > 0:
            self.jump(min(2.0, left), min(2.0, left))
            for one in tables:
                await one.beat()

    @asynccontextmanager
    async def process(self, database: str) -> AsyncIterator[Tables]:
        """A process of this machine; its bots think for a minute."""
        clocks = {"monotonic": lambda: self.monotonic, "wall": lambda: self.wall}
        async with tables_on(database, pace=60, grace=60.0, patience=600.0, **clocks) as tables:
            yield tables

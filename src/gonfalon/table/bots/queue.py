"""The queue of bots for workers.

Tables with a player present come first. Among equal tables, the one goes first whose client has used less thinking time
lately. The client of a table is usually that of a player, so a client that opens many tables delays only its own.
"""

from __future__ import annotations

import heapq
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import anyio

PEOPLE: Final = 0
NOBODY: Final = 1
"""The ranks of tables with a player, and of tables without one."""


class BotQueue:
    """A queue for `count` places."""

    def __init__(self, count: int) -> None:
        self.free: int = count
        self._waiting: list[tuple[int, int, int, anyio.Event]] = []
        self._number: int = 0
        self._now: int = 0
        self._last: dict[str, int] = {}
        """By client: the round of its latest decision, waiting or started. Older rounds are forgotten."""

    @property
    def pressed(self) -> bool:
        """Whether a table with a player waits."""
        return bool(self._waiting) and self._waiting[0][0] == PEOPLE

    @property
    def waiting(self) -> int:
        """The number of decisions that wait for a place."""
        return len(self._waiting)

    @asynccontextmanager
    async def turn(self, rank: int, name: str) -> AsyncIterator[None]:
        """Wait for a place, and keep it within the block."""
        await self._take(rank, name)
        try:
            yield
        finally:
            self._give()

    async def _take(self, rank: int, name: str) -> None:
        # Each client gets one decision in a round, so no second decision comes before another client's first.
        turn = max(self._now, self._last.get(name, -1)) + 1
        self._last[name] = turn
        if self.free:
            self.free -= 1
            self._begin(turn)
            return
        mine = anyio.Event()
        # The number keeps equal ranks in the order of arrival, and keeps heapq from comparing events.
        self._number += 1
        heapq.heappush(self._waiting, (rank, turn, self._number, mine))
        try:
            await mine.wait()
        except BaseException:
            # Canceled after the place was handed over: it must be passed on, or it is lost forever.
            if mine.is_set():
                self._give()
            else:
                self._waiting = [entry for entry in self._waiting if entry[3] is not mine]
                heapq.heapify(self._waiting)
            raise

    def _give(self) -> None:
        if self._waiting:
            _, turn, _, event = heapq.heappop(self._waiting)
            self._begin(turn)
            event.set()
        else:
            self.free += 1

    def _begin(self, turn: int) -> None:
        self._now = max(self._now, turn)
        # Rounds up to the current one delay no further thought, so they can be forgotten.
        if len(self._last) > 1000:
            self._last = {name: last for name, last in self._last.items() if last > self._now}

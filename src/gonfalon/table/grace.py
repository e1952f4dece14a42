"""Does what people have decided when its grace has passed.

When that is stands in the record (`position.HOLD`), so a server that starts again, or another process, does it too.
"""

from __future__ import annotations

import logging
import time
from typing import Final

import anyio

from gonfalon.table.backend import Spawn
from gonfalon.table.current import Current
from gonfalon.table.errors import place
from gonfalon.table.moves import Moves

logger: Final = logging.getLogger("gonfalon.table")
AGAIN: Final = 0.5
"""Seconds until it is tried again after the store has failed."""


class Grace:
    """Waits for what is held at a table."""

    def __init__(self, current: Current, moves: Moves, spawn: Spawn) -> None:
        self.current: Current = current
        self.moves: Moves = moves
        self.spawn: Spawn = spawn
        self.waiting: bool = False

    def wake(self) -> None:
        """Wait for whatever is held; never waits itself."""
        if self.current.position.held and not self.waiting:
            self.waiting = True
            self.spawn(self._wait)

    async def _wait(self) -> None:
        try:
            while held := self.current.position.held:
                due = min(one.due for one in held.values())
                await anyio.sleep(max(0.0, due - time.time()))
                try:
                    await self.moves.release()
                except Exception as error:
                    logger.error("table %s: a decision is made later, %s", self.current.key[:4], place(error))
                    await anyio.sleep(AGAIN)
        finally:
            self.waiting = False

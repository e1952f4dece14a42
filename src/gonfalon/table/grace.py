"""Does what people have decided when its grace has passed.

When that is stands in the record (`position.HOLD`), so a server that starts again, or another process, does it too.
"""

from __future__ import annotations

from gonfalon.table.moves import Moves
from gonfalon.table.position import Position


class Grace:
    """The chore of making what is held at a table."""

    def __init__(self, moves: Moves) -> None:
        self.moves: Moves = moves

    def due(self, position: Position) -> float | None:
        """When the next one's grace has passed."""
        return min((held.due for held in position.held.values()), default=None)

    async def serve(self) -> None:
        """Make those that are due."""
        await self.moves.release()

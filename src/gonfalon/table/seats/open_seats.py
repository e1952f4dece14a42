"""Listed tables: seats that any visitor of the lobby can take, and bots that take them if no player comes in time."""

from __future__ import annotations

import secrets
from typing import Final, NamedTuple

from anyio.to_thread import run_sync

from gonfalon.table.game.position import Position
from gonfalon.table.seats.presence import Presence
from gonfalon.table.seats.seating import Seats
from gonfalon.table.shared.current import Current

MAX_WAIT_S: Final = 3600.0
"""The longest time that a table can wait for players before bots sit down."""


class Offer(NamedTuple):
    """How a table is listed: for how many seconds it waits for players, without end by default, and the level of the
    bots that sit down then."""

    bot_after: float | None = None
    bot_level: str = ""


def new_offer() -> str:
    """Return a public number for a listed table. It is neither the key of the table nor a link to it."""
    return secrets.token_hex(6)


class LateBots:
    """The timer by which bots take the free seats of a listed table."""

    def __init__(self, current: Current, seats: Seats, presence: Presence) -> None:
        self.current: Current = current
        self.seats: Seats = seats
        self.presence: Presence = presence

    def due(self, position: Position) -> float | None:
        """Return the table time at which bots sit down; None if no seat is free or the players wait without end."""
        del position  # before the deal there is none
        waits = self.seats.gathering.waits and self.current.free_seats()
        return self.current.row.bot_at if waits else None

    async def serve(self) -> None:
        """Let bots sit down and the game start; without a present player the table leaves the list instead."""
        async with self.current.lock:
            if self.due(self.current.position) is None:
                return
            if not self.presence.has_players(self.current.row.seats):
                await run_sync(self.current.store.withdraw, self.current.key)
                await self.current.seats_changed()
                return
            for row in self.current.free_seats():
                await self.seats.seat_bot(row.seat, self.current.row.bot_level)
            await self.seats.gathering.deal_if_ready()

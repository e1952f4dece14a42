"""The answers to undo requests: which players must agree, and when a request is granted.

All present people must agree. Bots and programs agree to everything, and so do people at the asker's own device, where
they see the undo. Absent players are not awaited, but at least one player has to agree. The help page
(`web/templates/help.html`) explains this to people.
"""

from __future__ import annotations

from contextlib import suppress

from gonfalon.core.basics.errors import Refusal
from gonfalon.core.rules.state import Seat
from gonfalon.table import messages
from gonfalon.table.errors import Finished, Stale
from gonfalon.table.game.position import Position
from gonfalon.table.links import LinkHolder, require_seat
from gonfalon.table.seats.presence import AWAY, Presence
from gonfalon.table.shared.current import Current
from gonfalon.table.shared.moves import Moves
from gonfalon.table.shared.timers import NOW


class Requests:
    """The undo request of a table."""

    def __init__(self, current: Current, moves: Moves, presence: Presence) -> None:
        self.current: Current = current
        self.moves: Moves = moves
        self.presence: Presence = presence

    def may_ask(self, seat: Seat) -> bool:
        """Return whether a seat is offered to ask the others: not if it can undo at once."""
        row, position = self.current.row.seats[seat], self.current.position
        return row.by == "person" and not position.can_undo(seat) and position.can_request_undo(seat)

    async def ask(self, who: LinkHolder, expected: int) -> None:
        """Ask the others for an undo of the player's last decision. Raises Refusal, Stale, Finished, NotSeated."""
        seat = require_seat(who)
        async with self.current.lock:
            if self.current.row.seats[seat].stood_for:
                raise Refusal(messages.BOT_PLAYS)
            await self.moves.change(lambda position: position.request_undo(seat, expected))
            await self._settle()

    async def answer(self, who: LinkHolder, number: int, agrees: bool) -> None:
        """Agree to a request or refuse it; the asker withdraws it by a refusal.

        Raises:
            Refusal, Stale, Finished, NotSeated.
        """
        seats = who.holds or (require_seat(who),)
        async with self.current.lock:
            await self.moves.change(lambda position: position.answer_undo(seats, number, agrees))
            await self._settle()

    def people(self, position: Position) -> list[Seat]:
        """Return the players whose consent is needed, present or away."""
        request, rows = position.asking.open, self.current.row.seats
        if request is None:
            return []
        own = rows[request.seat].token
        return [row.seat for row in rows if row.by == "person" and row.program is None and row.token != own]

    def waits_for(self, position: Position) -> list[Seat]:
        """Return the present players without an answer, and the absent ones too while none has agreed."""
        request, people = position.asking.open, self.people(position)
        if request is None:
            return []
        silent = [seat for seat in people if seat not in request.agreed]
        here = [seat for seat in silent if self.presence.state_of(seat) != AWAY]
        return here if here or request.agreed else silent

    def due(self, position: Position) -> float | None:
        """Return NOW once no answer is missing, for example after the last player has left."""
        return NOW if position.asking.open is not None and not self.waits_for(position) else None

    async def serve(self) -> None:
        """Grant the request."""
        async with self.current.lock:
            await self._settle()

    async def _settle(self) -> None:
        """Grant the request if it is due. The caller holds the lock."""
        if self.due(self.current.position) is not None:
            with suppress(Stale, Finished):
                await self.moves.change(Position.grant_undo)

"""The answers to take-back requests: which players must agree, and when a request is granted.

All people who are present must agree. Bots agree to everything, and so do people at the asker's own device, who see
what is done there. Players who are away are not awaited, but at least one player has to agree. The help page
(`web/templates/help.html`) explains this to people.
"""

from __future__ import annotations

from contextlib import suppress

from gonfalon.core.basics.errors import Refusal
from gonfalon.core.rules.state import Seat
from gonfalon.table.errors import Finished, Stale
from gonfalon.table.game.position import Position
from gonfalon.table.links import LinkHolder, own_seat
from gonfalon.table.seats.presence import AWAY, Presence
from gonfalon.table.shared.current import Current
from gonfalon.table.shared.moves import Moves
from gonfalon.table.shared.timers import NOW


class Requests:
    """The request of a table."""

    def __init__(self, current: Current, moves: Moves, presence: Presence) -> None:
        self.current: Current = current
        self.moves: Moves = moves
        self.presence: Presence = presence

    def may_ask(self, seat: Seat) -> bool:
        """Return whether a seat is offered to ask the others: not where it can undo at once."""
        row, position = self.current.row.seats[seat], self.current.position
        return row.by == "person" and not position.can_take_back(seat) and position.can_ask_back(seat)

    async def ask(self, who: LinkHolder, expected: int) -> None:
        """Ask the others for a take-back of the player's last decision. Raises Refusal, Stale, Finished, NotSeated."""
        seat = own_seat(who)
        async with self.current.lock:
            if self.current.row.seats[seat].stood_for:
                raise Refusal("A bot plays for you; take your seat back first.")
            await self.moves.change(lambda position: position.ask_back(seat, expected))
            await self._settle()

    async def answer(self, who: LinkHolder, number: int, agrees: bool) -> None:
        """Agree to a request or refuse it; the player who asked may withdraw it. Raises Refusal, Stale, Finished,
        NotSeated."""
        seats = who.holds or (own_seat(who),)
        async with self.current.lock:
            await self.moves.change(lambda position: position.answer_back(seats, number, agrees))
            await self._settle()

    def people(self, position: Position) -> list[Seat]:
        """Return the players whose consent is needed, present or away."""
        request, rows = position.asking.open, self.current.row.seats
        if request is None:
            return []
        own = rows[request.seat].token
        return [row.seat for row in rows if row.by == "person" and row.token != own]

    def waits_for(self, position: Position) -> list[Seat]:
        """Return the present players without an answer; while none has agreed, those who are away too."""
        request, people = position.asking.open, self.people(position)
        if request is None:
            return []
        silent = [seat for seat in people if seat not in request.agreed]
        here = [seat for seat in silent if self.presence.state(seat) != AWAY]
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
                await self.moves.change(Position.grant_back)

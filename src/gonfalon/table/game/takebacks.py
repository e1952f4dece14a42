"""Undo requests.

A decision that showed others something is undone only if they agree, and only if it showed nothing but the seat's
own information: other information cannot be unlearned. Since then no other seat has decided, no chance was drawn, and
no secret answer was opened or may be on its way. All of that is public.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from gonfalon.core.knowledge.learned import showed_only_own
from gonfalon.core.rules.state import Seat, State

MOST_ASKED: Final = 5
"""The number of requests that a seat may make in a game."""
KEPT: Final = 8
"""The number of successive decisions that can be requested."""


@dataclass(frozen=True)
class Earlier:
    """A position before a decision of a seat, and the number of decisions before it."""

    state: State
    decisions: int


@dataclass(frozen=True)
class Request:
    """A request of a seat to undo its last decision. It is shown until the game continues, answered or not."""

    number: int
    seat: Seat
    agreed: frozenset[Seat] = frozenset()
    answer: Literal["", "agreed", "refused"] = ""
    by: Seat = -1
    """The seat that has refused."""


class Asking:
    """The latest decisions of the seat that decided last, and its request. All attributes are immutable."""

    def __init__(self, seats: int) -> None:
        self.seat: Seat = -1
        self.earlier: tuple[Earlier, ...] = ()
        """The positions before those decisions since which no other seat has decided."""
        self.request: Request | None = None
        self.asked: tuple[int, ...] = (0,) * seats
        """The number of requests that each seat has made."""
        self.asked_at: float = 0.0
        """The table time of the last request; 0 until it is stored."""
        self.changes: int = 0
        """The number of changes of the request."""
        self._own: bool | None = None

    @property
    def open(self) -> Request | None:
        """The request that is not settled yet."""
        return self.request if self.request is not None and not self.request.answer else None

    def count_known_events(self, viewer: int) -> int:
        """Return the number of events that a viewer knew before the requested decision. All later events are public."""
        return len(self.earlier[-1].state.mask(viewer).log or ()) if self.earlier else 0

    def may_ask(self, seat: Seat, now: State) -> bool:
        """Return whether a seat may make a request; `now` is the full state."""
        if seat != self.seat or not self.earlier or self.open or self.asked[seat] >= MOST_ASKED:
            return False
        # Comparing two states is slow, so the result is kept until the next decision.
        if self._own is None:
            self._own = showed_only_own(self.earlier[-1].state, now, seat)
        return self._own

    # ---- what happens -----------------------------------------------------------------------------

    def note_decision(self, seat: Seat, earlier: Earlier | None) -> None:
        """Note a decision of a seat. `earlier` is None if it can never be undone."""
        known = self.earlier if seat == self.seat else ()
        self.seat, self.earlier = (-1, ()) if earlier is None else (seat, (*known[1 - KEPT :], earlier))
        self.close()

    def note_undo(self, decisions: int) -> None:
        """Note an undo to this number of decisions."""
        self.earlier = tuple(one for one in self.earlier if one.decisions < decisions)
        self.close()

    def close(self) -> None:
        """Close the request because the game has continued."""
        self._own = None
        if self.request is not None:
            self._set(None)

    def ask(self, seat: Seat) -> None:
        count = self.asked[seat] + 1
        self.asked = (*self.asked[:seat], count, *self.asked[seat + 1 :])
        # `Position.note_written` sets the time once the request is stored.
        self.asked_at = 0.0
        # The sum never repeats in a game, so an answer to an older request is recognized.
        self._set(Request(sum(self.asked), seat))

    def agree(self, seat: Seat) -> None:
        assert self.request is not None
        self._set(replace(self.request, agreed=self.request.agreed | {seat}))

    def refuse(self, seat: Seat) -> None:
        """Refuse or withdraw the request. It cannot be made again."""
        assert self.request is not None
        own = seat == self.request.seat
        # Without earlier positions `may_ask` stays false until the next decision.
        self.seat, self.earlier = -1, ()
        self._set(None if own else replace(self.request, answer="refused", by=seat))

    def grant(self, decisions: int) -> None:
        """Note that all agreed and the table is back at this number of decisions."""
        request = self.request
        assert request is not None
        self.note_undo(decisions)
        self._set(replace(request, answer="agreed"))

    def _set(self, request: Request | None) -> None:
        self.request = request
        self.changes += 1

"""What a seat may ask the others to let it take back, and what it has asked.

A decision that showed others something is taken back only if they agree, and only if what it showed is the seat's own:
what was learned of anything else cannot be unlearned. Nobody else has decided since, no chance has fallen, no secret
answer was opened or may be on its way; all of that is public, and so is what the last decision showed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from gonfalon.core.knowledge.learned import showed_only_own
from gonfalon.core.rules.state import Seat, State

MOST_ASKED: Final = 5
"""So many times a seat may ask in a game."""
KEPT: Final = 8
"""So many decisions in a row can be asked about."""


@dataclass(frozen=True)
class Earlier:
    """A position before a decision of a seat, and how many decisions had led to it."""

    state: State
    decisions: int


@dataclass(frozen=True)
class Request:
    """A seat would like to take back its last decision. It is shown until the game goes on, answered or not."""

    number: int
    seat: Seat
    agreed: frozenset[Seat] = frozenset()
    answer: Literal["", "agreed", "refused"] = ""
    by: Seat = -1
    """Who has refused."""


class Asking:
    """The latest decisions of the seat that decided last, and its request."""

    def __init__(self, seats: int) -> None:
        self.seat: Seat = -1
        self.earlier: tuple[Earlier, ...] = ()
        """The positions before its decisions, of those since which nobody else has decided."""
        self.request: Request | None = None
        self.asked: tuple[int, ...] = (0,) * seats
        """How many times each seat has asked."""
        self.asked_at: float = 0.0
        """When the last request was made; 0 until it is written down."""
        self.changes: int = 0
        """Counts the changes of the request."""
        self._own: bool | None = None

    def clone(self) -> Asking:
        twin = Asking(0)
        twin.seat, twin.earlier, twin._own = self.seat, self.earlier, self._own
        twin.request, twin.asked, twin.changes = self.request, self.asked, self.changes
        twin.asked_at = self.asked_at
        return twin

    @property
    def open(self) -> Request | None:
        """The request that nobody has settled yet."""
        return self.request if self.request is not None and not self.request.answer else None

    def heard(self, viewer: int) -> int:
        """How many events a viewer knew of before the decision that is asked about. All since are for everybody."""
        return len(self.earlier[-1].state.mask(viewer).log or ()) if self.earlier else 0

    def may_ask(self, seat: Seat, now: State) -> bool:
        """Whether there is something that a seat may ask for; `now` is the whole state."""
        if seat != self.seat or not self.earlier or self.open or self.asked[seat] >= MOST_ASKED:
            return False
        if self._own is None:
            self._own = showed_only_own(self.earlier[-1].state, now, seat)
        return self._own

    # ---- what happens -----------------------------------------------------------------------------

    def decided(self, seat: Seat, earlier: Earlier | None) -> None:
        """The game has gone on by a decision of a seat; `earlier` is None where nothing may be asked for afterwards."""
        known = self.earlier if seat == self.seat else ()
        self.seat, self.earlier = (-1, ()) if earlier is None else (seat, (*known[1 - KEPT :], earlier))
        self.moved()

    def went_back(self, decisions: int) -> None:
        """A decision was taken back, by whomever: so many are left."""
        self.earlier = tuple(one for one in self.earlier if one.decisions < decisions)
        self.moved()

    def moved(self) -> None:
        """What was asked is past."""
        self._own = None
        if self.request is not None:
            self._set(None)

    def ask(self, seat: Seat) -> None:
        count = self.asked[seat] + 1
        self.asked = (*self.asked[:seat], count, *self.asked[seat + 1 :])
        self.asked_at = 0.0
        self._set(Request(sum(self.asked), seat))

    def agree(self, seat: Seat) -> None:
        assert self.request is not None
        self._set(replace(self.request, agreed=self.request.agreed | {seat}))

    def refuse(self, seat: Seat) -> None:
        """No, from one of the others, or not after all. It is not asked for again."""
        assert self.request is not None
        own = seat == self.request.seat
        self.seat, self.earlier = -1, ()
        self._set(None if own else replace(self.request, answer="refused", by=seat))

    def grant(self, decisions: int) -> None:
        """All agree; the table is back before that decision, and so many are left."""
        request = self.request
        assert request is not None
        self.went_back(decisions)
        self._set(replace(request, answer="agreed"))

    def _set(self, request: Request | None) -> None:
        self.request = request
        self.changes += 1

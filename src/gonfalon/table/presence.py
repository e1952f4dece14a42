"""Who is at the table just now.

A page with script is there as long as its socket is open, a program as long as it holds a stream. Both may be gone
for a moment. A page without script is there for a good while after each request, for its person may be thinking.
Nothing here depends on what is decided at the table.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Final

import anyio

from gonfalon.core.state import SPECTATOR, Seat
from gonfalon.table.backend import Task
from gonfalon.table.store import SeatRow

HERE: Final = "here"
LOST: Final = "lost"
"""The connection has broken off a moment ago."""
AWAY: Final = "away"


class Presence:
    """Counts the open pages of each seat and of the spectators; `changed` is called when it tells."""

    def __init__(
        self,
        seats: int,
        grace: float,
        patience: float,
        spawn: Callable[[Task], None],
        changed: Callable[[], None],
    ) -> None:
        self.grace: float = grace
        """Seconds after which somebody whose page or stream has gone, or who asked for nothing else, is away."""
        self.patience: float = patience
        """The same for somebody who reads a page that has no socket."""
        self._spawn = spawn
        self._changed = changed
        self._open: dict[int, int] = dict.fromkeys((*range(seats), SPECTATOR), 0)
        # Whoever sat here before the server was started anew is given the time to come back.
        self._left: dict[Seat, float] = dict.fromkeys(range(seats), time.monotonic())
        self._seen: dict[int, tuple[float, bool]] = {}
        """When the last request came while nothing was open, and whether it was for a page."""
        self._timed: bool = False
        self._told: tuple[object, ...] = ()

    @property
    def watching(self) -> int:
        """The number of spectators' open pages."""
        return self._open[SPECTATOR]

    @property
    def watched(self) -> bool:
        """Whether a spectator has a page or a stream open, or has asked for something a moment ago."""
        seen, _ = self._seen.get(SPECTATOR, (-self.grace, False))
        return bool(self._open[SPECTATOR]) or time.monotonic() < seen + self.grace

    def state(self, seat: Seat) -> str:
        """HERE, LOST or AWAY."""
        if self._open[seat]:
            return HERE
        if time.monotonic() >= self._until(seat):
            return AWAY
        return HERE if seat in self._seen else LOST

    def peopled(self, rows: Iterable[SeatRow]) -> bool:
        """Whether one of the table's people is there."""
        return any(row.token is not None and self.state(row.seat) != AWAY for row in rows)

    def attended(self, rows: Iterable[SeatRow]) -> bool:
        """Whether there is anybody to play for: one of the table's people, or somebody who looks on."""
        return self.peopled(rows) or self.watched

    def _until(self, seat: Seat) -> float:
        """Until when a seat counts as there, if nothing is heard of it any more."""
        if seat not in self._seen:
            return self._left[seat] + self.grace
        seen, reads = self._seen[seat]
        return seen + (self.patience if reads else self.grace)

    def enter(self, seats: Iterable[int]) -> None:
        """A page has been opened for these seats, or for a spectator."""
        for seat in seats:
            self._open[seat] += 1
        self._time()
        self._tell()

    def leave(self, seats: Iterable[int]) -> None:
        """That page has gone."""
        for seat in seats:
            self._open[seat] -= 1
            if seat >= 0 and not self._open[seat]:
                self._left[seat] = time.monotonic()
                self._seen.pop(seat, None)
        self._time()
        self._tell()

    def see(self, seats: Iterable[int], reads: bool = False) -> None:
        """A request has come from these seats, or from a spectator; somebody `reads` the page that it was for."""
        for seat in seats:
            self._seen[seat] = (time.monotonic(), reads)
        self._time()
        self._tell()

    def _time(self) -> None:
        if not self._timed and self._fading():
            self._timed = True
            self._spawn(self._wait)

    def _fading(self) -> list[float]:
        """When those will be away who do not show themselves just now."""
        seats = [seat for seat in self._left if not self._open[seat] and self.state(seat) != AWAY]
        return [self._until(seat) for seat in seats]

    async def _wait(self) -> None:
        """Tell when somebody whose page has been gone for long is away."""
        try:
            while fading := self._fading():
                # Whoever leaves meanwhile is away no sooner than after the grace.
                await anyio.sleep(min(self.grace, max(0.01, min(fading) - time.monotonic())))
                self._tell()
        finally:
            self._timed = False

    def _tell(self) -> None:
        now = (*(self.state(seat) for seat in self._open if seat >= 0), self.watching, self.watched)
        if now != self._told:
            self._told = now
            self._changed()

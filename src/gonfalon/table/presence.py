"""Who is at the table just now.

A page with script is there as long as its socket is open. A page without script is there for a while
after each request. Nothing here depends on what is decided at the table.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final

import anyio

from gonfalon.core.state import SPECTATOR, Seat

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
        spawn: Callable[[Callable[[], Coroutine[Any, Any, None]]], None],
        changed: Callable[[], None],
    ) -> None:
        self.grace: float = grace
        """Seconds after which somebody who does not show himself is away."""
        self._spawn = spawn
        self._changed = changed
        self._open: dict[int, int] = dict.fromkeys((*range(seats), SPECTATOR), 0)
        # Whoever sat here before the server was started anew is given the time to come back.
        self._left: dict[Seat, float] = dict.fromkeys(range(seats), time.monotonic())
        self._seen: dict[Seat, float] = {}
        self._timed: bool = False
        self._told: tuple[Any, ...] = ()

    @property
    def watching(self) -> int:
        """The number of spectators' open pages."""
        return self._open[SPECTATOR]

    def state(self, seat: Seat) -> str:
        """HERE, LOST or AWAY."""
        if self._open[seat]:
            return HERE
        left, seen = self._left[seat], self._seen.get(seat, 0.0)
        now = time.monotonic()
        if seen > left:
            return HERE if now - seen < self.grace else AWAY
        return LOST if now - left < self.grace else AWAY

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
        self._time()
        self._tell()

    def see(self, seats: Iterable[int]) -> None:
        """A request has come from these seats."""
        for seat in seats:
            if seat >= 0:
                self._seen[seat] = time.monotonic()
        self._time()
        self._tell()

    def _time(self) -> None:
        if not self._timed and self._fading():
            self._timed = True
            self._spawn(self._wait)

    def _fading(self) -> list[float]:
        """When those will be away who do not show themselves just now."""
        seats = [seat for seat in self._left if not self._open[seat] and self.state(seat) != AWAY]
        return [max(self._left[seat], self._seen.get(seat, 0.0)) + self.grace for seat in seats]

    async def _wait(self) -> None:
        """Tell when somebody who does not show himself any more is away."""
        try:
            while fading := self._fading():
                await anyio.sleep(max(0.01, min(fading) - time.monotonic()))
                self._tell()
        finally:
            self._timed = False

    def _tell(self) -> None:
        now = (*(self.state(seat) for seat in self._open if seat >= 0), self.watching)
        if now != self._told:
            self._told = now
            self._changed()

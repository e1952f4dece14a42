"""Who is at the table just now.

A page with script is there as long as its socket is open, a program as long as it holds a stream. Both may be gone
for a moment. A page without script is there for a good while after each request, for its person may be thinking.
Nothing here depends on what is decided at the table.

Pages may be open by several processes. Each writes down what it knows itself, when that changes, and reads what the
others have written; what a process knew goes with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import anyio
from anyio.to_thread import run_sync

from gonfalon.core.rules.state import SPECTATOR, Seat
from gonfalon.table.errors import StoreError
from gonfalon.table.shared.services import Services
from gonfalon.table.store.shared_rows import PresenceRow
from gonfalon.table.store.store import SeatRow

HERE: Final = "here"
LOST: Final = "lost"
"""The connection has broken off a moment ago."""
AWAY: Final = "away"
FRESH: Final = 0.25
"""After this share of the time for which somebody counts as there, it is written down again that they are."""
AGAIN: Final = 1.0
"""Seconds until it is tried again after the store has failed."""


class Presence:
    """Counts the open pages of each seat and of the spectators; `changed` is called when it tells. The table was
    `opened` then."""

    def __init__(self, key: str, seats: int, opened: float, services: Services, changed: Callable[[], None]) -> None:
        self.key: str = key
        self.services: Services = services
        self.grace: float = services.grace
        """Seconds after which somebody whose page or stream has gone, or who asked for nothing else, is away."""
        self.patience: float = services.patience
        """The same for somebody who reads a page that has no socket."""
        self._opened: float = opened
        self._changed = changed
        self._process: str = services.store.process
        self._open: dict[int, int] = dict.fromkeys((*range(seats), SPECTATOR), 0)
        self._left: dict[Seat, float] = {}
        self._seen: dict[int, tuple[float, bool]] = {}
        """When the last request came while nothing was open, and whether it was for a page."""
        self._others: list[PresenceRow] = []
        """What other processes know, and what this one knew before it read the table anew."""
        self._touched: set[int] = set()
        """The seats of which this process knows something itself."""
        self._written: dict[int, PresenceRow] = {}
        self._writing: bool = False
        self._timed: bool = False
        self._told: tuple[object, ...] = ()

    # ---- what is told -------------------------------------------------------------------------------

    @property
    def watching(self) -> int:
        """The number of spectators' open pages."""
        return self._pages(SPECTATOR)

    @property
    def watched(self) -> bool:
        """Whether a spectator has a page or a stream open, or has asked for something a moment ago."""
        return bool(self.watching) or self.services.now() < self._ends(SPECTATOR)[0]

    def state(self, seat: Seat) -> str:
        """HERE, LOST or AWAY."""
        if self._pages(seat):
            return HERE
        now, (here, lost) = self.services.now(), self._ends(seat)
        return HERE if now < here else LOST if now < lost else AWAY

    def peopled(self, rows: Iterable[SeatRow]) -> bool:
        """Whether one of the table's people is there."""
        return any(row.token is not None and self.state(row.seat) != AWAY for row in rows)

    def attended(self, rows: Iterable[SeatRow]) -> bool:
        """Whether there is anybody to play for: one of the table's people, or somebody who looks on."""
        return self.peopled(rows) or self.watched

    def _pages(self, seat: int) -> int:
        return self._open[seat] + sum(row.pages for row in self._elsewhere(seat))

    def _elsewhere(self, seat: int) -> list[PresenceRow]:
        """What other processes that live know of a seat."""
        return [row for row in self._others if row.seat == seat and self.services.heartbeat.lives(row.process)]

    def _ends(self, seat: int) -> tuple[float, float]:
        """Until when somebody without a page counts as here, and until when as lost."""
        rows = self._elsewhere(seat)
        own, reads = self._until(seat)
        # Whoever sat here before the server was started anew is given the time to come back.
        begun = max(self._opened, self.services.heartbeat.lit) + self.grace
        here = [row.until for row in rows if row.reads]
        lost = [row.until for row in rows if not row.reads]
        return max([0.0, *here, *([own] if reads else [])]), max([begun, *lost, *([] if reads else [own])])

    def _until(self, seat: int) -> tuple[float, bool]:
        """The same as this process knows it: until when, and whether as here."""
        if seat in self._seen:
            seen, reads = self._seen[seat]
            return seen + (self.patience if reads and seat >= 0 else self.grace), True
        return (self._left[seat] + self.grace if seat in self._left else 0.0), False

    # ---- what is seen -------------------------------------------------------------------------------

    def enter(self, seats: Iterable[int]) -> None:
        """A page has been opened for these seats, or for a spectator."""
        for seat in seats:
            self._open[seat] += 1
            self._touch(seat)
        self._tell()

    def leave(self, seats: Iterable[int]) -> None:
        """That page has gone."""
        for seat in seats:
            self._open[seat] -= 1
            if seat >= 0 and not self._open[seat]:
                self._left[seat] = self.services.now()
                self._seen.pop(seat, None)
            self._touch(seat)
        self._tell()

    def see(self, seats: Iterable[int], reads: bool = False) -> None:
        """A request has come from these seats, or from a spectator; somebody `reads` the page that it was for."""
        for seat in seats:
            if seat == SPECTATOR or not self._pages(seat):
                self._seen[seat] = (self.services.now(), reads)
                self._touch(seat)
        self._tell()

    def _touch(self, seat: int) -> None:
        self._touched.add(seat)
        self._others = [row for row in self._others if (row.process, row.seat) != (self._process, seat)]

    def take(self, rows: Sequence[PresenceRow]) -> None:
        """Take over what the store holds."""
        self._others = []
        for row in rows:
            if row.process != self._process:
                self._others.append(row)
            elif row.seat not in self._touched:
                self._written[row.seat] = row
                self._others.append(PresenceRow(row.process, row.seat, 0, row.until, row.reads))
        for seat in [seat for seat in self._seen if seat >= 0]:
            # What counts is that a page was open, or has gone since.
            seen = self._seen[seat][0]
            if any(row.pages or (not row.reads and row.until - self.grace > seen) for row in self._elsewhere(seat)):
                del self._seen[seat]
        self._tell()

    def look(self, anew: bool = False) -> None:
        """Tell if a process has come or gone; `anew`: what this one has written is there no more."""
        if anew:
            self._written.clear()
        self._tell()

    def _tell(self) -> None:
        if not self._timed and self._fading():
            self._timed = True
            self.services.spawn(self._wait)
        if not self._writing and self._unwritten():
            self._writing = True
            self.services.spawn(self._write)
        now = (*(self.state(seat) for seat in self._open if seat >= 0), self.watching, self.watched)
        if now != self._told:
            self._told = now
            self._changed()

    # ---- what comes later ---------------------------------------------------------------------------

    def _fading(self) -> list[float]:
        """When something will change by itself."""
        now = self.services.now()
        seats = [seat for seat in self._open if seat >= 0 and not self._pages(seat)]
        return [end for seat in seats for end in self._ends(seat) if end > now]

    async def _wait(self) -> None:
        """Tell when somebody whose page has been gone for long is away."""
        try:
            while fading := self._fading():
                # Whoever leaves meanwhile is away no sooner than after the grace.
                await anyio.sleep(min(self.grace, max(0.01, min(fading) - self.services.now())))
                self._tell()
        finally:
            self._timed = False

    def _unwritten(self) -> list[PresenceRow]:
        """What is to be written down: not each request of somebody who is there anyway."""
        found = []
        for seat in self._touched:
            until, reads = self._until(seat)
            row = PresenceRow(self._process, seat, self._open[seat], until, reads)
            old = self._written.get(seat, PresenceRow(self._process, seat))
            fresh = FRESH * (until - self._seen[seat][0]) if seat in self._seen else 0.0
            later = row.until > old.until + fresh or row.until < old.until
            if row.pages != old.pages or (not row.pages and (row.reads != old.reads or later)):
                found.append(row)
        return found

    async def _write(self) -> None:
        try:
            while rows := self._unwritten():
                try:
                    await run_sync(self.services.store.be_present, self.key, rows)
                    self._written.update((row.seat, row) for row in rows)
                except StoreError:
                    await anyio.sleep(AGAIN)
        finally:
            self._writing = False

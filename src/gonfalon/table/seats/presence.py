"""Presence: the people at a table now.

A page with script is present while its socket is open, a program while it holds a stream. Both may be lost for a
moment. A page without script is present for some time after each request, for its reader may be thinking. Presence
never depends on decisions of the game.

Pages may be open at several processes. Each process stores its knowledge when that changes, and reads the knowledge
of the others. The knowledge of a process ends with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import anyio
from anyio.to_thread import run_sync

from gonfalon.core.rules.state import SPECTATOR, Seat
from gonfalon.table.errors import StoreError
from gonfalon.table.shared.services import Services, Spawn
from gonfalon.table.store.shared_rows import PresenceRow
from gonfalon.table.store.store import SeatRow

HERE: Final = "here"
LOST: Final = "lost"
"""The connection broke a moment ago."""
AWAY: Final = "away"
FRESH: Final = 0.25
"""The share of its life after which a stored presence is renewed."""
AGAIN: Final = 1.0
"""Seconds before a failed write is retried."""


class Presence:
    """Counts the open pages of each seat and of the spectators.

    `changed` is called when the presence of a seat changes. `opened` is the table time at which the table was opened.
    """

    def __init__(
        self, key: str, seats: int, opened: float, services: Services, changed: Callable[[], None], spawn: Spawn
    ) -> None:
        self.key: str = key
        self.services: Services = services
        self.grace: float = services.grace
        """Seconds until a player whose page or stream has closed is away."""
        self.patience: float = services.patience
        """Seconds until a player with a page without a socket is away."""
        self._opened: float = opened
        self._changed = changed
        self._spawn: Spawn = spawn
        self._process: str = services.store.process
        self._open: dict[int, int] = dict.fromkeys((*range(seats), SPECTATOR), 0)
        self._left: dict[Seat, float] = {}
        self._seen: dict[int, tuple[float, bool]] = {}
        """For each seat the time of the last request while nothing was open, and whether it was for a page."""
        self._others: list[PresenceRow] = []
        """The presences that other processes know, and those that this process knew before it read the table again."""
        self._touched: set[int] = set()
        """The seats of which this process knows something itself."""
        self._written: dict[int, PresenceRow] = {}
        self._writing: bool = False
        self._timed: bool = False
        self._told: tuple[object, ...] = ()

    # ---- the presence of players ----------------------------------------------------------------------

    @property
    def watching(self) -> int:
        """The number of spectators' open pages."""
        return self._pages(SPECTATOR)

    @property
    def watched(self) -> bool:
        """Whether a spectator has a page or a stream open, or sent a request a moment ago."""
        return bool(self.watching) or self.services.now() < self._ends(SPECTATOR)[0]

    def state_of(self, seat: Seat) -> str:
        """Return HERE, LOST or AWAY."""
        if self._pages(seat):
            return HERE
        now, (here, lost) = self.services.now(), self._ends(seat)
        return HERE if now < here else LOST if now < lost else AWAY

    def has_players(self, rows: Iterable[SeatRow]) -> bool:
        """Return whether a player of the table is present."""
        return any(row.token is not None and self.state_of(row.seat) != AWAY for row in rows)

    def has_people(self, rows: Iterable[SeatRow]) -> bool:
        """Return whether a player or a spectator is present."""
        return self.has_players(rows) or self.watched

    def _pages(self, seat: int) -> int:
        return self._open[seat] + sum(row.pages for row in self._elsewhere(seat))

    def _elsewhere(self, seat: int) -> list[PresenceRow]:
        """Return the presences of a seat at other live processes."""
        return [row for row in self._others if row.seat == seat and self.services.heartbeat.lives(row.process)]

    def _ends(self, seat: int) -> tuple[float, float]:
        """Return the times until which a player without a page is HERE, and until which LOST."""
        rows = self._elsewhere(seat)
        own, reads = self._until(seat)
        # After a restart players need time to reconnect before they count as away.
        begun = max(self._opened, self.services.heartbeat.lit) + self.grace
        here = [row.until for row in rows if row.reads]
        lost = [row.until for row in rows if not row.reads]
        return max([0.0, *here, *([own] if reads else [])]), max([begun, *lost, *([] if reads else [own])])

    def _until(self, seat: int) -> tuple[float, bool]:
        """Return the times as this process knows them, and whether the seat is HERE."""
        if seat in self._seen:
            seen, reads = self._seen[seat]
            return seen + (self.patience if reads and seat >= 0 else self.grace), True
        return (self._left[seat] + self.grace if seat in self._left else 0.0), False

    # ---- pages and requests ---------------------------------------------------------------------------

    def enter(self, seats: Iterable[int]) -> None:
        """Note that a page was opened for these seats, or for a spectator."""
        for seat in seats:
            self._open[seat] += 1
            self._touch(seat)
        self._tell()

    def leave(self, seats: Iterable[int]) -> None:
        """Note that such a page was closed."""
        for seat in seats:
            self._open[seat] -= 1
            if seat >= 0 and not self._open[seat]:
                self._left[seat] = self.services.now()
                # The closed page is better evidence than a request from before it was opened.
                self._seen.pop(seat, None)
            self._touch(seat)
        self._tell()

    def see(self, seats: Iterable[int], reads: bool = False) -> None:
        """Note a request from these seats, or from a spectator; `reads` if it was for a page."""
        for seat in seats:
            if seat == SPECTATOR or not self._pages(seat):
                self._seen[seat] = (self.services.now(), reads)
                self._touch(seat)
        self._tell()

    def _touch(self, seat: int) -> None:
        self._touched.add(seat)
        self._others = [row for row in self._others if (row.process, row.seat) != (self._process, seat)]

    def take(self, rows: Sequence[PresenceRow]) -> None:
        """Take over the presences in the store."""
        self._others = []
        for row in rows:
            if row.process != self._process:
                self._others.append(row)
            elif row.seat not in self._touched:
                # This process has dropped the table from memory meanwhile, so none of these pages is open any more.
                self._written[row.seat] = row
                self._others.append(PresenceRow(row.process, row.seat, 0, row.until, row.reads))
        for seat in [seat for seat in self._seen if seat >= 0]:
            # An open page, or one that has closed since, is better evidence than an earlier request.
            seen = self._seen[seat][0]
            if any(row.pages or (not row.reads and row.until - self.grace > seen) for row in self._elsewhere(seat)):
                del self._seen[seat]
        self._tell()

    def check_processes(self, rows_lost: bool = False) -> None:
        """Notify if a process has started or stopped. Store all presences again if the rows of this process are
        lost."""
        if rows_lost:
            self._written.clear()
        self._tell()

    def _tell(self) -> None:
        if not self._timed and self._fading():
            self._timed = True
            self._spawn(self._wait)
        if not self._writing and self._unwritten():
            self._writing = True
            self._spawn(self._write)
        now = (*(self.state_of(seat) for seat in self._open if seat >= 0), self.watching, self.watched)
        if now != self._told:
            self._told = now
            self._changed()

    # ---- changes by time ------------------------------------------------------------------------------

    def _fading(self) -> list[float]:
        """Return when a presence will change by itself."""
        now = self.services.now()
        seats = [seat for seat in self._open if seat >= 0 and not self._pages(seat)]
        return [end for seat in seats for end in self._ends(seat) if end > now]

    async def _wait(self) -> None:
        """Notify when a player becomes away."""
        try:
            while fading := self._fading():
                # A player that leaves meanwhile is away no sooner than after the grace.
                await anyio.sleep(min(self.grace, max(0.01, min(fading) - self.services.now())))
                self._tell()
        finally:
            self._timed = False

    def _unwritten(self) -> list[PresenceRow]:
        """Return the presences to store, without requests of players whose presence is known anyway."""
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
            # Presence may change during the write, so it is compared again until nothing is left.
            while rows := self._unwritten():
                try:
                    await run_sync(self.services.store.be_present, self.key, rows)
                    self._written.update((row.seat, row) for row in rows)
                except StoreError:
                    await anyio.sleep(AGAIN)
        finally:
            self._writing = False

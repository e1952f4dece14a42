"""Table time, and the heartbeats by which processes share it.

Table time is the only time that clocks, deadlines and leases know. It runs while at least one process is awake and
reaches the database, and stands still otherwise: a stopped or frozen server, a laptop that slept and a database that
is away cost no player anything. It follows no wall clock, so setting one changes nothing.

Each process counts on from its last heartbeat by its monotonic clock. A heartbeat that is late proves that the process
was not awake, so its time stands still at the last one. Each heartbeat is a row with the process's table time, and the
latest of all rows is the time of all: if one process was awake, the others catch up with its time, and with the times
that it has written (`reach`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final

from gonfalon.table.store.shared_rows import LIT, SILENT
from gonfalon.table.store.store import Store

BEAT_SECONDS: Final = 1.0
"""Seconds between two heartbeats."""
MAX_DELAY_S: Final = 2.5
"""Seconds after a heartbeat during which time runs on without another."""
MAX_SHIFT_S: Final = 1.0
"""Seconds by which the wall clock may move against table time before pages show the clocks again."""


class Heartbeat:
    """The table time of this process, and the heartbeats of all processes as this one knows them.

    Args:
        store: The store that keeps the heartbeats.
        monotonic: Seconds since some moment; the same as for `time.monotonic`.
        wall: Seconds since 1970. Table time begins with it in an empty store, and people are shown it.
    """

    def __init__(
        self, store: Store, monotonic: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time
    ) -> None:
        self.store: Store = store
        self.lit: float = 0.0
        """When the last process began."""
        self._monotonic: Callable[[], float] = monotonic
        self._wall: Callable[[], float] = wall
        self._last: tuple[float, float] | None = None
        """The monotonic and the table time of the last heartbeat."""
        self._beats: dict[str, float] = {}
        self._checked: float | None = None
        self._living: tuple[float, frozenset[str]] = (0.0, frozenset())
        self._offset: float = 0.0
        """Seconds by which the wall clock is ahead of table time."""
        self._shown: float = 0.0

    def now(self) -> float:
        """Return the table time in seconds."""
        return self._wall() if self._last is None else self._at(self._monotonic(), *self._last)

    def _at(self, moment: float, then: float, reached: float) -> float:
        return reached + (moment - then if self._runs(moment, then) else 0.0)

    @staticmethod
    def _runs(moment: float, then: float) -> bool:
        return 0 <= moment - then < MAX_DELAY_S

    def to_wall(self, moment: float) -> float:
        """Return a table time by the wall clock, for people and programs."""
        return moment + self._offset

    def settle(self) -> None:
        """Catch up with the other processes if this one was not awake. Call it before writing a table time down.

        Raises:
            StoreError: The database is away, so time stands still.
        """
        if self._last is None or not self._runs(self._monotonic(), self._last[0]):
            self.beat()

    def reach(self, moment: float) -> None:
        """Catch up with a table time that another process has written down."""
        now, last = self._monotonic(), self._last
        if last is not None and self._runs(now, last[0]) and self._at(now, *last) < moment:
            self._last = now, moment

    def beat(self) -> None:
        """Write a heartbeat and read all others. Raises StoreError."""
        moment, last = self._monotonic(), self._last
        own = None if last is None else self._at(moment, *last)
        beats = self.store.beat(self.store.process, own, self._wall())
        self.store.outage.end()
        reached, after = beats[self.store.process], self._monotonic()
        # Another process may have written its time while this one waited for the database.
        if own is None or self._at(after, moment, own) < reached:
            moment, own = after, reached
        if self._last is None or self._last[0] <= moment:  # another thread may have been faster
            self._last = moment, own
        self.lit = beats.pop(LIT)
        self._beats = beats
        # Small drifts are ignored; otherwise pages would show the clocks again every second.
        offset = self._wall() - self.now()
        if abs(offset - self._offset) > MAX_SHIFT_S:
            self._offset = offset

    # ---- changes since the last call ------------------------------------------------------------------

    def was_gone(self) -> bool:
        """Return whether the other processes have given this one up since the last call."""
        before, self._checked = self._checked, self.now()
        return before is not None and self._checked - before >= SILENT

    def shifted(self) -> bool:
        """Return whether table time has moved against the wall clock since the last call."""
        before, self._shown = self._shown, self._offset
        return before != self._shown

    def changed(self) -> bool:
        """Return whether a process has come or gone since the last call."""
        before, self._living = self._living, (self.lit, frozenset(filter(self.lives, self._beats)))
        return self._living != before

    # ---- other processes ------------------------------------------------------------------------------

    def hear(self, beats: Mapping[str, float]) -> None:
        """Take over heartbeats that were read with something else."""
        # The sign only says that a process has stopped in order (`SharedRows.stop`).
        known = self._beats
        self._beats = known | {one: beat for one, beat in beats.items() if abs(beat) > abs(known.get(one, 0.0))}

    def lives(self, process: str) -> bool:
        """Return whether a process is not given up."""
        return process == self.store.process or abs(self._beats.get(process, 0.0)) > self.now() - SILENT

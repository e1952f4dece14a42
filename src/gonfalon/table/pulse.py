"""Which of the processes that serve these tables live.

Each writes a heartbeat every few seconds. One that is silent for long is gone with all its pages. When none lived, for
the server was stopped or could not reach its database, one is told for how long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from gonfalon.table.shared_rows import LIT, SILENT
from gonfalon.table.store import Store

BEAT: Final = 5.0
"""Seconds between two heartbeats."""


class Pulse:
    """The heartbeats of all processes, as this one knows them."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self.store: Store = store
        self.now: Callable[[], float] = now
        self.lit: float = now()
        """Since when there has always been a process."""
        self._beats: dict[str, float] = {}
        self._last: float = self.lit
        self._living: tuple[float, frozenset[str]] = (self.lit, frozenset())

    def beat(self) -> float:
        """Write a heartbeat and read all others; returns for how long no process lived (see `SharedRows.beat`)."""
        dark = self.store.beat(self.store.process, self.now())
        beats = self.store.beats()
        self.lit = beats.pop(LIT)
        self._beats = beats
        return dark

    def was_gone(self) -> bool:
        """Whether the others have taken this process for gone since this was asked last."""
        before, self._last = self._last, self.now()
        return self._last - before >= SILENT

    def changed(self) -> bool:
        """Whether a process has come or gone since this was asked last."""
        before = self._living
        self._living = self.lit, frozenset(process for process in self._beats if self.lives(process))
        return self._living != before

    def hear(self, beats: Mapping[str, float]) -> None:
        """Heartbeats that were read beside something else."""
        for process, beat in beats.items():
            if abs(beat) > abs(self._beats.get(process, 0.0)):
                self._beats[process] = beat

    def lives(self, process: str) -> bool:
        """Whether a process is not gone."""
        return process == self.store.process or abs(self._beats.get(process, 0.0)) > self.now() - SILENT

"""A review that is worked out while somebody looks on."""

from __future__ import annotations

import os
from collections.abc import Callable
from multiprocessing import active_children
from pathlib import Path
from threading import Thread

from gonfalon.core.record import Record
from gonfalon.review.files import Decided, Review, keep
from gonfalon.review.work import Counted, put_together, result_of, review, usual
from gonfalon.terminal.reviewed import so_far


class Left(Exception):
    """Nobody waits for the review any more."""


class Reviewing:
    """Reviews a record in a thread of its own, and keeps what comes of it."""

    def __init__(self, record: Record, path: Path, seats: list[int], seed: int, workers: int) -> None:
        self.record, self.path, self.seats, self.seed, self.workers = record, path, seats, seed, workers
        nothing = Counted(None, None, [], 0.0)
        self.empty = put_together(record, seats, result_of(record), seed, usual(record), [], nothing)
        self.decided: list[Decided] = []
        self.now: tuple[Review, tuple[int, int] | None] = (
            self.empty,
            (0, sum(at in seats for at, _ in record.decisions)),
        )
        """What has been found, and how many decisions have been judged, of how many; None when all is done."""
        self.failure: Exception | None = None
        self.left = False
        self.tell: Callable[[], None] = lambda: None

    def begin(self, tell: Callable[[], None]) -> None:
        """Set to work; `tell` hears of each decision, and of the end."""
        self.tell = tell
        Thread(target=self.run, daemon=True).start()

    def leave(self) -> None:
        """Nobody waits any more: what has been begun in other processes is not waited for either."""
        self.left = True
        for process in active_children():
            process.terminate()

    def run(self) -> None:
        """Do the work."""
        try:
            found = review(self.record, self.seats, self.seed, self.workers, self.heard)
            keep(self.path, found)
            self.now = found, None
        except Left:
            return
        except Exception as error:
            self.failure = None if self.left else error
        if not self.left:
            self.tell()

    def heard(self, number: int, count: int, decided: Decided) -> None:
        """A decision has been judged."""
        if self.left:
            raise Left
        self.decided.append(decided)
        self.now = so_far(self.empty, self.decided), (number, count)
        self.tell()


def ready_for_processes() -> None:
    """Start what watches over the processes that a review makes, while errors still have a place to go: a screen
    takes that away, and then it cannot be started any more."""
    if os.name != "nt":
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()

"""The log of a database that cannot be used: a line a minute, however many requests and tables meet the failure."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Lock
from typing import Final

logger: Final = logging.getLogger("gonfalon.table")
LINE_SECONDS: Final = 60.0
"""Seconds between two lines."""


class Outage:
    """Counts the failures of a database, and logs them. Threads may share it."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic: Callable[[], float] = monotonic
        self._lock: Lock = Lock()
        self.failures: int = 0
        """The failures of this outage; 0 while the database works."""
        self._began: float = 0.0
        self._line: float | None = None
        """When the last line was logged."""
        self._logged: bool = False
        """Whether this outage has been logged."""

    def fail(self, error: Exception) -> None:
        """Count a failure, and log it unless there was a line a moment ago."""
        with self._lock:
            now = self._monotonic()
            if not self.failures:
                self._began = now
            self.failures += 1
            if self._line is not None and now - self._line < LINE_SECONDS:
                return
            self._line, self._logged = now, True
            again = f" (failure {self.failures} in {now - self._began:.0f} s)" if self.failures > 1 else ""
        # Outside the lock, because a slow log must not hold up other threads.
        logger.error("%s%s", error, again)

    def end(self) -> None:
        """Log that the database works again, if it was logged that it does not."""
        # Every heartbeat calls this, so the usual case takes no lock.
        if not self.failures:
            return
        with self._lock:
            seconds, failures, logged = self._monotonic() - self._began, self.failures, self._logged
            self.failures, self._logged = 0, False
        if logged:
            logger.warning("The database works again after %.0f s and %s failures.", seconds, failures)

"""The time that a program has for an answer.

A program on a busy machine is not slow: it is late only if its process has worked for that time, or after a longer time
in any case.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from math import inf
from pathlib import Path
from time import monotonic
from typing import Final

CHECK_SECONDS: Final = 0.05
"""Time between two checks of a program that may be late."""


class Deadline:
    """The end of the time for an answer, which begins now.

    Args:
        seconds: The time for the answer.
        work_seconds: The time after which the answer is late if the process has worked for as long.
        work: Returns the seconds for which the process has worked.
        clock: Returns the time in seconds.
    """

    def __init__(
        self,
        seconds: float,
        work_seconds: float = inf,
        work: Callable[[], float] = monotonic,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.seconds = seconds
        self.work_seconds = work_seconds
        self.work = work
        self.clock = clock
        self.begin = clock()
        self.begin_work = work()

    def find_passed_limit(self) -> float | None:
        """Return the limit that has passed, in seconds; None before the deadline."""
        passed = self.clock() - self.begin
        if passed >= self.seconds:
            return self.seconds
        if passed >= self.work_seconds and self.work() - self.begin_work >= self.work_seconds:
            return self.work_seconds
        return None

    def count_seconds_left(self) -> float:
        """Return the seconds until the deadline must be checked."""
        passed = self.clock() - self.begin
        if passed < self.work_seconds:
            return max(0.0, min(self.work_seconds, self.seconds) - passed)
        return max(0.0, min(CHECK_SECONDS, self.seconds - passed))


def measure_work(pid: int) -> float:
    """Return the processor time of a process, in seconds.

    On a system that does not tell it, the process counts as working all the time.
    """
    try:
        # The name of the program, in parentheses, may contain anything.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError):
        return monotonic()

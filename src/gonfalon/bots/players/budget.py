"""Budgets of bots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Final

NO_LIMIT: Final = 1 << 60


@dataclass(frozen=True)
class Budget:
    """A number of iterations, for repeatable figures, or seconds of wall time, for people; with both, the first limit
    counts. `halt` is called now and then and stops the search when it returns True.

    A bot never exceeds its budget; one without search uses less. Each bot defines its iteration, which takes little
    time.
    """

    iterations: int | None = None
    seconds: float | None = None
    halt: Callable[[], bool] | None = None


class Clock:
    """A budget that is running. Raises ValueError for one that would never end."""

    __slots__ = ("limit", "until", "halt")

    def __init__(self, budget: Budget) -> None:
        if budget == Budget():
            raise ValueError("a budget without any limit")
        self.limit: int = NO_LIMIT if budget.iterations is None else budget.iterations
        self.until: float | None = None if budget.seconds is None else perf_counter() + budget.seconds
        self.halt: Callable[[], bool] | None = budget.halt

    def over(self, done: int) -> bool:
        """Return whether no further iteration may follow after this number."""
        if done >= self.limit:
            return True
        if self.until is not None and perf_counter() >= self.until:
            return True
        return self.halt is not None and self.halt()

    def run(self, attempt: Callable[[], int]) -> None:
        """Call a function repeatedly, at least once, until the budget is spent. Each call returns its number of
        iterations."""
        done = attempt()
        while not self.over(done):
            done += attempt()

"""How long a bot may think."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Final

NO_LIMIT: Final = 1 << 60


@dataclass(frozen=True)
class Budget:
    """Iterations, for figures that can be repeated, or seconds of the wall clock, for people; with
    both, what ends first. `halt` is asked now and then and ends the thinking at once when it is true.

    A bot takes no more than that; one that does not search takes less. What an iteration is, each bot
    says itself, but few of them take little time.
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
        """Whether after so many iterations there is to be no further one."""
        if done >= self.limit:
            return True
        if self.until is not None and perf_counter() >= self.until:
            return True
        return self.halt is not None and self.halt()

    def run(self, attempt: Callable[[], int], most: int = NO_LIMIT, done: int = 0) -> int:
        """Try something again and again, once at least, until the budget is spent or so many iterations are done. Each
        attempt says how many it took; how many there are in all, with those that were done before."""
        while True:
            done += attempt()
            if done >= most or self.over(done):
                return done

"""Adding up what was tried."""

from __future__ import annotations

from math import sqrt

from gonfalon.bots.players.choice import Alternative, Basis, Estimate, Reason, Z, ranked, within
from gonfalon.core.rules.state import Action


class Tally:
    """Chances to win that were found for one action, and margins of points, both by weight."""

    __slots__ = ("weight", "count", "total", "squares", "points")

    def __init__(self) -> None:
        self.weight: float = 0.0
        self.count: int = 0
        self.total: float = 0.0
        self.squares: float = 0.0
        self.points: float = 0.0

    def add(self, chance: float, points: float, weight: float = 1.0) -> None:
        self.count += 1
        self.weight += weight
        self.total += weight * chance
        self.squares += weight * chance * chance
        self.points += weight * points

    @property
    def mean(self) -> float:
        return self.total / self.weight if self.weight > 0.0 else 0.0

    @property
    def margin(self) -> float:
        return self.points / self.weight if self.weight > 0.0 else 0.0

    def estimate(self) -> Estimate:
        """The mean with its interval, which few tries leave wide."""
        mean = min(1.0, max(0.0, self.mean))
        variance = max(0.0, self.squares / self.weight - mean * mean) if self.weight > 0.0 else 0.25
        return within(mean, Z * sqrt((variance + 0.01) / (self.count + 1)))


def others(tallies: dict[Action, Tally], action: Action) -> tuple[Alternative, ...]:
    """The others with the highest chances."""
    count = sum(tally.count for tally in tallies.values()) or 1
    found = [
        Alternative(a, tally.estimate() if tally.count else None, tally.count / count)
        for a, tally in tallies.items()
        if a != action
    ]
    return ranked(found)


def weighed(tallies: dict[Action, Tally], action: Action, facts: list[tuple[str, float]], points: bool) -> Reason:
    """Why an action, against the highest chance beside it; with `points` it was chosen for its margin, which is then a
    fact as well."""
    beside = others(tallies, action)
    best = beside[0].value if beside else None
    value = tallies[action].estimate()
    if best is None or not tallies[action].count:
        return Reason(Basis.BETTER, None, tuple(facts))
    other = beside[0].action
    if points:
        facts = [*facts, ("points", tallies[action].margin), ("else", tallies[other].margin)]
    if best.value <= value.value:
        return Reason(Basis.BETTER, other, tuple(facts))
    return Reason(Basis.POINTS if points else Basis.SIGHT, other, tuple(facts))

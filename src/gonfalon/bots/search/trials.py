"""The common part of all searches: sampled worlds of a view, and the results of trials."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Final

from mypy_extensions import mypyc_attr

from gonfalon.bots.players.choice import Belief, Estimate, Z, within
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.search.weighted_choice import resampled
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import Seat, State

BATCH: Final = 32
"""Worlds that are dealt, weighed and thinned out together."""
ENOUGH: Final = 10
"""The number of trials from which a mean is reported."""


class Tally:
    """The chances to win that were found in the trials of one action."""

    __slots__ = ("count", "total", "squares")

    def __init__(self) -> None:
        self.count: int = 0
        self.total: float = 0.0
        self.squares: float = 0.0

    def add(self, value: float) -> None:
        """Add the result of a trial: a chance to win."""
        self.count += 1
        self.total += value
        self.squares += value * value

    def mean(self) -> float:
        """Return the mean of all trials."""
        return self.total / self.count if self.count else 0.0

    def variance(self) -> float:
        """Return the variance of single trials."""
        if not self.count:
            return 1.0
        mean = self.total / self.count
        # Rounding can make the difference slightly negative.
        return max(0.0, self.squares / self.count - mean * mean)

    def error(self) -> float:
        """Return the standard error of the mean."""
        return sqrt(self.variance() / max(1, self.count))

    def estimate(self) -> Estimate:
        """Return the mean with its interval, which is wide after few trials."""
        # A few equal results have no variance and are still not certain, so the error has a minimum.
        return within(self.mean(), Z * max(self.error(), 0.5 / (self.count + 1)))


@mypyc_attr(allow_interpreted_subclasses=True)
class WorldPool:
    """Worlds of one decision, dealt in batches, each kept as often as its weight says."""

    def __init__(self, sample: Callable[[Rng], State], rng: Rng, most: int, facets: int = 1) -> None:
        self.sample: Callable[[Rng], State] = sample
        self.rng: Rng = rng
        self.most: int = most  # different ones, about
        self.dealt: int = 0
        self.worlds: list[State] = []
        self.facet_of: list[int] = []  # each of them
        self.belief: list[float] = [0.0] * facets  # weight of all worlds dealt, by facet

    def weight(self, world: State) -> float:
        """Return how likely the others would have acted as they did in this world."""
        return 1.0

    def facet(self, world: State) -> int:
        """Return the case of the most important hidden fact that is true in a world."""
        return 0

    def fresh(self) -> State:
        """Return a new world of the view, without a log."""
        world = self.sample(self.rng)
        world.log = None
        return world

    def deal(self) -> None:
        """Deal a batch of worlds and thin it out."""
        worlds: list[State] = []
        weights: list[float] = []
        facets: list[int] = []
        for _ in range(BATCH):
            world = self.fresh()
            weight = self.weight(world)
            facet = self.facet(world)
            self.belief[facet] += weight
            worlds.append(world)
            weights.append(weight)
            facets.append(facet)
        self.dealt += BATCH
        for i in resampled(weights, self.rng):
            self.worlds.append(worlds[i])
            self.facet_of.append(facets[i])

    def place(self, number: int) -> int:
        """Return the index of the world for the trial of this number. After `most` deals the worlds are used again."""
        if number >= len(self.worlds) and self.dealt < self.most:
            self.deal()
        return number % len(self.worlds)


@mypyc_attr(allow_interpreted_subclasses=True)
class Trials(WorldPool):
    """The worlds of one decision, weighted and classified by a heuristic, and the results of beginning with each
    action."""

    def __init__(
        self, view: State, sample: Callable[[Rng], State], heuristic: Heuristic, rng: Rng, infers: bool, most: int
    ) -> None:
        super().__init__(sample, rng, most, heuristic.facets())
        self.view: State = view
        self.me: Seat = view.viewer
        self.heuristic: Heuristic = heuristic
        self.infers: bool = infers  # worlds come as often as they explain what the others have done

    def weight(self, world: State) -> float:
        return self.heuristic.likelihood(world) if self.infers else 1.0

    def facet(self, world: State) -> int:
        return self.heuristic.facet(world)

    # ---- reports ----------------------------------------------------------------------------------

    def beliefs(self) -> tuple[Belief, ...]:
        """Return how likely each case of the hidden fact is: as the heuristic computes it, or by the worlds that were
        sampled and their likelihoods."""
        if len(self.belief) < 2:
            return self.heuristic.beliefs(self.view)
        return believed(self.heuristic, self.heuristic.chances(self.view) or self.belief)


def believed(heuristic: Heuristic, weights: list[float]) -> tuple[Belief, ...]:
    """Return the reported belief from the weights of the cases; cases without weight are left out."""
    total = sum(weights)
    if total <= 0.0:
        return ()
    found = [(heuristic.case(i), weight / total) for i, weight in enumerate(weights) if weight > 0.0]
    found.sort(key=lambda entry: (-entry[1], entry[0]))
    return (Belief(heuristic.about(), tuple(found)),)

"""The answer of a bot: an action and its reasons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gonfalon.core.rules.state import Action

Z: Final = 1.959964  # of a 95 % interval
OTHERS: Final = 3
"""The number of reported alternatives."""


@dataclass(frozen=True)
class Estimate:
    """A chance to win, from 0 to 1, with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Alternative:
    """An action that was weighed: the chance to win with it, None where it was tried too seldom to have
    one, and the share of the thinking that it got."""

    action: Action
    value: Estimate | None
    share: float


@dataclass(frozen=True)
class Belief:
    """A belief about one hidden fact: `about` names it ("their Location Card"), `likely` lists its cases with their
    probabilities, the likeliest first."""

    about: str
    likely: tuple[tuple[str, float], ...]


class Basis(StrEnum):
    """The reason for an action against its alternatives."""

    RULE = "rule"
    """A rule of thumb, which weighs without trying out; or there was nothing to decide."""
    BETTER = "better"
    """It has the highest reported chance."""
    LEARNT = "learnt"
    """An alternative has a higher chance, by too little to outweigh the network's stronger preference for
    this action."""
    TRIED = "tried"
    """An alternative has a higher chance, but was tried less."""
    MIXED = "mixed"
    """It was drawn from a mixed policy, so that opponents cannot foresee it."""
    SAFE = "safe"
    """An alternative has a higher chance, but does worse once it is foreseen."""
    HABIT = "habit"
    """Nothing was tried out: in the games that the bot has learnt in this was right, nearly always."""
    SIGHT = "sight"
    """An alternative has a higher chance, by too little to outweigh the better first sight of this action."""
    NOISE = "noise"
    """An alternative has a higher chance; the level does not always play the best action that it finds."""
    POINTS = "points"
    """An alternative has a higher chance; the points decided."""


@dataclass(frozen=True)
class Reason:
    """The facts from which the sentence about a choice is made, with the reported chances."""

    basis: Basis
    other: Action | None = None
    """The alternative with the highest chance, if any is reported."""
    facts: tuple[tuple[str, float], ...] = ()
    """More that decided, by name: numbers of the game, shares of the policy, how often something was tried."""

    def fact(self, name: str) -> float:
        """A number by its name. Raises KeyError."""
        return dict(self.facts)[name]


@dataclass(frozen=True)
class Choice:
    """A bot's answer. `why` is the main reason as a sentence, made from `reason` when a bot gives that instead
    (`Bot.words`); a bot that weighs nothing leaves the rest empty.

    All of it follows from the view, the budget in iterations and the stream of chance, and from nothing
    else: two of these are equal wherever these three are. So nothing in it may be a time.
    """

    action: Action
    why: str = ""
    value: Estimate | None = None
    """The chance to win with this action."""
    policy: tuple[tuple[Action, float], ...] = ()
    """The probability of each action; they add up to 1."""
    alternatives: tuple[Alternative, ...] = ()
    """Others that were weighed, the highest chance first, then those without one."""
    beliefs: tuple[Belief, ...] = ()
    otherwise: str = ""
    """The case in which it would have chosen another action, as a sentence."""
    iterations: int = 0
    worlds: int = 0
    """The number of worlds that were looked at."""
    reason: Reason | None = None

    def chance(self, action: Action) -> Estimate | None:
        """Return the reported win chance of an action."""
        if action == self.action:
            return self.value
        return next((other.value for other in self.alternatives if other.action == action), None)


def within(mean: float, half: float) -> Estimate:
    """A mean chance to win, with an interval that goes so far to either side."""
    return Estimate(round(mean, 4), round(max(0.0, mean - half), 4), round(min(1.0, mean + half), 4))


def ranked(others: Iterable[Alternative]) -> tuple[Alternative, ...]:
    """Return the alternatives that a choice reports, the highest chance first."""
    order = sorted(others, key=lambda a: (a.value is None, -a.value.value if a.value else 0.0, -a.share, a.action))
    return tuple(order[:OTHERS])

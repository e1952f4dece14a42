"""What a bot answers: an action, and how it came to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gonfalon.core.rules.state import Action

Z: Final = 1.959964  # of a 95 % interval
OTHERS: Final = 3
"""How many actions are told beside the one that is chosen."""


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
    """What a bot thinks of one hidden fact: `about` names it ("their Location Card"), `likely` gives
    what it may be, each with its chance, the likeliest first."""

    about: str
    likely: tuple[tuple[str, float], ...]


class Basis(StrEnum):
    """What decided between an action and those that were weighed beside it."""

    RULE = "rule"
    """A rule of thumb, which weighs without trying out; or there was nothing to decide."""
    BETTER = "better"
    """No chance told beside it is higher."""
    LEARNT = "learnt"
    """A higher chance stands beside it, by too little to outweigh how much more often this one was right in the games
    that the bot has learnt in."""
    TRIED = "tried"
    """A higher chance stands beside it, of an action that was tried less: it fell back, or was never taken to."""
    MIXED = "mixed"
    """It was drawn by lot from the policy, so that nobody can foresee it."""
    SAFE = "safe"
    """A higher chance stands beside it, of an action that does worse once it is foreseen."""
    HABIT = "habit"
    """Nothing was tried out: in the games that the bot has learnt in this was right, nearly always."""
    SIGHT = "sight"
    """A higher chance stands beside it, by too little to outweigh how much better this one looks at first sight."""
    NOISE = "noise"
    """A higher chance stands beside it; the level does not always play the best that it finds."""
    POINTS = "points"
    """A higher chance stands beside it; it was the points that decided."""


@dataclass(frozen=True)
class Reason:
    """Why an action: what the sentence is made from, with the chances that stand beside it."""

    basis: Basis
    other: Action | None = None
    """What it was weighed against: the highest chance beside it, if any is told."""
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
    """How often it would choose each action in this place; the chances add up to 1."""
    alternatives: tuple[Alternative, ...] = ()
    """Others that were weighed, the highest chance first, then those without one."""
    beliefs: tuple[Belief, ...] = ()
    otherwise: str = ""
    """When it would have chosen another action, as a sentence."""
    iterations: int = 0
    worlds: int = 0
    """How many worlds it has looked at."""
    reason: Reason | None = None

    def chance(self, action: Action) -> Estimate | None:
        """The chance to win that is told with an action."""
        if action == self.action:
            return self.value
        return next((other.value for other in self.alternatives if other.action == action), None)


def within(mean: float, half: float) -> Estimate:
    """A mean chance to win, with an interval that goes so far to either side."""
    return Estimate(round(mean, 4), round(max(0.0, mean - half), 4), round(min(1.0, mean + half), 4))


def ranked(others: Iterable[Alternative]) -> tuple[Alternative, ...]:
    """As many of them as a choice tells, the highest chance first."""
    order = sorted(others, key=lambda a: (a.value is None, -a.value.value if a.value else 0.0, -a.share, a.action))
    return tuple(order[:OTHERS])

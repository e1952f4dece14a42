"""The answer of a bot: an action and its reasons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from gonfalon.core.rules.state import Action
from gonfalon.core.text.english import many

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
    """An action that was considered: the chance to win with it, and its share of the thinking.

    The chance is None if the action was tried too rarely.
    """

    action: Action
    value: Estimate | None
    share: float


@dataclass(frozen=True)
class Belief:
    """A belief about one hidden fact: `about` names it ("their Location Card"), `likely` lists its cases with their
    probabilities, the likeliest first."""

    about: str
    likely: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Fact:
    """A number of the position, or the chances of two actions. Pages show the facts of a reason as a table."""

    subject: str
    """The card, place, player or action, by the name that the view shows."""
    quantity: str
    """The meaning of the number, such as "Strength"."""
    value: int
    other: str = ""
    """The subject that it is compared with; empty if it is compared with nothing, or with the same subject's `than`."""
    than: int | None = None
    """The compared number."""
    is_counted: bool = False
    """Whether the number was counted for the reason, so that the board does not show it."""

    @property
    def amount(self) -> str:
        """The number with its meaning: `1 point now`."""
        noun, _, rest = self.quantity.partition(" ")
        return " ".join(filter(None, [many(self.value, noun.removesuffix("s")), rest]))


class Fault(StrEnum):
    """The reason why a program lost its move, which was then drawn at random from the legal actions."""

    CRASHED = "crashed"
    """It raised an error, or its process or connection ended."""
    SLOW = "slow"
    """It did not answer in time."""
    UNREADABLE = "unreadable"
    """Its answer was not a choice."""
    ILLEGAL = "illegal"
    """Its action was not legal."""
    TOO_LONG = "too long"
    """Its answer was longer than allowed."""
    STOPPED = "stopped"
    """Its process had been stopped too often in this game."""


@dataclass(frozen=True)
class Choice:
    """A bot's answer. `why` is the reason in at most two sentences; if a bot leaves it empty, it is made from facts
    (`Bot.explain`). A bot that compares no actions fills in nothing else.

    A choice follows from the view, the budget in iterations and the stream of chance alone: if these three are equal,
    so are the choices. It must therefore contain no times.
    """

    action: Action
    why: str = ""
    value: Estimate | None = None
    """The chance to win with this action."""
    policy: tuple[tuple[Action, float], ...] = ()
    """The probability of each action; they add up to 1."""
    alternatives: tuple[Alternative, ...] = ()
    """Other actions that were considered: those with a chance, highest first, then those without one."""
    beliefs: tuple[Belief, ...] = ()
    otherwise: str = ""
    """The case in which it would have chosen another action, as a sentence."""
    iterations: int = 0
    worlds: int = 0
    """The number of worlds that were searched."""
    reason: tuple[Fact, ...] = ()
    """The facts of which `why` is made: all its numbers are theirs."""
    fault: Fault | None = None
    """The reason why the move was drawn for a program instead of chosen by it."""
    detail: str = ""
    """The fault in the program's own words, for its author. It may quote a hidden card, so it is neither stored with
    the move nor shown to players."""

    def chance(self, action: Action) -> Estimate | None:
        """Return the reported win chance of an action."""
        if action == self.action:
            return self.value
        return next((other.value for other in self.alternatives if other.action == action), None)

    def hold_alternatives(self) -> Choice:
        """Return the choice with no better chance for an action that the policy does not prefer to it: that chance is
        luck of the worlds, and becomes an equal one in a wide interval."""
        shares, value, held = dict(self.policy), self.value, []
        for other in self.alternatives:
            found, is_below = other.value, shares.get(other.action, 1.0) <= shares.get(self.action, 0.0)
            if is_below and value and found and found.value > value.value:
                other = replace(other, value=Estimate(value.value, min(found.low, value.value), found.high))
            held.append(other)
        return replace(self, alternatives=tuple(held))


def within(mean: float, half: float) -> Estimate:
    """Return a mean chance to win with an interval that extends by `half` to either side."""
    return Estimate(round(mean, 4), round(max(0.0, mean - half), 4), round(min(1.0, mean + half), 4))


def ranked(others: Iterable[Alternative]) -> tuple[Alternative, ...]:
    """Return the alternatives that a choice reports, the highest chance first."""
    order = sorted(others, key=lambda a: (a.value is None, -a.value.value if a.value else 0.0, -a.share, a.action))
    return tuple(order[:OTHERS])

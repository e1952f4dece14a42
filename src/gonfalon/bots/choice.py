"""What a bot answers: an action, and how it came to it."""

from __future__ import annotations

from dataclasses import dataclass

from gonfalon.core.state import Action


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


@dataclass(frozen=True)
class Choice:
    """A bot's answer. `why` is the main reason as a sentence; a bot that weighs nothing leaves the rest
    empty.

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
    """The next best actions, best first."""
    beliefs: tuple[Belief, ...] = ()
    otherwise: str = ""
    """When it would have chosen another action, as a sentence."""
    iterations: int = 0
    worlds: int = 0
    """How many worlds it has looked at."""

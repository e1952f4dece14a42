"""The messages between a table and a program's process: a line of JSON each.

The table sends these messages, and each gets one answer:

    {"start": "mine:Bot", "path": [...]}                             the notation, and the places of modules
    {"make": 0, "game": "feint", "options": {...}}                   makes bot number 0 for a game
    {"choose": 0, "view": {...}, "seed": 4711, "iterations": null, "seconds": null}
                                                                     asks bot number 0

A view is that of the state codec. The answers are `{"started": true}`, `{"made": 0, "mixed": false, "source": HASH}`,
`{"choice": {...}}` with the fields of a `Choice`, or `{"fault": FAULT, "detail": TEXT}`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final, TypeAlias

from gonfalon.bots.outside import messages
from gonfalon.bots.outside.faults import FaultError
from gonfalon.bots.players.choice import Choice, Estimate, Fault
from gonfalon.bots.players.thoughts import build_choice
from gonfalon.core.rules.state import Action

Message: TypeAlias = dict[str, Any]
"""A message as JSON."""
MAX_TEXT: Final = 500
"""Maximum number of characters of a sentence in an answer."""
MAX_ITEMS: Final = 8
"""Maximum number of alternatives, of beliefs, and of the cases of one belief."""
UNTRAINED: Final = "untrained"
"""Fault of a bot that does not play a configuration of a game."""


def read_choice(body: Message, legal: Collection[Action]) -> Choice:
    """Return the choice of a program's answer.

    Raises:
        FaultError: The answer is a fault, is not a choice, or its action is illegal.
    """
    if "fault" in body:
        known = body["fault"] in (Fault.CRASHED, Fault.UNREADABLE, Fault.ILLEGAL)
        raise FaultError(Fault(body["fault"]) if known else Fault.UNREADABLE, str(body.get("detail", "")))
    part = ""
    try:
        choice = build_choice(body["choice"])
        part = find_unsound_part(choice, frozenset(legal))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise FaultError(Fault.UNREADABLE, messages.BAD_PART.format(part="a field")) from None
    if part:
        raise FaultError(Fault.UNREADABLE, messages.BAD_PART.format(part=part))
    if choice.action not in legal:
        raise FaultError(Fault.ILLEGAL)
    return choice


def find_unsound_part(choice: Choice, legal: frozenset[Action]) -> str:
    """Return the first part of a choice with a wrong type or size, or about an illegal action; empty if there is none.

    The action itself may be illegal, which is another fault.
    """
    others = choice.alternatives
    sound: dict[str, Callable[[], bool]] = {
        "action": lambda: type(choice.action) is int,
        "reason": lambda: not choice.reason,
        "fault": lambda: choice.fault is None,
        "why": lambda: is_text(choice.why),
        "otherwise": lambda: is_text(choice.otherwise),
        "iterations": lambda: is_count(choice.iterations),
        "worlds": lambda: is_count(choice.worlds),
        "value": lambda: is_estimate(choice.value),
        "alternatives": lambda: (
            len(others) <= MAX_ITEMS
            and all(other.action in legal and is_share(other.share) and is_estimate(other.value) for other in others)
        ),
        "policy": lambda: (
            len(choice.policy) <= len(legal)
            and all(action in legal and is_share(share) for action, share in choice.policy)
        ),
        "beliefs": lambda: (
            len(choice.beliefs) <= MAX_ITEMS
            and all(is_text(belief.about) and are_cases(belief.likely) for belief in choice.beliefs)
        ),
    }
    return next((part for part, check in sound.items() if not check()), "")


def is_count(value: object) -> bool:
    """Return whether a value is a whole number from 0."""
    return type(value) is int and value >= 0


def is_text(value: object) -> bool:
    """Return whether a value is a text of a tolerable length."""
    return isinstance(value, str) and len(value) <= MAX_TEXT


def is_share(value: object) -> bool:
    """Return whether a value is a number from 0 to 1."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def is_estimate(value: Estimate | None) -> bool:
    """Return whether a value is a chance with its interval, or None."""
    return value is None or all(is_share(number) for number in (value.value, value.low, value.high))


def are_cases(cases: tuple[tuple[object, object], ...]) -> bool:
    """Return whether values are the cases of a belief with their probabilities."""
    return len(cases) <= MAX_ITEMS and all(is_text(text) and is_share(share) for text, share in cases)

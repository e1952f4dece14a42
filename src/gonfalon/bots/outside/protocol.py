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

from collections.abc import Collection
from typing import Any, Final, TypeAlias

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
    try:
        choice = build_choice(body["choice"])
        sound = is_sound(choice, frozenset(legal))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        sound = False
        choice = Choice(0)
    if not sound:
        raise FaultError(Fault.UNREADABLE)
    if choice.action not in legal:
        raise FaultError(Fault.ILLEGAL)
    return choice


def is_sound(choice: Choice, legal: frozenset[Action]) -> bool:
    """Return whether all parts of a choice have their types and sizes, and are about legal actions."""
    others = choice.alternatives
    return (
        type(choice.action) is int
        and choice.reason is None
        and choice.fault is None
        and all(is_text(text) for text in (choice.why, choice.otherwise))
        and all(type(number) is int and number >= 0 for number in (choice.iterations, choice.worlds))
        and is_estimate(choice.value)
        and len(others) <= MAX_ITEMS
        and all(other.action in legal and is_share(other.share) and is_estimate(other.value) for other in others)
        and len(choice.policy) <= len(legal)
        and all(action in legal and is_share(share) for action, share in choice.policy)
        and len(choice.beliefs) <= MAX_ITEMS
        and all(is_text(belief.about) and are_cases(belief.likely) for belief in choice.beliefs)
    )


def is_text(value: object) -> bool:
    """Return whether a value is a text of a tolerable length."""
    return isinstance(value, str) and len(value) <= MAX_TEXT


def is_share(value: object) -> bool:
    """Return whether a value is a number from 0 to 1."""
    return type(value) in (int, float) and 0 <= value <= 1  # type: ignore[operator]


def is_estimate(value: Estimate | None) -> bool:
    """Return whether a value is a chance with its interval, or None."""
    return value is None or all(is_share(number) for number in (value.value, value.low, value.high))


def are_cases(cases: tuple[tuple[object, object], ...]) -> bool:
    """Return whether values are the cases of a belief with their probabilities."""
    return len(cases) <= MAX_ITEMS and all(is_text(text) and is_share(share) for text, share in cases)

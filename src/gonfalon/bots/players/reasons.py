"""The reasons of bots: sentences that are made of facts alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

from gonfalon.bots.players import messages
from gonfalon.bots.players.choice import Choice, Fact
from gonfalon.core.rules.state import Action, State
from gonfalon.core.rules.words import Words

Named: TypeAlias = Callable[[Action], str]
"""Returns an action as a noun for the middle of a sentence: “pass”, “Ox at 3”."""
CLEAR_POINTS: Final = 3
"""Smallest difference of two chances in percentage points that a reason names."""


class Reason(NamedTuple):
    """A sentence, and the facts that it is made of."""

    sentence: str
    facts: tuple[Fact, ...]


def tell(pattern: str, *facts: Fact, **names: str) -> Reason:
    """Return the reason with a sentence that names facts by their positions: `{0.subject} has {0.value} points.`

    Args:
        pattern: The sentence.
        facts: The facts.
        names: Further names in the sentence.
    """
    return Reason(pattern.format(*facts, **names), facts)


def explain(choice: Choice, reasons: Sequence[Reason], named: Named, plain: str) -> Choice:
    """Return a choice with at most two sentences and their facts.

    Args:
        choice: The choice.
        reasons: The reasons for its action, the weightiest first.
        named: Names the next best action.
        plain: The action in a sentence, which is used if no reason can be found.
    """
    compared = compare_chances(choice, named)
    found = [*reasons[:1], *([compared] if compared else reasons[1:2])]
    why = " ".join(reason.sentence for reason in found) or plain
    return replace(choice, why=why, reason=tuple(fact for reason in found for fact in reason.facts))


def compare_chances(choice: Choice, named: Named) -> Reason | None:
    """Return the comparison with the alternative that has the highest chance of those that were tried enough; None
    unless the action is clearly ahead of it."""
    mine = choice.value
    if mine is None or not choice.alternatives or choice.alternatives[0].value is None:
        return None
    action, theirs = choice.alternatives[0].action, choice.alternatives[0].value
    value, than = round(100 * mine.value), round(100 * theirs.value)
    if value < than + CLEAR_POINTS or mine.low <= theirs.value or theirs.high >= mine.value:
        return None
    return tell(messages.WINS_LESS, Fact(named(choice.action), messages.CHANCE, value, capital(named(action)), than))


def percent(p: float) -> str:
    """Return a chance in percent: `40 %`."""
    return f"{100 * p:.0f} %"


def capital(text: str) -> str:
    """Return a phrase with a capital first letter, for the beginning of a sentence."""
    quoted = text.startswith("“")
    return text[: 1 + quoted].upper() + text[1 + quoted :]


def described(game: Words, view: State, action: Action) -> str:
    """Return an action as a noun: the game's description in quotes."""
    text = game.describe(view, action).partition(". ")[0].rstrip(".")
    return f"“{text[:1].lower()}{text[1:]}”" if text[1:2].islower() or text[1:2] == " " else f"“{text}”"

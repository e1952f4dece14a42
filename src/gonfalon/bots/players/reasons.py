"""The reasons of bots: sentences that are made of facts alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from gonfalon.bots.players import messages
from gonfalon.bots.players.choice import Choice, Fact
from gonfalon.core.rules.state import Action, State
from gonfalon.core.rules.words import Words

MAX_REASONS: Final = 2


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


def is_alike(choice: Choice, other: Action) -> bool:
    """Return whether the chances of a choice and of another action, in whole percent, differ by at most one point."""
    found = [round(100 * one.value) for one in (choice.value, choice.chance(other)) if one is not None]
    return len(found) == 2 and abs(found[0] - found[1]) <= 1


def quote(card: str, text: str) -> Reason:
    """Return the printed text of a card as a reason, without facts."""
    return tell(messages.CARD_TEXT, card=card, text=text)


def explain(choice: Choice, reasons: Sequence[Reason], plain: str) -> Choice:
    """Return a choice with at most two sentences and their facts.

    Args:
        choice: The choice.
        reasons: The reasons for its action, the weightiest first.
        plain: The action in a sentence, which is used if no reason can be found.
    """
    found = reasons[:MAX_REASONS]
    why = " ".join(reason.sentence for reason in found) or plain
    return replace(choice, why=why, reason=tuple(fact for reason in found for fact in reason.facts))


def percent(p: float) -> str:
    """Return a chance in percent: `40 %`."""
    return f"{100 * p:.0f} %"


def described(game: Words, view: State, action: Action) -> str:
    """Return an action as a noun: the game's description in quotes."""
    text = game.describe(view, action).partition(". ")[0].rstrip(".")
    return f"“{text[:1].lower()}{text[1:]}”" if text[1:2].islower() or text[1:2] == " " else f"“{text}”"

"""The reasons of bots as sentences for people, made from a `Reason` and the reported chances alone.

If no alternative has a higher chance (`Basis.BETTER`), a game may say more.
"""

from __future__ import annotations

from collections.abc import Callable

from gonfalon.bots.players.choice import Basis, Choice
from gonfalon.core.rules.state import Action, State
from gonfalon.core.rules.words import Words
from gonfalon.core.text.english import many

Named = Callable[[Action], str]
"""Returns an action as a noun for the middle of a sentence: “passing”, “Ox at 3”."""


def sentence(choice: Choice, named: Named) -> str:
    """Return the reason for a choice as a sentence; empty if the choice has none."""
    reason = choice.reason
    if reason is None:
        return ""
    one = named(choice.action)
    if reason.basis == Basis.HABIT:
        habit = f"after many games I choose {one} in positions like this {often(reason.fact('share'))}"
        if reason.other is None:
            return f"{capital(habit)}."
        return f"{capital(named(reason.other))} came out higher in a few tries{against(choice)}, but {habit}."
    if reason.basis == Basis.MIXED:
        told = f"I vary what I do here, so that nobody can read me: {one} {often(reason.fact('share'))}."
        if reason.other is None or not higher(choice):
            return told
        return f"{told} If the others play as I expect, {named(reason.other)} would do better{against(choice)}."
    if reason.other is None:
        return f"Of all that I tried, {one} did best."
    two = named(reason.other)
    if reason.basis == Basis.BETTER:
        return f"Of all that I tried, {one} did best, and {two} came next{against(choice)}."
    told = f"{capital(two)} came out {'as high' if level(choice) else 'higher'}{against(choice)}"
    if reason.basis == Basis.LEARNT:
        return (
            f"{told}, but many games have taught me otherwise: in positions like this I choose {one} "
            f"{often(reason.fact('share'))} and {two} {often(reason.fact('else'))}."
        )
    if reason.basis == Basis.TRIED:
        tries, fewer = round(reason.fact("tries")), round(reason.fact("else"))
        return f"{told}, but I tried it only {many(fewer, 'time')}, against {many(tries, 'time')} for {one}."
    if reason.basis == Basis.SIGHT:
        return f"{told}, but the difference is small, and {one} looks better at first sight."
    if reason.basis == Basis.NOISE:
        return f"{told}, but at my level I do not always play the best that I find."
    if reason.basis == Basis.POINTS:
        return f"{told}, but {one} brings more points ({points(reason.fact('points'), reason.fact('else'))})."
    return f"{told} if the others play as I expect, but it does worse than {one} if they foresee it."


def against(choice: Choice) -> str:
    """Return the reported chances of a choice and of its alternative, the higher one first; empty if one has none."""
    if choice.reason is None or choice.reason.other is None or choice.value is None:
        return ""
    other = choice.chance(choice.reason.other)
    if other is None:
        return ""
    high, low = max(choice.value.value, other.value), min(choice.value.value, other.value)
    return f" ({percent(high)} to win both)" if level(choice) else f" ({percent(high)} to win, against {percent(low)})"


def level(choice: Choice) -> bool:
    """Return whether a choice and its alternative have equal reported chances."""
    if choice.reason is None or choice.reason.other is None or choice.value is None:
        return False
    other = choice.chance(choice.reason.other)
    # Chances are compared as printed, so that two equal percentages are never called different.
    return other is not None and percent(other.value) == percent(choice.value.value)


def higher(choice: Choice) -> bool:
    """Return whether the alternative has the higher reported chance."""
    if choice.reason is None or choice.reason.other is None or choice.value is None:
        return False
    other = choice.chance(choice.reason.other)
    return other is not None and other.value > choice.value.value


def points(mine: float, other: float) -> str:
    """Return two leads in points, for comparison."""
    return f"{mine:+.1f} against {other:+.1f}"


def often(share: float) -> str:
    """Return a share in words: `40 % of the time`."""
    # A rounded 0 % would claim that it never happens.
    return "less than 1 % of the time" if share < 0.005 else f"{percent(share)} of the time"


def percent(p: float) -> str:
    """Return a chance in percent: `40 %`."""
    return f"{100 * p:.0f} %"


def capital(text: str) -> str:
    """Return a phrase with a capital first letter, for the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def described(game: Words, view: State, action: Action) -> str:
    """Return an action as a noun: the game's description in quotes."""
    text = game.describe(view, action).rstrip(".")
    return f"“{text[:1].lower()}{text[1:]}”" if text[1:2].islower() or text[1:2] == " " else f"“{text}”"

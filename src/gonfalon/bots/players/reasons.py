"""The reasons of bots as sentences for people, made from a `Reason` and the reported chances alone.

If no alternative has a higher chance (`Basis.BETTER`), a game may say more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gonfalon.bots.players import messages
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
    move, basis = capital(named(choice.action).strip("“”")), reason.basis
    facts = dict(reason.facts)
    chances, share = against(choice), often(facts.get("share", 0.0))
    if reason.other is None:
        if basis in (Basis.HABIT, Basis.MIXED):
            return (messages.HABIT if basis == Basis.HABIT else messages.MIXED).format(move=move, share=share)
        return messages.ONLY.format(move=move)
    other = capital(named(reason.other))
    if basis == Basis.HABIT:
        return messages.HABIT_OVER.format(move=move, share=share, other=other, chances=chances)
    if basis == Basis.MIXED and not higher(choice):
        return messages.MIXED.format(move=move, share=share)
    if basis == Basis.MIXED:
        return messages.MIXED_OVER.format(move=move, share=share, other=other, chances=chances)
    if basis == Basis.BETTER:
        return messages.BETTER.format(move=move, other=other, chances=chances)
    rank = messages.AS_HIGH if level(choice) else messages.HIGHER
    words = {"move": move, "other": other, "rank": rank, "chances": chances, "share": share}
    if basis == Basis.LEARNT:
        words["less"] = often(facts["else"])
    elif basis == Basis.TRIED:
        words["more"] = many(round(facts["tries"]), "time")
        words["fewer"] = many(round(facts["else"]), "time")
    elif basis == Basis.POINTS:
        words["points"], words["fewer"] = f"{facts['points']:+.1f}", f"{facts['else']:+.1f}"
    return SENTENCES[basis].format(**words)


SENTENCES: Final = {
    Basis.LEARNT: messages.LEARNT,
    Basis.TRIED: messages.TRIED,
    Basis.SIGHT: messages.AT_SIGHT,
    Basis.NOISE: messages.NOISE,
    Basis.POINTS: messages.POINTS,
    Basis.SAFE: messages.SAFE,
}
"""The sentence for a choice beside a higher chance, by its reason."""


def against(choice: Choice) -> str:
    """Return the reported chances of a choice and of its alternative, the higher one first; empty if one has none."""
    if choice.reason is None or choice.reason.other is None or choice.value is None:
        return ""
    other = choice.chance(choice.reason.other)
    if other is None:
        return ""
    high, low = max(choice.value.value, other.value), min(choice.value.value, other.value)
    if level(choice):
        return messages.CHANCE.format(chance=percent(high))
    return messages.CHANCES.format(high=percent(high), low=percent(low))


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


def often(share: float) -> str:
    """Return a share in words: `40 % of the time`."""
    # A rounded 0 % would claim that it never happens.
    return messages.RARELY if share < 0.005 else messages.OFTEN.format(share=percent(share))


def percent(p: float) -> str:
    """Return a chance in percent: `40 %`."""
    return f"{100 * p:.0f} %"


def capital(text: str) -> str:
    """Return a phrase with a capital first letter, for the beginning of a sentence."""
    quoted = text.startswith("“")
    return text[: 1 + quoted].upper() + text[1 + quoted :]


def described(game: Words, view: State, action: Action) -> str:
    """Return an action as a noun: the game's description in quotes."""
    text = game.describe(view, action).rstrip(".")
    return f"“{text[:1].lower()}{text[1:]}”" if text[1:2].islower() or text[1:2] == " " else f"“{text}”"

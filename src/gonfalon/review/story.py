"""The decisions that mattered, in words, and what they come to."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.players.reasons import percent
from gonfalon.core.rules.state import Seat
from gonfalon.core.text.english import many
from gonfalon.review.files import Believed, Case, Decided, Sums, Turning
from gonfalon.review.judging.judging import MARKS

MOST: Final = 3
CASES: Final = 4
"""So many cases of what was hidden are named."""
ROUNDED: Final = 0.005
"""What is less would be told as 0 %."""
LEAST: Final = MARKS[-1][0]
"""A loss that is not certain is told from so much on."""


def turning_points(decided: list[Decided], seat: Seat, sure: bool = True) -> list[Turning]:
    """The three marked decisions in which a seat lost most, in the order of the game; with how sure that is, or
    without."""
    marked = [one for one in decided if one["seat"] == seat and one["mark"]]
    worst = sorted(marked, key=lambda one: (-(one["low"] or 0.0), one["at"]))[:MOST]
    return [
        {"at": one["at"], "seat": seat, "text": told(one, sure)} for one in sorted(worst, key=lambda one: one["at"])
    ]


def uncertain(decided: list[Decided], seat: Seat) -> list[Decided]:
    """The decisions without a mark that most likely lost something, in the order of the game: with the marked ones that
    are told three of them."""
    own = [one for one in decided if one["seat"] == seat]
    left = MOST - min(MOST, sum(bool(one["mark"]) for one in own))
    some = sorted((one for one in own if may_have_lost(one)), key=lambda one: (-likelihood(one), one["at"]))[:left]
    return sorted(some, key=lambda one: one["at"])


def may_have_lost(one: Decided) -> bool:
    """Whether a decision is expected to have lost something, though less is certain than a mark asks for. What the
    second referee was asked about and did not confirm is not among them."""
    return not one["mark"] and one["referee"] is None and (one["loss"] or 0.0) >= LEAST


def likelihood(one: Decided) -> float:
    """The more, the likelier it is that something was lost: the loss in halves of its interval."""
    loss, low = one["loss"] or 0.0, one["low"] or 0.0
    return loss / max(loss - low, 1e-9)


def perhaps(one: Decided, sure: bool) -> str:
    """A decision that may have lost something, in words."""
    return f"{one['text']} {expected(one, sure)} {perhaps_rather(one)}"


def expected(one: Decided, sure: bool) -> str:
    """What a decision may have lost, as a sentence."""
    return f"Expected loss: {lost(one, sure)} of the chance to win."


def perhaps_rather(one: Decided) -> str:
    """What may have been better, with both chances, and why."""
    value = round(100 * (one["value"] or 0.0))
    text = f"Perhaps better: {one['better']} With it the chance to win is put at {value + points(one)} %, "
    return f"{text}with what was chosen at {value} %. {one['why']}".rstrip()


def told(one: Decided, sure: bool) -> str:
    """A decision that lost something, in words."""
    return f"{one['text']} This gave away {lost(one, sure)} of the chance to win. {rather(one)}"


def rather(one: Decided) -> str:
    """What would have been better, with both chances, and why."""
    text = f"Better: {one['better']} {chances(one)}"
    return f"{text} {one['why']}" if one["why"] else text


def chances(one: Decided) -> str:
    """The chances to win with the better answer and with the one that was chosen, which differ by what is told as
    lost."""
    value = round(100 * (one["value"] or 0.0))
    return f"The chance to win was {value + points(one)} % with it, and {value} % with what was chosen."


def points(one: Decided) -> int:
    """What was lost, in percentage points."""
    return round(100 * (one["loss"] or 0.0))


def gained(change: float) -> str:
    """A change of a chance, "+7 points"."""
    count = round(100 * change)
    return f"{count:+} {'point' if abs(count) == 1 else 'points'}"


def lost(one: Decided, sure: bool = True) -> str:
    """A loss with its interval, "7 points (4 to 10)", or without."""
    count = many(points(one), "point")
    return f"{count} ({signed(one['low'])} to {signed(one['high'])})" if sure else count


def signed(share: float | None) -> str:
    """An end of an interval in points."""
    found = round(100 * (share or 0.0))
    return f"−{-found}" if found < 0 else f"{found}"


def likeliest(one: Believed) -> list[Case]:
    """The likeliest cases of what was hidden; the true one is among them, however unlikely it was."""
    shown = one["likely"][:CASES]
    if any(case["text"] == one["truth"] for case in shown):
        return shown
    return [*shown[: CASES - 1], {"text": one["truth"], "chance": likely(one, one["truth"])}]


def other_cases(one: Believed) -> str:
    """How many cases that leaves out, and how likely they are; empty where it leaves out none."""
    shown = {case["text"] for case in likeliest(one)}
    rest = [case["chance"] for case in one["likely"] if case["text"] not in shown]
    if not rest:
        return ""
    chance = "less than 1 %" if sum(rest) < ROUNDED else percent(sum(rest))
    return f"and {many(len(rest), 'other')}, {'together ' if len(rest) > 1 else ''}{chance}"


def likely(one: Believed, case: str) -> float:
    """How likely a case was."""
    return next((other["chance"] for other in one["likely"] if other["text"] == case), 0.0)


def summed(decided: list[Decided], seat: Seat) -> Sums:
    """What a seat gave away on the whole. Errors add up by their squares."""
    own = [one for one in decided if one["seat"] == seat]
    judged = [one for one in own if one["loss"] is not None]
    loss = sum(one["loss"] or 0.0 for one in judged)
    below = sum(((one["loss"] or 0.0) - (one["low"] or 0.0)) ** 2 for one in judged) ** 0.5
    above = sum(((one["high"] or 0.0) - (one["loss"] or 0.0)) ** 2 for one in judged) ** 0.5
    return {
        "seat": seat,
        "decisions": len(own),
        "judged": len(judged),
        "loss": round(loss, 4),
        "low": round(loss - below, 4),
        "high": round(loss + above, 4),
        "marks": {mark: sum(one["mark"] == mark for one in judged) for _, mark in reversed(MARKS)},
    }

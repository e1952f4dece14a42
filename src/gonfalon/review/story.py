"""The decisions that mattered, in words, and what they come to."""

from __future__ import annotations

from typing import Final

from gonfalon.core.english import many
from gonfalon.core.state import Seat
from gonfalon.review.files import Decided, Sums, Turning
from gonfalon.review.judging import MARKS

MOST: Final = 3


def turning_points(decided: list[Decided], seat: Seat, sure: bool = True) -> list[Turning]:
    """The three marked decisions in which a seat lost most, in the order of the game; with how sure that is, or
    without."""
    marked = [one for one in decided if one["seat"] == seat and one["mark"]]
    worst = sorted(marked, key=lambda one: (-(one["low"] or 0.0), one["at"]))[:MOST]
    return [
        {"at": one["at"], "seat": seat, "text": told(one, sure)} for one in sorted(worst, key=lambda one: one["at"])
    ]


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


def lost(one: Decided, sure: bool = True) -> str:
    """A loss with its interval, "7 points (4 to 10)", or without."""
    low, high = one["low"] or 0.0, one["high"] or 0.0
    count = many(points(one), "point")
    return f"{count} ({100 * low:.0f} to {100 * high:.0f})" if sure else count


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

"""The decisions that mattered, in words, and what they come to."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.reasons import percent
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
    text = f"{one['text']} This gave away {lost(one, sure)}. Better: {one['better']}"
    return f"{text} {one['why']}" if one["why"] else text


def lost(one: Decided, sure: bool = True) -> str:
    """A loss with its interval, "7 % (4 to 10)", or without."""
    loss, low, high = one["loss"] or 0.0, one["low"] or 0.0, one["high"] or 0.0
    if not sure:
        return percent(loss)
    return f"{percent(loss)} ({100 * low:.0f} to {100 * high:.0f})"


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

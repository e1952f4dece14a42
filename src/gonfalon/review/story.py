"""Turning points in words, and the totals of a seat."""

from __future__ import annotations

from typing import Final

from gonfalon.core.rules.state import Seat
from gonfalon.review.files import BeliefCase, JudgedBelief, JudgedDecision, SeatTotals, TurningPoint
from gonfalon.review.judging.judging import FELT, MARKS

MARK_POINTS: Final = {mark: round(100 * least) for least, mark in reversed(MARKS)}
"""The smallest loss for which each mark is given, in percentage points, the lightest mark first."""
MAX_TURNING_POINTS: Final = 3
"""Maximum number of turning points of a seat."""
MAX_CASES: Final = 4
"""Maximum number of cases of something hidden that are listed."""


def find_turning_points(decided: list[JudgedDecision], seat: Seat) -> list[TurningPoint]:
    """Return the marked decisions with a seat's largest losses, in the order of the game.

    Args:
        decided: All decisions.
        seat: The seat.
    """
    marked = [one for one in decided if one["seat"] == seat and one["mark"]]
    worst = sorted(marked, key=lambda one: (-(one["loss"] or 0.0), one["at"]))[:MAX_TURNING_POINTS]
    return [
        {"at": one["at"], "seat": seat, "text": describe_loss(one)} for one in sorted(worst, key=lambda one: one["at"])
    ]


def find_decisive(decided: list[JudgedDecision], seat: Seat) -> list[JudgedDecision]:
    """Return the decisions of a seat that mattered most, at most `MAX_TURNING_POINTS`, in the order of the game.

    One of them is the best gain, if there is one: a best action with a certain lead over the next best. The others are
    the largest losses, or more gains.
    """
    own = [one for one in decided if one["seat"] == seat]
    losses = sorted((one for one in own if one["mark"]), key=lambda one: -(one["loss"] or 0.0))
    gains = [one for one in own if count_effect(one) >= 100 * FELT]
    gains.sort(key=lambda one: -(one["lead_low"] or 0.0))
    room = MAX_TURNING_POINTS - min(1, len(gains))
    found = [*losses[:room], *gains][:MAX_TURNING_POINTS]
    return sorted(found, key=lambda one: one["at"])


def count_effect(one: JudgedDecision) -> int:
    """Return the effect of a decision in percentage points: its loss below 0, or the certain lead of the best action
    over the next best if it was chosen."""
    if one["best"] != one["chosen"]:
        return min(0, -count_points(one))
    return round(100 * (one["lead"] or 0.0)) if (one["lead_low"] or 0.0) > 0.0 else 0


def describe_loss(one: JudgedDecision) -> str:
    """Return the description of a decision that lost something."""
    return f"{one['text']} The chance to win fell by {format_loss(one)}. {describe_better(one)}"


def describe_better(one: JudgedDecision) -> str:
    """Return the better action, both chances and the reason."""
    return f"Better: {one['better']} {format_chances(one)} {one['why']}".rstrip()


def format_chances(one: JudgedDecision) -> str:
    """Return both chances to win, whose difference is the reported loss."""
    value = round(100 * (one["value"] or 0.0))
    return f"{value + count_points(one)} % instead of {value} %."


def count_points(one: JudgedDecision) -> int:
    """Return a loss in percentage points."""
    return round(100 * (one["loss"] or 0.0))


def format_loss(one: JudgedDecision) -> str:
    """Return the loss of a marked decision with its interval, such as "7 % (4 to 10)"."""
    low, high = 100 * (one["low"] or 0.0), 100 * (one["high"] or 0.0)
    return f"{count_points(one)} % ({low:.0f} to {high:.0f})"


def list_likeliest(one: JudgedBelief) -> list[BeliefCase]:
    """Return the most probable cases of something hidden, the true one included."""
    shown = one["likely"][:MAX_CASES]
    if any(case["text"] == one["truth"] for case in shown):
        return shown
    return [*shown[: MAX_CASES - 1], {"text": one["truth"], "chance": find_chance(one, one["truth"])}]


def find_chance(one: JudgedBelief, case: str) -> float:
    """Return the probability of a case."""
    return next((other["chance"] for other in one["likely"] if other["text"] == case), 0.0)


def sum_decisions(decided: list[JudgedDecision], seat: Seat) -> SeatTotals:
    """Return the numbers of a seat's decisions and marks."""
    own = [one for one in decided if one["seat"] == seat]
    return {
        "seat": seat,
        "decisions": len(own),
        "judged": sum(one["loss"] is not None for one in own),
        "marks": {mark: sum(one["mark"] == mark for one in own) for _, mark in reversed(MARKS)},
    }

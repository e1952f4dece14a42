"""Turning points in words, and the totals of a seat."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.players.reasons import percent
from gonfalon.core.rules.state import Seat
from gonfalon.core.text.english import many
from gonfalon.review.files import BeliefCase, JudgedBelief, JudgedDecision, SeatTotals, TurningPoint
from gonfalon.review.judging.judging import MARKS

MAX_TURNING_POINTS: Final = 3
"""Maximum number of turning points of a seat."""
MAX_CASES: Final = 4
"""Maximum number of cases of something hidden that are listed."""
MIN_SHOWN_CHANCE: Final = 0.005
"""Chances below this would be rounded to 0 %."""
MIN_LOSS: Final = MARKS[-1][0]
"""Smallest loss without a mark that is reported."""
MIN_CERTAINTY: Final = 0.5
"""Smallest loss without a mark that is reported, in half-widths of its interval: one that reaches farther below 0 says
little."""


def find_turning_points(decided: list[JudgedDecision], seat: Seat, sure: bool = True) -> list[TurningPoint]:
    """Return the marked decisions with a seat's largest losses, in the order of the game.

    Args:
        decided: All decisions.
        seat: The seat.
        sure: Whether the texts contain intervals.
    """
    # Sorted by the certain part of the loss, as marks are given by it.
    marked = [one for one in decided if one["seat"] == seat and one["mark"]]
    worst = sorted(marked, key=lambda one: (-(one["low"] or 0.0), one["at"]))[:MAX_TURNING_POINTS]
    return [
        {"at": one["at"], "seat": seat, "text": describe_loss(one, sure)}
        for one in sorted(worst, key=lambda one: one["at"])
    ]


def find_decisive(decided: list[JudgedDecision], seat: Seat) -> list[JudgedDecision]:
    """Return the decisions of a seat that mattered most, at most `MAX_TURNING_POINTS`, in the order of the game.

    One of them is the best gain, if there is one: a best action with a certain lead over the next best. The others are
    the largest losses, or more gains.
    """
    own = [one for one in decided if one["seat"] == seat]
    losses = sorted((one for one in own if one["mark"] or may_have_lost(one)), key=lambda one: -(one["low"] or 0.0))
    gains = [one for one in own if count_effect(one) >= 100 * MIN_LOSS]
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


def find_uncertain(decided: list[JudgedDecision], seat: Seat) -> list[JudgedDecision]:
    """Return decisions without a mark that probably lost something, in the order of the game.

    Together with the turning points they are at most `MAX_TURNING_POINTS`.
    """
    own = [one for one in decided if one["seat"] == seat]
    left = MAX_TURNING_POINTS - min(MAX_TURNING_POINTS, sum(bool(one["mark"]) for one in own))
    some = sorted((one for one in own if may_have_lost(one)), key=lambda one: (-compute_certainty(one), one["at"]))[
        :left
    ]
    return sorted(some, key=lambda one: one["at"])


def may_have_lost(one: JudgedDecision) -> bool:
    """Return whether a decision has an expected loss that is not certain enough for a mark.

    Losses that the second referee did not confirm do not count, nor do those whose interval reaches far below 0.
    """
    likely = (one["loss"] or 0.0) >= MIN_LOSS and compute_certainty(one) >= MIN_CERTAINTY
    return likely and not one["mark"] and one["referee"] is None


def compute_certainty(one: JudgedDecision) -> float:
    """Return the loss in half-widths of its interval, a measure of the probability that there was a loss."""
    loss, low = one["loss"] or 0.0, one["low"] or 0.0
    return loss / max(loss - low, 1e-9)


def describe_uncertain(one: JudgedDecision, sure: bool) -> str:
    """Return the description of a decision that may have lost something."""
    return f"{one['text']} It probably cost {format_loss(one, sure)}. {describe_alternative(one)}"


def describe_alternative(one: JudgedDecision) -> str:
    """Return the action that may have been better, both chances and the reason."""
    return f"Perhaps better: {one['better']} {format_chances(one)} {one['why']}".rstrip()


def describe_loss(one: JudgedDecision, sure: bool) -> str:
    """Return the description of a decision that lost something."""
    return f"{one['text']} It cost {format_loss(one, sure)}. {describe_better(one)}"


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


def format_change(change: float) -> str:
    """Return a change of a chance, such as "+7 points"."""
    count = round(100 * change)
    return f"{count:+} {'point' if abs(count) == 1 else 'points'}"


def format_loss(one: JudgedDecision, sure: bool = True) -> str:
    """Return a loss, such as "7 points", or with its interval "7 points (4 to 10)"."""
    count = many(count_points(one), "point")
    return f"{count} ({format_signed(one['low'])} to {format_signed(one['high'])})" if sure else count


def format_signed(share: float | None) -> str:
    """Return an end of an interval in points."""
    found = round(100 * (share or 0.0))
    return f"−{-found}" if found < 0 else f"{found}"


def list_likeliest(one: JudgedBelief) -> list[BeliefCase]:
    """Return the most probable cases of something hidden, the true one included."""
    shown = one["likely"][:MAX_CASES]
    if any(case["text"] == one["truth"] for case in shown):
        return shown
    return [*shown[: MAX_CASES - 1], {"text": one["truth"], "chance": find_chance(one, one["truth"])}]


def format_other_cases(one: JudgedBelief) -> str:
    """Return the number of the other cases and their total probability; empty if there are none."""
    shown = {case["text"] for case in list_likeliest(one)}
    rest = [case["chance"] for case in one["likely"] if case["text"] not in shown]
    if not rest:
        return ""
    chance = "less than 1 %" if sum(rest) < MIN_SHOWN_CHANCE else percent(sum(rest))
    return f"and {many(len(rest), 'other')}, {'together ' if len(rest) > 1 else ''}{chance}"


def find_chance(one: JudgedBelief, case: str) -> float:
    """Return the probability of a case."""
    return next((other["chance"] for other in one["likely"] if other["text"] == case), 0.0)


def sum_decisions(decided: list[JudgedDecision], seat: Seat) -> SeatTotals:
    """Return the totals of a seat. Errors are independent, so their squares add up."""
    own = [one for one in decided if one["seat"] == seat]
    judged = [one for one in own if one["loss"] is not None]
    loss = sum(one["loss"] or 0.0 for one in judged)
    # Losses of different decisions come from different worlds, so their errors are independent.
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

"""Turning points in words, and the totals of a seat."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.players.reasons import percent
from gonfalon.core.rules.state import Seat
from gonfalon.core.text.english import many
from gonfalon.review.files import Believed, Case, Decided, Sums, Turning
from gonfalon.review.judging.judging import MARKS

MOST: Final = 3
"""Maximum number of turning points of a seat."""
CASES: Final = 4
"""Maximum number of cases of something hidden that are listed."""
ROUNDED: Final = 0.005
"""Chances below this would be rounded to 0 %."""
LEAST: Final = MARKS[-1][0]
"""Smallest loss without a mark that is reported."""


def turning_points(decided: list[Decided], seat: Seat, sure: bool = True) -> list[Turning]:
    """Return the marked decisions with a seat's largest losses, in the order of the game.

    Args:
        decided: All decisions.
        seat: The seat.
        sure: Whether the texts contain intervals.
    """
    marked = [one for one in decided if one["seat"] == seat and one["mark"]]
    worst = sorted(marked, key=lambda one: (-(one["low"] or 0.0), one["at"]))[:MOST]
    return [
        {"at": one["at"], "seat": seat, "text": told(one, sure)} for one in sorted(worst, key=lambda one: one["at"])
    ]


def uncertain(decided: list[Decided], seat: Seat) -> list[Decided]:
    """Return decisions without a mark that probably lost something, in the order of the game.

    Together with the turning points they are at most `MOST`.
    """
    own = [one for one in decided if one["seat"] == seat]
    left = MOST - min(MOST, sum(bool(one["mark"]) for one in own))
    some = sorted((one for one in own if may_have_lost(one)), key=lambda one: (-likelihood(one), one["at"]))[:left]
    return sorted(some, key=lambda one: one["at"])


def may_have_lost(one: Decided) -> bool:
    """Return whether a decision has an expected loss that is not certain enough for a mark.

    Losses that the second referee did not confirm do not count.
    """
    return not one["mark"] and one["referee"] is None and (one["loss"] or 0.0) >= LEAST


def likelihood(one: Decided) -> float:
    """Return the loss in half-widths of its interval, a measure of the probability that there was a loss."""
    loss, low = one["loss"] or 0.0, one["low"] or 0.0
    return loss / max(loss - low, 1e-9)


def perhaps(one: Decided, sure: bool) -> str:
    """Return the description of a decision that may have lost something."""
    return f"{one['text']} {expected(one, sure)} {perhaps_rather(one)}"


def expected(one: Decided, sure: bool) -> str:
    """Return the expected loss as a sentence."""
    return f"Expected loss: {lost(one, sure)} of the chance to win."


def perhaps_rather(one: Decided) -> str:
    """Return the action that may have been better, both chances and the reason."""
    value = round(100 * (one["value"] or 0.0))
    text = f"Perhaps better: {one['better']} It wins an estimated {value + points(one)} %, "
    return f"{text}the chosen action {value} %. {one['why']}".rstrip()


def told(one: Decided, sure: bool) -> str:
    """Return the description of a decision that lost something."""
    return f"{one['text']} This gave away {lost(one, sure)} of the chance to win. {rather(one)}"


def rather(one: Decided) -> str:
    """Return the better action, both chances and the reason."""
    text = f"Better: {one['better']} {chances(one)}"
    return f"{text} {one['why']}" if one["why"] else text


def chances(one: Decided) -> str:
    """Return both chances to win, whose difference is the reported loss."""
    value = round(100 * (one["value"] or 0.0))
    return f"It wins {value + points(one)} %, the chosen action {value} %."


def points(one: Decided) -> int:
    """Return a loss in percentage points."""
    return round(100 * (one["loss"] or 0.0))


def gained(change: float) -> str:
    """Return a change of a chance, such as "+7 points"."""
    count = round(100 * change)
    return f"{count:+} {'point' if abs(count) == 1 else 'points'}"


def lost(one: Decided, sure: bool = True) -> str:
    """Return a loss, such as "7 points", or with its interval "7 points (4 to 10)"."""
    count = many(points(one), "point")
    return f"{count} ({signed(one['low'])} to {signed(one['high'])})" if sure else count


def signed(share: float | None) -> str:
    """Return an end of an interval in points."""
    found = round(100 * (share or 0.0))
    return f"−{-found}" if found < 0 else f"{found}"


def likeliest(one: Believed) -> list[Case]:
    """Return the most probable cases of something hidden, the true one included."""
    shown = one["likely"][:CASES]
    if any(case["text"] == one["truth"] for case in shown):
        return shown
    return [*shown[: CASES - 1], {"text": one["truth"], "chance": likely(one, one["truth"])}]


def other_cases(one: Believed) -> str:
    """Return the number of the other cases and their total probability; empty if there are none."""
    shown = {case["text"] for case in likeliest(one)}
    rest = [case["chance"] for case in one["likely"] if case["text"] not in shown]
    if not rest:
        return ""
    chance = "less than 1 %" if sum(rest) < ROUNDED else percent(sum(rest))
    return f"and {many(len(rest), 'other')}, {'together ' if len(rest) > 1 else ''}{chance}"


def likely(one: Believed, case: str) -> float:
    """Return the probability of a case."""
    return next((other["chance"] for other in one["likely"] if other["text"] == case), 0.0)


def summed(decided: list[Decided], seat: Seat) -> Sums:
    """Return the totals of a seat. Errors are independent, so their squares add up."""
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

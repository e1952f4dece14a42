"""The Resolution of the last finished round, read from the log of a view."""

from __future__ import annotations

from typing import TypedDict

from gonfalon.core.rules.state import Event
from gonfalon.games.feint.rules import events as ev
from gonfalon.games.feint.rules.state import OPPONENT, FeintState


class Part(TypedDict):
    """A battle's part of a Strategy Rating."""

    number: int
    strength: int


class Sum(TypedDict):
    """A seat's Strategy Rating."""

    seat: int
    parts: list[Part]
    total: int


class Resolution(TypedDict):
    """The sums of the last finished round."""

    round: int
    battles: list[int]
    sums: list[Sum]
    winner: int
    loser: int
    tie: bool
    lost: int


def find_last_round(s: FeintState) -> list[Event]:
    """Return the log of the last round that was resolved, up to its result."""
    log = s.log or []
    # COST follows the result in the log, so a round in progress is not found.
    last = max((i for i, event in enumerate(log) if event[0] == ev.COST), default=-1)
    first = max((i for i in range(last) if log[i][0] == ev.ROUND), default=0)
    return log[first : last + 1]


def build_resolution(s: FeintState) -> Resolution | None:
    """Return the sums of the last finished round from the log; None before the first one."""
    fought = find_last_round(s)
    if not fought:
        return None
    sums: list[Sum] = [{"seat": seat, "parts": [], "total": 0} for seat in (0, 1)]
    found: Resolution = {
        "round": len(s.won),
        "battles": [],
        "sums": sums,
        "winner": -1,
        "loser": -1,
        "tie": False,
        "lost": 0,
    }
    for code, _, seat, _, a, b in fought:
        if code == ev.BATTLE:
            found["battles"].append(s.setup.numbers[a])
        elif code == ev.RATING:
            number = s.setup.numbers[a]
            sums[seat]["parts"].append({"number": number, "strength": b})
        elif code == ev.TOTAL:
            sums[seat]["total"] = a
        elif code == ev.WON:
            found["winner"], found["loser"], found["tie"] = seat, OPPONENT[seat], bool(a)
        elif code == ev.COST:
            found["lost"] = a
    return found

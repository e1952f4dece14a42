"""Clocks on pages: the time controls of the lobby, and remaining times in figures and words."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game
from gonfalon.core.text.english import many
from gonfalon.table import Table
from gonfalon.table.game.clock import DAY, ENDS, MAX_BANK_S, MAX_STEP_S, Pace, parse_pace
from gonfalon.table.live.views import SeatTime, ShownClock, build_clock
from gonfalon.web import messages
from gonfalon.web.shared.template_context import Context

OWN: Final = "own"
LOW: Final = 20
"""Seconds below which a clock is highlighted."""
AT_ZERO: Final = {"bot": messages.BOT_AT_ZERO, "claim": messages.CLAIM_AT_ZERO, "lose": messages.LOST_AT_ZERO}


class Offer(NamedTuple):
    """A time control that the lobby offers, with its name."""

    value: str
    name: str
    pace: Pace | None


def list_offers(kind: type[Game]) -> list[Offer]:
    """Return the time controls of a game, which follow from its usual length."""
    whole = 60 * kind.minutes
    return [
        Offer("none", "None", None),
        # A third of the usual length, in whole minutes.
        Offer("quick", "Quick", Pace(whole // 180 * 60, 5)),
        Offer("steady", "Steady", Pace(whole, 10)),
        Offer("long", "Long", Pace(2 * whole, 20)),
        Offer("day", "A day", Pace(DAY, days=1)),
        Offer("days", "Three days", Pace(3 * DAY, days=3)),
    ]


def describe_offers(kind: type[Game]) -> list[Context]:
    """Return the time controls for the form of a game."""
    return [{"value": offer.value, "name": offer.name, "about": format_pace(offer.pace)} for offer in list_offers(kind)]


def read_pace(kind: type[Game], fields: dict[str, str]) -> Pace | None:
    """Return the time control that a form chooses, and remove its fields. Raises OptionError."""
    wish, end = fields.pop("clock", "none"), fields.pop("at-zero", "bot")
    minutes, step = fields.pop("minutes", ""), fields.pop("step", "0")
    if wish == OWN:
        bank = 60 * read_number(messages.MINUTES_FIELD, minutes, 1, MAX_BANK_S // 60)
        return parse_pace({"bank": bank, "step": read_number(messages.STEP_FIELD, step, 0, MAX_STEP_S), "end": end})
    found = {offer.value: offer.pace for offer in list_offers(kind)}
    if wish not in found:
        raise OptionError(messages.CHOOSE_CLOCK)
    pace = found[wish]
    return None if pace is None else parse_pace(pace.to_json() | {"end": end})


def read_number(field: str, text: str, least: int, most: int) -> int:
    """Return the number in a field of the form. Raises OptionError."""
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 6 and least <= int(text) <= most):
        raise OptionError(messages.CLOCK_NUMBER.format(field=field, least=least, most=most))
    return int(text)


def format_pace(pace: Pace | None) -> str:
    """Return a time control as the form writes it: `15 min + 10 s`."""
    if pace is None:
        return "no hurry"
    return "for each turn" if pace.days else f"{pace.bank // 60} min + {pace.step} s"


def summarize_pace(pace: Pace | None) -> str:
    """Return a time control in a few words, for lists: `15 min + 10 s`, `3 days a turn`."""
    if pace is None:
        return messages.NO_CLOCK
    return messages.DAYS_A_TURN.format(days=many(pace.days, "day")) if pace.days else format_pace(pace)


def describe_pace(pace: Pace) -> str:
    """Return a time control in words, with the consequence at zero."""
    if pace.days:
        return f"{many(pace.days, 'day')} for each turn; {AT_ZERO[pace.end]}"
    bank = many(pace.bank // 60, "minute") if pace.bank % 60 == 0 else many(pace.bank, "second")
    step = f" and {many(pace.step, 'second')} more for each turn" if pace.step else ""
    return f"{bank} each{step}; {AT_ZERO[pace.end]}"


def describe_clock(table: Table) -> str | None:
    """Return the time control of a table in words; None if it has no clock."""
    clock = table.position.clock
    return None if clock is None else describe_pace(clock.pace)


def time_left(milliseconds: float) -> str:
    """Return a time such as `6:41`, `1:05:20` or `2 d 4 h`, as `clock.js` writes it."""
    # Rounded up, so that a clock shows zero only when its time is up.
    seconds = max(0, -int(-milliseconds // 1000))
    if seconds >= DAY:
        return f"{seconds // DAY} d {seconds % DAY // 3600} h"
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def seat_clock(seat: SeatTime, now: float | None) -> Context | None:
    """Return a seat's clock for the page, which shows the time left `now`. Live updates give the time left when the
    clock started, so that they stay equal until something changes; the script counts down."""
    left, since = seat["left"], seat["since"]
    if left is None:
        return None
    rest: float = left if since is None or now is None else left - 1000 * max(0.0, now - since)
    return {
        "left": left,
        "since": since,
        "runs": seat["runs"],
        "out": seat["out"],
        "low": rest <= 1000 * LOW,
        "text": time_left(rest),
    }


def free_time(clock: ShownClock, pace: Pace, now: float | None) -> Context | None:
    """Return the allotment of a simultaneous question."""
    until = clock["free_until"]
    if until is None:
        return None
    rest = 1000.0 * pace.allotment if now is None else 1000 * min(until - now, pace.allotment)
    if rest <= 0:
        return None
    return {"left": 1000 * pace.allotment, "since": until - pace.allotment, "text": time_left(rest)}


def clock_context(table: Table, viewer: int, whole: bool) -> Context:
    """Return the clocks of all seats and the allotment for _seats.html."""
    clock, found = build_clock(table.current, viewer), table.position.clock
    if clock is None or found is None:
        return {"clocks": None, "free": None}
    now = time.time() if whole else None
    over = table.position.over
    return {
        "clocks": [None if over and not seat["out"] else seat_clock(seat, now) for seat in clock["seats"]],
        "free": free_time(clock, found.pace, now),
    }


def format_own_time(shown: Mapping[str, Any]) -> str:
    """Return the time left on the viewer's own clock for the lobby; empty if it does not run."""
    clock, viewer = shown["clock"], shown["viewer"]
    if clock is None or not isinstance(viewer, int):
        return ""
    found = seat_clock(clock["seats"][viewer], time.time())
    return "" if found is None or not found["runs"] else messages.TIME_LEFT.format(time=found["text"])


# Every consequence that the rules of clocks know needs its words on this page.
assert set(AT_ZERO) == set(ENDS)

"""Chess clocks that do not reveal which seats have answered. Pure rules: every time is an argument, in seconds.

A *spell* lasts from the moment a seat is asked until other seats are asked. Several small decisions of one seat belong
to one spell.

When one seat is asked, its bank runs for all to see. At the end of the spell the bank gains the step, up to a full
bank. In an answer window the bank runs only after the window has closed, and no step follows.

When several seats are asked at once, first an allotment runs, equal for all and shown to all. Then the bank of each
seat without an answer runs, shown to that seat alone. Other players see every bank as it was when the question came,
until the last answer; then all banks are settled, without a step.

At zero a flag falls. In a simultaneous question a bot answers for that seat in secret, and the fallen flag is shown
with the last answer.

The time of a decision is stored with it (`spent`) and never computed again. Undo gives no time back: the clock
continues as if nothing had been decided.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, get_args

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.state import Seat
from gonfalon.table import messages

End = Literal["bot", "claim", "lose"]
"""The consequence of a fallen flag: the strongest bot takes over; the others may claim that, or the win; the game is
lost."""
ENDS: Final[tuple[End, ...]] = get_args(End)
Kind = Literal["", "alone", "window", "together"]
ALONE: Final = "alone"
WINDOW: Final = "window"
TOGETHER: Final = "together"
DAY: Final = 86_400
NETWORK_DELAY_S: Final = 0.3
"""Seconds of network delay that are not charged."""
MIN_GRANT_S: Final = 10
"""Minimum seconds for a player that returns after a fallen flag."""
MAX_BANK_S: Final = 24 * 3600
MAX_STEP_S: Final = 3600
MAX_DAYS: Final = 30
MAX_ALLOTMENT_S: Final = 60
"""Maximum seconds of the allotment, which is a tenth of the bank."""


@dataclass(frozen=True)
class Pace:
    """The time control of a table: a bank and a step in seconds, or days for each spell."""

    bank: int
    step: int = 0
    end: End = "bot"
    days: int = 0

    @property
    def allotment(self) -> int:
        """The seconds that all seats have before a simultaneous question runs on their banks."""
        return 0 if self.days else min(MAX_ALLOTMENT_S, self.bank // 10)

    @property
    def grant(self) -> int:
        """The seconds of a player that returns."""
        return self.bank if self.days else min(self.bank, max(self.step, MIN_GRANT_S))

    def to_json(self) -> dict[str, int | str]:
        """Return the time control for stores, records and the API."""
        if self.days:
            return {"days": self.days, "end": self.end}
        return {"bank": self.bank, "step": self.step, "end": self.end}

    def dumps(self) -> str:
        """Return the time control as JSON text."""
        return json.dumps(self.to_json())


def parse_pace(body: object) -> Pace | None:
    """Return the time control that a program or the store names; None for no clock. Raises OptionError."""
    if body is None:
        return None
    if not isinstance(body, dict) or not body.keys() <= {"bank", "step", "days", "end"}:
        raise OptionError(messages.CLOCK_FIELDS)
    if body.get("end", "bot") not in ENDS:
        raise OptionError(messages.CLOCK_END.format(choices=f"{', '.join(ENDS[:-1])} or {ENDS[-1]}"))
    if "days" in body:
        if body.keys() & {"bank", "step"}:
            raise OptionError(messages.BANK_OR_DAYS)
        days = _parse_whole(body, "days", 1, MAX_DAYS)
        return Pace(days * DAY, end=body.get("end", "bot"), days=days)
    bank, step = _parse_whole(body, "bank", 30, MAX_BANK_S), _parse_whole(body, "step", 0, MAX_STEP_S)
    return Pace(bank, step, body.get("end", "bot"))


def _parse_whole(body: dict[str, object], name: str, least: int, most: int) -> int:
    value = body.get(name, 0)
    # `isinstance` would accept True and False, which JSON keeps apart from numbers.
    if type(value) is not int or not least <= value <= most:
        raise OptionError(messages.CLOCK_NUMBER.format(field=name, least=least, most=most))
    return value


def load_pace(text: str) -> Pace | None:
    """Return the time control of a stored table."""
    return parse_pace(json.loads(text)) if text else None


class Hand(NamedTuple):
    """The clock of a seat as one viewer sees it: `left` in milliseconds, which run down from `since` on."""

    left: int
    since: float | None
    runs: bool
    out: bool


class Sight(NamedTuple):
    """All clocks as one viewer sees them, and the end of the allotment."""

    free: float | None
    hands: tuple[Hand, ...]

    def mark(self) -> object:
        """Return a value that changes exactly when a decision has changed the clocks. The start of the running time is
        no part of it."""
        return self.free is None, tuple(hand._replace(since=None) for hand in self.hands)


class Clock:
    """The clocks of all seats of a table."""

    def __init__(self, pace: Pace, seats: int) -> None:
        self.pace: Pace = pace
        self.left: list[int] = [1000 * pace.bank] * seats
        """Milliseconds of each bank; in a simultaneous question, as they were when it came."""
        self.kind: Kind = ""
        self.asked: tuple[Seat, ...] = ()
        self.since: float = 0.0
        """The time from which banks run: now, after the allotment, or when the window closes."""
        self.fallen: frozenset[Seat] = frozenset()
        """The seats whose flag has fallen and that have not decided since."""
        self.secret: frozenset[Seat] = frozenset()
        """The fallen seats of a simultaneous question, which no other player knows before the last answer."""
        self._decisions: int = -1
        """The number of decisions before the question."""
        self._charged: dict[Seat, int] = {}
        """The time that answers to the simultaneous question took."""
        self._later: dict[Seat, float] = {}
        """The time from which the bank of a seat runs whose player returned during the question."""
        self._earning: bool = False
        """Whether a seat has decided in this spell, so that a step is due at its end."""
        self._stepless: bool = True
        """Whether no step is due in any case."""
        self._steps: list[tuple[int, ...]] = [()] * seats
        """For each seat the decision numbers at which it gained its latest steps."""
        self._debts: list[int] = [0] * seats
        """The number of steps that a seat will not gain because it gained them before an undo."""

    def clone(self) -> Clock:
        """Return a copy to try changes on."""
        twin = object.__new__(Clock)
        # Only lists and dictionaries are copied: all other attributes are replaced and never modified.
        twin.__dict__.update(self.__dict__)
        twin.left, twin._steps, twin._debts = self.left[:], self._steps[:], self._debts[:]
        twin._charged, twin._later = self._charged.copy(), self._later.copy()
        return twin

    # ---- questions ------------------------------------------------------------------------------------

    def ask(self, kind: Kind, asked: tuple[Seat, ...], now: float, decisions: int) -> None:
        """Start the time of a question to these seats. A repeated question changes nothing.

        Args:
            kind: ALONE, TOGETHER or WINDOW.
            asked: The seats that are asked.
            now: The table time in seconds.
            decisions: The number of decisions so far.
        """
        same = (kind, asked) == (self.kind, self.asked)
        if same and (kind != WINDOW or decisions == self._decisions):
            return
        self._decisions = decisions
        # Further decisions after an answer in a window belong to that answer.
        stepless = kind != ALONE or (self.kind == WINDOW and asked == self.asked)
        self.settle(decisions)
        self.kind, self.asked = kind, asked
        self.since = now + self.pace.allotment if kind == TOGETHER else now
        self._stepless = stepless

    def settle(self, decisions: int) -> None:
        """End the time of an answered question."""
        if self.kind == TOGETHER:
            for seat, spent in self._charged.items():
                self.left[seat] -= spent
                # If a bot has answered for the seat, its flag stays fallen and is shown from now on.
                if seat not in self.secret:
                    self._play_on(seat)
            self.secret = frozenset()
        for seat in self.asked:
            # Days are given anew for each spell, whatever is left of them.
            if self.pace.days and seat not in self.fallen:
                self.left[seat] = 1000 * self.pace.bank
        if self._earning:
            self._gain(self.asked[0], decisions)
        self.kind, self.asked, self._charged, self._later, self._earning = "", (), {}, {}, False

    def _gain(self, seat: Seat, decisions: int) -> None:
        if self._debts[seat]:
            self._debts[seat] -= 1
            return
        self.left[seat] = min(1000 * self.pace.bank, self.left[seat] + 1000 * self.pace.step)
        # An undo reaches back a few decisions at most, so older steps are forgotten.
        self._steps[seat] = (*self._steps[seat][-63:], decisions)

    def follow_undo(self, decisions: int) -> None:
        """Follow an undo to an earlier number of decisions. Steps that were gained since are not gained twice."""
        for seat, steps in enumerate(self._steps):
            kept = tuple(step for step in steps if step <= decisions)
            self._debts[seat] += len(steps) - len(kept)
            self._steps[seat] = kept

    # ---- answers --------------------------------------------------------------------------------------

    def measure_time(self, seat: Seat, came: float) -> int:
        """Return the milliseconds that a decision took that arrived at this time, without those charged already."""
        if seat not in self.asked:
            return 0
        # Fractions of a millisecond are dropped in favor of the player.
        ran = int(1000 * (came - NETWORK_DELAY_S - self._later.get(seat, self.since)))
        return max(0, min(ran, self.left[seat]) - self._charged.get(seat, 0))

    def charge(self, seat: Seat, spent: int, now: float) -> None:
        """Charge the time of a decision to its seat."""
        if self.kind == TOGETHER:
            self._charged[seat] = self._charged.get(seat, 0) + spent
        else:
            self.left[seat] -= spent
            self.since = now
            self._play_on(seat)
            self._earning = not self._stepless

    def _play_on(self, seat: Seat) -> None:
        """Let a seat continue that decides before any claim, with one step for this spell and no other."""
        if seat in self.fallen:
            self.fallen -= {seat}
            self.left[seat] = 1000 * self.pace.grant
            self._stepless = True

    def drop_flag(self, seat: Seat) -> None:
        """Let a flag fall."""
        self.fallen |= {seat}
        if self.kind == TOGETHER:
            # The bank itself stays as it is until the last answer; otherwise it would reveal the flag.
            self._charged[seat] = self.left[seat]
            self.secret |= {seat}
        else:
            self.left[seat] = 0

    def resume(self, seat: Seat, now: float) -> None:
        """Run the clock of a seat again whose player has returned from a bot."""
        self._play_on(seat)
        if self.kind == TOGETHER:
            self._later[seat] = max(now, self.since)
        elif seat in self.asked:
            self.since = max(now, self.since)

    # ---- running time ---------------------------------------------------------------------------------

    def due(self, waiting: Iterable[Seat]) -> tuple[float, Seat] | None:
        """Return the time of the next flag, and its seat, among the seats without an answer."""
        running = [seat for seat in waiting if seat in self.asked and seat not in self.fallen]
        # A flag waits for the network delay too, because `measure_time` does not charge it.
        ends = [
            (self._later.get(seat, self.since) + self.left[seat] / 1000 + NETWORK_DELAY_S, seat) for seat in running
        ]
        return min(ends, default=None)

    def sight(self, viewer: int, waits: bool) -> Sight:
        """Return the clocks that a viewer is shown.

        In a simultaneous question the result does not depend on the answers of others.

        Args:
            viewer: A seat or SPECTATOR.
            waits: Whether the viewer still has to answer.
        """
        together = self.kind == TOGETHER
        free = self.since if together and self.pace.allotment else None
        return Sight(free, tuple(self._hand(seat, viewer, waits) for seat in range(len(self.left))))

    def _hand(self, seat: Seat, viewer: int, waits: bool) -> Hand:
        own, left = seat == viewer, self.left[seat]
        out = seat in self.fallen and (own or seat not in self.secret)
        if out or seat not in self.asked:
            return Hand(0 if own and seat in self.secret else left, None, False, out)
        # Until the last answer only the player sees what their own answer took.
        if own and not waits:
            return Hand(left - self._charged.get(seat, 0), None, False, out)
        if self.kind == TOGETHER:
            return Hand(left, self._later.get(seat, self.since) if own else None, True, out)
        return Hand(left, self.since, True, out)

"""Clocks that tell nobody who has answered. Pure rules without a time of their own: each moment is given, in seconds.

A *spell* lasts from when a seat is asked until others are; its own small decisions do not end it.

One seat is asked: its bank runs, for all to see. When the spell ends it gains the step, but never more than a whole
bank. In an answer window nothing runs until the window closes, then the bank does, and no step follows.

Several are asked at once: first an allotment runs, the same for all and shown to all, then the bank of each who has
not answered, shown to itself alone. Others see every bank as it stood when the question came, until the last has
answered; then all are settled, without a step.

At zero a flag falls. In a simultaneous question a bot answers for the seat, like anybody: in secret. That the flag
fell shows when the last answer is in.

What a decision took is stored with it (`spent`) and never worked out anew. Taking back gives no time back: the clock
runs on as if nothing had been decided.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, get_args

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.state import Seat

End = Literal["bot", "claim", "lose"]
"""What follows at zero: the strongest bot stands in; the others may claim that, or the win; the game is lost."""
ENDS: Final[tuple[End, ...]] = get_args(End)
Kind = Literal["", "alone", "window", "together"]
ALONE: Final = "alone"
WINDOW: Final = "window"
TOGETHER: Final = "together"
DAY: Final = 86_400
WAY: Final = 0.3
"""Seconds that a decision may be on its way to the server: they are not charged."""
LEAST_GRANT: Final = 10
"""Seconds that somebody has at least who comes back after their flag fell."""
LONGEST_BANK: Final = 24 * 3600
LONGEST_STEP: Final = 3600
MOST_DAYS: Final = 30
ALLOTMENT: Final = 60
"""Seconds of the allotment at most; it is a tenth of the bank."""


@dataclass(frozen=True)
class Pace:
    """How much time a table gives: a bank and a step in seconds, or days for each spell."""

    bank: int
    step: int = 0
    end: End = "bot"
    days: int = 0

    @property
    def allotment(self) -> int:
        """What everybody has before a simultaneous question runs on their bank, in seconds."""
        return 0 if self.days else min(ALLOTMENT, self.bank // 10)

    @property
    def grant(self) -> int:
        """What somebody has who comes back, in seconds."""
        return self.bank if self.days else min(self.bank, max(self.step, LEAST_GRANT))

    def to_json(self) -> dict[str, int | str]:
        """What is stored, what records hold and what programs send."""
        if self.days:
            return {"days": self.days, "end": self.end}
        return {"bank": self.bank, "step": self.step, "end": self.end}

    def dumps(self) -> str:
        """The same as a text."""
        return json.dumps(self.to_json())


def pace_of(body: object) -> Pace | None:
    """The pace that a program or the store means; None for no clock. Raises OptionError."""
    if body is None:
        return None
    if not isinstance(body, dict) or not body.keys() <= {"bank", "step", "days", "end"}:
        raise OptionError("A clock has a bank and a step in seconds, or days, and an end.")
    if body.get("end", "bot") not in ENDS:
        raise OptionError(f"At zero a clock's end is {', '.join(ENDS[:-1])} or {ENDS[-1]}.")
    if "days" in body:
        if body.keys() & {"bank", "step"}:
            raise OptionError("A clock has either days or a bank, not both.")
        days = _whole(body, "days", 1, MOST_DAYS)
        return Pace(days * DAY, end=body.get("end", "bot"), days=days)
    bank, step = _whole(body, "bank", 30, LONGEST_BANK), _whole(body, "step", 0, LONGEST_STEP)
    return Pace(bank, step, body.get("end", "bot"))


def _whole(body: dict[str, object], name: str, least: int, most: int) -> int:
    value = body.get(name, 0)
    if type(value) is not int or not least <= value <= most:
        raise OptionError(f"The {name} of a clock is a whole number from {least} to {most}.")
    return value


def stored_pace(text: str) -> Pace | None:
    """The pace of a stored table."""
    return pace_of(json.loads(text)) if text else None


class Hand(NamedTuple):
    """A seat's clock as one viewer sees it: `left` in milliseconds, which run down from `since` on."""

    left: int
    since: float | None
    runs: bool
    out: bool


class Sight(NamedTuple):
    """All clocks as one viewer sees them, and until when the allotment runs."""

    free: float | None
    hands: tuple[Hand, ...]

    def mark(self) -> object:
        """What changes exactly when a decision has changed it: that the time began later tells of none."""
        return self.free is None, tuple(hand._replace(since=None) for hand in self.hands)


class Clock:
    """The clocks of all seats of a table."""

    def __init__(self, pace: Pace, seats: int) -> None:
        self.pace: Pace = pace
        self.left: list[int] = [1000 * pace.bank] * seats
        """Milliseconds of each bank, as they stood when the question came if several are asked."""
        self.kind: Kind = ""
        self.asked: tuple[Seat, ...] = ()
        self.since: float = 0.0
        """When banks begin to run: now, after the allotment, or as the window closes."""
        self.fallen: frozenset[Seat] = frozenset()
        """Whose flag has fallen and who has not played on since."""
        self.secret: frozenset[Seat] = frozenset()
        """Those of them of whom nobody else knows, before the last answer is in."""
        self._decisions: int = -1
        """After how many decisions the question came."""
        self._charged: dict[Seat, int] = {}
        """What answers to the simultaneous question took."""
        self._later: dict[Seat, float] = {}
        """When the banks of those began to run who came back during it."""
        self._earning: bool = False
        """Whether somebody has played in this spell, so that a step is due at its end."""
        self._stepless: bool = True
        """Whether none is due in any case."""
        self._steps: list[tuple[int, ...]] = [()] * seats
        """After how many decisions of the game each seat gained its latest steps."""
        self._debts: list[int] = [0] * seats
        """How many steps a seat will not gain, for it had them before it went back."""

    def clone(self) -> Clock:
        """A copy on which something can be tried."""
        twin = object.__new__(Clock)
        twin.__dict__.update(self.__dict__)
        twin.left, twin._steps, twin._debts = self.left[:], self._steps[:], self._debts[:]
        twin._charged, twin._later = self._charged.copy(), self._later.copy()
        return twin

    # ---- questions ------------------------------------------------------------------------------------

    def ask(self, kind: Kind, asked: tuple[Seat, ...], now: float, decisions: int) -> None:
        """The game asks these seats, after so many decisions. The same question again changes nothing."""
        same = (kind, asked) == (self.kind, self.asked)
        if same and (kind != WINDOW or decisions == self._decisions):
            return
        self._decisions = decisions
        # What one does after an answer in a window is still that answer.
        stepless = kind != ALONE or (self.kind == WINDOW and asked == self.asked)
        self.settle(decisions)
        self.kind, self.asked = kind, asked
        self.since = now + self.pace.allotment if kind == TOGETHER else now
        self._stepless = stepless

    def settle(self, decisions: int) -> None:
        """The question is answered."""
        if self.kind == TOGETHER:
            for seat, spent in self._charged.items():
                self.left[seat] -= spent
                if seat not in self.secret:
                    self._play_on(seat)
            self.secret = frozenset()
        for seat in self.asked:
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
        self._steps[seat] = (*self._steps[seat][-63:], decisions)

    def go_back(self, decisions: int) -> None:
        """The game goes back to where it stood after so many decisions. Steps gained since are not gained twice."""
        for seat, steps in enumerate(self._steps):
            kept = tuple(step for step in steps if step <= decisions)
            self._debts[seat] += len(steps) - len(kept)
            self._steps[seat] = kept

    # ---- answers --------------------------------------------------------------------------------------

    def used(self, seat: Seat, came: float) -> int:
        """What a decision took that came in just then, in milliseconds, besides what is charged already."""
        if seat not in self.asked:
            return 0
        ran = int(1000 * (came - WAY - self._later.get(seat, self.since)))
        return max(0, min(ran, self.left[seat]) - self._charged.get(seat, 0))

    def charge(self, seat: Seat, spent: int, now: float) -> None:
        """A seat has decided, and it took so long."""
        if self.kind == TOGETHER:
            self._charged[seat] = self._charged.get(seat, 0) + spent
        else:
            self.left[seat] -= spent
            self.since = now
            self._play_on(seat)
            self._earning = not self._stepless

    def _play_on(self, seat: Seat) -> None:
        """Whoever decides before anybody has claimed anything goes on, with a step and no other for this spell."""
        if seat in self.fallen:
            self.fallen -= {seat}
            self.left[seat] = 1000 * self.pace.grant
            self._stepless = True

    def fall(self, seat: Seat) -> None:
        """A flag falls."""
        self.fallen |= {seat}
        if self.kind == TOGETHER:
            self._charged[seat] = self.left[seat]
            self.secret |= {seat}
        else:
            self.left[seat] = 0

    def return_to(self, seat: Seat, now: float) -> None:
        """Somebody for whom a bot played is back: their time runs from now on."""
        self._play_on(seat)
        if self.kind == TOGETHER:
            self._later[seat] = max(now, self.since)
        elif seat in self.asked:
            self.since = max(now, self.since)

    # ---- what runs ------------------------------------------------------------------------------------

    def due(self, waiting: Iterable[Seat]) -> tuple[float, Seat] | None:
        """When the next flag falls, and whose, of those who have still to answer."""
        running = [seat for seat in waiting if seat in self.asked and seat not in self.fallen]
        ends = [(self._later.get(seat, self.since) + self.left[seat] / 1000 + WAY, seat) for seat in running]
        return min(ends, default=None)

    def sight(self, viewer: int, waits: bool) -> Sight:
        """What a viewer is shown: until when the allotment runs, and each seat's clock. `waits`: whether the viewer has
        still to answer. In a simultaneous question it is the same whatever others have done."""
        together = self.kind == TOGETHER
        free = self.since if together and self.pace.allotment else None
        return Sight(free, tuple(self._hand(seat, viewer, waits) for seat in range(len(self.left))))

    def _hand(self, seat: Seat, viewer: int, waits: bool) -> Hand:
        own, left = seat == viewer, self.left[seat]
        out = seat in self.fallen and (own or seat not in self.secret)
        if out or seat not in self.asked:
            return Hand(0 if own and seat in self.secret else left, None, False, out)
        if own and not waits:
            return Hand(left - self._charged.get(seat, 0), None, False, out)
        if self.kind == TOGETHER:
            return Hand(left, self._later.get(seat, self.since) if own else None, True, out)
        return Hand(left, self.since, True, out)

"""The writer of observation tensors. `gonfalon.core.arrays.layout` explains the numbers.

A row is written from the viewer's view, or straight from the full state: then a card counts as known if it has the
viewer's seen bit, the condition that the mask uses as well. `gonfalon check` tests that both give the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from librt.vecs import vec
from mypy_extensions import i16, i32, i64, u8

from gonfalon.core.basics.cards import FLAG, HIDDEN, KIND, SEEN, Unread, blank, seen_by_all
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.state import OPEN, TOGETHER, AnyStep, AnyTogether, State

LOW: Final = -128
"""The smallest signed byte."""
HIGH: Final = 127
"""The largest signed byte."""
ENTRY: Final = 3
"""The number of entries for a card that is listed one by one."""
FIRST_SEEN: Final = SEEN[0]
"""A card below this number has not been seen by any seat and has no flag."""
FLOATS: Final[Unread] = [float(number - 256 if number > HIGH else number) for number in range(256)]
"""The value of each byte of a row."""
DENSE: Final = 1 << 14
"""Actions below this number are looked up in a vector, others in a dict."""


class Writer:
    """The place of each number in a tensor, and the functions that fill a row.

    Places of zones are kept in one list for each observer, with one place for each zone.
    """

    __slots__ = (
        "seats",
        "steps",
        "columns",
        "shown",
        "known",
        "flags",
        "flag_count",
        "order",
        "ordered",
        "deep",
        "wide",
        "stack_at",
        "ids",
        "steps_at",
        "asks_at",
        "asked_at",
        "answers_at",
        "seat_at",
        "measure",
        "direct",
        "own",
        "numbers",
        "no_marks",
        "every",
        "blank",
        "row",
        "viewer",
        "clipped",
    )

    def __init__(self, seats: int, steps: dict[type[AnyStep], int], ids: dict[int, int], flag_count: int) -> None:
        self.seats: int = seats
        self.steps: dict[type[AnyStep], int] = steps
        self.ids: dict[int, int] = ids
        self.flag_count: int = flag_count
        self.columns: list[vec[i16]] = []  # by zone: for a kind its column
        self.shown: list[list[int]] = [[] for _ in range(seats)]
        self.known: list[list[int]] = [[] for _ in range(seats)]
        self.flags: list[list[int]] = [[] for _ in range(seats)]
        self.order: list[list[int]] = [[] for _ in range(seats)]
        self.ordered: list[tuple[int, int]] = []  # the ordered zones, and the number of cards listed of each
        self.deep: int = 0  # the number of steps that are described, each in at most `wide` numbers
        self.wide: int = 0
        self.stack_at: int = 0
        self.steps_at: int = 0
        self.asks_at: int = 0
        self.asked_at: int = 0
        self.answers_at: int = 0
        self.seat_at: int = 0
        self.measure: Callable[[State, int, Writer], None] = measure_nothing
        """Writes the game's own numbers from the side of a seat (`Learning.measure`)."""
        self.direct: bool = False
        """Whether a row may be written from a full state. Otherwise the state is masked first."""
        self.own: vec[i32] = vec[i32]()
        """The place of each of the game's own numbers."""
        # A game may number its actions with large gaps, and a vector up to the largest number would be mostly empty.
        small = [action for action in ids if action < DENSE]
        self.numbers: vec[i16] = vec[i16]([ids.get(action, -1) for action in range(max(small, default=-1) + 1)])
        self.no_marks: vec[u8] = vec[u8]([0] * len(ids))
        self.every: int = seen_by_all(seats)
        self.blank: vec[u8] = vec[u8]()  # a row of zeros
        self.row: vec[u8] = vec[u8]()  # the row that is being filled
        self.viewer: int = OPEN
        """The viewer of the row that is being filled."""
        self.clipped: int = -1  # one of the game's numbers that did not fit into a signed byte

    def make_room(self, columns: list[list[int]], own: list[int], size: int) -> None:
        """Set the sizes of a layout.

        Args:
            columns: For each zone the column of each kind.
            own: The place of each of the game's own numbers.
            size: The length of a row in bytes.
        """
        self.columns = [vec[i16](column) for column in columns]
        self.own = vec[i32](own)
        self.blank = vec[u8]([0] * size)

    def write(self, s: State, viewer: int, out: bytearray) -> None:
        """Fill a buffer with the knowledge of a viewer.

        Args:
            s: A full state, or the viewer's view.
            viewer: A seat, SPECTATOR or OPEN.
            out: The target, as long as a row; one signed byte for each number.
        """
        out[:] = memoryview(self.row_of(s, viewer))

    def row_of(self, s: State, viewer: int) -> vec[u8]:
        """Return the knowledge of a viewer as a new row of signed bytes.

        Args:
            s: A full state, or the viewer's view.
            viewer: A seat, SPECTATOR or OPEN.
        """
        if not self.direct and s.viewer == OPEN and viewer != OPEN:
            s = s.mask(viewer)
        me = viewer if viewer >= 0 else 0
        # The slice is a copy, because `blank` must stay zero.
        out = self.blank[0 : len(self.blank)]
        self.row = out
        self.write_flow(s, me)
        need = s.need(viewer)
        zones = s.zones()
        lit = self.write_zones(zones, me, need)
        if self.ordered:
            self.write_order(s, zones, lit, me, need)
        if viewer >= 0:
            answer = s.answers[viewer]
            for i in range(len(answer)):
                out[self.answers_at + self.ids[answer[i]]] = i + 1
            out[self.seat_at + viewer] = 1
        self.viewer = viewer
        self.measure(s, me, self)
        # The row belongs to the caller from here on, so a late `put` must not reach it.
        self.row = vec[u8]()
        return out

    def write_flow(self, s: State, me: int) -> None:
        """Write the pending steps and the seats that are asked, counted from the seat `me`."""
        seats = self.seats
        stack: Unread = s.stack
        if not stack:
            return
        out = self.row
        due = -1
        for item in stack:
            step: AnyStep = item
            due = self.steps.get(type(step), -1)
            if due < 0:
                raise build_undeclared_error(type(step))
            seat = step.seat
            count_up(out, self.steps_at + due * (seats + 1) + ((seat - me) % seats if seat >= 0 else seats))
        out[self.asks_at + due] = 1
        self.write_stack(stack)
        top: AnyStep = stack[-1]
        if top.seat == TOGETHER:
            together: AnyTogether = stack[-1]
            for seat in together.seats:
                out[self.asked_at + (seat - me) % seats] = 1
        else:
            out[self.asked_at + ((top.seat - me) % seats if top.seat >= 0 else seats)] = 1

    def put(self, number: i64, value: i64) -> None:
        """Set one of the game's own numbers. Numbers that are not set are 0; larger ones than a signed byte are
        clipped."""
        if value < LOW or value > HIGH:
            self.clipped = number
            value = LOW if value < LOW else HIGH
        self.row[i64(self.own[number])] = u8(value & 255)

    def one(self, number: i64) -> None:
        """Set one of the game's own numbers to 1."""
        self.row[i64(self.own[number])] = 1

    def more(self, number: i64) -> None:
        """Add 1 to one of the game's own numbers, which must not be negative."""
        count_up(self.row, i64(self.own[number]))

    def marks_of(self, actions: list[int]) -> vec[u8]:
        """Return a mask of all actions: 1 for each of these actions, 0 for the others."""
        marks = self.no_marks[0 : len(self.no_marks)]
        for action in actions:
            marks[self.number(action)] = 1
        return marks

    def number(self, action: i64) -> i64:
        """Return the index of an action among all actions. Raises KeyError if the game does not list it."""
        if action < len(self.numbers):
            number = i64(self.numbers[action])
            if number >= 0:
                return number
        return self.ids[action]

    def write_zones(self, zones: Unread, me: int, need: i64) -> int:
        """Write the cards of all zones.

        Args:
            zones: The zones of the state. No two of them share a number of the row.
            me: The seat from whose side the zones are counted.
            need: The seen bits of a card that the viewer knows.

        Returns:
            A bitmask of the zones that contain a card that is seen or has a flag.
        """
        every: i64 = self.every
        out = self.row
        columns = self.columns
        shown: list[int] = self.shown[me]
        known: list[int] = self.known[me]
        lit = 0
        at: i64 = -1
        for item in zones:
            at += 1
            zone: list[int] = item
            if not zone:
                continue
            column = columns[at]
            open_at: i64 = shown[at]
            unseen: i64 = 0
            dark = True
            for number in zone:
                card: i64 = number
                if card < FIRST_SEEN and need:  # most cards are in piles that no seat has seen
                    unseen += 1
                    continue
                dark = False
                if card & every == every:
                    count_up(out, open_at + i64(column[card & KIND]))
                else:
                    unseen += 1
                    if card & need == need and card & KIND != HIDDEN:
                        count_up(out, known[at] + i64(column[card & KIND]))
                if card >= FLAG:
                    self.write_flags(card, at, me)
            if not dark:
                lit |= 1 << int(at)
            if unseen:
                out[open_at + i64(column[HIDDEN])] = u8(unseen if unseen < HIGH else HIGH)
        return lit

    def write_flags(self, card: i64, at: i64, me: int) -> None:
        """Count the flags of a card."""
        start: i64 = self.flags[me][at]
        for flag in range(self.flag_count):
            if card & (FLAG << flag):
                count_up(self.row, start + flag)

    def write_stack(self, stack: Unread) -> None:
        """Write the numbers of the newest steps. Numbers that do not fit are reduced to their lowest byte."""
        depth = len(stack)
        out = self.row
        for up in range(min(self.deep, depth)):
            step: AnyStep = stack[depth - 1 - up]
            at = self.stack_at + up * self.wide
            key = step.key()
            for i in range(min(self.wide, len(key))):
                number = key[i]
                if number:
                    out[at + i] = number & 255

    def write_order(self, s: State, zones: list[list[int]], lit: int, me: int, need: i64) -> None:
        """Write, one by one, the cards of ordered zones that a seat has seen or that have a flag.

        Args:
            s: The state.
            zones: The zones of the state.
            lit: The result of `write_zones`; other zones have no such cards.
            me: The seat from whose side seats are counted.
            need: The seen bits of a card that the viewer knows.
        """
        out = self.row
        seats = self.seats
        for number, most in self.ordered:
            zone = zones[number]
            if not lit >> number & 1:
                continue
            count = len(zone)
            # A full state still has the order that the view of a loose zone hides.
            if s.is_loose(number):
                zone = zone[:]
                blank(zone, need)
                zone.sort()
            at: i64 = self.order[me][number]
            column = self.columns[number]
            left = most
            for up in range(count):
                card: i64 = zone[count - 1 - up]
                if card & need != need:
                    card |= HIDDEN
                if card == HIDDEN:
                    continue
                if not left:
                    break
                left -= 1
                seen = card >> 10 & 255
                if me:  # the observer's own bit first
                    seen = (seen >> me | seen << (seats - me)) & (1 << seats) - 1
                out[at] = u8((1 + i64(column[card & KIND])) & 255)
                out[at + 1] = min(1 + up, HIGH)
                out[at + 2] = u8((seen | card // FLAG << seats) & 255)
                at += ENTRY


def measure_nothing(s: State, me: int, row: Writer) -> None:
    """Write no numbers, for a game without numbers of its own."""


def build_undeclared_error(step: type[AnyStep]) -> GonfalonError:
    """Return the error of a step whose class its game does not declare."""
    return GonfalonError(f"The step {step.__name__} is not declared. List the class in `steps` of the game.")


def read_floats(row: vec[u8], start: i64, stop: i64) -> list[float]:
    """Return the signed bytes from `start` to `stop` as a list of floats."""
    # Most entries are 0, so only the others are looked up.
    found: Unread = [0.0] * (stop - start)
    for at in range(start, stop):
        number = i64(row[at])
        if number:
            found[at - start] = FLOATS[number]
    return found


def count_up(row: vec[u8], at: i64) -> None:
    """Add 1 to a signed byte, up to its maximum."""
    if row[at] < HIGH:
        row[at] += 1

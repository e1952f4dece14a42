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
BASES: Final = 4
"""The number of entries of `Writer.bases` for an observer and a zone."""
FIRST_SEEN: Final = SEEN[0]
"""A card below this number has not been seen by any seat and has no flag."""
DENSE: Final = 1 << 14
"""Actions below this number are looked up in a vector, others in a dict."""


class Writer:
    """The place of each number in a tensor, and the functions that fill a row.

    A row is filled in memory that stays, and `places` lists the numbers that were set: fewer than 50 of thousands. So
    the next row clears these alone, and a reader can copy them alone.
    """

    def __init__(self, seats: int, steps: dict[type[AnyStep], int], ids: dict[int, int], flag_count: int) -> None:
        self.seats: i64 = seats
        self.steps: dict[type[AnyStep], int] = steps
        self.ids: dict[int, int] = ids
        self.flag_count: int = flag_count
        # For each observer and zone the place of its first number. `make_room` packs these lists into `bases`.
        self.shown: list[list[int]] = [[] for _ in range(seats)]
        self.known: list[list[int]] = [[] for _ in range(seats)]
        self.flags: list[list[int]] = [[] for _ in range(seats)]
        self.order: list[list[int]] = [[] for _ in range(seats)]
        self.ordered: list[tuple[int, int]] = []  # the ordered zones, and the number of cards listed of each
        self.zone_count: i64 = 0
        self.columns: vec[i16] = vec[i16]()  # by deck and kind: its column
        self.column_at: vec[i32] = vec[i32]()  # by zone: the first entry of its deck in `columns`
        self.bases: vec[i32] = vec[i32]()  # by observer and zone: the places of shown, known, flags and order
        self.listed: vec[i32] = vec[i32]()  # by zone: the number of cards that are listed in their order
        self.deep: i64 = 0  # the number of steps that are described, each in at most `wide` numbers
        self.wide: i64 = 0
        self.stack_at: i64 = 0
        self.steps_at: i64 = 0
        self.asks_at: i64 = 0
        self.asked_at: i64 = 0
        self.answers_at: i64 = 0
        self.seat_at: i64 = 0
        self.measure: Callable[[State, int, Writer], None] = measure_nothing
        """Writes the game's own numbers from the side of a seat (`Learning.measure`)."""
        self.direct: bool = False
        """Whether a row may be written from a full state. Otherwise the state is masked first."""
        self.own: vec[i32] = vec[i32]()
        """The place of each of the game's own numbers."""
        # A game may number its actions with large gaps, and a vector up to the largest number would be mostly empty.
        small = [action for action in ids if action < DENSE]
        self.numbers: vec[i16] = vec[i16]([ids.get(action, -1) for action in range(max(small, default=-1) + 1)])
        self.every: i64 = seen_by_all(seats)
        self.row: vec[u8] = vec[u8]()
        """The row that was filled last."""
        self.places: vec[i32] = vec[i32]()
        """The places of its numbers that are not 0, in the order of writing."""
        self.count: i64 = 0
        """The number of entries of `places`."""
        self.viewer: int = OPEN
        """The viewer of the row that is being filled."""
        self.clipped: int = -1  # one of the game's numbers that did not fit into a signed byte

    def make_room(self, columns: list[list[int]], own: list[int], size: int) -> None:
        """Set the sizes of a layout.

        Args:
            columns: For each zone the column of each kind. Zones of a deck share the list.
            own: The place of each of the game's own numbers.
            size: The length of a row in bytes.
        """
        self.zone_count = len(columns)
        packed: list[int] = []
        starts: dict[int, int] = {}
        for column in columns:
            if id(column) not in starts:
                starts[id(column)] = len(packed)
                packed += column
        self.columns = vec[i16](packed)
        self.column_at = vec[i32]([starts[id(column)] for column in columns])
        most = dict(self.ordered)
        self.listed = vec[i32]([most.get(at, 0) for at in range(len(columns))])
        bases: list[int] = []
        for me in range(self.seats):
            for at in range(len(columns)):
                # The lists of a part that no zone has are empty.
                bases += [part[me][at] if part[me] else 0 for part in (self.shown, self.known, self.flags, self.order)]
        self.bases = vec[i32](bases)
        self.own = vec[i32](own)
        self.row = vec[u8]([0] * size)
        self.places = vec[i32]([0] * size)
        self.count = 0

    def write(self, s: State, viewer: int, out: bytearray) -> None:
        """Fill a buffer with the knowledge of a viewer.

        Args:
            s: A full state, or the viewer's view.
            viewer: A seat, SPECTATOR or OPEN.
            out: The target, as long as a row; one signed byte for each number.
        """
        self.fill(s, viewer)
        out[:] = memoryview(self.row)

    def row_of(self, s: State, viewer: int) -> vec[u8]:
        """Return the knowledge of a viewer as a new row of signed bytes.

        Args:
            s: A full state, or the viewer's view.
            viewer: A seat, SPECTATOR or OPEN.
        """
        self.fill(s, viewer)
        # A slice is a copy.
        return self.row[0 : len(self.row)]

    def floats_of(self, s: State, viewer: int, start: i64, stop: i64) -> list[float]:
        """Return the knowledge of a viewer from the number `start` to `stop`, as `row_of` does."""
        self.fill(s, viewer)
        found = [0.0] * (stop - start)
        for i in range(self.count):
            at = i64(self.places[i])
            if start <= at < stop:
                number = i64(self.row[at])
                found[at - start] = float(number - 256 if number > HIGH else number)
        return found

    def fill(self, s: State, viewer: int) -> None:
        """Write the knowledge of a viewer into `row`, over the last one.

        Args:
            s: A full state, or the viewer's view.
            viewer: A seat, SPECTATOR or OPEN.
        """
        if not self.direct and s.viewer == OPEN and viewer != OPEN:
            s = s.mask(viewer)
        # Here and not after use: the last row may have ended in an error, or been changed by a late `put`.
        self.clear()
        me: i64 = viewer if viewer >= 0 else 0
        if s.stack:
            self.write_flow(s.stack, me)
        self.write_zones(s, me, s.need(viewer))
        if viewer >= 0:
            answer = s.answers[viewer]
            for i in range(len(answer)):
                self.set_at(self.answers_at + self.ids[answer[i]], i + 1)
            self.set_at(self.seat_at + viewer, 1)
        self.viewer = viewer
        self.measure(s, int(me), self)

    def clear(self) -> None:
        """Set all numbers of the row to 0."""
        row = self.row
        places = self.places
        for i in range(self.count):
            row[i64(places[i])] = 0
        self.count = 0

    def set_at(self, at: i64, value: i64) -> None:
        """Set the number at a place, reduced to its lowest byte."""
        row = self.row
        byte = value & 255
        if row[at] == 0:
            if byte:
                self.places[self.count] = i32(at)
                self.count += 1
        elif not byte:
            self.forget(at)
        row[at] = u8(byte)

    def forget(self, at: i64) -> None:
        """Remove a place, whose number is 0 again."""
        places = self.places
        self.count -= 1
        for i in range(self.count):
            if places[i] == at:
                places[i] = places[self.count]

    def add_at(self, at: i64) -> None:
        """Add 1 to the number at a place, up to the largest signed byte."""
        row = self.row
        old = row[at]
        if old == 0:
            self.places[self.count] = i32(at)
            self.count += 1
        if old < HIGH:
            row[at] = old + 1

    def write_flow(self, stack: Unread, me: i64) -> None:
        """Write the pending steps, the seats that are asked, counted from the seat `me`, and the numbers of the newest
        steps. Numbers that do not fit are reduced to their lowest byte."""
        seats = self.seats
        wide = self.wide
        due: i64 = -1
        left: i64 = len(stack)
        for item in stack:
            step: AnyStep = item
            due = self.steps.get(type(step), -1)
            if due < 0:
                raise build_undeclared_error(type(step))
            seat: i64 = step.seat
            near = (seat - me) % seats if seat >= 0 else seats
            self.add_at(self.steps_at + due * (seats + 1) + near)
            left -= 1
            if left < self.deep:
                key: Unread = step.key()
                at = self.stack_at + left * wide
                for i in range(min(wide, i64(len(key)))):
                    number: int = key[i]
                    if number:
                        self.set_at(at + i, i64(number & 255))
            if left == 0:
                self.set_at(self.asks_at + due, 1)
                if seat != TOGETHER:
                    self.set_at(self.asked_at + near, 1)
                    continue
                together: AnyTogether = item
                for asked in together.seats:
                    self.set_at(self.asked_at + (i64(asked) - me) % seats, 1)

    def sort_places(self) -> None:
        """Sort `places`, because the order of writing would reveal the order of cards."""
        # Insertion: they are few, and mostly ascending already.
        places = self.places
        for i in range(1, self.count):
            place = places[i]
            at: i64 = i
            while at > 0 and places[at - 1] > place:
                places[at] = places[at - 1]
                at -= 1
            places[at] = place

    def put(self, number: i64, value: i64) -> None:
        """Set one of the game's own numbers. Numbers that are not set are 0; larger ones than a signed byte are
        clipped."""
        if value < LOW or value > HIGH:
            self.clipped = int(number)
            value = LOW if value < LOW else HIGH
        self.set_at(i64(self.own[number]), value)

    def one(self, number: i64) -> None:
        """Set one of the game's own numbers to 1."""
        self.set_at(i64(self.own[number]), 1)

    def more(self, number: i64) -> None:
        """Add 1 to one of the game's own numbers, which must not be negative."""
        self.add_at(i64(self.own[number]))

    def marks_of(self, actions: list[int]) -> vec[u8]:
        """Return a mask of all actions: 1 for each of these actions, 0 for the others."""
        marks = vec[u8]([0] * len(self.ids))
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

    def write_zones(self, s: State, me: i64, need: i64) -> None:
        """Write the cards of all zones.

        Args:
            s: The state. No two of its zones share a number of the row.
            me: The seat from whose side the zones are counted.
            need: The seen bits of a card that the viewer knows.
        """
        every = self.every
        row = self.row
        places = self.places
        columns = self.columns
        bases = self.bases
        zones: Unread = s.zones()
        base = (me * self.zone_count - 1) * BASES
        at: i64 = -1
        for item in zones:
            at += 1
            base += BASES
            zone: list[i64] = item
            if not zone:
                continue
            column_at = i64(self.column_at[at])
            unseen: i64 = 0
            count = self.count
            dark = True
            for card in zone:
                if card < FIRST_SEEN and need:  # most cards are in piles that no seat has seen
                    unseen += 1
                    continue
                dark = False
                place: i64
                if card & every == every:
                    place = i64(bases[base]) + i64(columns[column_at + (card & KIND)])
                else:
                    unseen += 1
                    place = -1
                    if card & need == need and card & KIND != HIDDEN:
                        place = i64(bases[base + 1]) + i64(columns[column_at + (card & KIND)])
                if place >= 0:
                    # `add_at`, whose call would double the time of this loop.
                    old = row[place]
                    if old == 0:
                        places[count] = i32(place)
                        count += 1
                    if old < HIGH:
                        row[place] = old + 1
                if card >= FLAG:
                    self.count = count
                    self.write_flags(card, i64(bases[base + 2]))
                    count = self.count
            self.count = count
            if unseen:
                place = i64(bases[base]) + i64(columns[column_at + HIDDEN])
                self.set_at(place, unseen if unseen < HIGH else HIGH)
            if not dark and self.listed[at]:
                self.write_order(s, item, int(at), i64(bases[base + 3]), me, need)

    def write_flags(self, card: i64, start: i64) -> None:
        """Count the flags of a card in the numbers from `start` on."""
        for flag in range(self.flag_count):
            if card & (FLAG << flag):
                self.add_at(start + flag)

    def write_order(self, s: State, zone: list[int], number: int, start: i64, me: i64, need: i64) -> None:
        """Write, one by one, the cards of an ordered zone that a seat has seen or that have a flag.

        Args:
            s: The state.
            zone: The zone.
            number: The number of the zone.
            start: The place of the first number.
            me: The seat from whose side seats are counted.
            need: The seen bits of a card that the viewer knows.
        """
        seats = self.seats
        # A full state still has the order that the view of a loose zone hides.
        if s.is_loose(number):
            zone = zone[:]
            blank(zone, int(need))
            zone.sort()
        column_at = i64(self.column_at[number])
        left = i64(self.listed[number])
        at = start
        depth: i64 = 0
        for up in range(len(zone)):
            card: i64 = zone[len(zone) - 1 - up]
            depth += 1
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
            self.set_at(at, 1 + i64(self.columns[column_at + (card & KIND)]))
            self.set_at(at + 1, depth if depth < HIGH else HIGH)
            self.set_at(at + 2, seen | card // FLAG << seats)
            at += ENTRY


def measure_nothing(s: State, me: int, row: Writer) -> None:
    """Write no numbers, for a game without numbers of its own."""


def build_undeclared_error(step: type[AnyStep]) -> GonfalonError:
    """Return the error of a step whose class its game does not declare."""
    return GonfalonError(f"The step {step.__name__} is not declared. List the class in `steps` of the game.")

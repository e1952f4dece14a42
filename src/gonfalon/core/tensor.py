"""Filling an observation tensor. What the numbers mean says `gonfalon.core.layout`.

A row is written from the viewer's view, or straight from the full state: then a card counts as known if the viewer's
seen bit is on it, which is what the mask asks as well. That both come to the same bytes is a law (`gonfalon check`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from mypy_extensions import i64

from gonfalon.core.cards import FLAG, HIDDEN, KIND, Unread, blank, seen_by_all
from gonfalon.core.errors import GonfalonError
from gonfalon.core.state import OPEN, TOGETHER, AnyStep, AnyTogether, State

LOW: Final = -128
HIGH: Final = 127
ENTRY: Final = 3
"""So many numbers tell a card that is told one by one."""
# Compiled, these numbers are handed on as the objects they are, and none is made anew.
ONE: Final[Any] = 1
EMPTY: Final = bytearray()
KINDS: Final = HIDDEN + 1


class Writer:
    """Where each number of a tensor goes. The lists of places hold one list for each observer, and in it
    one place for each zone."""

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
        "cells",
        "every",
        "counts",
        "out",
        "viewer",
        "clipped",
    )

    def __init__(self, seats: int, steps: dict[type[AnyStep], int], ids: dict[int, int], flag_count: int) -> None:
        self.seats: int = seats
        self.steps: dict[type[AnyStep], int] = steps
        self.ids: dict[int, int] = ids
        self.flag_count: int = flag_count
        self.columns: list[list[int]] = []  # by zone: for a kind its column
        self.shown: list[list[int]] = [[] for _ in range(seats)]
        self.known: list[list[int]] = [[] for _ in range(seats)]
        self.flags: list[list[int]] = [[] for _ in range(seats)]
        self.order: list[list[int]] = [[] for _ in range(seats)]
        self.ordered: list[tuple[int, int]] = []  # zones in which order means something: of how many cards it is told
        self.deep: int = 0  # so many steps are told in numbers, each in at most `wide`
        self.wide: int = 0
        self.stack_at: int = 0
        self.steps_at: int = 0
        self.asks_at: int = 0
        self.asked_at: int = 0
        self.answers_at: int = 0
        self.seat_at: int = 0
        self.measure: Callable[[State, int, Writer], None] = no_numbers
        """Puts the game's own numbers, told from a seat's side."""
        self.direct: bool = False
        """Whether a row may be written from a full state; else it is masked first."""
        self.own: Unread = []
        """To which place each of the game's own numbers goes."""
        self.cells: Unread = []
        """All places."""
        self.every: int = seen_by_all(seats)
        self.counts: list[int] = [0] * (2 * KINDS)  # of the kinds in a zone: shown to all, and known to the viewer
        self.out: bytearray = EMPTY  # the row that is being filled
        self.viewer: int = OPEN
        """For whom the row is that is being filled."""
        self.clipped: int = -1  # one of the game's numbers that did not fit into a signed byte

    def write(self, s: State, viewer: int, out: bytearray) -> None:
        """Fill `out`, which must be all zeros, with what a viewer may know of a state: a full one or that viewer's
        view."""
        if not self.direct and s.viewer == OPEN and viewer != OPEN:
            s = s.mask(viewer)
        me = viewer if viewer >= 0 else 0
        self.write_flow(s, me, out)
        need = s.need(viewer)
        zones = s.zones()
        self.write_zones(zones, me, need, out)
        if self.ordered:
            self.write_order(s, zones, me, need, out)
        if viewer >= 0:
            answer = s.answers[viewer]
            for i in range(len(answer)):
                out[self.answers_at + self.ids[answer[i]]] = i + 1
            out[self.seat_at + viewer] = 1
        self.out = out
        self.viewer = viewer
        self.measure(s, me, self)
        self.out = EMPTY

    def write_flow(self, s: State, me: int, out: bytearray) -> None:
        """What is to be done, and who is asked."""
        seats = self.seats
        stack: Unread = s.stack
        if not stack:
            return
        cells = self.cells
        due = -1
        for item in stack:
            step: AnyStep = item
            due = self.steps.get(type(step), -1)
            if due < 0:
                raise undeclared(type(step))
            seat = step.seat
            raise_by(out, cells[self.steps_at + due * (seats + 1) + ((seat - me) % seats if seat >= 0 else seats)], 1)
        out[cells[self.asks_at + due]] = ONE
        self.write_stack(stack, out)
        top: AnyStep = stack[-1]
        if top.seat == TOGETHER:
            together: AnyTogether = stack[-1]
            for seat in together.seats:
                out[cells[self.asked_at + (seat - me) % seats]] = ONE
        else:
            out[cells[self.asked_at + ((top.seat - me) % seats if top.seat >= 0 else seats)]] = ONE

    def put(self, number: i64, value: i64) -> None:
        """One of the game's own numbers. Those that are not put are 0."""
        if value < LOW or value > HIGH:
            self.clipped = number
            value = LOW if value < LOW else HIGH
        self.out[self.own[number]] = value & 255

    def one(self, number: i64) -> None:
        """A 1 among the game's own numbers."""
        self.out[self.own[number]] = ONE

    def more(self, number: i64) -> None:
        """Count one more in one of the game's own numbers, which are none below 0."""
        raise_by(self.out, self.own[number], 1)

    def mark(self, actions: Unread, out: bytearray) -> None:
        """A one for each action; `out` must be all zeros."""
        ids: dict[Any, Any] = self.ids
        for action in actions:
            out[ids[action]] = ONE

    def write_zones(self, zones: Unread, me: int, need: i64, out: bytearray) -> None:
        """The cards of all zones; the viewer knows those that bear the seen bits `need`. The numbers of a zone belong
        to no other."""
        every: i64 = self.every
        columns: Unread = self.columns
        shown: Unread = self.shown[me]
        cells = self.cells
        at: i64 = -1
        for item in zones:
            at += 1
            zone: list[int] = item
            if not zone:
                continue
            if len(zone) > 1:
                self.write_many(zone, at, me, need, out)
                continue
            card: i64 = zone[0]
            column: list[int] = columns[at]
            open_at: i64 = shown[at]
            if card & every == every:
                out[cells[open_at + column[card & KIND]]] = ONE
            else:
                out[cells[open_at + column[HIDDEN]]] = ONE
                if card & need == need and card & KIND != HIDDEN:
                    out[cells[self.known[me][at] + column[card & KIND]]] = ONE
            if card >= FLAG:
                self.write_flags(card, at, me, out)

    def write_many(self, zone: list[int], at: i64, me: int, need: i64, out: bytearray) -> None:
        """The cards of one zone. They are counted in a list, which compiled is several times as fast as in bytes."""
        every: i64 = self.every
        counts = self.counts
        column: list[int] = self.columns[at]
        unseen: i64 = 0
        known: i64 = 0
        for number in zone:
            card: i64 = number
            if card & every == every:
                counts[column[card & KIND]] += 1
            else:
                unseen += 1
                if card & need == need and card & KIND != HIDDEN:
                    known += 1
                    counts[KINDS + column[card & KIND]] += 1
            if card >= FLAG:
                self.write_flags(card, at, me, out)
        cells = self.cells
        open_at: i64 = self.shown[me][at]
        if unseen:
            out[cells[open_at + column[HIDDEN]]] = unseen if unseen < HIGH else HIGH
            if not known and unseen == len(zone):
                return
        known_at: i64 = self.known[me][at] if known else 0
        for number in zone:
            card = number
            place: i64 = column[card & KIND]
            start: i64 = open_at
            if card & every != every:
                if card & need != need or card & KIND == HIDDEN:
                    continue
                start = known_at - KINDS
                place += KINDS
            count: i64 = counts[place]
            if count:
                out[cells[start + place]] = count if count < HIGH else HIGH
                counts[place] = 0

    def write_flags(self, card: i64, at: i64, me: int, out: bytearray) -> None:
        """The flags of a card."""
        start: i64 = self.flags[me][at]
        for flag in range(self.flag_count):
            if card & (FLAG << flag):
                raise_by(out, self.cells[start + flag], 1)

    def write_stack(self, stack: Unread, out: bytearray) -> None:
        """The numbers of the newest steps. What is no signed byte is told by its lowest one."""
        depth = len(stack)
        cells = self.cells
        for up in range(min(self.deep, depth)):
            step: AnyStep = stack[depth - 1 - up]
            at = self.stack_at + up * self.wide
            key = step.key()
            for i in range(min(self.wide, len(key))):
                number = key[i]
                if number:
                    out[cells[at + i]] = number & 255

    def write_order(self, s: State, zones: list[list[int]], me: int, need: i64, out: bytearray) -> None:
        """The cards of which somebody has seen which they are, or that bear a flag, one by one."""
        cells = self.cells
        seats = self.seats
        for number, most in self.ordered:
            zone = zones[number]
            count = len(zone)
            if not count:
                continue
            if s.is_loose(number):
                zone = zone[:]
                blank(zone, need)
                zone.sort()
            at = self.order[me][number]
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
                out[cells[at]] = (1 + column[card & KIND]) & 255
                out[cells[at + 1]] = min(1 + up, HIGH)
                out[cells[at + 2]] = (seen | card // FLAG << seats) & 255
                at += ENTRY


def no_numbers(s: State, me: int, row: Writer) -> None:
    """A game that has no numbers of its own."""


def undeclared(step: type[AnyStep]) -> GonfalonError:
    """What is said of a step that is not among those that its game declares."""
    return GonfalonError(f"The step {step.__name__} is not declared: its game has to list the class in `steps`.")


def raise_by(out: bytearray, at: Any, more: int) -> None:
    """Count some more, as far as a signed byte goes."""
    count: int = out[at] + more
    out[at] = count if count < HIGH else HIGH

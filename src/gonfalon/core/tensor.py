"""Filling an observation tensor from a view. What the numbers mean says `gonfalon.core.layout`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from gonfalon.core.cards import FLAG, HIDDEN, KIND, Unread, seen_by_all
from gonfalon.core.errors import GonfalonError
from gonfalon.core.state import AnyStep, State

LOW: Final = -128
HIGH: Final = 127
ENTRY: Final = 3
"""So many numbers tell a card that is told one by one."""
# Compiled, these numbers are handed on as the objects they are, and none is made anew.
ZERO: Final[object] = 0
ONE: Final[Any] = 1


def no_numbers(view: State, me: int) -> list[int]:
    """The own numbers of a game that has none."""
    return []


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
        "own",
        "cells",
        "every",
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
        self.measure: Callable[[State, int], list[int]] = no_numbers
        """The game's own numbers of a view, told from a seat's side."""
        self.own: Unread = []
        """To which place each of the game's own numbers goes."""
        self.cells: Unread = []
        """All places."""
        self.every: int = seen_by_all(seats)

    def write(self, view: State, out: bytearray) -> None:
        """Fill `out`, which must be all zeros, from a view."""
        viewer = view.viewer
        seats = self.seats
        me = viewer if viewer >= 0 else 0

        due = -1
        for step in view.stack:
            due = self.steps.get(type(step), -1)
            if due < 0:
                raise undeclared(type(step))
            seat = step.seat
            at = self.steps_at + due * (seats + 1) + ((seat - me) % seats if seat >= 0 else seats)
            raise_by(out, self.cells[at], 1)
        if due >= 0:
            out[self.asks_at + due] = 1
            self.write_stack(view.stack, out)
        for seat in view.asked():
            out[self.asked_at + ((seat - me) % seats if seat >= 0 else seats)] = 1

        zones = view.zones()
        self.write_zones(zones, me, out)
        if self.ordered:
            self.write_order(zones, me, out)

        if viewer >= 0:
            answer = view.answers[viewer]
            for i in range(len(answer)):
                out[self.answers_at + self.ids[answer[i]]] = i + 1
            out[self.seat_at + viewer] = 1

        self.put(out, self.measure(view, me))

    def mark(self, actions: Unread, out: bytearray) -> None:
        """A one for each action; `out` must be all zeros."""
        ids: dict[Any, Any] = self.ids
        for action in actions:
            out[ids[action]] = ONE

    def write_zones(self, zones: list[list[int]], me: int, out: bytearray) -> None:
        """The cards of all zones. The numbers of a zone belong to no other."""
        every = self.every
        shown = self.shown[me]
        known = self.known[me]
        cells = self.cells
        for i, zone in enumerate(zones):
            if not zone:
                continue
            column = self.columns[i]
            open_at = shown[i]
            if len(zone) == 1:
                card = zone[0]
                if card & every == every and card < FLAG:
                    out[cells[open_at + column[card & KIND]]] = ONE
                    continue
            unseen = 0
            for card in zone:
                kind = card & KIND
                if card & every == every:
                    raise_by(out, cells[open_at + column[kind]], 1)
                else:
                    unseen += 1
                    if kind != HIDDEN:
                        raise_by(out, cells[known[i] + column[kind]], 1)
                if card >= FLAG:
                    for flag in range(self.flag_count):
                        if card & (FLAG << flag):
                            raise_by(out, cells[self.flags[me][i] + flag], 1)
            if unseen:
                raise_by(out, cells[open_at + column[HIDDEN]], unseen)

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

    def write_order(self, zones: list[list[int]], me: int, out: bytearray) -> None:
        """The cards of which somebody has seen which they are, or that bear a flag, one by one."""
        cells = self.cells
        seats = self.seats
        for number, most in self.ordered:
            zone = zones[number]
            at = self.order[me][number]
            column = self.columns[number]
            count = len(zone)
            left = most
            for up in range(count):
                card = zone[count - 1 - up]
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

    def put(self, out: bytearray, numbers: Unread) -> None:
        """The game's own numbers, as signed bytes."""
        own = self.own
        for i, found in enumerate(numbers):
            if found is not ZERO:  # nearly all are; compiled, no look at a number is faster
                number: int = found
                out[own[i]] = (LOW if number < LOW else HIGH if number > HIGH else number) & 255


def undeclared(step: type[AnyStep]) -> GonfalonError:
    """What is said of a step that is not among those that its game declares."""
    return GonfalonError(f"The step {step.__name__} is not declared: its game has to list the class in `steps`.")


def raise_by(out: bytearray, at: Any, more: int) -> None:
    """Count some more, as far as a signed byte goes."""
    count: int = out[at] + more
    out[at] = count if count < HIGH else HIGH

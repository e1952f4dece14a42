"""Filling an observation tensor from a view. What the numbers mean says `gonfalon.core.layout`."""

from __future__ import annotations

from typing import Any, Final

from gonfalon.core.cards import FLAG, HIDDEN, KIND, seen_by_all
from gonfalon.core.state import State, Step

LOW: Final = -128
HIGH: Final = 127


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
        "ids",
        "steps_at",
        "asks_at",
        "asked_at",
        "answers_at",
        "seat_at",
        "own",
        "every",
    )

    def __init__(self, seats: int, steps: dict[type[Step[Any]], int], ids: dict[int, int], flag_count: int) -> None:
        self.seats: int = seats
        self.steps: dict[type[Step[Any]], int] = steps
        self.ids: dict[int, int] = ids
        self.flag_count: int = flag_count
        self.columns: list[list[int]] = []  # by zone: for a kind its column
        self.shown: list[list[int]] = [[] for _ in range(seats)]
        self.known: list[list[int]] = [[] for _ in range(seats)]
        self.flags: list[list[int]] = [[] for _ in range(seats)]
        self.steps_at: int = 0
        self.asks_at: int = 0
        self.asked_at: int = 0
        self.answers_at: int = 0
        self.seat_at: int = 0
        self.own: list[tuple[int, int, int]] = []
        """Where runs of the game's own numbers go: to which place, from which number on, how many."""
        self.every: int = seen_by_all(seats)

    def write(self, view: State, numbers: list[int], out: bytearray) -> None:
        """Fill `out`, which must be all zeros, from a view and the game's own numbers."""
        viewer = view.viewer
        seats = self.seats
        me = viewer if viewer >= 0 else 0

        due = -1
        for step in view.stack:
            due = self.steps.get(type(step), -1)
            if due >= 0:
                seat = step.seat
                raise_by(out, self.steps_at + due * (seats + 1) + ((seat - me) % seats if seat >= 0 else seats), 1)
        if due >= 0:
            out[self.asks_at + due] = 1
        for seat in view.asked():
            out[self.asked_at + ((seat - me) % seats if seat >= 0 else seats)] = 1

        self.write_zones(view.zones(), me, out)

        if viewer >= 0:
            answer = view.answers[viewer]
            for i in range(len(answer)):
                out[self.answers_at + self.ids[answer[i]]] = i + 1
            out[self.seat_at + viewer] = 1

        for start, first, count in self.own:
            self.put(out, start - first, numbers, first, first + count)

    def mark(self, actions: list[int], out: bytearray) -> None:
        """A one for each action; `out` must be all zeros."""
        ids = self.ids
        for action in actions:
            out[ids[action]] = 1

    def write_zones(self, zones: list[list[int]], me: int, out: bytearray) -> None:
        """The cards of all zones."""
        every = self.every
        shown = self.shown[me]
        known = self.known[me]
        for i in range(len(zones)):
            zone = zones[i]
            if not zone:
                continue
            column = self.columns[i]
            open_at = shown[i]
            unseen = 0
            for card in zone:
                kind = card & KIND
                if card & every == every:
                    raise_by(out, open_at + column[kind], 1)
                else:
                    unseen += 1
                    if kind != HIDDEN:
                        raise_by(out, known[i] + column[kind], 1)
                if card >= FLAG:
                    for flag in range(self.flag_count):
                        if card & (FLAG << flag):
                            raise_by(out, self.flags[me][i] + flag, 1)
            if unseen:
                raise_by(out, open_at + column[HIDDEN], unseen)

    def put(self, out: bytearray, shift: int, numbers: list[int], first: int, stop: int) -> None:
        """Numbers `first` to `stop` of a list, as signed bytes, each so far on."""
        for i in range(first, stop):
            number = numbers[i]
            if number:
                out[shift + i] = (LOW if number < LOW else HIGH if number > HIGH else number) & 255


def raise_by(out: bytearray, at: int, more: int) -> None:
    """Count some more, as far as a signed byte goes."""
    count: int = out[at] + more
    out[at] = count if count < HIGH else HIGH

"""What programs that learn are told of a game: its zones, and numbers beside them."""

from __future__ import annotations

import math
from typing import ClassVar, NamedTuple

from gonfalon.core.rules.rules import Rules
from gonfalon.core.rules.state import Seat, State
from gonfalon.core.rules.tensor import Writer


class Zone(NamedTuple):
    """What a zone is called, at whose place it lies (-1: nobody's), and the deck whose cards lie there.

    Seats with a deck each give all of them one name; `owner` is the seat whose deck it is, where that is
    not the seat at whose place the zone lies. Where the order of the cards means something, `order` is
    how many of them an observation tensor tells one by one, from the end of the zone on.
    """

    name: str
    seat: Seat
    deck: str
    owner: Seat | None = None
    order: int = 0

    @property
    def whose(self) -> Seat:
        """The seat whose deck it is; -1: nobody's."""
        return self.seat if self.owner is None else self.owner


class Part(NamedTuple):
    """A named part of an observation tensor: whole numbers from `low` to `high` in a shape. `public` is
    what every seat and the spectator find the same."""

    name: str
    shape: tuple[int, ...]
    meaning: str
    low: int = 0
    high: int = 127
    public: bool = True

    @property
    def size(self) -> int:
        return math.prod(self.shape)


class Learning(Rules):
    """What observation tensors hold of a game (`gonfalon.core.arrays.layout`). The defaults serve any game."""

    flags: ClassVar[tuple[str, ...]] = ()
    """What the flags of a card say, from the lowest on, for observation tensors."""
    step_numbers: ClassVar[tuple[int, int]] = (4, 8)
    """How many of the newest steps an observation tensor tells in numbers, and how many numbers of each
    (`Step.key`)."""

    is_direct: ClassVar[bool] = False
    """Whether tensors may be written straight from a full state, which saves the view: `measure` reads nothing that
    the mask hides, and `hide` changes no zone but those that are `State.is_loose`. `gonfalon check` compares."""

    def zones(self) -> list[Zone]:
        """The names of `State.zones()`. By default they have none, and order is told in all that are ordered."""
        return []

    def joining(self, deck: str) -> list[int]:
        """The kinds that may come to lie in a deck's zones and lie elsewhere at the start."""
        return []

    def parts(self) -> list[Part]:
        """What observation tensors tell of this game beside the zones, steps and answers that the core
        knows: scores, rounds and the like."""
        return []

    def measure(self, s: State, me: Seat, row: Writer) -> None:
        """Put the numbers of `parts` that are not 0 (`row.put(number, value)`), counted from 0 on through all parts;
        seats are counted from `me` on. `row.viewer` is who will read it, and `s` is their view or, if `is_direct`,
        the full state. What is public must not depend on the viewer."""

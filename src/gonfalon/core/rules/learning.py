"""The description of a game for programs that learn: names of zones, and numbers that the core cannot know."""

from __future__ import annotations

import math
from typing import ClassVar, NamedTuple

from gonfalon.core.rules.rules import Rules
from gonfalon.core.rules.state import Seat, State
from gonfalon.core.rules.tensor import Writer


class Zone(NamedTuple):
    """The description of a zone of `State.zones`.

    Args:
        name: The name, such as `hand`.
        seat: The seat beside which the zone is placed; -1 for a shared zone.
        deck: The name of the deck whose cards the zone holds. Decks of several seats have one name.
        owner: The seat whose deck it is, if that is not `seat`; -1 for a shared deck.
        order: The number of cards, counted from the end of the zone, that an observation tensor lists one by one; 0 if
            the order means nothing.
    """

    name: str
    seat: Seat
    deck: str
    owner: Seat | None = None
    order: int = 0

    @property
    def whose(self) -> Seat:
        """The seat whose deck the zone belongs to; -1 for a shared deck."""
        return self.seat if self.owner is None else self.owner


class Part(NamedTuple):
    """A named part of an observation tensor.

    Args:
        name: A unique name.
        shape: The dimensions of the block.
        meaning: A phrase for the guide of the layout.
        low: The smallest value, at least -128.
        high: The largest value, at most 127.
        public: Whether all seats and the spectator get equal numbers.
    """

    name: str
    shape: tuple[int, ...]
    meaning: str
    low: int = 0
    high: int = 127
    public: bool = True

    @property
    def size(self) -> int:
        """The number of entries."""
        return math.prod(self.shape)


class Learning(Rules):
    """The content of observation tensors of a game (`gonfalon.core.arrays.layout`). The defaults serve any game."""

    flags: ClassVar[tuple[str, ...]] = ()
    """The names of the flags of a card, from the lowest bit, for observation tensors."""
    step_numbers: ClassVar[tuple[int, int]] = (4, 8)
    """The number of newest steps whose numbers (`Step.key`) an observation tensor includes, and the maximum of numbers
    for each step."""

    is_direct: ClassVar[bool] = False
    """Whether tensors may be written from a full state, which saves making the view. This requires that `measure` reads
    nothing that the mask hides, and that `hide` changes no zones except those that are `State.is_loose`. `gonfalon
    check` compares both ways."""

    def zones(self) -> list[Zone]:
        """Return a description of each zone of `State.zones()`, in that order. By default zones have no names, and the
        order of all ordered zones is listed."""
        return []

    def joining(self, deck: str) -> list[int]:
        """Return the kinds that may enter a deck's zones during the game but are not in them at the start."""
        return []

    def parts(self) -> list[Part]:
        """Return the parts of the observation tensor that the core cannot know, such as scores and rounds. Zones, steps
        and answers are always included."""
        return []

    def measure(self, s: State, me: Seat, row: Writer) -> None:
        """Write the numbers of `parts`. It is called for every row, so it should be fast.

        Numbers are counted from 0 through all parts in their order; those that are not written are 0. Public numbers
        must not depend on the viewer.

        Args:
            s: The viewer's view; the full state if `is_direct`.
            me: The seat from whose side seats are counted: entry 0 is `me`, entry 1 the seat after it.
            row: The target. Call `row.put(number, value)`; `row.viewer` is the viewer of the row.
        """

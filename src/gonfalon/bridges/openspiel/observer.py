"""The observer: every observation string and tensor of OpenSpiel."""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np
import numpy.typing as npt
import pyspiel

from gonfalon.bridges.openspiel.position import Home, Position
from gonfalon.core.basics.options import Options
from gonfalon.core.knowledge.fingerprint import SIZE
from gonfalon.core.rules.game import Part
from gonfalon.core.rules.picture import in_words
from gonfalon.core.rules.state import SPECTATOR, Seat, State
from gonfalon.core.rules.tensor import floats_of

RECENT: Final = 64
"""So many of the newest moves stand in a tensor with perfect recall; `past` stands for the rest."""


class Placed(Protocol):
    """What is observed: a state of OpenSpiel."""

    position: Position


class Observer:
    """What a seat observes, as the observation type asks:

    public_info     the public parts of the tensor (see `gonfalon.core.arrays.layout`)
    private_info    SINGLE_PLAYER: the parts that only this seat has
    perfect_recall  `moves`, the newest moves the seat has seen (1 + seat, 1 + action; newest first), and
                    `past`, a mark of 16 numbers that stands for all it has seen and done

    With the public part alone the tables are told from the side of seat 0. Raises ValueError for
    parameters, and for the private parts of all players, which nobody at a table sees.
    """

    def __init__(self, home: Home, kind: pyspiel.IIGObservationType, params: Options | None = None) -> None:
        if params:
            raise ValueError(f"There are no parameters of observations; given were {params}.")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("Nobody sees the private parts of all players.")
        self.home = home
        self.public = bool(kind.public_info)
        self.private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.recalls = bool(kind.perfect_recall)
        layout = home.numbers.layout
        self.start = 0 if self.public else layout.public
        self.stop = layout.size if self.private else layout.public
        shown = self.public or self.private
        self.size = max(0, self.stop - self.start) if shown else 0
        parts = [part for part in layout.parts if (self.public if part.public else self.private)]
        if self.recalls:
            parts += [
                Part("moves", (RECENT, 2), "the newest moves the observer has seen: 1 + seat, 1 + action"),
                Part("past", (SIZE,), "a mark of all the observer has seen and done", 0, 255),
            ]
        self.tensor: npt.NDArray[np.float32] = np.zeros(sum(part.size for part in parts), np.float32)
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        at = 0
        for part in parts:
            self.dict[part.name] = self.tensor[at : at + part.size].reshape(part.shape)
            at += part.size

    def viewer(self, player: Seat) -> int:
        return player if self.private else SPECTATOR

    def set_from(self, state: Placed, player: Seat) -> None:
        """Fill the tensor for a player."""
        position = state.position
        viewer = self.viewer(player)
        if self.size:
            everything = self.home.numbers.of_seat(position.state, viewer)
            self.tensor[: self.size] = everything[self.start : self.stop]
        if self.recalls:
            self.tensor[self.size :] = self.remembered(position, viewer)

    def remembered(self, position: Position, viewer: int) -> list[float]:
        """The moves that are remembered, newest first, and the mark of the past."""
        memory = position.recall(viewer)
        found = memory.told[: -2 * RECENT - 1 : -1]
        found += [0.0] * (2 * RECENT - len(found))
        found += map(float, position.mark(memory))
        return found

    def listed(self, state: Placed, player: Seat) -> list[float]:
        """The tensor as a list."""
        position = state.position
        viewer = self.viewer(player)
        row = self.home.numbers.layout.writer.row_of(position.state, viewer)
        found = floats_of(row, self.start, self.start + self.size)
        if self.recalls:
            found += self.remembered(position, viewer)
        return found

    def string_from(self, state: Placed, player: Seat) -> str:
        """The observation in words; with perfect recall the moves seen, and the mark of the past. Strings
        are equal where the observations are, and only there."""
        position = state.position
        viewer = self.viewer(player)
        if self.recalls:
            memory = position.recall(viewer)
            moves = " ".join(map(self.home.name_of, memory.moves))
            who = f"seat {viewer}" if viewer >= 0 else "spectator"
            return f"{who}; {moves or 'no moves'}; {position.mark(memory).hex()}"
        view = position.state.mask(viewer)
        if not self.public:
            return self.secrets(position.state, view) if self.private else ""
        words = "\n".join(in_words(self.home.game, view))
        return f"{words}\n[{self.home.prints.of(view).hex()}]"

    def secrets(self, state: State, view: State) -> str:
        """The lines of a seat's table that differ from the spectator's, and a mark of what it alone knows."""
        open_lines = set(in_words(self.home.game, state.mask(SPECTATOR)))
        lines = [line for line in in_words(self.home.game, view) if line not in open_lines]
        known = bytes(self.home.numbers.observe(view)[self.home.numbers.layout.public :])
        return "\n".join([*lines, f"[{self.home.prints.of(state.mask(SPECTATOR), known).hex()}]"])


def observer(home: Home, recalls: bool) -> Observer:
    """What observes for one seat, with perfect recall or without."""
    found = home.observers.get(recalls)
    if found is None:
        found = home.observers[recalls] = Observer(home, pyspiel.IIGObservationType(perfect_recall=recalls))
    return found

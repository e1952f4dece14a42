"""The observer, which makes every observation string and tensor of OpenSpiel."""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np
import numpy.typing as npt
import pyspiel

from gonfalon.bridges.openspiel.position import Position, SharedData
from gonfalon.core.basics.options import Options
from gonfalon.core.knowledge.fingerprint import SIZE
from gonfalon.core.rules.game import Part
from gonfalon.core.rules.picture import write_state
from gonfalon.core.rules.state import SPECTATOR, Seat, State

RECENT_MOVES: Final = 64
"""Number of recent moves in a tensor with perfect recall; `past` summarizes the others."""


class Positioned(Protocol):
    """A state of OpenSpiel, as far as observers need it."""

    position: Position


class Observer:
    """The observation of a seat, by observation type:

        public_info     the public parts of the tensor (see `gonfalon.core.arrays.layout`)
        private_info    SINGLE_PLAYER: the parts that only this seat sees
        perfect_recall  `moves`, the recent moves the seat has seen (1 + seat, 1 + action; newest first), and `past`, a
                        hash of 16 numbers of everything it has seen and done

    With the public part alone, tables are shown from the side of seat 0.

    Raises:
        ValueError: There are parameters, or the private parts of all players are requested, which no seat sees.
    """

    def __init__(self, home: SharedData, kind: pyspiel.IIGObservationType, params: Options | None = None) -> None:
        if params:
            raise ValueError(f"Observations have no parameters, but got {params}.")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("No seat sees the private parts of all players.")
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
                Part("moves", (RECENT_MOVES, 2), "the recent moves the observer has seen: 1 + seat, 1 + action"),
                Part("past", (SIZE,), "a hash of everything the observer has seen and done", 0, 255),
            ]
        self.tensor: npt.NDArray[np.float32] = np.zeros(sum(part.size for part in parts), np.float32)
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        at = 0
        for part in parts:
            self.dict[part.name] = self.tensor[at : at + part.size].reshape(part.shape)
            at += part.size

    def viewer(self, player: Seat) -> int:
        return player if self.private else SPECTATOR

    def set_from(self, state: Positioned, player: Seat) -> None:
        """Fill the tensor for a player."""
        position = state.position
        viewer = self.viewer(player)
        if self.size:
            everything = self.home.numbers.of_seat(position.state, viewer)
            self.tensor[: self.size] = everything[self.start : self.stop]
        if self.recalls:
            self.tensor[self.size :] = self.list_memory(position, viewer)

    def list_memory(self, position: Position, viewer: int) -> list[float]:
        """Return the remembered moves, newest first, and the hash of the past."""
        memory = position.recall(viewer)
        # Two numbers for each move, read backwards from the newest.
        found = memory.told[: -2 * RECENT_MOVES - 1 : -1]
        found += [0.0] * (2 * RECENT_MOVES - len(found))
        found += map(float, position.mark(memory))
        return found

    def to_list(self, state: Positioned, player: Seat) -> list[float]:
        """Return the tensor as a list."""
        position = state.position
        viewer = self.viewer(player)
        writer = self.home.numbers.layout.writer
        found = writer.floats_of(position.state, viewer, self.start, self.start + self.size)
        if self.recalls:
            found += self.list_memory(position, viewer)
        return found

    def string_from(self, state: Positioned, player: Seat) -> str:
        """Return the observation in words; with perfect recall the moves seen, and the hash of the past.

        Strings are equal if and only if the observations are equal.
        """
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
        words = "\n".join(write_state(self.home.game, view))
        return f"{words}\n[{self.home.prints.of(view).hex()}]"

    def secrets(self, state: State, view: State) -> str:
        """Return the lines of a seat's table that differ from the spectator's, and a hash of its private knowledge."""
        open_lines = set(write_state(self.home.game, state.mask(SPECTATOR)))
        lines = [line for line in write_state(self.home.game, view) if line not in open_lines]
        known = bytes(self.home.numbers.observe(view)[self.home.numbers.layout.public :])
        return "\n".join([*lines, f"[{self.home.prints.of(state.mask(SPECTATOR), known).hex()}]"])


def get_observer(home: SharedData, recalls: bool) -> Observer:
    """Return the observer for one seat, with perfect recall or without; cached for each game."""
    found = home.observers.get(recalls)
    if found is None:
        found = home.observers[recalls] = Observer(home, pyspiel.IIGObservationType(perfect_recall=recalls))
    return found

"""Consecutive numbers for actions, and observations as arrays, shared by all bridges."""

from __future__ import annotations

from operator import index
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from gonfalon.core.arrays.layout import Layout
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat, State

Bytes: TypeAlias = npt.NDArray[np.int8]
"""Signed bytes of an observation or a mask."""
INT8: Final = np.dtype(np.int8)


class Numbers:
    """The numbering of a game's actions from 0, and its observations.

    `actions[i]` is the game's own number of action i; `ids` is the inverse.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.layout = Layout(game)
        self.actions: list[Action] = self.layout.actions
        self.ids: dict[Action, int] = {action: i for i, action in enumerate(self.actions)}
        self.count = len(self.actions)
        self.fill = self.layout.writer.write
        self.size = self.layout.size
        self.id_of = self.ids.__getitem__

    def __reduce__(self) -> tuple[object, ...]:
        return Numbers, (self.game,)

    def __deepcopy__(self, memo: dict[int, object]) -> Numbers:
        return self

    def action(self, number: Any) -> Action | None:
        """Return the game's own number of an action; None if there is no such action."""
        try:
            at = index(number)
        except TypeError:
            return None
        return self.actions[at] if 0 <= at < self.count else None

    def unknown(self, number: object) -> str:
        """Return the error message for an unknown action."""
        return f"There is no action {number!s:.40}. Actions are numbered from 0 to {self.count - 1}."

    def notation(self, number: object) -> str:
        """Return an action in the game's notation.

        Raises:
            OptionError: There is no action with this number.
        """
        action = self.action(number)
        if action is None:
            raise OptionError(self.unknown(number))
        return self.game.notation(action)

    def legal(self, actions: list[Action]) -> list[int]:
        """Return the numbers of legal actions, ascending."""
        return list(map(self.id_of, actions))

    def mask(self, actions: list[Action]) -> Bytes:
        """Return an array with 1 for each legal action and 0 for the others."""
        return np.frombuffer(bytearray(self.layout.writer.marks_of(actions)), INT8)

    def observe(self, view: State) -> Bytes:
        """Return a view as a flat tensor."""
        return self.of_seat(view, view.viewer)

    def look(self, state: State, seat: Seat) -> tuple[Bytes, Bytes]:
        """Return a seat's view of a state as a flat tensor, and the mask of its legal actions."""
        return self.of_seat(state, seat), self.mask(state.legal(seat))

    def of_seat(self, state: State, seat: int) -> Bytes:
        """Return a seat's view of a full state as a flat tensor."""
        # A bytearray gives a writable array that owns its memory. Learners may change their observations.
        return np.frombuffer(bytearray(self.layout.writer.row_of(state, seat)), INT8)

    def named(self, tensor: npt.NDArray[np.generic]) -> dict[str, npt.NDArray[np.generic]]:
        """Return the named parts of flat tensors, each with their leading shape and its own, without copies.

        Raises:
            OptionError: The tensors have another length.
        """
        if tensor.shape[-1:] != (self.size,):
            raise OptionError(f"A row has {self.size} numbers, and an array of shape {tensor.shape} has no rows.")
        layout = self.layout
        return {
            part.name: tensor[..., at : at + part.size].reshape(*tensor.shape[:-1], *part.shape)
            for part, at in zip(layout.parts, layout.at, strict=True)
        }

"""What a state of OpenSpiel holds: a state of the core, and the way to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from gonfalon.bridges.numbers import Numbers
from gonfalon.bridges.openspiel.recall import Recall
from gonfalon.core.game import Game
from gonfalon.core.state import Action, Seat, State

if TYPE_CHECKING:
    from gonfalon.bridges.openspiel.observer import Observer


class Home:
    """What all positions of a game share."""

    def __init__(self, game: Game, numbers: Numbers) -> None:
        self.game = game
        self.numbers = numbers
        self.actions = numbers.actions
        self.chances: list[Action] = game.all_chances()
        self.chance_ids: dict[Action, int] = {action: i for i, action in enumerate(self.chances)}
        self.id_of = numbers.id_of
        self.chance_id_of = self.chance_ids.__getitem__
        self.evens: dict[int, Callable[[Action], tuple[int, float]]] = {}
        names = [game.notation(action) for action in self.actions]
        self.name_of: Callable[[tuple[Seat, Action]], str] = {
            (seat, action): f"{seat}:{name}"
            for seat in range(game.seats)
            for action, name in zip(self.actions, names, strict=True)
        }.__getitem__
        """What a move is called: its seat and the action's notation."""
        self.move_of: Callable[[tuple[Seat, Action]], bytes] = {
            (seat, action): np.array([1 + seat, 1 + number], np.float32).tobytes()
            for seat in range(game.seats)
            for number, action in enumerate(self.actions)
        }.__getitem__
        """A move as it stands in a tensor."""
        self.first = Position(self, game.start())
        self.observers: dict[bool, Observer] = {}
        """Those that were asked for, by whether they recall."""
        self.text = ""
        """The string by which OpenSpiel finds the game."""

    def even(self, count: int) -> Callable[[Action], tuple[int, float]]:
        """Finds for an action of chance its number and probability, where so many are equally likely."""
        found = self.evens.get(count)
        if found is None:
            pairs = {action: (i, 1.0 / count) for i, action in enumerate(self.chances)}
            found = self.evens[count] = pairs.__getitem__
        return found


class Position:
    """A state of the core, with the decisions (the game's own numbers) that led to it from `base`.

    `base` is the start of the game, or a world that was dealt. It is the whole contents of a state of
    OpenSpiel, whose copies are made of it alone: OpenSpiel deep-copies what a Python state holds.
    A position at its base is `shared`, and nobody changes it: `own` gives one that may be changed.
    """

    __slots__ = ("home", "state", "line", "base", "shared", "recalls", "actions", "chances")

    def __init__(self, home: Home, base: State) -> None:
        self.home = home
        self.base = base
        self.state = base
        self.line: list[Action] = []
        self.shared = True
        self.recalls: list[Recall | None] = [None] * (home.game.seats + 1)
        self.actions = home.actions
        self.chances = home.chances

    def own(self) -> Position:
        """A copy that may be changed."""
        twin = Position.__new__(Position)
        twin.home = self.home
        twin.base = self.base
        twin.state = self.state.clone()
        twin.line = self.line[:]
        twin.shared = False
        twin.recalls = self.recalls[:]
        twin.actions = self.actions
        twin.chances = self.chances
        return twin

    def __deepcopy__(self, memo: dict[int, object]) -> Position:
        return self if self.shared else self.own()

    def recall(self, viewer: int) -> Recall:
        """What a viewer remembers. It is worked out when it is asked for, and from what was remembered
        when it was asked for last."""
        number = viewer if viewer >= 0 else len(self.recalls) - 1
        recall = self.recalls[number] or Recall(viewer, self.base)
        recall = recall.after(self.home, self.line)
        self.recalls[number] = recall
        return recall

    def __reduce__(self) -> tuple[object, ...]:
        if self.base is not self.home.first.base:
            raise TypeError("A world that was dealt has no past, so it cannot be written down.")
        return restore, (self.home.text, self.line)


def restore(text: str, line: list[Action]) -> Position:
    """A position from its game's string and its decisions."""
    import pyspiel

    position: Position = pyspiel.load_game(text).home.first.own()
    for action in line:
        position.line.append(action)
        position.state.apply(position.state.turn, action)
    return position

"""The contents of a state of OpenSpiel: a state of the core, and the decisions that led to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gonfalon.bridges.numbers import Numbers
from gonfalon.core.knowledge.fingerprint import Fingerprints
from gonfalon.core.knowledge.recall import Memory, Recall
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, Action, Seat, State

if TYPE_CHECKING:
    from gonfalon.bridges.openspiel.observer import Observer


class SharedData:
    """Data shared by all positions of a game."""

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
        """Name of a move: its seat and the action's notation."""
        self.prints = Fingerprints(numbers.layout.writer.steps)
        self.first = Position(self, game.start())
        self.observers: dict[bool, Observer] = {}
        """Cached observers, by perfect recall."""
        self.text = ""
        """String by which OpenSpiel finds the game."""

    def even(self, count: int) -> Callable[[Action], tuple[int, float]]:
        """Return a function from an action of chance to its number and probability, for equally likely outcomes."""
        found = self.evens.get(count)
        if found is None:
            pairs = {action: (i, 1.0 / count) for i, action in enumerate(self.chances)}
            found = self.evens[count] = pairs.__getitem__
        return found


class Position:
    """A state of the core, with the decisions (the game's own numbers) that led to it from `base`.

    `base` is the start of the game, or a dealt world. A state of OpenSpiel holds nothing else, because OpenSpiel
    deep-copies the attributes of Python states. A position at its base is `shared` and must not be changed: `own`
    returns a copy that may be changed.
    """

    __slots__ = ("home", "state", "line", "base", "shared", "memories", "actions", "chances")

    def __init__(self, home: SharedData, base: State) -> None:
        self.home = home
        self.base = base
        self.state = base
        self.line: list[Action] = []
        self.shared = True
        self.memories: Recall | None = None
        self.actions = home.actions
        self.chances = home.chances

    def own(self) -> Position:
        """Return a copy that may be changed."""
        twin = Position.__new__(Position)
        twin.home = self.home
        twin.base = self.base
        twin.state = self.state.clone()
        twin.line = self.line[:]
        twin.shared = False
        twin.memories = self.memories
        # Both positions continue from these memories, so the first that does must copy them.
        if self.memories is not None:
            self.memories.shared = True
        twin.actions = self.actions
        twin.chances = self.chances
        return twin

    def __deepcopy__(self, memo: dict[int, object]) -> Position:
        return self if self.shared else self.own()

    def recall(self, viewer: int) -> Memory:
        """Return the memory of a viewer.

        It is computed on demand for all viewers requested so far, from their previous memories.
        """
        memories = self.memories
        if memories is None or memories.of(viewer) is None:
            # A new viewer needs its memory from the beginning; other memories only need the recent moves.
            fresh = self.from_base()
            fresh.watch(viewer)
            fresh.follow(self.line)
            if memories is not None:
                fresh.memories += self.update_memories(memories).memories
            memories = self.memories = fresh
        elif memories.index < len(self.line):
            memories = self.memories = self.update_memories(memories)
        found = memories.of(viewer)
        assert found is not None
        return found

    def update_memories(self, memories: Recall) -> Recall:
        """Return these memories brought up to date, in a copy if they are shared."""
        if memories.shared:
            memories = memories.copy()
        memories.follow(self.line)
        return memories

    def from_base(self) -> Recall:
        """Return a recall of the base without viewers."""
        numbers = self.home.numbers
        return Recall(self.home.prints, numbers.ids, self.home.game.public, self.base)

    def mark(self, memory: Memory) -> bytes:
        """Return a hash of everything that a viewer has seen and done.

        Between moves of chance it includes the current view, which has no entry in the memory yet.
        """
        if self.state.turn != CHANCE:
            return memory.past
        return self.home.prints.of(self.state.blanked(memory.viewer), memory.past)

    def __reduce__(self) -> tuple[object, ...]:
        if self.base is not self.home.first.base:
            raise TypeError("A dealt world has no past, so it cannot be saved.")
        return restore_position, (self.home.text, self.line)


def restore_position(text: str, line: list[Action]) -> Position:
    """Return a position from its game's string and its decisions."""
    import pyspiel

    position: Position = pyspiel.load_game(text).home.first.own()
    for action in line:
        position.line.append(action)
        position.state.apply(position.state.turn, action)
    return position

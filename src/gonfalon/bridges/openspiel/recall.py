"""Perfect recall: all that a viewer has seen and done so far."""

from __future__ import annotations

import marshal
from hashlib import blake2b
from typing import TYPE_CHECKING

from gonfalon.core.game import Game
from gonfalon.core.state import CHANCE, TOGETHER, Action, Seat, State

if TYPE_CHECKING:
    from gonfalon.bridges.openspiel.position import Home

DIGEST = 16


def mark(data: bytes, view: State) -> bytes:
    """A short mark for a view, or for a chain of views that ends with it."""
    # Of marshal's forms the second is the newest that depends on nothing but the values.
    return blake2b(data + marshal.dumps(view.dump(), 2), digest_size=DIGEST).digest()


class Recall:
    """What a viewer remembers after some decisions. Immutable, so that copies of a state share it.

    `moves` are the actions they have seen, in order, each with its seat: their own as they are, those of
    others as `Game.public` shows them, and of an answer given in secret nothing before all are in.
    `past` is a mark that stands for every different view they had at a decision and for what they did
    there. Two pasts that they can tell apart have different marks, so moves and mark together are an
    information state with perfect recall, even where the table itself forgets.
    """

    __slots__ = ("viewer", "moves", "past", "index", "state", "waiting", "seen")

    def __init__(self, viewer: int, base: State) -> None:
        self.viewer = viewer
        self.moves: list[tuple[Seat, Action]] = []
        self.waiting: list[tuple[Seat, Action]] = []
        self.index = 0
        self.state = base
        self.seen = b""
        self.past = b""
        self.look(base)

    def look(self, state: State) -> None:
        """Take in the view of a position where somebody other than chance is asked, or the end."""
        if state.turn != CHANCE:
            seen = mark(b"", state.mask(self.viewer))
            if seen != self.seen:
                self.seen = seen
                self.past = blake2b(self.past + seen, digest_size=DIGEST).digest()

    def after(self, home: Home, line: list[Action]) -> Recall:
        """What is remembered after all decisions of a line that begins with those remembered."""
        if self.index == len(line):
            return self
        new = self.moved(self.state.clone())
        new.moves = self.moves[:]
        new.waiting = self.waiting[:]
        new.index = len(line)
        for action in line[self.index :]:
            new.step(home.game, action)
        return new

    def step(self, game: Game, action: Action) -> None:
        """Take in one decision."""
        state = self.state
        seat = state.turn
        together = state.stack[-1].seat == TOGETHER
        if seat == self.viewer:
            self.moves.append((seat, action))
            self.past = blake2b(self.past + b"%d" % action, digest_size=DIGEST).digest()
        elif seat != CHANCE:
            move = (seat, game.public(state, seat, action, self.viewer))
            # How often somebody did what looks the same may be a secret of their answer.
            if not (together and move in self.waiting):
                self.waiting.append(move)
        state.apply(seat, action)
        if not together or not state.answers[seat]:
            self.moves += self.waiting
            self.waiting = []
        self.look(state)

    def mark_now(self) -> bytes:
        """The mark of the past and of what is seen at this moment, in the midst of chance's moves too."""
        return self.past if self.state.turn != CHANCE else mark(self.past, self.state.mask(self.viewer))

    def moved(self, world: State) -> Recall:
        """The same memories, in a world that looks the same."""
        new = Recall.__new__(Recall)
        new.viewer = self.viewer
        new.moves = self.moves
        new.waiting = []
        new.index = 0
        new.state = world
        new.seen = self.seen
        new.past = self.past
        return new

"""Perfect recall: everything that viewers have seen and done."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from gonfalon.core.knowledge.fingerprint import Fingerprints, hash_bytes
from gonfalon.core.rules.state import CHANCE, TOGETHER, Action, Seat, State

Public: TypeAlias = Callable[[State, int, Action, int], Action]
"""The type of `Game.public`."""


class Memory:
    """The memory of one viewer.

    `moves` are the visible actions in order, each with its seat: the viewer's own as they are, those of others as
    `Game.public` shows them, and no secret answer before all are given. `told` are the numbers of these moves for
    tensors, in the same order. `past` is a hash of all views at decisions and of the viewer's own actions. Two pasts
    that the viewer can distinguish have different hashes, so moves and hash together are an information state with
    perfect recall, even if the table itself forgets.
    """

    __slots__ = ("viewer", "moves", "told", "waiting", "seen", "past")

    def __init__(self, viewer: int) -> None:
        self.viewer: int = viewer
        self.moves: list[tuple[Seat, Action]] = []
        self.told: list[float] = []
        self.waiting: list[tuple[Seat, Action]] = []
        self.seen: bytes = b""
        self.past: bytes = b""

    def copy(self) -> Memory:
        """Return an independent copy."""
        twin = Memory(self.viewer)
        twin.moves = self.moves[:]
        twin.told = self.told[:]
        twin.waiting = self.waiting[:]
        twin.seen = self.seen
        twin.past = self.past
        return twin


class Recall:
    """The memories of several viewers.

    `ids` numbers a seat's actions as tensors do. Copies of a position share one object until one of them continues:
    then it is `shared`, and must not change.
    """

    __slots__ = ("prints", "ids", "public", "state", "index", "memories", "shared")

    def __init__(self, prints: Fingerprints, ids: dict[Action, int], public: Public, base: State) -> None:
        self.prints: Fingerprints = prints
        self.ids: dict[Action, int] = ids
        self.public: Public = public
        self.state: State = base.clone()
        self.index: int = 0  # the number of decisions of the line that are processed
        self.memories: list[Memory] = []
        self.shared: bool = False

    def copy(self) -> Recall:
        """Return an independent copy."""
        twin = Recall(self.prints, self.ids, self.public, self.state)
        twin.index = self.index
        twin.memories = [memory.copy() for memory in self.memories]
        return twin

    def of(self, viewer: int) -> Memory | None:
        """Return the memory of a viewer; None if the viewer was never added."""
        for memory in self.memories:
            if memory.viewer == viewer:
                return memory
        return None

    def watch(self, viewer: int) -> None:
        """Add a viewer, whose memory begins with the current position."""
        memory = Memory(viewer)
        self.memories.append(memory)
        self.look(memory, b"")

    def follow(self, line: list[Action]) -> None:
        """Process the new decisions of a line, which has all decisions of the game so far."""
        for at in range(self.index, len(line)):
            self.step(line[at])
        self.index = len(line)

    def step(self, action: Action) -> None:
        """Process one decision."""
        state = self.state
        seat = state.turn
        if seat == CHANCE:
            state.apply(seat, action)
            for memory in self.memories:
                self.look(memory, b"")
            return
        together = state.stack[-1].seat == TOGETHER
        for memory in self.memories:
            if seat == memory.viewer:
                self.remember(memory, seat, action)
            else:
                move = (seat, self.public(state, seat, action, memory.viewer))
                # The number of equal-looking actions may be a secret of the answer, so each is kept once.
                if not (together and move in memory.waiting):
                    memory.waiting.append(move)
        state.apply(seat, action)
        # The last answer clears all answers, including the one that was just given.
        revealed = not together or not state.answers[seat]
        for memory in self.memories:
            if revealed and memory.waiting:
                for mover, shown in memory.waiting:
                    self.remember(memory, mover, shown)
                memory.waiting = []
            self.look(memory, b"%d" % action if seat == memory.viewer else b"")

    def remember(self, memory: Memory, seat: Seat, action: Action) -> None:
        """Append a visible move to a memory."""
        memory.moves.append((seat, action))
        memory.told.append(1.0 + self.ids[action])
        memory.told.append(1.0 + seat)

    def look(self, memory: Memory, done: bytes) -> None:
        """Process the viewer's own action (`done`), and the new view unless chance must decide."""
        state = self.state
        seen = memory.seen if state.turn == CHANCE else self.prints.told(state.blanked(memory.viewer))
        if done or seen != memory.seen:
            memory.seen = seen
            memory.past = hash_bytes(memory.past + done + seen)

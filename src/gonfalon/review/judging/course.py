"""The course of a record: the position before each decision, and the steps between decisions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.rules.state import CHANCE, TOGETHER, State
from gonfalon.review.judging.beliefs import Answers
from gonfalon.review.judging.worlds import resolve_chance


@dataclass(frozen=True)
class Stride:
    """A decision, or all answers to a simultaneous one, with the chance that follows. The first stride is the deal."""

    at: int
    """Number of decisions in the record before it."""
    before: State
    made: Answers
    after: State

    def replay_with(self, world: State, rng: Rng) -> State:
        """Apply the same decisions to another deal in place, with new random chance, and return it."""
        for seat, action in self.made:
            world.apply(seat, action)
        resolve_chance(world, rng)
        return world


def list_positions(record: Record) -> list[State]:
    """Return the position before each decision, and the last one, with their logs."""
    found = [state.clone() for state, _, _ in record.steps()]
    last = (found[-1] if found else record.game.start(log=True)).clone()
    if record.decisions:
        last.apply(*record.decisions[-1])
    return [*found, last]


def split_strides(record: Record) -> Iterator[Stride]:
    """Yield the strides of a recorded game (`Stride`)."""
    s = record.game.start()
    decisions = record.decisions
    at = 0
    while at < len(decisions):
        before, begun = s.clone(), at
        made: Answers = []
        if s.turn != CHANCE:
            together = s.stack[-1].seat == TOGETHER
            while True:
                made.append(decisions[at])
                s.apply(*decisions[at])
                at += 1
                # Steps are shared by positions, so the top step shows nothing. Answers are cleared after the last one.
                if not together or not any(s.answers) or at == len(decisions):
                    break
        while at < len(decisions) and s.stack and decisions[at][0] == CHANCE:
            s.apply(*decisions[at])
            at += 1
        yield Stride(begun, before, made, s.clone())

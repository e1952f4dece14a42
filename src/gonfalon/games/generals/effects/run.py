"""Carrying out what a card says, operation by operation."""

from __future__ import annotations

from collections.abc import Iterator

from gonfalon.core.rules.state import NOBODY
from gonfalon.games.generals.effects.filters import Amount
from gonfalon.games.generals.effects.frame import UNSET, Frame
from gonfalon.games.generals.effects.targets import ALL, Choice, Target
from gonfalon.games.generals.rules.acts.questions import Host, Pick
from gonfalon.games.generals.rules.cards import Script
from gonfalon.games.generals.rules.state import GeneralsState


class DecisionBounds:
    """The most there can be of anything in a game: what its decisions are counted by (`rules/game_length.py`)."""

    def __init__(self, flow: int, units: int, shuffle: int) -> None:
        self.flow: int = flow  # cards that leave a hand
        self.units: int = units
        self.spared: int = 1  # decisions about the fall of one general
        self.shuffle: int = shuffle

    def bound_cards(self, amount: Amount) -> int:
        """At most so many cards."""
        return self.flow if amount.variable >= 0 else min(amount.fixed, self.flow)

    def bound_chosen(self, choice: Choice) -> int:
        """At most so many generals are chosen."""
        return self.units if choice.count == ALL or choice.more else min(choice.count, self.units)

    def bound_targets(self, target: Target, script: Script) -> int:
        """At most so many generals an operation is about."""
        if target.ref is not None:
            return 1
        choices = [choice for op in iterate_operations(script.ops, delayed=False) for choice in op.choices]
        return max([self.bound_chosen(one) for one in choices if one.variable == target.variable], default=self.units)


class Op:
    """One operation of the effect language. It acts at once, or pushes steps; what it pushes is
    done before the next operation begins."""

    def __init__(self) -> None:
        self.choices: list[Choice] = []  # what has to be chosen before it can run
        self.stores: bool = False  # it pushes its host itself, with a result in the frame

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        """Act. `host` is the step that goes on afterwards."""
        raise NotImplementedError

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        """Whether it would do nothing as things are, by what the player of the card knows."""
        return False

    def list_inner(self, delayed: bool) -> list[Op]:
        """The operations in it, with `delayed` those that come later too."""
        return []

    def count_decisions(self, bounds: DecisionBounds, script: Script) -> int:
        """At most so many decisions it has somebody take, beside its own choices."""
        return 0


def iterate_operations(ops: list[Op], delayed: bool = True) -> Iterator[Op]:
    """All operations, those within others too."""
    for op in ops:
        yield op
        yield from iterate_operations(op.list_inner(delayed), delayed)


class Run(Host):
    """The operations of a script from one on."""

    __slots__ = ("ops", "at")

    def __init__(self, ops: list[Op], at: int, frame: Frame) -> None:
        super().__init__(NOBODY, frame)
        self.ops: list[Op] = ops
        self.at: int = at

    def with_frame(self, frame: Frame) -> Host:
        return Run(self.ops, self.at, frame)

    def auto(self, s: GeneralsState) -> None:
        if self.at >= len(self.ops):
            return
        op = self.ops[self.at]
        f = self.frame
        for choice in op.choices:
            if f.vars[choice.variable] == UNSET:
                s.stack.append(Pick(choice, f, [], self))
                return
        after = Run(self.ops, self.at + 1, f)
        if not op.stores and self.at + 1 < len(self.ops):
            s.stack.append(after)
        op.run(s, f, after)

    def key(self) -> list[int]:
        return [len(self.ops), self.at, *self.frame.key()]


def add_variables(script: Script, frame: Frame) -> Frame:
    """The frame with room for the script's variables."""
    if len(frame.vars) >= script.size:
        return frame
    frame = frame.twin()
    frame.vars = [*frame.vars, *[UNSET] * (script.size - len(frame.vars))]
    return frame


def is_idle(s: GeneralsState, script: Script, frame: Frame) -> bool:
    """Whether a script would do nothing as things are."""
    return all(op.idle(s, frame) for op in script.ops)


def push_script(s: GeneralsState, script: Script, frame: Frame) -> None:
    """Carry a script out."""
    if script.ops:
        s.stack.append(Run(script.ops, 0, add_variables(script, frame)))

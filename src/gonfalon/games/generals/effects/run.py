"""The interpreter of card effects, one operation at a time."""

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
    """The upper bounds of quantities in a game, from which `rules/game_length.py` bounds its number of decisions."""

    def __init__(self, flow: int, units: int, shuffle: int) -> None:
        self.flow: int = flow  # the most cards that leave a hand
        self.units: int = units
        self.spared: int = 1  # the most decisions about the fall of one general
        self.shuffle: int = shuffle

    def bound_cards(self, amount: Amount) -> int:
        """Return the largest number of cards that an amount can mean."""
        return self.flow if amount.variable >= 0 else min(amount.fixed, self.flow)

    def bound_chosen(self, choice: Choice) -> int:
        """Return the largest number of generals that a choice can select."""
        return self.units if choice.count == ALL or choice.more else min(choice.count, self.units)

    def bound_targets(self, target: Target, script: Script) -> int:
        """Return the largest number of generals that an operation can affect."""
        if target.ref is not None:
            return 1
        choices = [choice for op in iterate_operations(script.ops, delayed=False) for choice in op.choices]
        return max([self.bound_chosen(one) for one in choices if one.variable == target.variable], default=self.units)


class Op:
    """One operation of the effect language. It acts at once or pushes steps, which are done before the next operation
    begins."""

    def __init__(self) -> None:
        self.choices: list[Choice] = []  # made before it runs
        self.stores: bool = False  # whether it pushes its host itself, with a result in the frame

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        """Carry out the operation.

        Args:
            s: The state to change.
            f: The context of the ability.
            host: The step that continues afterwards.
        """
        raise NotImplementedError

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        """Return whether the operation would do nothing now, judged by the knowledge of the card's player."""
        return False

    def list_inner(self, delayed: bool) -> list[Op]:
        """Return the operations within it, with `delayed` also those of delayed abilities."""
        return []

    def count_decisions(self, bounds: DecisionBounds, script: Script) -> int:
        """Return the largest number of decisions that the operation can ask for, without its own choices."""
        return 0


def iterate_operations(ops: list[Op], delayed: bool = True) -> Iterator[Op]:
    """Yield all operations, including those within others."""
    for op in ops:
        yield op
        yield from iterate_operations(op.list_inner(delayed), delayed)


class Run(Host):
    """The remaining operations of a script, from index `at`."""

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
        # Steps are immutable and shared by clones, so progress is a new step.
        after = Run(self.ops, self.at + 1, f)
        # Pushed before the operation runs: steps that the operation pushes lie above it and are done first.
        if not op.stores and self.at + 1 < len(self.ops):
            s.stack.append(after)
        op.run(s, f, after)

    def key(self) -> list[int]:
        return [len(self.ops), self.at, *self.frame.key()]


def add_variables(script: Script, frame: Frame) -> Frame:
    """Return the frame with room for the script's variables."""
    if len(frame.vars) >= script.size:
        return frame
    frame = frame.twin()
    frame.vars = [*frame.vars, *[UNSET] * (script.size - len(frame.vars))]
    return frame


def is_idle(s: GeneralsState, script: Script, frame: Frame) -> bool:
    """Return whether a script would do nothing now."""
    return all(op.idle(s, frame) for op in script.ops)


def push_script(s: GeneralsState, script: Script, frame: Frame) -> None:
    """Push the step that carries out a script."""
    if script.ops:
        s.stack.append(Run(script.ops, 0, add_variables(script, frame)))

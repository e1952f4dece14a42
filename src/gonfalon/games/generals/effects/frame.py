"""The context of a running ability: its owner, its source, and its targets."""

from __future__ import annotations

from typing import Final

UNSET: Final[list[int]] = [-1]
"""The value of a variable that has not been chosen. Chosen values are generals or a count and never negative."""

PLAIN: Final = 0
TACTIC: Final = 1
ACTIVE: Final = 2

GENERAL: Final = 0
ARMAMENT: Final = 1
TROOP: Final = 2
OTHER: Final = 3
PARTS: Final = 4
NO_SOURCE: Final = -1


class Frame:
    """The context of an ability. Immutable and public, like the steps that hold it.

    `source` is unit * PARTS + part. A Commandment counts as a unit after the last one, and a card in the air has no
    source. `me` is the general itself, the bearer or the executor, or -1. `subject`, `other` and `amount` come from the
    event or the act: the general that acted, the general on the other side, and the quantity.
    """

    __slots__ = ("seat", "source", "kind", "me", "subject", "other", "amount", "mode", "bonus", "targets", "vars")

    def __init__(
        self,
        seat: int,
        source: int,
        kind: int,
        me: int,
        subject: int = -1,
        other: int = -1,
        amount: int = 0,
        mode: int = PLAIN,
        bonus: int = 0,
        targets: list[int] | None = None,
        vars: list[list[int]] | None = None,
    ) -> None:
        self.seat: int = seat
        self.source: int = source
        self.kind: int = kind
        self.me: int = me
        self.subject: int = subject
        self.other: int = other
        self.amount: int = amount
        self.mode: int = mode
        self.bonus: int = bonus
        self.targets: list[int] = targets if targets is not None else []
        self.vars: list[list[int]] = vars if vars is not None else []

    def with_variable(self, index: int, value: list[int]) -> Frame:
        """Return a copy with one variable set."""
        twin = self.twin()
        twin.vars = self.vars[:]
        twin.vars[index] = value
        return twin

    def twin(self) -> Frame:
        """Return a copy, which its caller may still change because no step holds it."""
        twin = Frame(self.seat, self.source, self.kind, self.me, self.subject, self.other)
        twin.amount, twin.mode, twin.bonus = self.amount, self.mode, self.bonus
        twin.targets, twin.vars = self.targets, self.vars
        return twin

    def key(self) -> list[int]:
        """Return the numbers of the frame, for comparisons and dumps."""
        out = [self.seat, self.source, self.kind, self.me, self.subject, self.other]
        out += [self.amount, self.mode, self.bonus, *self.targets]
        for value in self.vars:
            out.append(-9)
            out += value
        return out

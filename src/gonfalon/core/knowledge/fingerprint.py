"""Positions as bytes, equal for equal positions. The bytes of a view stand for everything that the viewer may know."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i32, i64

from gonfalon.core.basics.cards import Unread
from gonfalon.core.rules.state import AnyStep, State

SIZE: Final = 16
"""The bytes of a fingerprint."""
LIST: Final = 1 << 30
"""Begins a list, with its length added."""
LONG: Final = 1 << 29
"""The number from which digits are written one by one, marked by a leading value."""


class Fingerprints:
    """Makes the fingerprints of a game's positions. `steps` numbers the steps that it declares."""

    __slots__ = ("steps", "row", "at")

    def __init__(self, steps: dict[type[AnyStep], int]) -> None:
        self.steps: dict[type[AnyStep], int] = steps
        self.row: vec[i32] = vec[i32]([0] * 1024)
        self.at: i64 = 0  # so much of the row has been written

    def of(self, state: State, before: bytes = b"") -> bytes:
        """Return the fingerprint of a state or view (BLAKE2b), with `before` digested first. It is equal in every
        process and build. Raises KeyError for a step that has no number."""
        return digest(before + self.told(state))

    def told(self, state: State) -> bytes:
        """Return the data, the pending steps and the incomplete answers. Questions and legal actions follow from these;
        the log does not count."""
        self.at = 0
        self.put(state.viewer)
        self.numbers(state.fields())
        self.put(len(state.stack))
        for item in state.stack:
            step: AnyStep = item
            self.put(self.steps[type(step)])
            self.numbers(step.key())
        self.numbers(state.answers)
        return bytes(memoryview(self.row)[: self.at])

    def numbers(self, items: Any) -> None:
        """A list of numbers and of such lists."""
        members: Unread = items if isinstance(items, list) else list(items)
        self.put(LIST + len(members))
        for item in members:
            if not isinstance(item, int):
                self.numbers(item)
            elif -LONG < item < LONG:
                self.put(item)
            else:
                self.put(-LONG)
                self.numbers(list(str(item).encode()))

    def put(self, number: i64) -> None:
        """One entry of the row."""
        row = self.row
        at = self.at
        if at == len(row):
            row = vec[i32]([0] * (2 * at))
            for i in range(at):
                row[i] = self.row[i]
            self.row = row
        row[at] = i32(number)
        self.at = at + 1


def digest(told: bytes) -> bytes:
    """Sixteen bytes that stand for these."""
    return blake2b(told, digest_size=SIZE).digest()

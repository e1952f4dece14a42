"""Fingerprints: positions as bytes, equal for equal positions. Equal fingerprints of views mean equal knowledge."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i32, i64

from gonfalon.core.basics.cards import Unread
from gonfalon.core.rules.state import AnyStep, State

SIZE: Final = 16
"""The length of a fingerprint in bytes."""
# It is larger than every number in the row, so that no number looks like the head of a list.
LIST: Final = 1 << 30
"""The mark of a list in the row; its length is added."""
LONG: Final = 1 << 29
"""The smallest number that is written digit by digit."""


class Fingerprints:
    """The fingerprints of a game's positions. `steps` numbers the declared classes of steps."""

    __slots__ = ("steps", "row", "at")

    def __init__(self, steps: dict[type[AnyStep], int]) -> None:
        self.steps: dict[type[AnyStep], int] = steps
        self.row: vec[i32] = vec[i32]([0] * 1024)
        self.at: i64 = 0  # the number of entries that are written

    def of(self, state: State, before: bytes = b"") -> bytes:
        """Return the fingerprint of a state or view (BLAKE2b). It is equal in every process and build.

        Args:
            state: A state or view.
            before: Bytes that are hashed first.

        Raises:
            KeyError: The class of a step has no number.
        """
        return hash_bytes(before + self.told(state))

    def told(self, state: State) -> bytes:
        """Return data, pending steps and incomplete answers as bytes. Options follow from these; the log is left
        out."""
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
        """Append a list of numbers and of such lists."""
        members: Unread = items if isinstance(items, list) else list(items)
        self.put(LIST + len(members))
        for item in members:
            if not isinstance(item, int):
                self.numbers(item)
            elif -LONG < item < LONG:
                self.put(item)
            else:
                # No other entry equals -LONG, so a long number cannot be confused with a short one.
                self.put(-LONG)
                self.numbers(list(str(item).encode()))

    def put(self, number: i64) -> None:
        """Append one number."""
        # The row stays between positions: a new one for each would cost more than the hash.
        row = self.row
        at = self.at
        if at == len(row):
            row = vec[i32]([0] * (2 * at))
            for i in range(at):
                row[i] = self.row[i]
            self.row = row
        row[at] = i32(number)
        self.at = at + 1


def hash_bytes(told: bytes) -> bytes:
    """Return a hash of `SIZE` bytes."""
    return blake2b(told, digest_size=SIZE).digest()

"""Positions side by side, as a network is asked about them.

numpy is imported with the first of them: most commands never need it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from gonfalon.bots.networks.network import Array
from gonfalon.bots.networks.network_input import NetworkInput, look_all
from gonfalon.core.rules.state import State


@dataclass(frozen=True, slots=True)
class Batch:
    """What a sense tells of some positions, for whoever is asked in each. The actions of all of them lie one
    after the other."""

    rows: Array
    """For each position the bytes that `NetworkInput.put` writes."""
    answers: Array
    """For each action the number of its answer."""
    hunches: Array
    """For each action its log-odds before any network."""
    starts: Array
    """Where the actions of each position begin, and where those of the last one end."""

    @classmethod
    def of(cls, sense: NetworkInput, states: list[State]) -> Self:
        """Look at each position."""
        room = bytearray(len(states) * sense.size)
        return cls.looked(sense, room, *look_all(sense, states, room))

    @classmethod
    def looked(
        cls, sense: NetworkInput, room: bytearray, answers: list[int], hunches: list[float], counts: list[int]
    ) -> Self:
        """What was found by a look at positions, whose rows are the first in `room`."""
        import numpy as np

        return cls(
            np.frombuffer(room, dtype=np.uint8).reshape(-1, sense.size)[: len(counts)],
            np.array(answers, dtype=np.int32),
            np.array(hunches, dtype=np.float32),
            np.concatenate([[0], np.cumsum(counts)]),
        )

    @classmethod
    def joined(cls, parts: list[Self]) -> Self:
        """The positions of all of them."""
        import numpy as np

        counts = np.concatenate([np.diff(part.starts) for part in parts])
        return cls(
            np.concatenate([part.rows for part in parts]),
            np.concatenate([part.answers for part in parts]),
            np.concatenate([part.hunches for part in parts]),
            np.concatenate([[0], np.cumsum(counts)]),
        )

    def some(self, which: list[int] | Array) -> Self:
        """The positions with these numbers, in this order."""
        import numpy as np

        counts = np.diff(self.starts)[which]
        starts = np.concatenate([[0], np.cumsum(counts)])
        actions = np.arange(starts[-1]) + np.repeat(self.starts[which] - starts[:-1], counts)
        return type(self)(self.rows[which], self.answers[actions], self.hunches[actions], starts)

    def owner(self) -> Array:
        """For each action the number of its position."""
        import numpy as np

        return np.repeat(np.arange(len(self.rows)), np.diff(self.starts))

    def logp(self, said: Array, owner: Array) -> Array:
        """For each action the logarithm of its probability, from what the policy said of the positions."""
        import numpy as np

        starts = self.starts[:-1]
        odds = said[owner, self.answers] + self.hunches
        odds -= np.maximum.reduceat(odds, starts)[owner]
        odds -= np.log(np.add.reduceat(np.exp(odds), starts))[owner]
        return odds

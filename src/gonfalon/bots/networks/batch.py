"""Positions side by side, encoded for a network.

numpy is imported with the first batch, because most commands never need it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from gonfalon.bots.networks.network import Array
from gonfalon.bots.networks.network_input import NetworkInput, write_rows
from gonfalon.core.rules.state import State


@dataclass(frozen=True, slots=True)
class Batch:
    """Encoded positions, each from the side of the seat that decides. The actions of all positions form one list."""

    rows: Array
    """The bytes of `NetworkInput.write_row`, one row for each position."""
    answers: Array
    """The policy output of each action."""
    priors: Array
    """The prior log-odds of each action."""
    starts: Array
    """Index of the first action of each position, and the number of all actions."""

    @classmethod
    def from_states(cls, encoder: NetworkInput, states: list[State]) -> Self:
        """Encode positions."""
        room = bytearray(len(states) * encoder.size)
        return cls.from_rows(encoder, room, *write_rows(encoder, states, room))

    @classmethod
    def from_rows(
        cls, encoder: NetworkInput, room: bytearray, answers: list[int], priors: list[float], counts: list[int]
    ) -> Self:
        """Make a batch of the results of `write_rows`, whose rows are the first in `room`."""
        import numpy as np

        return cls(
            np.frombuffer(room, dtype=np.uint8).reshape(-1, encoder.size)[: len(counts)],
            np.array(answers, dtype=np.int32),
            np.array(priors, dtype=np.float32),
            np.concatenate([[0], np.cumsum(counts)]),
        )

    @classmethod
    def concatenate(cls, parts: list[Self]) -> Self:
        """Return the positions of all batches as one."""
        import numpy as np

        counts = np.concatenate([np.diff(part.starts) for part in parts])
        return cls(
            np.concatenate([part.rows for part in parts]),
            np.concatenate([part.answers for part in parts]),
            np.concatenate([part.priors for part in parts]),
            np.concatenate([[0], np.cumsum(counts)]),
        )

    def select(self, positions: list[int] | Array) -> Self:
        """Return the positions with these indices, in this order."""
        import numpy as np

        counts = np.diff(self.starts)[positions]
        starts = np.concatenate([[0], np.cumsum(counts)])
        # The old index of each action: its new index, moved as far as the actions of its position were moved.
        actions = np.arange(starts[-1]) + np.repeat(self.starts[positions] - starts[:-1], counts)
        return type(self)(self.rows[positions], self.answers[actions], self.priors[actions], starts)

    def owners(self) -> Array:
        """Return the index of each action's position."""
        import numpy as np

        return np.repeat(np.arange(len(self.rows)), np.diff(self.starts))

    def log_probabilities(self, logits: Array, owners: Array) -> Array:
        """Return the logarithm of each action's probability, from the policy's outputs for each position."""
        import numpy as np

        starts = self.starts[:-1]
        odds = logits[owners, self.answers] + self.priors
        # The largest log-odds of each position are subtracted first, so that `exp` cannot overflow.
        odds -= np.maximum.reduceat(odds, starts)[owners]
        odds -= np.log(np.add.reduceat(np.exp(odds), starts))[owners]
        return odds

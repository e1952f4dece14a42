"""Policies and values of positions, computed by a network for many positions at once.

numpy is imported with the first evaluator, because most commands never need it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from gonfalon.bots.networks.batch import Batch
from gonfalon.bots.networks.network import Array, Net
from gonfalon.bots.networks.network_input import Key, NetworkInput, write_new_rows
from gonfalon.core.rules.state import Seat, State

MAX_CACHED_ROWS: Final = 8192
"""The maximum number of policies in the cache, which are about ten megabytes."""


class Evaluator:
    """Evaluates positions of a game with a network.

    Worlds of one view have the same row for a while, so a policy is computed once for all worlds that look the same to
    the deciding seat.
    """

    def __init__(self, net: Net, encoder: NetworkInput) -> None:
        import numpy as np

        self.net = net
        self.encoder = encoder
        self.scales: Array = np.array(encoder.scales(), dtype=np.float32)
        self.row_numbers: dict[Key, int] = {}
        self.cached_policies: list[list[float]] = []
        """The policy of each row, by its number."""

    def clear_cache(self) -> None:
        """Forget all policies, so that results do not depend on earlier calls."""
        self.row_numbers.clear()
        self.cached_policies.clear()

    def policies(self, states: list[State]) -> list[list[float]]:
        """Return the probabilities of each position's `actions`, in their order. Callers must not change the lists."""
        import numpy as np

        if len(self.row_numbers) > MAX_CACHED_ROWS:
            self.clear_cache()
        encoder = self.encoder
        room = bytearray(len(states) * encoder.size)
        numbers, answers, priors, counts = write_new_rows(encoder, states, room, self.row_numbers)
        if counts:
            batch = Batch.from_rows(encoder, room, answers, priors, counts)
            logits = self.net.policy(batch.rows[:, : encoder.known] * self.scales[: encoder.known])
            found: list[float] = np.exp(batch.log_probabilities(logits, batch.owners())).tolist()
            self.cached_policies += [found[start:end] for start, end in pairwise(batch.starts.tolist())]
        return [self.cached_policies[number] for number in numbers]

    def values(self, states: list[State], seat: Seat) -> list[float]:
        """Return a seat's chance to win in each world.

        The network was trained to value a position for the deciding seat. With two seats, the other seat's chance
        follows from this value.
        """
        import numpy as np

        size = self.encoder.size
        room = bytearray(len(states) * size)
        sides = [s.turn if s.seats == 2 else seat for s in states]
        for i, (s, side) in enumerate(zip(states, sides, strict=True)):
            self.encoder.write_row(s, side, room, i * size)
        rows = np.frombuffer(room, dtype=np.uint8).reshape(len(states), size)
        found: list[float] = np.tanh(self.net.value(rows * self.scales)[:, 0]).tolist() if states else []
        return [0.5 + 0.5 * (value if side == seat else -value) for value, side in zip(found, sides, strict=True)]

"""A network asked about positions side by side: what it would do there, and how they stand.

numpy is imported with the first of them: most commands never need it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from gonfalon.bots.networks.batch import Batch
from gonfalon.bots.networks.network import Array, Net
from gonfalon.bots.networks.network_input import NetworkInput, look_anew
from gonfalon.core.rules.state import Action, Seat, State

MOST: Final = 8192
"""Looks that are remembered at most: some ten megabytes."""


class Adviser:
    """A network with what it sees of a game. Worlds of one view look the same for a while, so what it would do is
    worked out once for all that looks the same to whoever is asked."""

    def __init__(self, net: Net, sense: NetworkInput) -> None:
        import numpy as np

        self.net = net
        self.sense = sense
        self.scales: Array = np.array(sense.scales(), dtype=np.float32)
        self.seen: dict[tuple[Seat, bytes, tuple[Action, ...]], int] = {}
        self.likely: list[list[float]] = []
        """For each look what is how likely."""

    def forget(self) -> None:
        """Begin anew, so that what comes hangs on nothing that was asked before."""
        self.seen.clear()
        self.likely.clear()

    def shares(self, states: list[State]) -> list[list[float]]:
        """How likely each of a position's `actions` is, in their order, for each of some positions. The lists are not
        the caller's to change."""
        import numpy as np

        if len(self.seen) > MOST:
            self.forget()
        room = bytearray(len(states) * self.sense.size)
        which, answers, hunches, counts = look_anew(self.sense, states, room, self.seen)
        if counts:
            batch = Batch.looked(self.sense, room, answers, hunches, counts)
            said = self.net.policy(batch.rows[:, : self.sense.known] * self.scales[: self.sense.known])
            likely: list[float] = np.exp(batch.logp(said, batch.owner())).tolist()
            self.likely += [likely[start:end] for start, end in pairwise(batch.starts.tolist())]
        return [self.likely[number] for number in which]

    def values(self, states: list[State], seat: Seat) -> list[float]:
        """A seat's chance to win in each world. The value has learnt to judge for who is asked; of two seats, that
        tells of the other as well."""
        import numpy as np

        size = self.sense.size
        room = bytearray(len(states) * size)
        sides = [s.turn if s.seats == 2 else seat for s in states]
        for i, (s, side) in enumerate(zip(states, sides, strict=True)):
            self.sense.put(s, side, room, i * size)
        rows = np.frombuffer(room, dtype=np.uint8).reshape(len(states), size)
        said: list[float] = np.tanh(self.net.value(rows * self.scales)[:, 0]).tolist() if states else []
        return [0.5 + 0.5 * (value if side == seat else -value) for value, side in zip(said, sides, strict=True)]

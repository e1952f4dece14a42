"""Many games in one call, for learning programs.

    from gonfalon.vector import Vector
    games = Vector("feint", 256, seed=1)
    games.reset()
    games.step((rng.random(256) * games.counts).astype("int64"))

`games.observations`, `masks`, `turns`, `counts`, `rewards` and `dones` are numpy arrays with a row for each game. The
arrays stay the same, and each step overwrites them. They hold only the view and the legal actions of the seat in
`turns` (`core/arrays/layout.py`); actions are numbered as in the other bridges.

Without opponents the learner plays all seats, and each row is written from the side of the deciding seat, so that one
network serves all. Simultaneous decisions are made one after the other, and hidden until all are made. A finished game
is followed by the next one within the same step.
"""

from __future__ import annotations

from gonfalon.vector.arrays import Array
from gonfalon.vector.processes import VectorError
from gonfalon.vector.slices import Policy
from gonfalon.vector.vector import Vector

__all__ = ["Array", "Policy", "Vector", "VectorError"]

"""Many games in one call, for programs that learn.

    from gonfalon.vector import Vector
    games = Vector("feint", 256, seed=1)
    games.reset()
    games.step((rng.random(256) * games.counts).astype("int64"))

`games.observations`, `masks`, `turns`, `counts`, `rewards` and `dones` are arrays of numpy with a row for each game.
They stay the same arrays, and the next step writes over them. What stands there is what the seat `turns` may know and
do (`core/arrays/layout.py`), and nothing else; legal actions are numbered as in the other bridges.

Without opponents all seats are the learner's, and each row is told from the side of the seat that is asked, so that
one network serves all. Several who choose at the same time are asked one after the other, and none is shown what
another has chosen. A game that is over is followed by the next within the same step.
"""

from __future__ import annotations

from gonfalon.vector.arrays import Array
from gonfalon.vector.processes import VectorError
from gonfalon.vector.slices import Policy
from gonfalon.vector.vector import Vector

__all__ = ["Array", "Policy", "Vector", "VectorError"]

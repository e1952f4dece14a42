"""The arrays of a vector of games: where they lie in one block of memory, and what they are called."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from gonfalon.bridges.numbers import Numbers
from gonfalon.core.basics.errors import OptionError

ALIGNED: Final = 64
"""Each array begins at an address that is a multiple of this: others (jax) take no memory as it is that does not."""
SEES: Final = ("observations", "views", "sparse", "masks", "candidates")
SPARSE: Final = ("places", "values", "filled")
"""The arrays of "sparse": of each row where its numbers stand that are not 0, which they are, and how many."""

Array = npt.NDArray[Any]
Plan = dict[str, tuple[tuple[int, ...], str]]
"""Of each array its shape and the type of its numbers."""


def plan_of(numbers: Numbers, n: int, seats: int, learners: int, room: int, cells: int, shown: tuple[str, ...]) -> Plan:
    """The arrays of `n` games. Raises OptionError for one to be shown that there is not."""
    unknown = [name for name in shown if name not in SEES]
    if unknown:
        raise OptionError(f"A vector shows {', '.join(SEES)}, and no {unknown[0]!r:.40}.")
    plan: Plan = {
        "observations": ((n, numbers.size), "int8"),
        "views": ((n, learners, numbers.size), "int8"),
        "places": ((n, cells), "int32"),
        "values": ((n, cells), "int8"),
        "filled": ((n,), "int32"),
        "masks": ((n, numbers.count), "int8"),
        "candidates": ((n, room), "int16"),
        "rewards": ((n, seats), "float32"),
        "dones": ((n,), "bool"),
        "illegal": ((n,), "bool"),
        "turns": ((n,), "int32"),
        "counts": ((n,), "int32"),
        "seeds": ((n,), "int64"),
        "actions": ((n,), "int64"),
    }
    unseen = {*SEES, *SPARSE} - set(shown) - set(SPARSE if "sparse" in shown else ())
    return {name: found for name, found in plan.items() if name not in unseen}


def size_of(plan: Plan) -> int:
    """How many bytes the block takes."""
    return ALIGNED + sum(bytes_of(shape, kind) for shape, kind in plan.values())


def bytes_of(shape: tuple[int, ...], kind: str) -> int:
    """How many bytes an array takes, with what lies behind it."""
    size = np.dtype(kind).itemsize
    for length in shape:
        size *= length
    return -(-size // ALIGNED) * ALIGNED


def arrays_in(block: Any, plan: Plan) -> dict[str, Array]:
    """The arrays by name, in a block of memory."""
    found = {}
    at = -np.frombuffer(block, np.uint8).ctypes.data % ALIGNED
    for name, (shape, kind) in plan.items():
        count = int(np.prod(shape))
        found[name] = np.frombuffer(block, np.dtype(kind), count, at).reshape(shape)
        at += bytes_of(shape, kind)
    return found


def thin_out(rows: Array, places: Array, values: Array, filled: Array) -> None:
    """Write the numbers of rows that are not 0 into the arrays of "sparse", from the left; behind them all is 0. Raises
    OptionError where they do not fit."""
    size, cells = rows.shape[1], places.shape[1]
    flat = rows.reshape(-1)
    found = np.flatnonzero(flat != 0)
    lanes, at = np.divmod(found, size)
    filled[:] = np.bincount(lanes, minlength=len(rows))
    most = int(filled.max())
    if most > cells:
        raise OptionError(f"A row holds {most} numbers that are not 0, and `cells` leaves room for {cells}.")
    into = lanes * cells + np.arange(len(found)) - (filled.cumsum() - filled)[lanes]
    places[:] = 0
    values[:] = 0
    places.reshape(-1)[into] = at
    values.reshape(-1)[into] = flat[found]


def checked_actions(actions: object, n: int) -> Array:
    """Actions as an array of whole numbers, one for each game. Raises OptionError."""
    try:
        found = np.asarray(actions)
    except (TypeError, ValueError):
        raise OptionError(f"There must be one action for each game, an array of shape ({n},).") from None
    if found.shape != (n,):
        raise OptionError(f"There must be one action for each game, an array of shape ({n},), not {found.shape}.")
    if found.dtype.kind not in "iu":
        raise OptionError(f"Actions are whole numbers, not {found.dtype}.")
    return found

"""The arrays of a vector of games in one block of memory."""

from __future__ import annotations

import ctypes
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from librt.vecs import vec
from mypy_extensions import u8

from gonfalon.bridges.numbers import Numbers
from gonfalon.core.arrays.lanes import make_memory
from gonfalon.core.basics.errors import OptionError

ALIGNMENT: Final = 64
"""Alignment of each array in bytes. Some libraries (jax) copy memory with a smaller alignment."""
ARRAY_KINDS: Final = ("observations", "views", "sparse", "privileged", "masks", "candidates")
"""Kinds of arrays that a vector can write."""
SPARSE_ARRAYS: Final = ("places", "values", "filled")
"""Arrays of "sparse": the positions of each row's nonzero numbers, their values, and their count."""

LANE_ARRAYS: Final = ("observations", "views", "places", "values", "masks", "candidates")
"""Arrays that compiled code writes itself."""

Array = npt.NDArray[Any]
"""A numpy array of any type."""
Block: TypeAlias = "bytearray | ctypes.Array[ctypes.c_byte]"
"""The memory of all arrays: private, or shared with worker processes."""
ArrayPlan = dict[str, tuple[tuple[int, ...], str]]
"""Shape and number type of each array."""


def plan_arrays(
    numbers: Numbers, n: int, seats: int, learners: int, room: int, cells: int, shown: tuple[str, ...]
) -> ArrayPlan:
    """Return the arrays of `n` games.

    Args:
        numbers: The numbering of the game.
        n: The number of games.
        seats: The number of seats.
        learners: The number of the learner's seats in a game.
        room: The maximum number of candidates.
        cells: The maximum number of nonzero numbers in a sparse row.
        shown: The kinds of arrays to write.

    Raises:
        OptionError: A kind is unknown.
    """
    unknown = [name for name in shown if name not in ARRAY_KINDS]
    if unknown:
        raise OptionError(f"A vector can write {', '.join(ARRAY_KINDS)}, not {unknown[0]!r:.40}.")
    plan: ArrayPlan = {
        "observations": ((n, numbers.size), "int8"),
        "views": ((n, learners, numbers.size), "int8"),
        "places": ((n, cells), "int32"),
        "values": ((n, cells), "int8"),
        "filled": ((n,), "int32"),
        "privileged": ((n, numbers.size), "int8"),
        "masks": ((n, numbers.count), "int8"),
        "candidates": ((n, room), "int16"),
        "rewards": ((n, seats), "float32"),
        "dones": ((n,), "bool"),
        "illegal": ((n,), "bool"),
        "chosen": ((n,), "int64"),
        "turns": ((n,), "int32"),
        "counts": ((n,), "int32"),
        "seeds": ((n,), "int64"),
        "actions": ((n,), "int64"),
    }
    unseen = {*ARRAY_KINDS, *SPARSE_ARRAYS} - set(shown) - set(SPARSE_ARRAYS if "sparse" in shown else ())
    return {name: found for name, found in plan.items() if name not in unseen}


def block_size(plan: ArrayPlan) -> int:
    """Return the size of the block in bytes."""
    return ALIGNMENT + sum(array_size(shape, kind) for shape, kind in plan.values())


def array_size(shape: tuple[int, ...], kind: str) -> int:
    """Return the size of an array in bytes, with padding."""
    size = np.dtype(kind).itemsize
    for length in shape:
        size *= length
    return -(-size // ALIGNMENT) * ALIGNMENT


def map_arrays(block: Block, plan: ArrayPlan) -> dict[str, Array]:
    """Return the arrays in a block of memory, by name."""
    memory = memoryview(block)
    found = {}
    # The first aligned address in the block.
    at = -np.frombuffer(memory, np.uint8).ctypes.data % ALIGNMENT
    for name, (shape, kind) in plan.items():
        count = int(np.prod(shape))
        found[name] = np.frombuffer(memory, np.dtype(kind), count, at).reshape(shape)
        at += array_size(shape, kind)
    return found


class LaneMemory(NamedTuple):
    """Memory as a vector of compiled code, and its address."""

    cells: vec[u8]
    address: int


def map_lane_arrays(plan: ArrayPlan) -> tuple[LaneMemory, dict[str, Array]]:
    """Return new memory that compiled code can write, and the arrays in it."""
    size = block_size(plan)
    cells = make_memory(size)
    kept = memoryview(cells)
    address = np.frombuffer(kept, np.uint8).ctypes.data
    # A vector shows its memory for reading only, and callers may write into their arrays.
    block = (ctypes.c_byte * size).from_address(address)
    # The arrays hold the block, and the block its memory.
    setattr(block, "memory", kept)  # noqa: B010 (an attribute that the class does not declare)
    return LaneMemory(cells, address), map_arrays(block, plan)


def check_actions(actions: object, n: int, who: str = "Pass") -> Array:
    """Return actions as an array of integers, one for each game.

    Args:
        actions: The actions.
        n: The number of games.
        who: The beginning of the error message.

    Raises:
        OptionError: They have another shape or type.
    """
    wanted = f"{who} one action for each game, as an array of shape ({n},)"
    try:
        found = np.asarray(actions)
    except (TypeError, ValueError):
        raise OptionError(f"{wanted}.") from None
    if found.shape != (n,):
        raise OptionError(f"{wanted}, not {found.shape}.")
    if found.dtype.kind not in "iu":
        raise OptionError(f"Actions must be integers, not {found.dtype}.")
    return found

"""Networks run on one thread for all callers, and other users of numpy keep theirs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, Self

import numpy  # noqa: F401  # as whoever calls us from Python may have done
import pytest
from threadpoolctl import ThreadpoolController

from gonfalon.bots.networks.network import Layers

CONTROLLER = ThreadpoolController().select(user_api="blas")


def threads() -> list[int]:
    """Return the current number of threads of the BLAS behind numpy, the same for all loaded libraries."""
    return sorted({library["num_threads"] for library in CONTROLLER.info()})


class Watched:
    """A stand-in for rows of numbers that reads the number of threads when multiplied."""

    def __init__(self, rows: int, barrier: Barrier | None = None) -> None:
        self.rows = rows
        self.barrier = barrier
        self.seen: list[list[int]] = []

    def __len__(self) -> int:
        return self.rows

    def __matmul__(self, other: Any) -> Self:
        if self.barrier is not None:
            self.barrier.wait()
        self.seen.append(threads())
        return self

    def __iadd__(self, other: Any) -> Self:
        return self

    def clip(self, *bounds: Any, out: Any) -> None:
        pass


layers: Any = Layers  # with rows and weights that stand for arrays


def test_a_network_is_worked_out_on_one_thread_and_then_all_is_as_before() -> None:
    with CONTROLLER.limit(limits=2):
        rows = Watched(64)
        layers([0, 0], [0, 0])(rows)
        assert rows.seen == [[1], [1]]
        assert threads() == [2]
        with pytest.raises(IndexError):
            layers([0, 0], [0])(rows)
        assert threads() == [2]


def test_of_two_networks_at_once_neither_leaves_the_limit_behind() -> None:
    before = threads()
    with ThreadPoolExecutor(2) as pool:
        both = Barrier(2, timeout=250)
        list(pool.map(lambda rows: layers([0], [0])(Watched(rows, both)), (8, 8)))
    assert threads() == before

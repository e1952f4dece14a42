"""The laws of secrecy for a vector's arrays."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest

from gonfalon import games
from gonfalon.bridges import senders
from gonfalon.check import run
from gonfalon.check.laws.secrecy.secrecy import LAWS
from gonfalon.core.arrays.lanes import Lanes
from gonfalon.core.build import find_build
from gonfalon.core.rules.state import OPEN


def failures(name: str) -> list[str]:
    found = run(games.find_game_class(name).samples()[:2], 0, senders=[senders.vector_sender()], laws=LAWS, rounds=1)
    return [result.failure for result in found if result.failure]


@pytest.mark.parametrize("name", ["feint", "factionwars"])  # all of them, and all bridges: tests/bridges
def test_a_vectors_arrays_obey_the_laws(name: str) -> None:
    assert failures(name) == []


def open_row(self: Lanes, lane: int, seat: int) -> bytes:
    return real_row(self, lane, OPEN)


def write(self: Lanes, row: bytes, at: int) -> None:
    for i, number in enumerate(row):
        self.block[at + i] = number


def open_views(self: Lanes, lane: int) -> None:
    write(self, real_row(self, lane, OPEN) * self.start.seats, self.views_at)


def open_show(self: Lanes, lane: int) -> None:
    real_show(self, lane)
    write(self, real_row(self, lane, OPEN), self.rows_at)


def telling_count(self: Lanes, lane: int) -> None:
    """Leak the places of unseen cards through the counts."""
    real_show(self, lane)
    self.counts[lane] = sum(i * sum(zone) for i, zone in enumerate(self.states[lane].zones()))


real_row, real_show = Lanes.row_of, Lanes.show


@pytest.mark.extended
@pytest.mark.skipif(find_build() == "compiled", reason="compiled classes cannot be patched")
@pytest.mark.parametrize(
    ("method", "leak", "told"),
    [
        ("row_of", open_row, "last row of the vector"),
        ("write_views", open_views, "view of the vector"),
        ("show", open_show, "arrays of the vector"),
        ("show", telling_count, "arrays of the vector"),
    ],
)
def test_a_leak_is_noticed(method: str, leak: Any, told: str) -> None:
    with patch.object(Lanes, method, leak):
        found = failures("feint")
    assert any(told in failure for failure in found), found

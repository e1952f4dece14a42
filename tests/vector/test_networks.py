"""What a network is shown of a game that says nothing of networks: the row of the bridges."""

from __future__ import annotations

import pytest

from gonfalon import games
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.state import State
from gonfalon.vector.networks import RowInput, sense_of
from tests.learn.test_exact import Pennies


def test_numbers_below_zero_are_no_large_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bytes of a row have a sign, those that a network reads have none."""
    sense = RowInput(Pennies())
    width = sense.numbers.size

    def filled(s: State, seat: int, row: bytearray) -> None:
        row[:3] = bytes([127, 254, 128])  # 127, -2, -128

    monkeypatch.setattr(sense.numbers, "fill", filled)
    row = bytearray(sense.size + 1)
    sense.put(Pennies().start(), 0, row, 1)
    above, below = row[1 : 1 + width], row[1 + width :]
    assert list(above[:3]) == [127, 0, 0]
    assert list(below[:3]) == [0, 2, 128]
    assert not any(above[3:])
    assert not any(below[3:])


def test_the_row_is_the_same_in_every_world_of_a_view() -> None:
    game = games.game("jinkei")
    sense = sense_of(game)
    assert isinstance(sense, RowInput)
    state, rng = game.start(), Rng(2)
    while state.turn < 0 or len(state.actions) < 2:
        state.apply(state.turn, state.chance(rng) if state.turn < 0 else state.sample(rng))
    seat = state.turn
    rows = []
    for world in (state, *(worlds(state.mask(seat)).sample(Rng(n)) for n in range(3))):
        row = bytearray(sense.size)
        sense.put(world, seat, row, 0)
        rows.append(bytes(row))
    assert len(set(rows)) == 1

"""The network input of a game without its own encoder: the row of the bridges."""

from __future__ import annotations

import pytest

from gonfalon import games
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.state import State
from gonfalon.vector.networks import RowInput, find_input
from tests.learn.test_exact import Pennies


def test_negative_numbers_do_not_become_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bytes of a row are signed, those of a network's input are not."""
    encoder = RowInput(Pennies())
    width = encoder.numbers.size

    def filled(s: State, seat: int, row: bytearray) -> None:
        row[:3] = bytes([127, 254, 128])  # 127, -2, -128

    monkeypatch.setattr(encoder.numbers, "fill", filled)
    row = bytearray(encoder.size + 1)
    encoder.write_row(Pennies().start(), 0, row, 1)
    above, below = row[1 : 1 + width], row[1 + width :]
    assert list(above[:3]) == [127, 0, 0]
    assert list(below[:3]) == [0, 2, 128]
    assert not any(above[3:])
    assert not any(below[3:])


def test_the_row_is_the_same_in_every_world_of_a_view() -> None:
    game = games.game("jinkei")
    encoder = find_input(game)
    assert isinstance(encoder, RowInput)
    state, rng = game.start(), Rng(2)
    while state.turn < 0 or len(state.actions) < 2:
        state.apply(state.turn, state.chance(rng) if state.turn < 0 else state.sample(rng))
    seat = state.turn
    rows = []
    for world in (state, *(worlds(state.mask(seat)).sample(Rng(n)) for n in range(3))):
        row = bytearray(encoder.size)
        encoder.write_row(world, seat, row, 0)
        rows.append(bytes(row))
    assert len(set(rows)) == 1

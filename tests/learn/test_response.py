"""The learned best response: it finds what beats a player that can be beaten, and is the same twice."""

from __future__ import annotations

import numpy as np
import pytest

from gonfalon import games
from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.driver import Driver
from gonfalon.bots.network import Net
from gonfalon.core.record import Record
from gonfalon.core.rng import Rng
from gonfalon.core.state import State
from gonfalon.core.worlds import worlds
from gonfalon.learn.benchmark import response
from gonfalon.learn.benchmark.policies import PolicyBot, RowInput, sense_of
from tests.learn.test_exact import HEADS, Pennies


class Heads(Bot):
    """Always shows heads: whoever knows that wins every game."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return Choice(HEADS, "Always.")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response, "BATCH", 128)
    monkeypatch.setattr(response, "PART", 64)
    monkeypatch.setattr(response, "LANES", 32)
    monkeypatch.setattr(response, "FRESH_RATE", 0.01)


def trained() -> Net:
    game = Pennies()
    return response.respond([game], [Heads("heads", game)], 3000, 1)


@pytest.mark.usefixtures("small")
def test_it_finds_what_always_wins_and_finds_it_again() -> None:
    net, again = trained(), trained()
    for one, other in zip(net.policy.weights, again.policy.weights, strict=True):
        assert np.array_equal(one, other)
    game = Pennies()
    exploiter, heads = PolicyBot("exploiter", game, net), Heads("heads", game)
    won = 0.0
    for seed in range(40):
        seat = seed % 2
        driver = Driver(Record(game), [exploiter, heads] if seat == 0 else [heads, exploiter], seed)
        driver.advance()
        won += driver.state.returns()[seat]
    assert won > 36  # of 40; by chance it would be 0


def test_what_is_learnt_from_is_what_the_seat_may_know() -> None:
    """A game that says nothing of networks is told by the row of the bridges, which is the same in every world."""
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

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
from gonfalon.learn.benchmark.copying import imitate, watch
from gonfalon.learn.benchmark.policies import PolicyBot, RowInput, sense_of
from gonfalon.learn.ppo import Training
from gonfalon.learn.selfplay import Lot
from gonfalon.learn.settings import Settings
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
    monkeypatch.setattr(response, "RATE", 0.003)
    monkeypatch.setattr(response, "COPIED", 0.1)


def trained(decisions: int) -> Net:
    game = Pennies()
    return response.respond([game], [Heads("heads", game)], decisions, 1)


@pytest.mark.usefixtures("small")
def test_it_is_the_same_twice() -> None:
    nets = trained(500), trained(500)
    for one, other in zip(*(net.policy.weights for net in nets), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.usefixtures("small")
def test_it_finds_what_always_wins() -> None:
    game, net = Pennies(), trained(4000)
    exploiter, heads = PolicyBot("exploiter", game, net), Heads("heads", game)
    won = 0.0
    for seed in range(40):
        seat = seed % 2
        driver = Driver(Record(game), [exploiter, heads] if seat == 0 else [heads, exploiter], seed)
        driver.advance()
        won += driver.state.returns()[seat]
    assert won > 36  # of 40; by chance it would be 0


def test_it_begins_as_a_copy() -> None:
    """What has watched a player long enough does what it does, and expects what comes of it."""
    game = Pennies()
    sense = RowInput(game)
    watched = watch(sense, [game], [Heads("heads", game)], 3000, 1)
    # Both show heads, so the second seat always wins.
    assert watched.results.tolist() == [-1.0, 1.0] * 1500
    training = Training(sense, lambda version: nothing, 1, Settings(thumb=0.0, decay=0.9))
    imitate(training, watched)
    assert training.decisions == 3000
    batch = watched.batch.some([0, 1])
    said = training.policy.forward(batch.rows * training.scales)
    shares = np.exp(batch.logp(said, batch.owner()))[[HEADS, 2 + HEADS]]
    # It is sure of the one action, but for its share of the fifth that all have.
    assert shares == pytest.approx([0.9, 0.9], abs=0.05)
    assert np.tanh(training.value.forward(batch.rows * training.scales)) == pytest.approx(
        np.array([[-1], [1]]), abs=0.1
    )


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


def nothing() -> Lot:
    raise AssertionError


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

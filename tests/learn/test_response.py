"""The learned best response: it finds what beats a player that can be beaten, and is the same twice."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from gonfalon import games
from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.driver import Driver
from gonfalon.bots.network import Net
from gonfalon.core.game import Game
from gonfalon.core.record import Record
from gonfalon.core.rng import Rng
from gonfalon.core.state import State
from gonfalon.core.worlds import worlds
from gonfalon.learn.benchmark import figures, response
from gonfalon.learn.benchmark.shadow import ShadowBot, leaning
from gonfalon.learn.ppo import Training
from gonfalon.learn.selfplay import Lot
from gonfalon.learn.settings import Settings
from gonfalon.review.held import NETWORK, held_hash
from gonfalon.vector.networks import PolicyBot, RowInput, sense_of
from tests.learn.test_exact import HEADS, Pennies


class Heads(Bot):
    """Always shows heads: whoever knows that wins every game."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return Choice(HEADS, "Always.")


class Tails(Bot):
    """Never does."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return Choice(1 - HEADS, "Never.")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response, "BATCH", 128)
    monkeypatch.setattr(response, "PART", 64)
    monkeypatch.setattr(response, "LANES", 32)
    monkeypatch.setattr(response, "RATE", 0.003)


def trained(decisions: int, advised: bool = False) -> Net:
    game = Pennies()
    return response.respond([game], [Heads("heads", game)], decisions, 1, advised=advised)


@pytest.mark.parametrize("advised", [False, True])
@pytest.mark.usefixtures("small")
def test_it_is_the_same_twice(advised: bool) -> None:
    nets = trained(500, advised), trained(500, advised)
    for one, other in zip(*(net.policy.weights for net in nets), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.usefixtures("small")
def test_it_finds_what_always_wins() -> None:
    game, net = Pennies(), trained(4000)
    assert won_from_heads(PolicyBot("exploiter", game, net)) > 36  # of 40; by chance it would be 0


@pytest.mark.usefixtures("small")
def test_who_begins_as_the_player_finds_it_too() -> None:
    """As the first seat heads lose to heads, so there it has to learn to do something else."""
    game = Pennies()
    untaught, heads = untaught_net(game), Heads("heads", game)
    assert won_from_heads(ShadowBot("untaught", game, untaught, heads)) == 0.0  # as the player itself
    assert won_from_heads(ShadowBot("exploiter", game, trained(8000, advised=True), heads)) == 40.0


def won_from_heads(exploiter: Bot) -> float:
    game = exploiter.game
    heads, won = Heads("heads", game), 0.0
    for seed in range(40):
        seat = seed % 2
        driver = Driver(Record(game), [exploiter, heads] if seat == 0 else [heads, exploiter], seed)
        driver.advance()
        won += driver.state.returns()[seat]
    return won


def untaught_net(game: Game) -> Net:
    sense = sense_of(game)
    net = Training(sense, lambda version: nothing, 1, Settings(thumb=0.0, decay=0.9)).net({})
    return Net(net.policy, net.value, {"game": game.name, "rules": game.version, "cards": game.learnt_hash})


def test_a_twentieth_of_the_likelihood_is_left_to_all_actions() -> None:
    """Of four actions the advised one has 95 % and a quarter of the rest, 96.25 %; of one it is all."""
    assert np.exp(leaning([7, 8, 9, 10], 9)) == pytest.approx([0.0125, 0.0125, 0.9625, 0.0125])
    assert np.exp(leaning([7], 7)) == pytest.approx([1.0])


def test_each_set_up_is_advised_by_its_own_player() -> None:
    """Two set-ups, of which one has a player who shows heads and the other one who shows tails."""
    setups: list[Game] = [Pennies(), Pennies()]
    players: list[Bot] = [Heads("heads", setups[0]), Tails("tails", setups[1])]
    against = response.Against(setups, players, 1, Settings(thumb=0.0, decay=0.9, games=4), advised=True)
    for vector in against.vectors:
        vector.reset()
    states = [state for lanes in against.parts for state in lanes.states]
    assert [len(state.actions) for state in states] == [2] * 4
    odds = np.exp(against.look([0, 1, 2, 3], states).hunches).reshape(4, 2)
    assert odds[:2, HEADS] == pytest.approx([0.975, 0.975])
    assert odds[2:, HEADS] == pytest.approx([0.025, 0.025])


def test_it_begins_as_the_network_that_takes_half_else_as_the_player(monkeypatch: pytest.MonkeyPatch) -> None:
    def scored(score: float) -> None:
        monkeypatch.setattr(figures, "match", lambda *asked, **more: SimpleNamespace(score=score))

    game = games.game("feint")
    scored(0.5)
    assert figures.better_begun("club", "feint", {}, game, 1) == held_hash(game, NETWORK)
    scored(0.49)
    assert figures.better_begun("club", "feint", {}, game, 1) == figures.ITSELF
    scored(1.0)
    assert figures.better_begun("club", "jinkei", {}, games.game("jinkei"), 1) == figures.ITSELF, "it has no network"


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

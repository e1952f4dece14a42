"""Expert of Faction Wars between two: it tries rounds out, and asks a network for first sights and for what the
rounds have come to."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon import Rng
from gonfalon.bots import Budget, make
from gonfalon.bots.networks.network import RowValue, load
from gonfalon.bots.networks.network_input import advance_to_choice
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.bots import levels
from gonfalon.games.factionwars.bots.expert import Learner
from gonfalon.games.factionwars.bots.network_input import NetValuer
from gonfalon.games.factionwars.bots.settings import EXPERT, WEIGHTS
from gonfalon.games.factionwars.rules.state import FactionState
from tests.measured import measured

pytestmark = pytest.mark.extended


def of_network() -> FactionWars:
    """The game with the cards that the network has learnt."""
    game = measured("factionwars", seats=2)
    assert isinstance(game, FactionWars)
    return game


def position(game: FactionWars, after: int = 12) -> FactionState:
    """A line-up in random play, after so many decisions of players."""
    rng = Rng(3)
    state = game.start()
    while advance_to_choice(state, rng) and (after > 0 or state.stack[-1].prompt != "select"):
        after -= 1
        state.apply(state.turn, state.actions[int(rng.below(len(state.actions)))])
    return state


@pytest.mark.parametrize("options", [{"seats": 3}, {"seats": 2, "revision": "later"}])
def test_elsewhere_it_does_without(options: dict[str, Any]) -> None:
    assert not isinstance(make("expert", FactionWars(**options)), Learner)


def test_with_rules_that_the_network_has_not_learnt_it_does_without(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(make("expert", of_network()), Learner)
    monkeypatch.setattr(FactionWars, "version", "other")
    assert not isinstance(make("expert", FactionWars(seats=2)), Learner)


def test_it_tells_what_it_tried() -> None:
    game = of_network()
    bot = make("expert", game)
    state = position(game)
    choice = bot.choose(state.mask(state.turn), Budget(iterations=48), Rng(1))
    assert choice == bot.choose(state.mask(state.turn), Budget(iterations=48), Rng(1))
    assert choice.iterations >= 48
    assert choice.value is not None
    assert 0.0 <= choice.value.low <= choice.value.value <= choice.value.high <= 1.0
    without = levels.trying(EXPERT, EXPERT, "expert", game)
    assert choice != without.choose(state.mask(state.turn), Budget(iterations=48), Rng(1))


def test_a_policy_rests_on_what_its_seat_knows() -> None:
    game = of_network()
    bot = make("expert", game)
    assert isinstance(bot, Learner)
    state = position(game)
    view = state.mask(0)
    assert isinstance(view, FactionState)
    policy = bot.policy([view], 0)
    assert sum(policy) == pytest.approx(1.0)
    rng = Rng(4)
    dealt = worlds(view)
    goals = set()
    for _ in range(5):
        world = dealt.sample(rng)
        assert isinstance(world, FactionState)
        assert bot.policy([world], 0) == policy
        goals.add(world.goal[1][0])
    assert len(goals) > 1


def test_two_chances_make_one_and_follow_the_network() -> None:
    """The network says 0.2 between -1 and 1, which is three to two."""
    game = of_network()
    state = position(game)
    encoder = levels.network_input(game)
    rooms: list[bytearray] = []

    def judge(room: bytearray) -> float:
        rooms.append(room)
        return 0.2

    valuer = NetValuer(game.setup, WEIGHTS[2], encoder, judge)
    assert valuer.chances(state) == pytest.approx([0.6, 0.4])
    [room] = rooms
    assert len(room) == encoder.size
    assert -1.0 <= RowValue(load(levels.TRAINED), encoder)(room) <= 1.0
    state.play_out(Rng(1))
    assert sum(valuer.chances(state)) == pytest.approx(1.0)
    assert len(rooms) == 1  # at the end the rules say who has won

"""Expert of Faction Wars for two players: a network proposes and evaluates, and the action is sampled."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon import Rng
from gonfalon.bots import Budget, make
from gonfalon.bots.networks.network_input import advance_to_choice
from gonfalon.bots.networks.planner import Planner
from gonfalon.bots.search.searcher import SearchBot
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.rules.state import FactionState
from tests.measured import measured

pytestmark = pytest.mark.extended


def of_network() -> FactionWars:
    """Return the game with the cards the network was trained on."""
    game = measured("factionwars", seats=2)
    assert isinstance(game, FactionWars)
    return game


def position(game: FactionWars, after: int = 12) -> FactionState:
    """Return a line-up in random play after this number of players' decisions."""
    rng = Rng(3)
    state = game.start()
    while advance_to_choice(state, rng) and (after > 0 or state.stack[-1].prompt != "select"):
        after -= 1
        state.apply(state.turn, state.actions[int(rng.below(len(state.actions)))])
    return state


@pytest.mark.parametrize("options", [{"seats": 3}, {"seats": 2, "revision": "later"}])
def test_elsewhere_it_searches(options: dict[str, Any]) -> None:
    assert isinstance(make("expert", FactionWars(**options)), SearchBot)


def test_with_rules_that_the_network_has_not_learnt_it_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(make("expert", of_network()), Planner)
    monkeypatch.setattr(FactionWars, "version", "other")
    assert isinstance(make("expert", FactionWars(seats=2)), SearchBot)


def test_it_reports_its_trials() -> None:
    game = of_network()
    bot = make("expert", game)
    state = position(game)
    choice = bot.choose(state.mask(state.turn), Budget(iterations=48), Rng(1))
    assert choice == bot.choose(state.mask(state.turn), Budget(iterations=48), Rng(1))
    assert choice.iterations <= 48
    assert choice.value is not None
    assert 0.0 <= choice.value.low <= choice.value.value <= choice.value.high <= 1.0
    assert sum(share for _, share in choice.policy) == pytest.approx(1.0)
    assert [belief.about for belief in choice.beliefs] == ["Player 2's choice", "Player 2's goal"]
    assert sum(chance for _, chance in choice.beliefs[0].likely) == pytest.approx(1.0)


def test_picks_are_drawn_from_the_policy() -> None:
    """Only actions of the policy are chosen, and different ones where it is uncertain."""
    game = of_network()
    bot = make("expert", game)
    several = 0
    for after in (4, 12, 20):
        state = position(game, after)
        view = state.mask(state.turn)
        choices = [bot.choose(view, Budget(iterations=12), Rng(seed)) for seed in range(8)]
        assert all(dict(choice.policy)[choice.action] > 0.0 for choice in choices)
        several += len({choice.action for choice in choices}) > 1
    assert several


def test_a_policy_depends_only_on_its_seats_knowledge() -> None:
    game = of_network()
    bot = make("expert", game)
    assert isinstance(bot, Planner)
    state = position(game)
    view = state.mask(0)
    [policy] = bot.evaluator.policies([view])
    assert sum(policy) == pytest.approx(1.0)
    rng = Rng(4)
    dealt = worlds(view)
    goals = set()
    for _ in range(5):
        world = dealt.sample(rng)
        assert isinstance(world, FactionState)
        bot.evaluator.clear_cache()
        assert bot.evaluator.policies([world]) == [policy]
        goals.add(world.goal[1][0])
    assert len(goals) > 1

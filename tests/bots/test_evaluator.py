"""The evaluation of positions by a network: positions that look alike to the deciding seat are evaluated once."""

from __future__ import annotations

import pytest

from gonfalon import Rng
from gonfalon.bots import make
from gonfalon.bots.networks.evaluator import Evaluator
from gonfalon.bots.networks.planner import Planner
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.state import State
from gonfalon.games.feint import Feint
from gonfalon.games.generals import Generals
from tests.bots.planners import positions

GAMES = [(Feint(factions=("mibits", "wu")), "deploy"), (Generals(decks=("vanguard-of-wei", "plans-of-wei")), "main")]


def evaluator_of(game: Feint | Generals) -> Evaluator:
    bot = make("expert", game)
    assert isinstance(bot, Planner)
    return Evaluator(bot.evaluator.net, bot.evaluator.encoder)


def worlds_of(state: State, count: int) -> list[State]:
    """Return worlds that look alike to the deciding seat."""
    sampler, rng = worlds(state.mask(state.turn)), Rng(5)
    return [sampler.sample(rng) for _ in range(count)]


@pytest.mark.parametrize(("game", "prompt"), GAMES, ids=["feint", "generals"])
def test_worlds_of_a_view_are_looked_at_once(game: Feint | Generals, prompt: str) -> None:
    evaluator = evaluator_of(game)
    here, there = positions(game, prompt, 2, 3)
    same = worlds_of(here, 4)
    assert len({str(world.dump()) for world in same}) > 1
    first = evaluator.policies([*same, there])
    assert len(evaluator.cached_policies) == 2
    assert first[0] == first[1] == first[2] == first[3] != first[4]
    assert evaluator.policies([there, same[0]]) == [first[4], first[0]]
    assert len(evaluator.cached_policies) == 2


@pytest.mark.parametrize(("game", "prompt"), GAMES, ids=["feint", "generals"])
def test_cached_values_equal_computed_ones(game: Feint | Generals, prompt: str) -> None:
    evaluator, alone = evaluator_of(game), evaluator_of(game)
    states = [world for state in positions(game, prompt, 6, 3) for world in worlds_of(state, 2)]
    found = evaluator.policies(states)
    for state, shares in zip(states, found, strict=True):
        alone.clear_cache()
        assert alone.cached_policies == []
        assert alone.policies([state])[0] == pytest.approx(shares, abs=1e-5)
        assert len(shares) == len(state.actions)
        assert sum(shares) == pytest.approx(1.0, abs=1e-4)


def test_a_full_cache_is_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gonfalon.bots.networks.evaluator.MAX_CACHED_ROWS", 2)
    game = Feint(factions=("mibits", "wu"))
    evaluator = evaluator_of(game)
    evaluator.policies(positions(game, "deploy", 3, 3))
    count = len(evaluator.cached_policies)
    assert count > 2
    evaluator.policies(positions(game, "deploy", 1, 3))
    assert len(evaluator.cached_policies) == 1

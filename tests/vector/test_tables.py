"""Many tables as one parallel environment of PettingZoo: its own tests and further properties."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.env_registry.registration import make
from pettingzoo.test import parallel_api_test, parallel_seed_test

from gonfalon import games
from gonfalon.check.tensors import build_tensor
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE, State
from gonfalon.vector import VectorError
from gonfalon.vector.tables import REFUSAL_TEXT, TablesEnv, register_games


def first_legal(seen: dict[str, Any]) -> dict[str, int]:
    return {agent: int(shown["action_mask"].argmax()) for agent, shown in seen.items()}


def agents_at(hall: TablesEnv) -> list[str]:
    """Return the deciding agent of each table."""
    return [f"table_{table}_player_{seat}" for table, seat in enumerate(hall.games.turns)]


@pytest.mark.extended
@pytest.mark.parametrize("name", ["factionwars", "jinkei"])
def test_pettingzoos_own_tests(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(TablesEnv(name, 2), num_cycles=200)
        parallel_api_test(TablesEnv(name, 3, "spread", "random"), num_cycles=200)
        parallel_seed_test(lambda: TablesEnv(name, 2), num_cycles=50)
    capsys.readouterr()


def settle(state: State, chance: Rng) -> None:
    while state.turn == CHANCE:
        state.apply(CHANCE, state.chance(chance))


@pytest.mark.parametrize("name", ["factionwars", "jinkei"])
def test_each_agent_gets_its_seats_view_and_reward(name: str) -> None:
    """The games are replayed by the rules alone, from the seeds reported at their ends."""
    hall = TablesEnv(name, 2)
    game, wait = hall.games.game, hall.wait
    actions = hall.games.numbers.actions
    seen, _ = hall.reset(seed=3)
    played: list[list[tuple[list[bytes], int, int]]] = [[], []]
    results: dict[str, float] = {}
    ends: dict[int, tuple[int, list[bytes]]] = {}

    def rows(table: int) -> list[bytes]:
        found = [seen[f"table_{table}_player_{seat}"] for seat in range(game.seats)]
        return [shown["observation"].tobytes() for shown in found]

    while hall.agents:
        chosen = first_legal(seen)
        asked = {agent: action for agent, action in chosen.items() if action != wait}
        assert len(asked) == len({hall.places[hall.number_of[agent]][0] for agent in hall.agents})
        for agent, action in asked.items():
            table, seat = hall.places[hall.number_of[agent]]
            assert not seen[agent]["action_mask"][wait]
            played[table].append((rows(table), seat, action))
        agents = hall.agents
        seen, rewards, over, cut, infos = hall.step(chosen)
        assert set(seen) == set(rewards) == set(over) == set(cut) == set(infos) == set(agents)
        assert hall.agents == [agent for agent in agents if not over[agent]]
        assert not any(cut.values())
        for table in np.flatnonzero(hall.games.dones).tolist():
            ends[table] = int(hall.games.seeds[table]), rows(table)
        results |= {agent: reward for agent, reward in rewards.items() if over[agent]}
        assert not any(reward for agent, reward in rewards.items() if not over[agent])
    for table, (seed, last) in ends.items():
        state, chance = game.start(), Rng(seed)
        for shown, seat, action in played[table]:
            settle(state, chance)
            assert state.turn == seat
            assert shown == [build_tensor(game, state.mask(viewer)) for viewer in range(game.seats)]
            state.apply(seat, actions[action])
        settle(state, chance)
        assert last == [build_tensor(game, state.mask(viewer)) for viewer in range(game.seats)]
        assert [results[f"table_{table}_player_{seat}"] for seat in range(game.seats)] == pytest.approx(state.returns())
    assert len(ends) == 2


@pytest.mark.parametrize("wrong", [243, -1, "sword", None])
def test_an_illegal_action_ends_only_its_tables_game(wrong: object) -> None:
    """243 is to wait, which a deciding agent cannot."""
    hall = TablesEnv("jinkei", 2)
    seen, _ = hall.reset(seed=1)
    asked = agents_at(hall)[1]
    actions: dict[str, object] = {**first_legal(seen), asked: wrong}
    _, rewards, over, _, infos = hall.step(actions)
    assert rewards == {agent: -1.0 if agent == asked else 0.0 for agent in hall.possible_agents}
    assert over == {agent: agent.startswith("table_1") for agent in hall.possible_agents}
    assert {agent: info for agent, info in infos.items() if info} == {asked: {"refusal": REFUSAL_TEXT}}
    assert hall.agents == ["table_0_player_0", "table_0_player_1"]


def test_actions_of_waiting_agents_are_ignored() -> None:
    one, two = TablesEnv("jinkei", 1), TablesEnv("jinkei", 1)
    seen, _ = one.reset(seed=1)
    two.reset(seed=1)
    [asked] = agents_at(one)
    [other] = set(one.agents) - {asked}
    here = one.step(first_legal(seen))
    there = two.step({**first_legal(seen), other: 7})
    assert here[1:] == there[1:]
    assert all((here[0][agent]["observation"] == there[0][agent]["observation"]).all() for agent in one.agents)


def test_every_game_is_registered_and_settings_are_checked() -> None:
    for name, full in zip(games.names(), register_games(), strict=True):
        hall = make("parallel", full, tables=2, learners=0, bots="random")
        assert hall.unwrapped.games.game.name == name
        assert hall.possible_agents == ["table_0_player_0", "table_1_player_0"]
    with pytest.raises(OptionError, match="at least one game, as an integer, not 0"):
        TablesEnv("jinkei", 0)
    with pytest.raises(VectorError, match="Reset the vector before its first step"):
        TablesEnv("jinkei", 2).step({})

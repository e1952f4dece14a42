"""The environments of PettingZoo: its own tests, unmodified, and further properties."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.env_registry.registration import aec_registry, make, parallel_registry
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)
from pettingzoo.test.state_test import state_test

from gonfalon import games
from gonfalon.bridges.gymnasium import SeatEnv
from gonfalon.bridges.pettingzoo import env, parallel_env, raw_env, register_games
from gonfalon.core.basics.errors import OptionError, Refusal
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, TOGETHER
from tests.bridges.common import SOME, any_legal, each


@pytest.fixture
def known_warnings() -> Iterator[None]:
    """PettingZoo's tests warn of every dict observation that is not on a list in their code."""
    with warnings.catch_warnings():
        for text in (
            "Observation is not a NumPy",
            "Observation space for each agent",
            "Action mask numpy array is all",
        ):
            warnings.filterwarnings("ignore", text)
        yield


# ---- PettingZoo's own -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("known_warnings")
@pytest.mark.parametrize("game", each(SOME))
def test_pettingzoos_own_tests(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(env(game), num_cycles=500)
    api_test(raw_env(game), num_cycles=500)
    api_test(raw_env(game, dtype="float32"), num_cycles=100)
    seed_test(lambda: env(game))
    parallel_api_test(parallel_env(game))
    parallel_seed_test(lambda: parallel_env(game))
    render_test(lambda render_mode: env(game, render_mode=render_mode))
    state_test(env(game), parallel_env(game), num_cycles=30)
    state_test(env(game, dtype="float32"), parallel_env(game, dtype="float32"), num_cycles=30)
    capsys.readouterr()


@pytest.mark.extended
def test_supersuit_puts_parallel_environments_together() -> None:
    """It pickles the environment. Its rows are those of the agents."""
    supersuit = pytest.importorskip("supersuit")
    table, beside = parallel_env("feint"), parallel_env("feint")
    several = supersuit.concat_vec_envs_v1(supersuit.pettingzoo_env_to_vec_env_v1(table), 1)
    seen, _ = several.reset(seed=3)
    rows, _ = beside.reset(seed=3)
    while beside.agents:
        for number, agent in enumerate(beside.possible_agents):
            for part in ("observation", "action_mask"):
                assert np.array_equal(seen[part][number], rows[agent][part])
        actions = seen["action_mask"].argmax(axis=1)
        seen, *_ = several.step(actions)
        rows, *_ = beside.step(dict(zip(beside.possible_agents, actions.tolist(), strict=True)))


def test_observations_as_floats_are_the_same_numbers() -> None:
    for make_one in (raw_env, parallel_env):
        one, other = make_one("feint"), make_one("feint", dtype="float32")
        one.reset(seed=2)
        other.reset(seed=2)
        assert other.state().dtype == np.float32
        assert np.array_equal(one.state(), other.state())
        for agent in one.agents:
            seen, row = one.observe(agent), other.observe(agent)
            assert row["observation"].dtype == np.float32
            assert row["action_mask"].dtype == np.int8
            assert np.array_equal(seen["observation"], row["observation"])


# ---- whole games ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", each(SOME))
def test_whole_games_are_those_of_the_core(game: Game) -> None:
    """Many seeds give the same complete game as the core with the same stream of chance."""
    table = raw_env(game)
    for seed in range(3):
        chooser, chance = Rng(seed), Rng(seed)
        table.reset(seed=seed)
        state = game.start()
        for agent in table.agent_iter():
            while state.turn == CHANCE:
                state.apply(CHANCE, state.chance(chance))
            if state.over:
                break
            observation, reward, terminated, truncated, info = table.last()
            seat = table.possible_agents.index(agent)
            assert state.turn == seat
            assert (reward, terminated, truncated, info) == (0, False, False, {})
            legal = [game.notation(action) for action in state.actions]
            assert [table.notation(int(i)) for i in np.flatnonzero(observation["action_mask"])] == legal
            assert table.observation_space(agent).contains(observation)
            others = [table.observe(other) for other in table.agents if other != agent]
            if state.stack[-1].seat != TOGETHER:
                assert not any(other["action_mask"].any() for other in others)
            action = any_legal(observation, chooser)
            state.apply(seat, game.parse(table.notation(action)))
            table.step(action)
        rewards = {}
        for agent in table.agent_iter():
            _, reward, terminated, _, _ = table.last()
            assert terminated
            rewards[agent] = reward
            table.step(None)
        assert [rewards[agent] for agent in table.possible_agents] == state.returns()
        assert table.agents == []


@pytest.mark.parametrize("game", each(SOME))
def test_whole_games_in_parallel(game: Game) -> None:
    table = parallel_env(game)
    for seed in range(3):
        chooser = Rng(seed)
        observations, infos = table.reset(seed=seed)
        rewards: dict[str, float] = {}
        for _ in range(game.bound):
            state = table.session.full_state
            asked = [seat for seat in range(game.seats) if state.legal(seat)]
            for seat, agent in enumerate(table.possible_agents):
                mask = observations[agent]["action_mask"]
                assert table.observation_space(agent).contains(observations[agent])
                assert bool(mask[-1]) == (seat not in asked)
                assert mask.any()
            actions = {agent: any_legal(observations[agent], chooser) for agent in table.agents}
            waiting = {agent for agent, action in actions.items() if table.notation(action) == "wait"}
            assert waiting == {table.possible_agents[seat] for seat in range(game.seats) if seat not in asked}
            observations, rewards, ended, truncated, infos = table.step(actions)
            assert not any(truncated.values())
            assert all(ended.values()) == (not table.agents)
            if not table.agents:
                break
        assert table.agents == []
        assert list(rewards.values()) == table.session.full_state.returns()
        assert not any(infos.values())


# ---- what may go wrong ------------------------------------------------------------------------------------


def illegal(mask: np.ndarray[Any, Any]) -> int:
    return int(np.flatnonzero(mask == 0)[0])


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    table = raw_env("feint")
    table.reset(seed=1)
    agent = table.agent_selection
    before = table.session.full_state.dump()
    with pytest.raises(Refusal, match=r"\w+"):
        table.step(illegal(table.observe(agent)["action_mask"]))
    assert table.session.full_state.dump() == before


def test_an_illegal_action_loses_in_the_wrapped_environment(capsys: pytest.CaptureFixture[str]) -> None:
    table = env("feint")
    table.reset(seed=1)
    agent = table.agent_selection
    observation, *_ = table.last()
    table.step(illegal(observation["action_mask"]))
    assert table.terminations[agent]
    assert table.rewards[agent] == -1
    capsys.readouterr()


def test_an_illegal_action_loses_in_parallel_and_says_why() -> None:
    table = parallel_env("jinkei")
    observations, _ = table.reset(seed=3)
    [asked] = [agent for agent in table.agents if not observations[agent]["action_mask"][-1]]
    [other] = [agent for agent in table.agents if agent != asked]
    bad = illegal(observations[asked]["action_mask"])
    _, rewards, ended, _, infos = table.step({asked: bad, other: 0})
    assert (rewards[asked], rewards[other]) == (-1.0, 0.0)
    assert all(ended.values())
    assert infos[asked]["refusal"].endswith(".")
    assert infos[other] == {}
    table.reset(seed=3)
    _, rewards, _, _, infos = table.step({asked: table.size - 1, other: 0})
    assert rewards[asked] == -1.0
    assert "wait" in infos[asked]["refusal"]


def test_steps_without_a_game_are_refused() -> None:
    for table in (SeatEnv("jinkei"), raw_env("jinkei"), parallel_env("jinkei")):
        for _ in range(2):
            with pytest.raises(Refusal, match="No game is running"):
                table.step({})
            table.reset()
            table.close()
    with pytest.raises(Refusal, match="No game is running"):
        raw_env("jinkei").last()
    table.reset()
    for wrong in (5, {"x": 1}):
        with pytest.raises(OptionError, match="an action for player_0, player_1, not"):
            table.step(wrong)


@pytest.mark.parametrize("settings", [{"viewer": 2}, {"viewer": "me"}, {"nothing": 1}])
def test_bad_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        raw_env("jinkei", **settings)


# ---- names, parts, pictures ----------------------------------------------------------------------------------


def test_every_game_is_registered_under_its_version() -> None:
    names = register_games()
    assert names == [f"gonfalon/{name}-v{games.find_game_class(name).version}" for name in games.names()]
    assert set(names) <= set(aec_registry)
    assert set(names) <= set(parallel_registry)
    for name, full in zip(games.names(), names, strict=True):
        assert make("aec", full).unwrapped.game.name == name
        assert make("parallel", full).unwrapped.game.name == name
    table = make("aec", names[games.names().index("feint")], factions=("wu", "mibits"))
    assert table.unwrapped.game.options["factions"] == ("wu", "mibits")
    assert str(table.unwrapped) == f"feint_v{games.find_game_class('feint').version}"


def test_rendering_shows_the_viewers_information() -> None:
    shown = [raw_env("feint", render_mode="ansi", viewer=viewer) for viewer in (0, 1, "spectator", "all")]
    for table in shown:
        table.reset(seed=2)
    mine, theirs, public, everything = (table.render() for table in shown)
    hands = []
    for seat in (0, 1):
        board: Any = shown[seat].game.board(shown[seat].session.full_state.mask(seat))
        hands.append({card["name"] for card in board["seats"][seat]["hand"]})
    assert all((name in mine, name in theirs, name in everything) == (True, False, True) for name in hands[0])
    assert all((name in mine, name in theirs, name in everything) == (False, True, True) for name in hands[1])
    assert not any(name in public for name in hands[0] | hands[1])
    quiet = raw_env("feint")
    quiet.reset(seed=2)
    assert quiet.render() is None


@pytest.mark.parametrize("copied", [lambda table: pickle.loads(pickle.dumps(table)), copy.deepcopy])  # noqa: TID251
@pytest.mark.parametrize("name", ["feint", "factionwars"])
def test_a_copy_goes_on_in_the_middle_of_a_game(name: str, copied: Callable[[Any], Any]) -> None:
    table = raw_env(name)
    table.reset(seed=4)
    play_some(table, 7)
    twin = copied(table)
    for _ in range(12):
        agent = table.agent_selection
        assert twin.agent_selection == agent
        for key, seen in table.observe(agent).items():
            assert (twin.observe(agent)[key] == seen).all()
        before = table.session.full_state.dump()
        play_some(twin, 1)
        assert table.session.full_state.dump() == before, "a copy that is played on leaves the other alone"
        play_some(table, 1)
    assert twin.session.full_state.dump() == table.session.full_state.dump()


def play_some(table: Any, count: int) -> None:
    """Take the first legal action this number of times."""
    for _ in range(count):
        agent = table.agent_selection
        if not table.terminations[agent]:
            table.step(int(table.observe(agent)["action_mask"].argmax()))


@pytest.mark.parametrize("number", [-1, 10**6, "1", None])
def test_a_number_that_is_no_action_is_refused(number: Any) -> None:
    table = raw_env("jinkei")
    table.reset(seed=1)
    before = table.session.full_state.dump()
    with pytest.raises(Refusal, match=r"There is no action .*\. Actions are numbered from 0 to 242\."):
        table.step(number)
    assert table.session.full_state.dump() == before


@pytest.mark.parametrize("number", [-1, 10**6])
@pytest.mark.parametrize("asked", [True, False])
def test_a_number_that_is_no_action_loses_in_parallel(number: int, asked: bool) -> None:
    table = parallel_env("jinkei")
    table.reset(seed=1)
    turn = table.session.full_state.turn
    agents = table.possible_agents
    actions = dict.fromkeys(agents, table.size - 1)
    actions[agents[turn]] = int(table.observe(agents[turn])["action_mask"].argmax())
    wrong = agents[turn if asked else 1 - turn]
    actions[wrong] = number
    before = table.session.full_state.dump()
    _, rewards, ended, _, infos = table.step(actions)
    assert rewards == {agent: -1.0 if agent == wrong else 0.0 for agent in agents}
    assert set(ended.values()) == {True}
    assert infos[wrong]["refusal"] == f"There is no action {number}. Actions are numbered from 0 to 242, and 243 waits."
    assert table.session.full_state.dump() == before


def test_names_of_settings_do_not_hide_options() -> None:
    ours = {"game", "seat", "bots", "render_mode", "viewer"}
    for name in games.names():
        assert not ours & {option.name for option in games.find_game_class(name).options_spec}, name

"""The vector environment of Gymnasium, beside the single one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import data_equivalence  # noqa: E402
from gymnasium.wrappers.vector import RecordEpisodeStatistics  # noqa: E402

from gonfalon.bridges.gymnasium import register  # noqa: E402
from gonfalon.core.errors import OptionError  # noqa: E402
from gonfalon.vector.environment import SeatVectorEnv  # noqa: E402


def first_legal(infos: dict[str, Any]) -> Any:
    return infos["action_mask"].argmax(axis=1)


@pytest.mark.parametrize("name", register())
def test_gymnasium_makes_it_by_name_and_all_fits_its_spaces(name: str) -> None:
    tables = gymnasium.make_vec(name, num_envs=3, bots="random")
    assert isinstance(tables.unwrapped, SeatVectorEnv)
    assert tables.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    observations, infos = tables.reset(seed=1)
    single = gymnasium.make(name)
    assert tables.single_observation_space == single.observation_space
    assert tables.single_action_space == single.action_space
    over = np.zeros(3, np.bool_)
    while not over.any():
        assert observations in tables.observation_space
        actions = first_legal(infos)
        assert actions in tables.action_space
        observations, rewards, over, cut, infos = tables.step(actions)
        assert not cut.any()
        assert not rewards[~over].any()
        assert set(infos) >= {"action_mask"}
    assert np.array_equal(infos["_final_obs"], over)
    for lane, last in enumerate(infos["final_obs"]):
        assert (last is None) != bool(over[lane])
        if last is not None:
            assert last in tables.single_observation_space
            # At the end nobody is asked, and a next game has begun.
            start = single.unwrapped.named(last)["asked"]
            assert not start.any()
            assert single.unwrapped.named(observations[lane])["asked"][0] == 1
    tables.close()


def test_the_same_seed_makes_the_same_games_and_copies_stay() -> None:
    one, two = (SeatVectorEnv("jinkei", 4, seat=None, bots="greedy") for _ in range(2))
    a, b = one.reset(seed=5), two.reset(seed=5)
    assert data_equivalence(a, b)
    for _ in range(4):
        kept = a[0].copy()
        x, y = one.step(first_legal(a[1])), two.step(first_legal(b[1]))
        assert data_equivalence(x, y)
        assert np.array_equal(kept, a[0])
        a, b = (x[0], x[4]), (y[0], y[4])
    assert not data_equivalence(one.reset(seed=6)[0], two.reset(seed=5)[0])


def test_sparse_rows_and_candidates_tell_the_same() -> None:
    """Beside an environment that shows rows and masks, through the ends of some games."""
    plain = SeatVectorEnv("jinkei", 3)
    short = gymnasium.make_vec(
        "gonfalon/jinkei-v2", num_envs=3, observations="sparse", actions="candidates", room=9, cells=90
    )
    rows: Any
    (rows, infos), (seen, told) = plain.reset(seed=5), short.reset(seed=5)

    def dense(places: Any, values: Any) -> Any:
        row = np.zeros(plain.games.numbers.size, np.int8)
        np.add.at(row, places, values)
        return row

    ended = 0
    for turn in range(200):
        assert seen in short.observation_space
        for lane in range(3):
            assert np.array_equal(dense(seen["places"][lane], seen["values"][lane]), rows[lane])
            count = int(told["action_mask"][lane].sum())
            legal = told["candidates"][lane]
            assert legal[:count].tolist() == np.flatnonzero(infos["action_mask"][lane]).tolist()
            assert (legal[count:] == -1).all()
        picks = turn % told["action_mask"].sum(axis=1)
        assert picks in short.action_space
        seen, *_, over, _, told = short.step(picks)
        rows, *_, infos = plain.step(
            np.array([np.flatnonzero(mask)[pick] for mask, pick in zip(infos["action_mask"], picks, strict=True)])
        )
        for lane in np.flatnonzero(over).tolist():
            ended += 1
            last = told["final_obs"][lane]
            assert np.array_equal(dense(last["places"], last["values"]), infos["final_obs"][lane])
            assert told["final_info"]["action_mask"].shape == (3, 9)
        if ended > 2:
            break
    assert ended > 2


def test_without_copies_the_next_step_writes_over_them() -> None:
    tables = SeatVectorEnv("jinkei", 2, copy=False)
    seen, infos = tables.reset(seed=1)
    kept = seen.copy()
    tables.step(first_legal(infos))
    assert not np.array_equal(kept, seen)


def test_a_wrapper_of_gymnasium_counts_what_is_won() -> None:
    """Each game is over at once when its learner does what is not legal, which costs 1."""
    tables = RecordEpisodeStatistics(SeatVectorEnv("feint", 2))
    _, infos = tables.reset(seed=1)
    actions = first_legal(infos)
    actions[1] = infos["action_mask"][1].argmin()
    _, rewards, over, _, infos = tables.step(actions)
    assert rewards.tolist() == [0, -1]
    assert over.tolist() == infos["final_info"]["illegal"].tolist() == [False, True]
    assert infos["episode"]["r"].tolist() == [0, -1]


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(OptionError, match="takes one seed"):
        SeatVectorEnv("jinkei", 2).reset(seed=[1, 2])
    with pytest.raises(OptionError, match="is not rendered"):
        SeatVectorEnv("jinkei", 2, render_mode="ansi")
    with pytest.raises(OptionError, match="at least one game, not 0"):
        SeatVectorEnv("jinkei", 0)
    with pytest.raises(OptionError, match="are dense or sparse, not 'thin'"):
        SeatVectorEnv("jinkei", 2, observations="thin")
    with pytest.raises(OptionError, match="are masks or candidates, not 'all'"):
        SeatVectorEnv("jinkei", 2, actions="all")
    with pytest.raises(OptionError, match=r"actions are legal, and there is `room` for 1"):
        SeatVectorEnv("jinkei", 2, actions="candidates", room=1, forced=False).reset(seed=1)

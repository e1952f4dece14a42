"""The vector environment of Gymnasium, compared with the single one."""

from __future__ import annotations

import pickle
from copy import deepcopy  # noqa: TID251 (of environments, not of states)
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import data_equivalence  # noqa: E402

from gonfalon.bridges.gymnasium import register_games  # noqa: E402
from gonfalon.core.basics.errors import OptionError  # noqa: E402
from gonfalon.vector.environment import ALLOWED_FORMS, SeatVectorEnv  # noqa: E402


def first_legal(infos: dict[str, Any]) -> Any:
    return infos["action_mask"].argmax(axis=1)


@pytest.mark.parametrize("name", register_games())
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


def test_sparse_rows_and_candidates_agree_with_dense_ones() -> None:
    """It runs beside an environment with rows and masks, through the ends of some games."""
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


def name_of(word: str) -> str:
    return next(name for name in register_games() if word in name)


def row_of(seen: Any, lane: Any) -> Any:
    return {name: rows[lane] for name, rows in seen.items()} if isinstance(seen, dict) else seen[lane]


@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_with_next_step_the_step_after_the_end_begins_the_next_game(form: str) -> None:
    """Like Gymnasium's own vectors, the end shows the last row, and the next step, with its action ignored, the first
    row of the next game."""
    same = SeatVectorEnv("jinkei", 3, bots="random", observations=form)
    after = SeatVectorEnv("jinkei", 3, bots="random", observations=form, autoreset_mode="NextStep")
    assert after.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.NEXT_STEP
    a, infos = same.reset(seed=2)
    b, told = after.reset(seed=2)
    assert data_equivalence(a, b)
    over = np.zeros(3, np.bool_)
    while not over.any():
        actions = first_legal(infos)
        a, rewards, over, _, infos = same.step(actions)
        b, earned, ended, _, told = after.step(actions)
        assert (over == ended).all()
        assert (rewards == earned).all()
    for lane in np.flatnonzero(over):
        assert data_equivalence(row_of(b, lane), infos["final_obs"][lane])
    assert not told["action_mask"][over].any()
    b, earned, ended, _, told = after.step(np.where(over, 10**6, first_legal(told)))
    for lane in np.flatnonzero(over):
        assert data_equivalence(row_of(b, lane), row_of(a, lane))
    assert (told["action_mask"][over] == infos["action_mask"][over]).all()
    assert not earned[over].any()
    assert not ended[over].any()


def test_where_nothing_begins_by_itself_a_reset_mask_does() -> None:
    tables = gymnasium.make_vec(name_of("feint"), num_envs=3, autoreset_mode="Disabled")
    _, infos = tables.reset(seed=2)
    actions = first_legal(infos)
    actions[1] = infos["action_mask"][1].argmin()
    before, _, over, _, infos = tables.step(actions)
    assert over.tolist() == [False, True, False]
    with pytest.raises(OptionError, match=r"Game 1 is over\. Reset it first"):
        tables.step(first_legal(infos))
    after, infos = tables.reset(seed=[None, 7, None], options={"reset_mask": over})
    assert np.array_equal(after[[0, 2]], before[[0, 2]])
    first, _ = SeatVectorEnv("feint", 1).reset(seed=7)
    assert np.array_equal(after[1], first[0])
    _, _, over, _, _ = tables.step(first_legal(infos))
    assert not over.any()


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_copies_and_pickles_go_on_alike(mode: str) -> None:
    tables = gymnasium.make_vec(name_of("jinkei"), num_envs=3, bots="random", autoreset_mode=mode)
    _, infos = tables.reset(seed=2)
    for _ in range(6):
        _, _, _, _, infos = tables.step(first_legal(infos))
    twins = [tables, deepcopy(tables), pickle.loads(pickle.dumps(tables))]
    for _ in range(30):
        actions = first_legal(infos)
        (*_, infos), *others = found = [twin.step(actions) for twin in twins]
        for other in others:
            assert data_equivalence(found[0], other)


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_floats_are_the_same_numbers(form: str, mode: str) -> None:
    settings: dict[str, Any] = {"observations": form, "autoreset_mode": mode}
    whole, floats = (SeatVectorEnv("jinkei", 2, dtype=dtype, **settings) for dtype in ("int8", "float32"))
    (seen, infos), (rows, told) = whole.reset(seed=4), floats.reset(seed=4)
    over = np.zeros(2, np.bool_)
    while not over.any():
        assert rows in floats.observation_space
        assert (rows["values"] if form == "sparse" else rows).dtype == np.float32
        assert_equal(seen, rows)
        actions = first_legal(infos)
        (seen, _, over, _, infos), (rows, *_, told) = whole.step(actions), floats.step(actions)
    if mode == "SameStep":
        lane = int(over.argmax())
        assert told["final_obs"][lane] in floats.single_observation_space
        assert_equal(infos["final_obs"][lane], told["final_obs"][lane])


def assert_equal(seen: Any, rows: Any) -> None:
    for name in ("places", "values") if isinstance(seen, dict) else [...]:
        assert np.array_equal(seen[name], rows[name])


def test_gymnasiums_wrappers_take_the_next_step_mode() -> None:
    """Gymnasium's wrappers of observations refuse the mode that begins the next game in the same step."""
    wrappers = gymnasium.wrappers.vector

    def make_one(mode: str = "NextStep") -> Any:
        return gymnasium.make_vec(name_of("jinkei"), num_envs=2, autoreset_mode=mode)

    plain, normal = make_one(), wrappers.NormalizeObservation(make_one())
    typed, flat = wrappers.DtypeObservation(make_one(), np.float64), wrappers.FlattenObservation(make_one())
    seen, infos = plain.reset(seed=3)
    found = [table.reset(seed=3)[0] for table in (typed, flat, normal)]
    ended = 0
    while ended < 2:
        assert np.array_equal(found[0], seen)
        assert found[0].dtype == np.float64
        assert np.array_equal(found[1], seen)
        assert np.isfinite(found[2]).all()
        actions = first_legal(infos)
        seen, _, over, _, infos = plain.step(actions)
        found = [table.step(actions)[0] for table in (typed, flat, normal)]
        ended += int(over.sum())
    for wrapper in (wrappers.NormalizeObservation, wrappers.FlattenObservation):
        with pytest.raises(ValueError, match="AutoresetMode"):
            wrapper(make_one("SameStep"))


def test_invalid_arguments_are_refused() -> None:
    with pytest.raises(OptionError, match="one for each game, not 3"):
        SeatVectorEnv("jinkei", 2).reset(seed=[1, 2, 3])
    with pytest.raises(OptionError, match="is reset_mask, not mask"):
        SeatVectorEnv("jinkei", 2).reset(options={"mask": None})
    for what, allowed in ALLOWED_FORMS.items():
        with pytest.raises(OptionError, match=f"`{what}` of a vector must be {' or '.join(allowed)}, not 'x'"):
            SeatVectorEnv("jinkei", 2, **{what: "x"})  # type: ignore[arg-type]
    refused = SeatVectorEnv.__new__(SeatVectorEnv)
    with pytest.raises(OptionError, match="at least one game"):
        SeatVectorEnv.__init__(refused, "jinkei", 0)
    refused.close()

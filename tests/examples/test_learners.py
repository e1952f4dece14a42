"""The examples for the libraries of learners run where these are installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gonfalon.vector import Vector

pytestmark = pytest.mark.extended


def test_stable_baselines_steps_the_games_of_the_vector(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sb3_contrib")
    from examples import vector_sb3

    table = vector_sb3.SeatVecEnv("jinkei", 3, seed=4)
    beside = Vector("jinkei", 3, 4, learners="spread", opponents="random", last_rows=True)
    rows = table.reset()
    beside.reset()
    ended = 0
    while ended < 2:
        assert np.array_equal(rows, beside.arrays["observations"])
        masks = np.stack(table.env_method("action_masks"))
        assert np.array_equal(masks, beside.arrays["masks"])
        beside.step_actions(masks.argmax(axis=1))
        rows, rewards, dones, infos = table.step(masks.argmax(axis=1))
        assert np.array_equal(dones, beside.dones)
        assert rewards.tolist() == [beside.rewards[lane, lane % 2] for lane in range(3)]
        for lane, last in beside.last_rows:
            assert infos[lane]["terminal_observation"].tolist() == np.frombuffer(last[lane % 2], np.int8).tolist()
        ended += len(beside.last_rows)
    assert vector_sb3.main(["--steps", "2048", "--games", "8"]) == 0
    assert re.search(r"after 2048 decisions: [\d.]+% \(±[\d.]+%\) of 8 games won", capsys.readouterr().out)


def test_rllib_learns_with_masks(capsys: pytest.CaptureFixture[str]) -> None:
    """An illegal action would end a game with its first decisions."""
    pytest.importorskip("torch")
    pytest.importorskip("ray.rllib", exc_type=ImportError)
    from examples import rllib_ppo

    assert rllib_ppo.main(["--rounds", "1", "--batch", "512"]) == 0
    found = re.search(r"update 1: mean result [+-][\d.]+ of the last games, (\d+) games", capsys.readouterr().out)
    assert found
    assert 0 < int(found[1]) < 100


def test_tianshou_learns_with_masks(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tianshou")
    from examples import tianshou_dqn

    table = tianshou_dqn.MaskedSeat("jinkei", "random")
    seen, _ = table.reset(seed=1)
    assert seen in table.observation_space
    assert table.step(int(seen["mask"].argmax()))[1:3] == (0, False)
    assert tianshou_dqn.main(["--steps", "160", "--games", "16"]) == 0
    assert re.search(r"after 160 decisions: [\d.]+% \(±[\d.]+%\) of \d+ games won", capsys.readouterr().out)


def test_the_script_of_cleanrl_learns(tmp_path: Path) -> None:
    """It comes from the package index, knows no masks, and takes the id of an environment."""
    pytest.importorskip("cleanrl")
    asked = "--env-id tests.examples.float_rows:FloatRows-v0 --total-timesteps 400 --learning-starts 100"
    paths = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    subprocess.run([sys.executable, "-m", "cleanrl.dqn", *asked.split()], cwd=tmp_path, env=paths, check=True)
    assert list(tmp_path.glob("runs/**/events*"))

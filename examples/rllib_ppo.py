"""PPO of RLlib with action masks at a seat of a game.

    pip install 'ray[rllib]' torch
    python examples/rllib_ppo.py

RLlib needs observations as floats, and its module for action masks needs them in a dict together with the mask.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import gymnasium
import numpy as np
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from gonfalon.bridges.gymnasium import SeatEnv

Seen = dict[str, Any]


class MaskedSeat(gymnasium.Env[Seen, np.int64]):
    """A seat whose observations hold the mask of legal actions."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.table = SeatEnv(seat=None, dtype="float32", **config)
        self.action_space = self.table.action_space
        masks = gymnasium.spaces.Box(0, 1, (self.table.session.numbers.count,), np.float32)
        self.observation_space = gymnasium.spaces.Dict(
            {"action_mask": masks, "observations": self.table.observation_space}
        )

    def seen(self, row: Any, info: dict[str, Any]) -> Seen:
        return {"action_mask": info["action_mask"].astype(np.float32), "observations": row}

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Seen, dict[str, Any]]:
        return self.seen(*self.table.reset(seed=seed)), {}

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        row, reward, over, cut, info = self.table.step(int(action))
        return self.seen(row, info), reward, over, cut, {}


def configure(game: str, bots: str, batch: int) -> PPOConfig:
    """Return the settings of the learner."""
    return (
        PPOConfig()
        .environment(MaskedSeat, env_config={"game": game, "bots": bots})
        .env_runners(num_env_runners=0, num_envs_per_env_runner=8)
        .rl_module(rl_module_spec=RLModuleSpec(ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [128, 64]}))
        .training(train_batch_size_per_learner=batch, minibatch_size=256, num_epochs=4, lr=3e-4, gamma=1.0)
        .debugging(seed=1, log_level="ERROR")
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn against a level, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="jinkei")
    parser.add_argument("--bots", default="random", help="a level")
    parser.add_argument("--rounds", type=int, default=20, help="updates to make")
    parser.add_argument("--batch", type=int, default=2048, help="decisions for an update")
    args = parser.parse_args(arguments)
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    learner = configure(args.game, args.bots, args.batch).build_algo()
    for number in range(1, args.rounds + 1):
        found = learner.train()["env_runners"]
        mean, games = found["episode_return_mean"], found["num_episodes_lifetime"]
        print(f"update {number}: mean result {mean:+.2f} of the last games, {games:.0f} games in all")
    learner.stop()
    ray.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())

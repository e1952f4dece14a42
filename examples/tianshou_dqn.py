"""DQN of tianshou with action masks at a seat of a game.

    pip install tianshou
    python examples/tianshou_dqn.py

Tianshou finds the mask of legal actions in an observation that is a dict with `obs` and `mask`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from gonfalon.bridges.gymnasium import SeatEnv

Seen = dict[str, Any]


class MaskedSeat(gymnasium.Env[Seen, np.int64]):
    """A seat whose observations hold the mask of legal actions."""

    def __init__(self, game: str, bots: str) -> None:
        self.table = SeatEnv(game, None, bots, dtype="float32")
        self.action_space = self.table.action_space
        masks = gymnasium.spaces.MultiBinary(self.table.session.numbers.count)
        self.observation_space = gymnasium.spaces.Dict({"obs": self.table.observation_space, "mask": masks})

    def seen(self, row: Any, info: dict[str, Any]) -> Seen:
        return {"obs": row, "mask": info["action_mask"].astype(np.bool_)}

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Seen, dict[str, Any]]:
        return self.seen(*self.table.reset(seed=seed)), {}

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        row, reward, over, cut, info = self.table.step(int(action))
        return self.seen(row, info), reward, over, cut, {}


def make_learner(table: MaskedSeat) -> Any:
    """Return a learner for the spaces of a seat."""
    rows = table.table.observation_space.shape
    assert rows is not None
    net = Net(state_shape=rows, action_shape=table.table.session.numbers.count, hidden_sizes=[128, 64])
    policy = DiscreteQLearningPolicy(
        model=net, action_space=table.action_space, eps_training=0.1, observation_space=table.observation_space
    )
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, target_update_freq=500)


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn against a level, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="jinkei")
    parser.add_argument("--bots", default="random", help="a level")
    parser.add_argument("--steps", type=int, default=40_000, help="decisions to learn from")
    parser.add_argument("--games", type=int, default=400, help="games to measure")
    args = parser.parse_args(arguments)
    training, test = (DummyVectorEnv([lambda: MaskedSeat(args.game, args.bots)] * 16) for _ in range(2))
    training.seed(list(range(16)))
    learner = make_learner(MaskedSeat(args.game, args.bots))
    collector = Collector(learner, training, VectorReplayBuffer(20_000, 16), exploration_noise=True)
    tester = Collector(learner, test)
    for decisions in (0, args.steps):
        if decisions:
            epochs = OffPolicyTrainerParams(
                training_collector=collector,
                max_epochs=1,
                epoch_num_steps=decisions,
                collection_step_num_env_steps=160,
                update_step_num_gradient_steps_per_sample=0.1,
                verbose=False,
                show_progress=False,
            )
            learner.run_training(epochs)
        test.seed(list(range(1000, 1016)))
        tester.reset()
        results = tester.collect(n_episode=args.games).returns
        share, error = (results > 0).mean(), 1.96 * (results > 0).std() / len(results) ** 0.5
        print(f"after {decisions} decisions: {share:.1%} (±{error:.1%}) of {len(results)} games won")
    return 0


if __name__ == "__main__":
    sys.exit(main())

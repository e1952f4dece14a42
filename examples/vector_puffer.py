"""`gonfalon.vector` as a native environment of PufferLib: every game is an agent, which plays against a level.

    python examples/vector_puffer.py

PufferLib knows no action masks, so the mask stands behind the row in what is observed, and a policy takes it from
there. Copied are only what is observed and what is paid, into the buffers that PufferLib holds.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import pufferlib

from gonfalon.vector import Array, Vector

Answer = tuple[Array, Array, Array, Array, list[dict[str, float]]]


class Games(pufferlib.PufferEnv):
    """`lanes` games; in each the learner has another seat."""

    def __init__(
        self, game: str = "jinkei", lanes: int = 128, opponents: str = "random", buf: Any = None, seed: int = 0
    ) -> None:
        self.games = Vector(game, lanes, seed, learners="spread", opponents=opponents)
        numbers = self.games.numbers
        self.size = numbers.size
        self.single_observation_space = gymnasium.spaces.Box(-128, 127, (self.size + numbers.count,), np.int8)
        self.single_action_space = gymnasium.spaces.Discrete(numbers.count)
        self.num_agents = lanes
        self.mine = np.arange(lanes), np.array([seats[0] for seats in self.games.learners])
        super().__init__(buf)

    def show(self) -> None:
        """Rows and masks, side by side."""
        self.observations[:, : self.size] = self.games.observations
        self.observations[:, self.size :] = self.games.masks

    def reset(self, seed: int | None = None) -> tuple[Array, list[dict[str, float]]]:
        self.games.reset(seed)
        self.show()
        return self.observations, []

    def step(self, actions: Array) -> Answer:
        self.games.step_actions(np.asarray(actions).reshape(-1))
        self.show()
        self.rewards[:] = self.games.rewards[self.mine]
        self.terminals[:] = self.games.dones
        won = self.rewards[self.terminals]
        told = [{"won": float((won > 0).mean())}] if len(won) else []
        return self.observations, self.rewards, self.terminals, self.truncations, told

    def close(self) -> None:
        self.games.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Random legal play through PufferLib's own vector."""
    import pufferlib.vector

    vector = pufferlib.vector.make(Games, env_kwargs={"lanes": 64}, num_envs=2, backend=pufferlib.vector.Serial)
    seen, _ = vector.reset(seed=1)
    size, chooser, won = vector.driver_env.size, np.random.default_rng(1), []
    for _ in range(60):
        likes = seen[:, size:] * (1 + chooser.random((len(seen), seen.shape[1] - size)))
        seen, _, _, _, told = vector.step(likes.argmax(axis=1))
        won += [info["won"] for info in told]
    print(f"{len(seen)} games side by side; of those that ended {np.mean(won):.0%} were won")
    vector.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""`gonfalon.vector` as a vector environment of Stable-Baselines3, and MaskablePPO of sb3-contrib on it.

pip install sb3-contrib
python examples/vector_sb3.py
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from gonfalon.vector import Array, Vector

Indices = int | Sequence[int] | None


class SeatVecEnv(VecEnv):
    """`lanes` games against a level; in each the learner has another seat."""

    render_mode = None

    def __init__(self, game: str = "jinkei", lanes: int = 64, opponents: str = "random", **settings: Any) -> None:
        self.games = Vector(game, lanes, learners="spread", opponents=opponents, last_rows=True, **settings)
        numbers = self.games.numbers
        self.mine = np.arange(lanes), np.array([seats[0] for seats in self.games.learners])
        rows = spaces.Box(-128, 127, (numbers.size,), np.float32)
        super().__init__(lanes, rows, spaces.Discrete(numbers.count))

    def rows(self) -> Array:
        return self.games.arrays["observations"].astype(np.float32)

    def reset(self) -> Array:
        self.games.reset(None if None in self._seeds else self._seeds)
        self._reset_seeds()
        return self.rows()

    def step_async(self, actions: Array) -> None:
        self.games.send(actions, by_number=True)

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        self.games.receive()
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for lane, rows in self.games.last_rows:
            [row] = rows.values()
            infos[lane]["terminal_observation"] = np.frombuffer(row, np.int8).astype(np.float32)
        return self.rows(), self.games.rewards[self.mine], self.games.dones.copy(), infos

    def action_masks(self) -> Array:
        return self.games.arrays["masks"].astype(np.bool_)

    def close(self) -> None:
        self.games.close()

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        raise AttributeError("The games have no attributes of their own.")

    def env_method(self, method_name: str, *args: Any, indices: Indices = None, **kwargs: Any) -> list[Any]:
        """Call a method that returns a row for each game, such as `action_masks`."""
        found = getattr(self, method_name)(*args, **kwargs)
        return [found[lane] for lane in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:
        return [False] * len(list(self._get_indices(indices)))


def measure(model: MaskablePPO, game: str, opponents: str, count: int, seed: int) -> Array:
    """Return the results of new games, each played to its end."""
    with Vector(game, count, seed, learners="spread", opponents=opponents, once=True) as games:
        games.reset()
        mine = np.arange(count), np.array([seats[0] for seats in games.learners])
        results = np.zeros(count)
        while (games.turns >= 0).any():
            # A finished game has no legal action, and its action is ignored.
            masks = games.arrays["masks"] | (games.counts == 0)[:, None]
            actions, _ = model.predict(games.arrays["observations"].astype(np.float32), action_masks=masks)
            games.step_actions(actions)
            results += games.rewards[mine]
        return results


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn against a level, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="gonfalon/jinkei-small-v1")
    parser.add_argument("--opponent", default="random", help="a level")
    parser.add_argument("--steps", type=int, default=262_144, help="decisions to learn from")
    parser.add_argument("--games", type=int, default=1000, help="games to measure")
    args = parser.parse_args(arguments)
    table = SeatVecEnv(args.game, 64, args.opponent, seed=1)
    model = MaskablePPO("MlpPolicy", table, n_steps=32, batch_size=1024, n_epochs=4, gamma=1.0, seed=1)
    for decisions in (0, args.steps):
        if decisions:
            model.learn(decisions)
        results = measure(model, args.game, args.opponent, args.games, seed=2)
        share, error = (results > 0).mean(), 1.96 * (results > 0).std() / len(results) ** 0.5
        print(f"after {model.num_timesteps} decisions: {share:.1%} (±{error:.1%}) of {len(results)} games won")
    table.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())

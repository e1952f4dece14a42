"""A vector of games as a vector environment of Gymnasium: one seat in each game, against bots.

    import gymnasium
    import gonfalon.bridges.gymnasium
    tables = gymnasium.make_vec("gonfalon/jinkei-v2", num_envs=256, bots="greedy")

It is what `gonfalon.bridges.gymnasium` tells of a single environment, side by side. A game that is over is followed by
the next in the same step; `infos["final_obs"]` and `infos["final_info"]` hold what was seen last. Decisions with a
single action are asked too, unless `forced=False`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gonfalon.bridges import missing

try:
    import numpy as np
    import numpy.typing as npt
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise missing("gymnasium", error) from error

from gonfalon.bridges.numbers import Bytes
from gonfalon.bridges.session import find
from gonfalon.core.errors import OptionError
from gonfalon.core.game import Game
from gonfalon.core.options import Options
from gonfalon.core.state import Seat
from gonfalon.core.tensor import HIGH, LOW
from gonfalon.vector.arrays import Array
from gonfalon.vector.slices import SPREAD, Opponent
from gonfalon.vector.vector import Vector

Answer = tuple[Bytes, Array, npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]


class SeatVectorEnv(VectorEnv[Bytes, Array, Array]):
    """`num_envs` games. With `seat=None` each game has its own seat for the learner, one after the other around the
    table. With `copy=False` all that is returned is written over by the next step. Raises OptionError."""

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 (Gymnasium's)

    def __init__(
        self,
        game: str | Game = "jinkei",
        num_envs: int = 1,
        seat: Seat | None = 0,
        bots: Opponent | Sequence[Opponent] = "random",
        processes: int = 1,
        forced: bool = True,
        copy: bool = True,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        if render_mode is not None:
            raise OptionError("A vector of games is not rendered; a single environment is.")
        learner = SPREAD if seat is None else seat
        found = find(game, options)
        self.games = Vector(found, num_envs, 0, learner, bots, processes, forced=forced, last_rows=True)
        numbers = self.games.numbers
        self.num_envs = num_envs
        self.copy = copy
        self.single_observation_space = Box(LOW, HIGH, (numbers.size,), np.int8)
        self.single_action_space = Discrete(numbers.count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.seats = np.array([self.games.settings.learners_of(lane)[0] for lane in range(num_envs)])
        self.everyone = np.arange(num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: Options | None = None
    ) -> tuple[Bytes, dict[str, Any]]:
        if isinstance(seed, list):
            raise OptionError("A vector of games takes one seed, from which those of all its games follow.")
        super().reset(seed=seed)
        if seed is None and self.games.fresh:
            seed = int(self.np_random.integers(1 << 62))
        self.games.reset(seed)
        return self._seen(), {"action_mask": self._masks()}

    def step(self, actions: object) -> Answer:
        games = self.games
        games.step_actions(actions)
        rewards = games.rewards[self.everyone, self.seats].astype(np.float64)
        over = games.dones.copy()
        infos: dict[str, Any] = {"action_mask": self._masks()}
        if games.last_rows:
            self._tell_ends(infos, over)
        return self._seen(), rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def _tell_ends(self, infos: dict[str, Any], over: npt.NDArray[np.bool_]) -> None:
        """What was seen last of the games that are over, as Gymnasium's own vectors tell it."""
        games = self.games
        last = np.full(self.num_envs, None, object)
        for lane, rows in games.last_rows:
            last[lane] = np.frombuffer(rows[int(self.seats[lane])], np.int8)
        nothing = np.zeros((self.num_envs, games.numbers.count), np.int8)
        illegal = games.illegal.copy()
        infos |= {"final_obs": last, "_final_obs": over.copy()}
        infos["final_info"] = {
            "action_mask": nothing,
            "_action_mask": over.copy(),
            "illegal": illegal,
            "_illegal": over,
        }
        infos["_final_info"] = over.copy()

    def _seen(self) -> Bytes:
        found: Bytes = self.games.arrays["observations"]
        return found.copy() if self.copy else found

    def _masks(self) -> Bytes:
        found: Bytes = self.games.arrays["masks"]
        return found.copy() if self.copy else found

    def close_extras(self, **kwargs: Any) -> None:
        self.games.close()

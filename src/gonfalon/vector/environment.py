"""A vector of games as a vector environment of Gymnasium: one seat in each game, against bots.

    import gymnasium
    import gonfalon.bridges.gymnasium
    tables = gymnasium.make_vec("gonfalon/jinkei-v2", num_envs=256, bots="greedy")

It behaves like the single environment of `gonfalon.bridges.gymnasium`. A finished game is followed by the next one in
the same step; `infos["final_obs"]` and `infos["final_info"]` hold its last observation. With
`autoreset_mode="NextStep"` the next step, whose action for it is ignored, starts the next game; with "Disabled" a reset
does, only for the games of `options["reset_mask"]` if that is given. Decisions with a single action are shown too,
unless `forced=False`.

With `observations="sparse"` an observation consists of `places` and `values`, as in `Vector`. With `dtype="float32"`
rows and values are floats, which some libraries expect; they are converted from the signed bytes of the vector. With
`actions="candidates"` an action is an index into `infos["candidates"]`, the numbers of the legal actions, and the mask
marks the valid indices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from gonfalon.bridges import explain_import_error

try:
    import numpy as np
    import numpy.typing as npt
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise explain_import_error(error) from error

from gonfalon.bridges.numbers import Bytes
from gonfalon.bridges.session import RowType, find_game, find_row_type
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat
from gonfalon.core.rules.tensor import HIGH, LOW
from gonfalon.vector.arrays import Array
from gonfalon.vector.slices import SPREAD_LEARNERS, Opponent
from gonfalon.vector.vector import Vector

Observed: TypeAlias = Any
"""Rows, or a dict of arrays for sparse ones."""
ALLOWED_FORMS: Final = {
    "observations": ("dense", "sparse"),
    "actions": ("masks", "candidates"),
    "autoreset_mode": [mode.value for mode in AutoresetMode],
}
"""Forms of observations and actions, and the ways to begin the next game."""
Infos: TypeAlias = dict[str, Any]
"""The infos of a step or reset, as Gymnasium declares them."""
Answer = tuple[Observed, Array, npt.NDArray[np.bool_], npt.NDArray[np.bool_], Infos]


class SeatVectorEnv(VectorEnv[Observed, Array, Array]):
    """A vector environment; `gymnasium.make_vec` passes its arguments on.

    `infos` has `action_mask`, and with `actions="candidates"` also `candidates`. In the mode `SameStep` it has
    `final_obs` and `final_info` after an end; `final_info["illegal"]` marks games that an illegal action ended.

    Args:
        game: A game, its name, or the id of an environment or a task. `make_vec` sets it.
        num_envs: The number of games.
        seat: The learner's seat; None for another one in each game, around the table.
        bots: The players of the other seats, as the opponents of a `Vector`.
        processes: The number of processes among which the games are divided.
        forced: Whether decisions with a single action are shown too.
        copy: Whether arrays are copied. Without copies the next step overwrites all returned arrays.
        observations: "dense" rows, or "sparse" ones.
        actions: "masks", where an action is its number, or "candidates", where it is an index into them.
        room: The maximum number of candidates.
        cells: The maximum number of nonzero numbers in a sparse row.
        dtype: The number type of observations, "int8" or "float32".
        render_mode: None, because vectors cannot be rendered.
        autoreset_mode: "SameStep", "NextStep" or "Disabled".
        options: Options of the game.

    Raises:
        OptionError: An argument is out of range.
    """

    metadata: Infos = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 (Gymnasium's)
    closed = True  # A refused environment has no games to close.

    def __init__(
        self,
        game: str | Game = "jinkei",
        num_envs: int = 1,
        seat: Seat | None = 0,
        bots: Opponent | Sequence[Opponent] = "random",
        processes: int = 1,
        forced: bool = True,
        copy: bool = True,
        observations: str = "dense",
        actions: str = "masks",
        room: int = 64,
        cells: int = 256,
        dtype: npt.DTypeLike = "int8",
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        **options: object,
    ) -> None:
        if render_mode is not None:
            raise OptionError("A vector of games cannot be rendered. Use a single environment.")
        learner = SPREAD_LEARNERS if seat is None else seat
        found = find_game(game, options)
        mode = getattr(autoreset_mode, "value", autoreset_mode)
        for what, form in ("observations", observations), ("actions", actions), ("autoreset_mode", mode):
            if form not in (allowed := ALLOWED_FORMS[what]):
                raise OptionError(f"`{what}` of a vector must be {' or '.join(allowed)}, not {form!r:.40}.")
        self.mode = AutoresetMode(mode)
        self.metadata = {"autoreset_mode": self.mode}
        self.games = Vector(
            found,
            num_envs,
            learners=learner,
            opponents=bots,
            processes=processes,
            shown=("sparse" if observations == "sparse" else "observations", actions),
            forced=forced,
            room=room,
            cells=cells,
            last_rows=True,
            once=self.mode != AutoresetMode.SAME_STEP,
        )
        self.closed = False
        numbers = self.games.numbers
        self.num_envs, self.copy, self.room = num_envs, copy, room
        self.sparse, self.picks = observations == "sparse", actions == "candidates"
        self.dtype = find_row_type(dtype)
        row = Box(LOW, HIGH, (numbers.size,), self.dtype.type)
        few: dict[str, Space[Array]] = {
            "places": Box(0, numbers.size - 1, (cells,), np.int32),
            "values": Box(LOW, HIGH, (cells,), self.dtype.type),
        }
        self.single_observation_space = Dict(few) if self.sparse else row
        self.single_action_space = Discrete(room if self.picks else numbers.count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.seats = np.array([self.games.settings.learners_of(lane)[0] for lane in range(num_envs)])
        self.everyone = np.arange(num_envs)
        self.over = np.zeros(num_envs, np.bool_)
        """Finished games, which restart with the next step or reset."""

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: Options | None = None
    ) -> tuple[Observed, Infos]:
        """Start new games.

        Args:
            seed: One seed for all games, or a list with one or None for each game.
            options: `reset_mask`, an array of bools, marks the games to restart; the others continue.

        Raises:
            OptionError: The seed or the array is invalid, or there are other options.
        """
        options = dict(options or {})
        mask = options.pop("reset_mask", None)
        if options:
            raise OptionError(f"The only option of a reset is reset_mask, not {', '.join(options)}.")
        # Gymnasium's own generator takes a single seed and no list.
        if seed is None or isinstance(seed, int):
            super().reset(seed=seed)
        if seed is None and self.games.fresh:
            # Gymnasium's own generator seeds the first games.
            seed = int(self.np_random.integers(1 << 62))
        self.games.reset(seed, mask)
        self.over = self.over & ~np.asarray(mask) if mask is not None else np.zeros_like(self.over)
        return self._seen(), self._legal()

    def step(self, actions: object) -> Answer:
        games, waiting = self.games, self.over
        if self.mode == AutoresetMode.DISABLED and waiting.any():
            raise OptionError(f"Game {waiting.argmax()} is over. Reset it first, with options['reset_mask'].")
        # With candidates an action is an index, otherwise a number.
        (games.step if self.picks else games.step_actions)(actions)
        rewards = games.rewards[self.everyone, self.seats].astype(np.float64)
        over = games.dones.copy()
        if self.mode == AutoresetMode.SAME_STEP:
            infos = self._legal()
            if games.last_rows:
                self._add_ends(infos, over)
        else:
            if self.mode == AutoresetMode.NEXT_STEP and waiting.any():
                games.reset(games=waiting)
            self.over = over
            infos = self._legal()
        return self._seen(), rewards, over.copy(), np.zeros(self.num_envs, np.bool_), infos

    def _add_ends(self, infos: Infos, over: npt.NDArray[np.bool_]) -> None:
        """Add the last observations of finished games to the infos, in Gymnasium's own format."""
        games = self.games
        last = np.full(self.num_envs, None, object)
        for lane, rows in games.last_rows:
            last[lane] = self._form(np.frombuffer(rows[int(self.seats[lane])], np.int8))
        nothing = np.zeros_like(infos["action_mask"])
        illegal = games.illegal.copy()
        infos |= {"final_obs": last, "_final_obs": over.copy()}
        infos["final_info"] = {
            "action_mask": nothing,
            "_action_mask": over.copy(),
            "illegal": illegal,
            "_illegal": over,
        }
        infos["_final_info"] = over.copy()

    def _form(self, row: Bytes) -> Observed:
        """Return a dense row as an observation.

        Raises:
            OptionError: It has more nonzero numbers than `cells`.
        """
        if not self.sparse:
            return row.astype(self.dtype, copy=False)
        places, values = (np.zeros_like(self.games.arrays[name][:1]) for name in ("places", "values"))
        found = np.flatnonzero(row)
        if len(found) > places.shape[1]:
            raise OptionError(f"A row has {len(found)} nonzero numbers, and `cells` allows {places.shape[1]}.")
        places[0, : len(found)] = found
        values[0, : len(found)] = row[found]
        return {"places": places[0], "values": values[0].astype(self.dtype, copy=False)}

    def _seen(self) -> Observed:
        arrays = self.games.arrays
        if self.sparse:
            return {"places": self._given(arrays["places"]), "values": self._given(arrays["values"], self.dtype)}
        return self._given(arrays["observations"], self.dtype)

    def _legal(self) -> Infos:
        """Return the infos about legal actions."""
        games = self.games
        if not self.picks:
            return {"action_mask": self._given(games.arrays["masks"])}
        marks = (np.arange(self.room) < games.counts[:, None]).astype(np.int8)
        return {"action_mask": marks, "candidates": self._given(games.arrays["candidates"])}

    def _given(self, found: Array, dtype: RowType | None = None) -> Array:
        return found.astype(dtype or found.dtype, copy=self.copy)

    def close_extras(self, **kwargs: object) -> None:
        self.games.close()

"""A vector of games as a vector environment of Gymnasium: one seat in each game, against bots.

    import gymnasium
    import gonfalon.bridges.gymnasium
    tables = gymnasium.make_vec("gonfalon/jinkei-v2", num_envs=256, bots="greedy")

It is what `gonfalon.bridges.gymnasium` tells of a single environment, side by side. A game that is over is followed by
the next in the same step; `infos["final_obs"]` and `infos["final_info"]` hold what was seen last. With
`autoreset_mode="NextStep"` the next step, whose action for it is ignored, begins the next game; with "Disabled" a reset
does, for the games of `options["reset_mask"]` alone if that is given. Decisions with a single action are asked too,
unless `forced=False`.

With `observations="sparse"` what is seen are `places` and `values`, as `Vector` tells them. With `actions="candidates"`
an action is an index among `infos["candidates"]`, the numbers of the legal actions, and the mask says how many.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from gonfalon.bridges import missing

try:
    import numpy as np
    import numpy.typing as npt
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise missing(error) from error

from gonfalon.bridges.numbers import Bytes
from gonfalon.bridges.session import find
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat
from gonfalon.core.rules.tensor import HIGH, LOW
from gonfalon.vector.arrays import Array, thin_out
from gonfalon.vector.slices import SPREAD, Opponent
from gonfalon.vector.vector import Vector

Seen: TypeAlias = Any
"""Rows, or with sparse ones a dict of arrays."""
FORMS: Final = {"observations": ("dense", "sparse"), "actions": ("masks", "candidates")}
SHOWN: Final = {"dense": "observations"}
Answer = tuple[Seen, Array, npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]


class SeatVectorEnv(VectorEnv[Any, Array, Array]):
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
        observations: str = "dense",
        actions: str = "masks",
        room: int = 64,
        cells: int = 256,
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        **options: object,
    ) -> None:
        if render_mode is not None:
            raise OptionError("A vector of games is not rendered; a single environment is.")
        try:
            self.mode = AutoresetMode(autoreset_mode)
        except ValueError:
            modes = ", ".join(mode.value for mode in AutoresetMode)
            raise OptionError(f"The autoreset mode is one of {modes}, not {autoreset_mode!r:.40}.") from None
        self.metadata = {"autoreset_mode": self.mode}
        learner = SPREAD if seat is None else seat
        found = find(game, options)
        shown = form_of("observations", observations), form_of("actions", actions)
        self.games = Vector(
            found,
            num_envs,
            learners=learner,
            opponents=bots,
            processes=processes,
            shown=shown,
            forced=forced,
            room=room,
            cells=cells,
            last_rows=True,
            once=self.mode != AutoresetMode.SAME_STEP,
        )
        numbers = self.games.numbers
        self.num_envs = num_envs
        self.copy = copy
        self.room = room
        self.sparse, self.picks = observations == "sparse", actions == "candidates"
        row = Box(LOW, HIGH, (numbers.size,), np.int8)
        few: dict[str, Space[Any]] = {
            "places": Box(0, numbers.size - 1, (cells,), np.int32),
            "values": Box(LOW, HIGH, (cells,), np.int8),
        }
        self.single_observation_space = Dict(few) if self.sparse else row
        self.single_action_space = Discrete(room if self.picks else numbers.count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.seats = np.array([self.games.settings.learners_of(lane)[0] for lane in range(num_envs)])
        self.everyone = np.arange(num_envs)
        self.over = np.zeros(num_envs, np.bool_)
        """Which games are over and begin anew with the next step or reset."""

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: Options | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin new games.

        Args:
            seed: One seed, from which those of all games follow, or a list with one or None for each game.
            options: `reset_mask`, an array of bools, marks the games that begin anew; the others stay as they are.

        Raises:
            OptionError: For what is no seed or no such array, and for other options.
        """
        options = dict(options or {})
        mask = options.pop("reset_mask", None)
        if options:
            raise OptionError(f"A vector of games is reset with the option reset_mask, and not {', '.join(options)}.")
        if seed is None or isinstance(seed, int):
            super().reset(seed=seed)
        if seed is None and self.games.fresh:
            seed = int(self.np_random.integers(1 << 62))
        self.games.reset(seed, mask)
        self.over = self.over & ~np.asarray(mask) if mask is not None else np.zeros_like(self.over)
        return self._seen(), self._legal()

    def step(self, actions: object) -> Answer:
        games, waiting = self.games, self.over
        if self.mode == AutoresetMode.DISABLED and waiting.any():
            raise OptionError(f"Game {waiting.argmax()} is over: reset it first, by options['reset_mask'].")
        (games.step if self.picks else games.step_actions)(actions)
        rewards = games.rewards[self.everyone, self.seats].astype(np.float64)
        over = games.dones.copy()
        if self.mode == AutoresetMode.SAME_STEP:
            infos = self._legal()
            if games.last_rows:
                self._tell_ends(infos, over)
        else:
            last_rows = games.last_rows
            if self.mode == AutoresetMode.NEXT_STEP and waiting.any():
                games.reset(games=waiting)
            for lane, rows in last_rows:
                self._write_last(lane, np.frombuffer(rows[int(self.seats[lane])], np.int8))
            self.over = over
            infos = self._legal()
        return self._seen(), rewards, over.copy(), np.zeros(self.num_envs, np.bool_), infos

    def _write_last(self, lane: int, row: Bytes) -> None:
        """Show what was seen last of a game that is over."""
        found = self._form(row)
        for name, written in found.items() if self.sparse else [("observations", found)]:
            self.games.arrays[name][lane] = written

    def _tell_ends(self, infos: dict[str, Any], over: npt.NDArray[np.bool_]) -> None:
        """What was seen last of the games that are over, as Gymnasium's own vectors tell it."""
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

    def _form(self, row: Bytes) -> Seen:
        """A dense row as what is seen."""
        if not self.sparse:
            return row
        places, values = (np.zeros_like(self.games.arrays[name][:1]) for name in ("places", "values"))
        thin_out(row[None], places, values, np.zeros(1, np.int32))
        return {"places": places[0], "values": values[0]}

    def _seen(self) -> Seen:
        if self.sparse:
            return {name: self._given(self.games.arrays[name]) for name in ("places", "values")}
        return self._given(self.games.arrays["observations"])

    def _legal(self) -> dict[str, Any]:
        """What the infos tell of the legal actions. Raises OptionError for more than there is room for."""
        games = self.games
        if not self.picks:
            return {"action_mask": self._given(games.arrays["masks"])}
        most = int(games.counts.max())
        if most > self.room:
            raise OptionError(f"{most} actions are legal, and there is `room` for {self.room}.")
        marks = (np.arange(self.room) < games.counts[:, None]).astype(np.int8)
        return {"action_mask": marks, "candidates": self._given(games.arrays["candidates"])}

    def _given(self, found: Array) -> Array:
        return found.copy() if self.copy else found

    def close_extras(self, **kwargs: Any) -> None:
        self.games.close()


def form_of(what: str, wanted: str) -> str:
    """What a vector is to show. Raises OptionError."""
    if wanted not in FORMS[what]:
        raise OptionError(f"The {what} of a vector are {' or '.join(FORMS[what])}, not {wanted!r:.40}.")
    return SHOWN.get(wanted, wanted)

"""Gonfalon's games as environments of Gymnasium: one seat against bots.

    import gymnasium
    import gonfalon.bridges.gymnasium
    table = gymnasium.make("gonfalon/jinkei-v2", bots="greedy")

Every installed game is registered under its name and the version of its rules, and every task
(`gonfalon.bridges.tasks`) under its id. An observation is the flat tensor of the seat's view (signed bytes, see
`gonfalon.core.arrays.layout`, or the same numbers with `dtype="float32"`), an action is a number from 0.
`info["action_mask"]` and `action_masks()` mark the legal actions. An illegal or unknown action loses the game at once,
`info["refusal"]` holds the reason, and no action is legal afterwards. A step after the end is an error. At the end
`info["chosen"]` counts the moves that were chosen for programs among the bots, by their faults. The reward comes at the
end: 1 for a win, -1 for a loss, a value between them for a shared victory.

`gymnasium.make_vec("gonfalon/jinkei-v2", num_envs=256, bots="greedy")` makes many games that are stepped in one call
(`gonfalon.vector`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from gonfalon.bridges import explain_import_error
from gonfalon.core.basics.options import Options

try:
    import gymnasium
    import numpy as np
    import numpy.typing as npt
    from gymnasium.spaces import Box, Discrete
except ImportError as error:
    raise explain_import_error(error) from error

from gonfalon.bots import Bot
from gonfalon.bots.outside.faults import warn_of_fault
from gonfalon.bots.players.uniform import RandomBot
from gonfalon.bridges.session import (
    RENDER_MODES,
    Array,
    Info,
    Opponents,
    Rendered,
    Row,
    Session,
    find_game,
    find_row_type,
    find_viewer,
    list_environments,
)
from gonfalon.bridges.tasks import TASKS
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat
from gonfalon.core.rules.tensor import HIGH, LOW

ILLEGAL_REWARD: Final = -1.0
"""Reward of an illegal action, which ends the game."""


class SeatEnv(gymnasium.Env[Row, np.int64]):
    """One seat of a game against bots; `gymnasium.make` passes its arguments on.

    `info` has `action_mask`, after an illegal action `refusal`, and at the end `chosen`, the number of moves that were
    chosen for programs among the bots, by their faults.

    Args:
        game: A game, its name, or the id of an environment or a task. `make` sets it.
        seat: The learner's seat; None draws it for each game.
        bots: The players of the other seats, in the order of their seats after the learner's: bots or their notations
            (`gonfalon.bots.make`), or one for all.
        render_mode: `human`, `ansi` or `rgb_array`.
        viewer: The view to render; by default the learner's.
        dtype: The number type of observations, "int8" or "float32".
        options: Options of the game.

    Raises:
        OptionError: An argument is out of range.
    """

    metadata: dict[str, object] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 (Gymnasium's)

    def __init__(
        self,
        game: str | Game = "jinkei",
        seat: Seat | None = 0,
        bots: str | Bot | Sequence[str | Bot] = "random",
        render_mode: str | None = None,
        viewer: str | Seat | None = None,
        dtype: npt.DTypeLike = "int8",
        **options: object,
    ) -> None:
        self.game = find_game(game, options)
        if seat not in (None, *range(self.game.seats)):
            raise OptionError(f"The seat must be 0 to {self.game.seats - 1}, or None to draw it, not {seat!r:.40}.")
        self.session = Session(self.game, render_mode)
        chosen = [bots] * (self.game.seats - 1) if isinstance(bots, (str, Bot)) else list(bots or [])
        if len(chosen) != self.game.seats - 1:
            raise OptionError(f"Pass one bot for each seat but yours, or one for all, not {len(chosen)}.")
        self.opponents: Opponents[Bot] = Opponents(chosen)
        self.bots = self.opponents.play(self.game)
        self.wanted = seat
        self.seat: Seat = seat or 0
        self.viewer = None if viewer is None else find_viewer(viewer, self.game)
        self.render_mode = render_mode
        self.chosen: Counter[str] = Counter()
        """The moves of this game that were chosen for programs, by their faults; `info["chosen"]` at its end."""
        self.streams: list[Rng] = []
        self.random: list[Rng | None] = self.session.nobody
        numbers = self.session.numbers
        self.dtype = find_row_type(dtype)
        self.observation_space = Box(LOW, HIGH, (numbers.layout.size,), self.dtype.type)
        self.action_space = Discrete(len(numbers.actions))

    def reset(self, *, seed: int | None = None, options: Options | None = None) -> tuple[Row, Info]:
        super().reset(seed=seed)
        session = self.session
        session.reset(seed)
        self.chosen.clear()
        bots = self.opponents.play(session.game) if session.pairings else self.bots
        self.bots = [bot.begin_game() for bot in bots]
        self.streams = [session.stream() for _ in self.bots]
        if self.wanted is None:
            self.seat = int(session.stream().below(self.game.seats))
        self.random = [None] * self.game.seats
        for number, bot in enumerate(self.bots):
            if type(bot) is RandomBot:  # It needs no view, so the fast loop of the core plays it.
                self.random[(self.seat + 1 + number) % self.game.seats] = self.streams[number]
        self._advance()
        return self.look()

    def _advance(self) -> None:
        """Let chance and the bots act until the learner's decision."""
        session = self.session
        state = session.full_state
        me = self.seat
        while True:
            session.run_on(self.random)
            turn = state.turn
            if turn == me or not state.stack:
                return
            number = (turn - me - 1) % self.game.seats
            choice = self.bots[number].choose(state.mask(turn), None, self.streams[number])
            if choice.fault is not None:
                self.chosen[choice.fault.value] += 1
                warn_of_fault(self.bots[number].name, choice)
            state.apply(turn, choice.action)

    def look(self) -> tuple[Row, Info]:
        """Return the current observation of the learner's seat and its info."""
        session = self.session
        seen, mask = session.numbers.look(session.full_state, self.seat)
        return seen.astype(self.dtype, copy=False), {"action_mask": mask}

    def step(self, action: object) -> tuple[Row, float, bool, bool, Info]:
        """Take an action, and play on to the learner's next decision.

        Raises:
            Refusal: No game has begun, it is over, or the environment is closed.
        """
        session = self.session
        session.check_running()
        state = session.full_state
        wanted = session.numbers.action(action)
        if wanted is None or wanted not in state.actions:
            observation, info = self.look()
            info["refusal"] = session.numbers.unknown(action) if wanted is None else session.refusal(self.seat, wanted)
            # The game does not continue, so no action is legal any more.
            info["action_mask"] = np.zeros_like(info["action_mask"])
            session.stopped = True
            return observation, ILLEGAL_REWARD, True, False, info
        state.apply(self.seat, wanted)
        self._advance()
        over = not state.stack
        observation, info = self.look()
        if over:
            info["chosen"] = dict(self.chosen)
        return observation, state.returns()[self.seat] if over else 0.0, over, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the mask of the legal actions."""
        state = self.session.full_state
        return self.session.numbers.mask([] if self.session.stopped else state.legal(self.seat)).astype(np.bool_)

    def render(self) -> Rendered:
        """Render the table: printed, as text, or as a picture."""
        return self.session.render(self.render_mode, self.seat if self.viewer is None else self.viewer)

    def close(self) -> None:
        """End the game."""
        self.session.stopped = True

    def named(self, observation: Array) -> dict[str, Array]:
        """Return the named parts of an observation in their shapes, without copies."""
        return self.session.numbers.named(observation)

    def notation(self, action: int) -> str:
        """Return an action in the game's notation.

        Raises:
            OptionError: There is no action with this number.
        """
        return self.session.numbers.notation(action)


def register_games() -> list[str]:
    """Register the installed games and the tasks with Gymnasium, and return the names of the games."""
    names = list_environments()
    for full, game in names.items():
        if full not in gymnasium.registry:
            many = "gonfalon.vector.environment:SeatVectorEnv"
            gymnasium.register(full, f"{__name__}:SeatEnv", vector_entry_point=many, kwargs={"game": game})
    return [name for name in names if name not in TASKS]


register_games()

"""Gonfalon's games as environments of PettingZoo.

    from gonfalon.bridges.pettingzoo import env
    table = env("jinkei")

`env` and `raw_env` step one agent after the other, `parallel_env` steps all at once. Every installed game is registered
under its name and the version of its rules, and every task (`gonfalon.bridges.tasks`) under its id:
`pettingzoo.make("aec", "gonfalon/jinkei-v2")`.

An observation is a dict of `observation`, the flat tensor of the agent's view (signed bytes, see
`gonfalon.core.arrays.layout`, or the same numbers with `dtype="float32"`; `named` splits it into its parts), and
`action_mask`, with 1 for each legal action. An action is a number from 0 (`notation` returns its text). Rewards come at
the end: 1 for a win, -1 for a loss, a value between them for a shared victory. Games are never truncated.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from gonfalon.bridges import explain_import_error
from gonfalon.core.basics.options import Options

try:
    import numpy as np
    import numpy.typing as npt
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.env_registry.registration import aec_registry, parallel_registry
    from pettingzoo.env_registry.registration import register as pettingzoo_register
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise explain_import_error(error) from error

from gonfalon.bridges.session import (
    RENDER_MODES,
    Array,
    Info,
    Rendered,
    Row,
    Session,
    environment_version,
    find_game,
    find_row_type,
    find_viewer,
    list_environments,
)
from gonfalon.bridges.tasks import TASKS
from gonfalon.core.basics.errors import OptionError, Refusal
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat
from gonfalon.core.rules.tensor import HIGH, LOW

Observation = dict[str, Row]
ILLEGAL_REWARD: Final = -1.0
"""Reward of an illegal action, which ends the game."""


class _BaseEnv:
    """The common base of both kinds of environments."""

    metadata: dict[str, object]
    waits: ClassVar[bool]
    """Whether the last action is to wait."""

    def __init__(
        self,
        game: str | Game = "jinkei",
        render_mode: str | None = None,
        viewer: str | Seat = "spectator",
        dtype: npt.DTypeLike = "int8",
        **options: object,
    ) -> None:
        super().__init__()
        self.game = find_game(game, options)
        self.session = Session(self.game, render_mode)
        self.render_mode = render_mode
        self.dtype = find_row_type(dtype)
        self.viewer = find_viewer(viewer, self.game)
        self.metadata = {
            "name": f"{self.game.name}_v{environment_version(type(self.game))}",
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "is_parallelizable": False,
        }
        numbers = self.session.numbers
        self.size = len(numbers.actions) + self.waits
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.seats)]
        self.agents: list[str] = []
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        seats = range(self.game.seats)
        self._action_spaces: list[Discrete[np.int64]] = [Discrete(self.size) for _ in seats]
        self._observation_spaces = [
            Dict(
                {
                    "observation": Box(LOW, HIGH, (numbers.layout.size,), self.dtype.type),
                    "action_mask": Box(0, 1, (self.size,), np.int8),
                }
            )
            for _ in seats
        ]
        self.state_space = Box(LOW, HIGH, (self.game.seats * numbers.layout.size,), self.dtype.type)

    def observation_space(self, agent: str) -> Dict:
        return self._observation_spaces[self.seat_of[agent]]

    def action_space(self, agent: str) -> Discrete[np.int64]:
        return self._action_spaces[self.seat_of[agent]]

    def state(self) -> Row:
        """Return the tensors of all agents. Cards that no agent has seen are not in it."""
        session = self.session
        rows = [session.numbers.of_seat(session.full_state, seat) for seat in range(self.game.seats)]
        return np.concatenate(rows, dtype=self.dtype)

    def render(self) -> Rendered:
        """Render the table for `viewer`: printed, as text, or as a picture."""
        return self.session.render(self.render_mode, self.viewer)

    def close(self) -> None:
        """End the game."""
        self.session.stopped = True

    def named(self, observation: Array) -> dict[str, Array]:
        """Return the named parts of a flat tensor in their shapes, without copies."""
        return self.session.numbers.named(observation)

    def notation(self, action: int) -> str:
        """Return an action in the game's notation.

        Raises:
            OptionError: There is no action with this number.
        """
        return "wait" if action == self.size - 1 and self.waits else self.session.numbers.notation(action)


class raw_env(_BaseEnv, AECEnv):  # noqa: N801 (PettingZoo's name)
    """An environment without wrappers that steps one agent after the other.

    Simultaneous decisions are made in turn, and hidden until all are made. The arguments are those of `env`.

    Raises:
        Refusal: An action is illegal or unknown.
        OptionError: An option is unknown.
    """

    waits = False

    def reset(self, seed: int | None = None, options: Options | None = None) -> None:
        self.session.reset(seed)
        agents = self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(agents, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(agents, 0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, Info] = {agent: {} for agent in agents}
        # `_was_dead_step` of PettingZoo reads this attribute.
        self._skip_agent_selection = None
        self.agent_selection = agents[self.session.full_state.turn]

    def observe(self, agent: str) -> Observation:
        session = self.session
        seen, mask = session.numbers.look(session.full_state, self.seat_of[agent])
        return {"observation": seen.astype(self.dtype, copy=False), "action_mask": mask}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, Info]:
        if not self.agents:
            self.session.check_running()
        found: tuple[Any, float, bool, bool, Info] = super().last(observe)
        return found

    def step(self, action: object) -> None:
        if not self.agents or self.session.stopped:
            self.session.check_running()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        session = self.session
        state = session.full_state
        seat = state.turn
        wanted = session.numbers.action(action)
        if wanted is None:
            raise Refusal(session.numbers.unknown(action))
        if wanted not in state.actions:
            raise Refusal(session.refusal(seat, wanted) or "This action is not legal now.")
        state.apply(seat, wanted)
        session.settle()
        turn = state.turn
        if turn >= 0:
            self.agent_selection = self.possible_agents[turn]
            return
        for agent, won in zip(self.possible_agents, state.returns(), strict=True):
            self.rewards[agent] = won
            self._cumulative_rewards[agent] = won
            self.terminations[agent] = True
        self.agent_selection = self.agents[0]


def env(
    game: str | Game = "jinkei",
    render_mode: str | None = None,
    viewer: str | Seat = "spectator",
    dtype: npt.DTypeLike = "int8",
    **options: object,
) -> AECEnv:
    """Return `raw_env` in PettingZoo's usual wrappers: an illegal action loses, and misuse raises an error.

    The methods `named` and `notation` of its `unwrapped` are those of `SeatEnv`.

    Args:
        game: A game, its name, or the id of an environment or a task.
        render_mode: `human`, `ansi` or `rgb_array`.
        viewer: The view to render: a seat, "spectator" or "all".
        dtype: The number type of observations, "int8" or "float32".
        options: Options of the game.

    Raises:
        OptionError: An argument is out of range.
    """
    table = wrappers.TerminateIllegalWrapper(
        raw_env(game, render_mode, viewer, dtype, **options), illegal_reward=ILLEGAL_REWARD
    )
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(table))


class parallel_env(_BaseEnv, ParallelEnv):  # noqa: N801 (PettingZoo's name)
    """An environment in which all agents act at once.

    Agents without a decision wait, which is the last action. An illegal or unknown action ends the game and costs a
    point; `refusal` in the agent's info holds the reason. The arguments are those of `env`.

    Raises:
        OptionError: An option is unknown, or actions are not a dict by agents.
        Refusal: A step when no game has begun, or after its end.
    """

    waits = True

    def reset(
        self, seed: int | None = None, options: Options | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        self.session.reset(seed)
        self.agents = self.possible_agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def _observations(self) -> dict[str, Observation]:
        return {agent: self.observe(agent) for agent in self.possible_agents}

    def observe(self, agent: str) -> Observation:
        """Return the current observation of an agent."""
        seat = self.seat_of[agent]
        numbers = self.session.numbers
        state = self.session.full_state
        mask = np.zeros(self.size, np.int8)
        legal = state.legal(seat)
        mask[: numbers.count] = numbers.mask(legal)
        if not legal:
            mask[-1] = 1
        return {"observation": numbers.of_seat(state, seat).astype(self.dtype, copy=False), "action_mask": mask}

    def step(
        self, actions: object
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        self.session.check_running()
        if not isinstance(actions, Mapping) or actions.keys() - self.seat_of:
            raise OptionError(f"Pass a dict with an action for {', '.join(self.seat_of)}, not {actions!r:.60}.")
        agents = self.agents
        state = self.session.full_state
        rewards: dict[str, float] = dict.fromkeys(agents, 0.0)
        infos: dict[str, Info] = {agent: {} for agent in agents}
        wanted: list[tuple[Seat, Action]] = []
        refused = False
        for seat, agent in enumerate(self.possible_agents):
            action, why = self._wanted(seat, actions.get(agent, self.size - 1))
            if why:
                refused = True
                rewards[agent] = ILLEGAL_REWARD
                infos[agent]["refusal"] = why
            elif action is not None:
                wanted.append((seat, action))
        # One illegal action ends the game, so no action is applied.
        if not refused:
            for seat, action in wanted:
                state.apply(seat, action)
            self.session.settle()
            if not state.stack:
                rewards = dict(zip(self.possible_agents, state.returns(), strict=True))
        self.session.stopped = refused
        over = refused or not state.stack
        if over:
            self.agents = []
        ended = dict.fromkeys(agents, over)
        return self._observations(), rewards, ended, dict.fromkeys(agents, False), infos

    def _wanted(self, seat: Seat, number: object) -> tuple[Action | None, str | None]:
        """Return the action of an agent, None for waiting, and the reason to refuse it, if any."""
        action = self.session.numbers.action(number)
        if action is None and number != self.size - 1:
            return None, self.session.numbers.unknown(number).removesuffix(".") + f", and {self.size - 1} waits."
        legal = self.session.full_state.legal(seat)
        if not legal:
            return None, None  # An agent without a decision waits, whatever its action is.
        if action is None:
            return None, "It is your decision, so you cannot wait."
        return action, None if action in legal else self.session.refusal(seat, action)


def register_games() -> list[str]:
    """Register the installed games and the tasks with PettingZoo, and return the names of the games."""
    names = list_environments()
    for full, game in names.items():
        if full not in aec_registry:
            pettingzoo_register("aec", full, f"{__name__}:env", kwargs={"game": game})
        if full not in parallel_registry:
            pettingzoo_register("parallel", full, f"{__name__}:parallel_env", kwargs={"game": game})
    return [name for name in names if name not in TASKS]


register_games()

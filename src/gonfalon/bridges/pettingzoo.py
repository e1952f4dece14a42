"""Gonfalon's games as environments of PettingZoo.

    from gonfalon.bridges.pettingzoo import env
    table = env("jinkei")

`env` and `raw_env` ask one agent after the other, `parallel_env` all at once. Every installed game is
registered under its name and the version of its rules: `pettingzoo.make("aec", "gonfalon/jinkei-v2")`.

An observation is a dict of `observation`, the flat tensor of what the agent may know (signed bytes, see
`gonfalon.core.arrays.layout`; `named` cuts it into its parts), and `action_mask`, a one for each legal action.
An action is a number from 0 on (`notation` puts it into words). Rewards come at the end: 1 for a win,
-1 for a loss, between them for a shared victory. Nothing is ever cut off (truncated).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from gonfalon.bridges import missing
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
    raise missing(error) from error

from gonfalon import games
from gonfalon.bridges.session import MODES, Array, Info, Rendered, Session, find, version, viewer_of
from gonfalon.core.basics.errors import Refusal
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, Action, Seat
from gonfalon.core.rules.tensor import HIGH, LOW

Observation = dict[str, npt.NDArray[np.int8]]
ILLEGAL: Final = -1.0
"""The reward of an illegal action, which ends the game."""


class _Common:
    """What both kinds of environments share."""

    metadata: dict[str, object]
    waits: ClassVar[bool]
    """Whether there is a last action: to wait."""

    def __init__(
        self,
        game: str | Game = "jinkei",
        render_mode: str | None = None,
        viewer: str | Seat = "spectator",
        **options: object,
    ) -> None:
        super().__init__()
        self.game = find(game, options)
        self.session = Session(self.game)
        self.render_mode = render_mode
        self.viewer = viewer_of(viewer, self.game)
        self.metadata = {
            "name": f"{self.game.name}_v{version(type(self.game))}",
            "render_modes": list(MODES),
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
                    "observation": Box(LOW, HIGH, (numbers.layout.size,), np.int8),
                    "action_mask": Box(0, 1, (self.size,), np.int8),
                }
            )
            for _ in seats
        ]
        self.state_space = Box(LOW, HIGH, (self.game.seats * numbers.layout.size,), np.int8)

    def observation_space(self, agent: str) -> Dict:
        return self._observation_spaces[self.seat_of[agent]]

    def action_space(self, agent: str) -> Discrete[np.int64]:
        return self._action_spaces[self.seat_of[agent]]

    def state(self) -> npt.NDArray[np.int8]:
        """What all seats together know: every agent's tensor. It holds nothing that nobody has seen, so
        nothing of the future."""
        return self.session.together()

    def render(self) -> Rendered:
        """The table as `viewer` sees it: printed, as text, or as a picture."""
        return self.session.render(self.render_mode, self.viewer)

    def close(self) -> None:
        """Nothing is open."""

    def named(self, observation: Array) -> dict[str, Array]:
        """The parts of a flat tensor by name, in their shapes, without copies."""
        return self.session.numbers.named(observation)

    def notation(self, action: int) -> str:
        """An action in the game's notation. Raises OptionError for a number that is no action's."""
        return "wait" if action == self.size - 1 and self.waits else self.session.numbers.notation(action)


class raw_env(_Common, AECEnv):  # noqa: N801 (PettingZoo's name)
    """One agent is asked after the other, without wrappers: an illegal action raises Refusal, and so does a
    number that is no action's.

    Of several who choose at the same time one is asked first, and the next is shown nothing of it.
    Raises OptionError.
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
        self._skip_agent_selection = None
        self.agent_selection = agents[self.session.state.turn]

    def observe(self, agent: str) -> Observation:
        session = self.session
        seen, mask = session.numbers.look(session.state, self.seat_of[agent])
        return {"observation": seen, "action_mask": mask}

    def step(self, action: object) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        session = self.session
        state = session.state
        seat = state.turn
        wanted = session.numbers.action(action)
        if wanted is None:
            raise Refusal(session.numbers.unknown(action))
        if wanted not in state.actions:
            raise Refusal(session.refusal(seat, wanted) or "This is not legal now.")
        state.apply(seat, wanted)
        turn = state.turn
        if turn == CHANCE:
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
    game: str | Game = "jinkei", render_mode: str | None = None, viewer: str | Seat = "spectator", **options: object
) -> AECEnv:
    """`raw_env` in PettingZoo's usual wrappers: an illegal action loses, misuse is told."""
    table = wrappers.TerminateIllegalWrapper(raw_env(game, render_mode, viewer, **options), illegal_reward=ILLEGAL)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(table))


class parallel_env(_Common, ParallelEnv):  # noqa: N801 (PettingZoo's name)
    """All agents act at once; who is not asked waits, which is the last action. An illegal action, or a number
    that is no action's, ends the game: it costs a point, and `refusal` in the agent's info says why. Raises
    OptionError."""

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
        """What an agent is shown now."""
        seat = self.seat_of[agent]
        numbers = self.session.numbers
        state = self.session.state
        mask = np.zeros(self.size, np.int8)
        legal = state.legal(seat)
        mask[: numbers.count] = numbers.mask(legal)
        if not legal:
            mask[-1] = 1
        return {"observation": numbers.of_seat(state, seat), "action_mask": mask}

    def step(
        self, actions: Mapping[str, object]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        agents = self.agents
        state = self.session.state
        rewards: dict[str, float] = dict.fromkeys(agents, 0.0)
        infos: dict[str, Info] = {agent: {} for agent in agents}
        wanted: list[tuple[Seat, Action]] = []
        refused = False
        for seat, agent in enumerate(self.possible_agents):
            action, why = self._wanted(seat, actions.get(agent, self.size - 1))
            if why:
                refused = True
                rewards[agent] = ILLEGAL
                infos[agent]["refusal"] = why
            elif action is not None:
                wanted.append((seat, action))
        if not refused:
            for seat, action in wanted:
                state.apply(seat, action)
            self.session.settle()
            if not state.stack:
                rewards = dict(zip(self.possible_agents, state.returns(), strict=True))
        over = refused or not state.stack
        if over:
            self.agents = []
        ended = dict.fromkeys(agents, over)
        return self._observations(), rewards, ended, dict.fromkeys(agents, False), infos

    def _wanted(self, seat: Seat, number: object) -> tuple[Action | None, str | None]:
        """What an agent does, None for waiting; and why it may not."""
        action = self.session.numbers.action(number)
        if action is None and number != self.size - 1:
            return None, self.session.numbers.unknown(number).removesuffix(".") + f", and {self.size - 1} waits."
        legal = self.session.state.legal(seat)
        if not legal:
            return None, None  # not asked, so whatever it wants is to wait
        if action is None:
            return None, "You are asked, and cannot wait."
        return action, None if action in legal else self.session.refusal(seat, action)


def register() -> list[str]:
    """Register every installed game with PettingZoo; the names. Those known already are left alone."""
    names = []
    for name in games.names():
        full = f"gonfalon/{name}-v{version(games.kind(name))}"
        names.append(full)
        if full not in aec_registry:
            pettingzoo_register("aec", full, f"{__name__}:env", kwargs={"game": name})
        if full not in parallel_registry:
            pettingzoo_register("parallel", full, f"{__name__}:parallel_env", kwargs={"game": name})
    return names


register()

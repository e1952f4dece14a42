"""A vector of games as one parallel environment of PettingZoo: the seats of many tables.

    from gonfalon.vector.tables import TablesEnv
    hall = TablesEnv("jinkei", tables=64)

Each learning seat is an agent, `table_7_player_1`, so its observations, actions and rewards form the trajectory of one
player, as libraries that share one policy among all agents expect. An agent without a decision waits, which is the last
action and then the only legal one, and still receives its view. Observations are those of
`gonfalon.bridges.pettingzoo`: `observation` and `action_mask`.

Each table plays one game. Its agents are terminated at the end, and `reset` starts the next games. An illegal action
ends the game of its table and costs its agent 1, and `refusal` in the agent's info holds the reason.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from operator import index
from typing import Final, SupportsIndex, cast

from gonfalon.bridges import explain_import_error
from gonfalon.core.basics.options import Options

try:
    import numpy as np
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from pettingzoo import ParallelEnv
    from pettingzoo.env_registry.registration import parallel_registry
    from pettingzoo.env_registry.registration import register as pettingzoo_register
except ImportError as error:
    raise explain_import_error(error) from error

from gonfalon import games
from gonfalon.bridges.numbers import Bytes
from gonfalon.bridges.session import Info, environment_version, find_game
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat
from gonfalon.core.rules.tensor import HIGH, LOW
from gonfalon.vector.slices import Opponent
from gonfalon.vector.vector import Vector

Observation = dict[str, Bytes]
NO_ACTION: Final = -1
"""Number that no action has."""
REFUSAL_TEXT: Final = "The action was illegal, so the game at this table is over."


class TablesEnv(ParallelEnv[str, Observation, np.int64]):
    """An environment of `tables` parallel games.

    `learners` are the agents' seats, as in `Vector` (None for all); `bots` play the others.

    Raises:
        OptionError: An argument is out of range.
    """

    def __init__(
        self,
        game: str | Game = "jinkei",
        tables: int = 16,
        learners: Seat | Sequence[Seat] | str | None = None,
        bots: Opponent | Sequence[Opponent] | None = None,
        processes: int = 1,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        if render_mode is not None:
            raise OptionError("A vector of tables cannot be rendered. Use a single environment.")
        found = find_game(game, options)
        shown = ("views", "masks")
        self.games = Vector(found, tables, 0, learners, bots, processes, shown=shown, forced=True, once=True)
        self.metadata = {"name": f"{found.name}_tables_v{environment_version(type(found))}", "render_modes": []}
        self.render_mode = None
        self.wait = self.games.numbers.count
        self.places = [(table, seat) for table, seats in enumerate(self.games.learners) for seat in seats]
        self.possible_agents = [f"table_{table}_player_{seat}" for table, seat in self.places]
        self.agents: list[str] = []
        self.number_of = {agent: number for number, agent in enumerate(self.possible_agents)}
        row = Box(LOW, HIGH, (self.games.numbers.size,), np.int8)
        marks = Box(0, 1, (self.wait + 1,), np.int8)
        seen = cast(Space[Observation], Dict({"observation": row, "action_mask": marks}))
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: Discrete(self.wait + 1) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Space[Observation]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[np.int64]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: Options | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        if seed is None and self.games.fresh:
            seed = secrets.randbits(62)
        self.games.reset(seed)
        self.agents = self.possible_agents[:]
        return self._seen(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, object]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        games, agents = self.games, self.agents
        # Tables that are over ignore their action, so 0 is as good as any.
        wanted = np.zeros(games.n, np.int64)
        turns = games.turns.tolist()
        for agent in agents:
            table, seat = self.places[self.number_of[agent]]
            if turns[table] == seat:
                wanted[table] = read_action(actions.get(agent), self.wait)
        games.step_actions(wanted)
        ended, illegal = games.dones.tolist(), games.illegal.tolist()
        rewards, over, infos = {}, {}, {}
        for agent in agents:
            table, seat = self.places[self.number_of[agent]]
            rewards[agent] = float(games.rewards[table, seat])
            over[agent] = ended[table]
            refused = illegal[table] and turns[table] == seat
            infos[agent] = {"refusal": REFUSAL_TEXT} if refused else {}
        seen = self._seen()
        self.agents = [agent for agent in agents if not over[agent]]
        return seen, rewards, over, dict.fromkeys(agents, False), infos

    def _seen(self) -> dict[str, Observation]:
        """Return the current observation of each agent, as slices of two arrays that are copied once."""
        games = self.games
        rows = games.arrays["views"].reshape(-1, games.numbers.size).copy()
        marks = np.zeros((len(rows), self.wait + 1), np.int8)
        # Every agent waits unless it has a decision.
        marks[:, self.wait] = 1
        turns = games.turns.tolist()
        for agent in self.agents:
            number = self.number_of[agent]
            table, seat = self.places[number]
            if turns[table] == seat:
                marks[number, : self.wait] = games.arrays["masks"][table]
                marks[number, self.wait] = 0
        found = ((agent, self.number_of[agent]) for agent in self.agents)
        return {agent: {"observation": rows[number], "action_mask": marks[number]} for agent, number in found}

    def render(self) -> None:
        """Do nothing: tables cannot be rendered."""

    def close(self) -> None:
        """End the worker processes."""
        self.games.close()


def read_action(action: object, end: int) -> int:
    """Return an action as a number below `end`; `NO_ACTION` for all other values."""
    if not isinstance(action, SupportsIndex):
        return NO_ACTION
    try:  # arrays have `__index__` too, and refuse it if they have several numbers
        number = index(action)
    except TypeError:
        return NO_ACTION
    return number if 0 <= number < end else NO_ACTION


def register_games() -> list[str]:
    """Register every installed game with PettingZoo, and return the names. Registered names are left alone."""
    names = []
    for name in games.names():
        full = f"gonfalon/{name}-tables-v{environment_version(games.find_game_class(name))}"
        names.append(full)
        if full not in parallel_registry:
            pettingzoo_register("parallel", full, f"{__name__}:TablesEnv", kwargs={"game": name})
    return names


register_games()

"""What `gonfalon bench --vector` measures: random play in a learner's hands, and beside it what peers do."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from random import Random  # noqa: TID251 (the peer's games are none of ours)
from time import clock_gettime, process_time
from typing import Any, Final

import numpy as np

from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.vector.vector import Vector

LANES: Final = 64
FEW: Final = 8
"""So many environments stand side by side where each is an object."""
PEER: Final = "spades"
"""OpenSpiel's C++ spades, stepped from Python and not observed: what all is compared with, where it is installed."""
WORDS: Final = {
    "vector": f"gonfalon.vector, {LANES} games, all seats",
    "workers": f"the same in {{workers}} processes, {LANES} games each",
    "environment": "one environment of Gymnasium, against random bots",
    "sync": f"SyncVectorEnv of Gymnasium, {FEW} of these",
    "async": f"AsyncVectorEnv of Gymnasium, {FEW} of these",
    "pettingzoo": "raw environment of PettingZoo, all seats",
    "tables": f"the seats of {FEW} tables as one parallel environment of PettingZoo",
    "tensors": "the game through OpenSpiel, observed by information state tensors",
    "spiel-vector": f"OpenSpiel's own vector environment, {FEW} such games",
    "euchre": "OpenSpiel's euchre in C++, observed likewise",
    PEER: "OpenSpiel's spades in C++, stepped from Python, not observed",
}
Job = Callable[[int], int]


class Bench:
    """Jobs by name, each of which tells how many decisions it made; `spent` is the CPU time of this process and of
    those that it has started."""

    def __init__(self, game: Game, workers: int) -> None:
        self.game = game
        self.children: list[int] = []
        self.closing: list[Callable[[], object]] = []
        self.jobs: dict[str, Job] = {"vector": self.vector(1)}
        if workers > 1:
            self.jobs["workers"] = self.vector(workers)
        if find_spec("gymnasium") and find_spec("PIL"):
            self.jobs |= {
                "environment": self.environment(),
                "sync": self.several("sync"),
                "async": self.several("async"),
            }
        if find_spec("pettingzoo") and find_spec("gymnasium") and find_spec("PIL"):
            self.jobs |= {"pettingzoo": self.pettingzoo(), "tables": self.tables()}
        if find_spec("pyspiel"):
            self.jobs |= self.openspiel()

    def spent(self) -> float:
        """Seconds of CPU time."""
        return process_time() + sum(cpu_of(child) for child in self.children)

    def close(self) -> None:
        """End what was started."""
        for close in self.closing:
            close()

    def vector(self, processes: int) -> Job:
        vector = Vector(self.game, LANES * processes, 1, processes=processes, forced=True)
        vector.reset()
        self.children += [worker.process.pid or 0 for worker in vector.workers]
        self.closing.append(vector.close)
        chooser = np.random.default_rng(1)

        def job(turn: int) -> int:
            for _ in range(4):
                vector.step((chooser.random(vector.n) * vector.counts).astype(np.int64))
            return 4 * vector.n

        return job

    def environment(self) -> Job:
        from gonfalon.bridges.gymnasium import SeatEnv

        table, chooser = SeatEnv(self.game), Rng(1)
        table.reset(seed=1)

        def job(turn: int) -> int:
            made = 0
            _, info = table.reset()
            over = not info["action_mask"].any()
            while not over:
                legal = info["action_mask"].nonzero()[0]
                _, _, over, _, info = table.step(legal[chooser.below(len(legal))])
                made += 1
            return made

        return job

    def several(self, kind: str) -> Job:
        from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

        from gonfalon.bridges.gymnasium import SeatEnv

        class Maker:
            """Makes one, here or in another process."""

            def __call__(self, game: Game = self.game) -> SeatEnv:
                return SeatEnv(game)

        makers = [Maker()] * FEW
        tables: Any = SyncVectorEnv(makers) if kind == "sync" else AsyncVectorEnv(makers)
        self.closing.append(tables.close)
        if kind == "async":
            self.children += [process.pid for process in tables.processes]
        chooser = np.random.default_rng(1)
        _, infos = tables.reset(seed=1)
        held = [infos["action_mask"]]

        def job(turn: int) -> int:
            legal = held[0] * (1 + chooser.random(held[0].shape[1]))
            held[0] = tables.step(legal.argmax(axis=1))[4]["action_mask"]
            return FEW

        return job

    def tables(self) -> Job:
        from gonfalon.vector.tables import TablesEnv

        hall, chooser = TablesEnv(self.game, FEW), np.random.default_rng(1)

        def job(turn: int) -> int:
            made = 0
            seen, _ = hall.reset()
            while hall.agents:
                likes = chooser.random(hall.wait + 1)
                wanted = {agent: int((shown["action_mask"] * (1 + likes)).argmax()) for agent, shown in seen.items()}
                made += sum(action != hall.wait for action in wanted.values())
                seen, *_ = hall.step(wanted)
            return made

        return job

    def openspiel(self) -> dict[str, Job]:
        """The peers of OpenSpiel, and the game among them if its chance can be decided card by card."""
        import pyspiel

        from gonfalon.bridges.openspiel import load

        found = {"euchre": spiel(pyspiel.load_game("euchre"), True), PEER: spiel(pyspiel.load_game(PEER), False)}
        if any(option.name == "exact" for option in self.game.options_spec):
            exact = type(self.game)(**{**self.game.options, "exact": True})
            found = {"tensors": spiel(load(exact), True), "spiel-vector": several_of_spiel(load(exact)), **found}
        return found

    def pettingzoo(self) -> Job:
        from gonfalon.bridges.pettingzoo import raw_env

        table, chooser = raw_env(self.game), Rng(1)
        table.reset(seed=1)

        def job(turn: int) -> int:
            made = 0
            table.reset()
            while not table.terminations[table.agent_selection]:
                legal = table.observe(table.agent_selection)["action_mask"].nonzero()[0]
                table.step(legal[chooser.below(len(legal))])
                made += 1
            return made

        return job


def spiel(game: Any, observed: bool) -> Job:
    """A game of OpenSpiel, played at random as its documentation plays one."""
    pick = Random(1).random

    def job(turn: int) -> int:
        state, made = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(pick() * len(outcomes))][0])
            else:
                if observed:
                    state.information_state_tensor()
                legal = state.legal_actions()
                state.apply_action(legal[int(pick() * len(legal))])
                made += 1
        return made

    return job


def several_of_spiel(game: Any) -> Job:
    """A few games in the vector environment of OpenSpiel, which steps one after the other and shows each seat its
    tensor."""
    from open_spiel.python.rl_agent import StepOutput
    from open_spiel.python.rl_environment import Environment
    from open_spiel.python.vector_env import SyncVectorEnv

    pick = Random(1).choice
    tables = SyncVectorEnv([Environment(game) for _ in range(FEW)])
    shown = [tables.reset()]

    def job(turn: int) -> int:
        asked = [step.observations for step in shown[0]]
        wanted = [StepOutput(pick(seen["legal_actions"][seen["current_player"]]), None) for seen in asked]
        shown[0], *_ = tables.step(wanted, reset_if_done=True)
        return FEW

    return job


def cpu_of(process: int) -> float:
    """Seconds of CPU time that another process has taken; 0 where the system does not tell."""
    if os.name == "nt":
        return 0.0
    try:
        return clock_gettime(~process << 3 | 2)  # the clock of a process, as Linux numbers it
    except OSError:
        return 0.0

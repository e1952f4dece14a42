"""The jobs of `gonfalon bench --vector`: random play in a vector, and in OpenSpiel."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from random import Random  # noqa: TID251 (the peer's games are none of ours)
from time import clock_gettime, process_time
from typing import Any, Final

import numpy as np

from gonfalon.core.rules.game import Game
from gonfalon.vector.vector import Vector

LANE_COUNT: Final = 64
"""Number of games in a vector."""
PEER: Final = "spades"
"""OpenSpiel's C++ spades, stepped from Python without observations.

It is the reference for all figures, if it is installed.
"""
DESCRIPTIONS: Final = {
    "vector": f"gonfalon.vector, {LANE_COUNT} games, all seats",
    "workers": f"the same in {{workers}} processes, {LANE_COUNT} games each",
    PEER: "OpenSpiel's spades in C++, stepped from Python, not observed",
}
"""Description of each job."""
Job = Callable[[int], int]
"""A function that plays and returns the number of decisions."""


class Bench:
    """Jobs by name, each of which returns the number of its decisions."""

    def __init__(self, game: Game, workers: int) -> None:
        self.game = game
        self.children: list[int] = []
        self.closing: list[Callable[[], object]] = []
        self.jobs: dict[str, Job] = {"vector": self.vector(1)}
        if workers > 1:
            self.jobs["workers"] = self.vector(workers)
        if find_spec("pyspiel"):
            import pyspiel

            self.jobs[PEER] = spiel_job(pyspiel.load_game(PEER))

    def spent(self) -> float:
        """Return the CPU seconds of this process and of those that it has started."""
        return process_time() + sum(read_cpu_time(child) for child in self.children)

    def close(self) -> None:
        """End the started processes."""
        for close in self.closing:
            close()

    def vector(self, processes: int) -> Job:
        vector = Vector(self.game, LANE_COUNT * processes, 1, processes=processes, forced=True)
        vector.reset()
        self.children += [worker.process.pid or 0 for worker in vector.workers]
        self.closing.append(vector.close)
        chooser = np.random.default_rng(1)

        def job(turn: int) -> int:
            # Several steps per call, so that the cost of the call does not count.
            for _ in range(4):
                vector.step((chooser.random(vector.n) * vector.counts).astype(np.int64))
            return 4 * vector.n

        return job


def spiel_job(game: Any) -> Job:
    """Return a job that plays a game of OpenSpiel at random, as in its documentation."""
    pick = Random(1).random

    def job(turn: int) -> int:
        state, made = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(pick() * len(outcomes))][0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(pick() * len(legal))])
                made += 1
        return made

    return job


def read_cpu_time(process: int) -> float:
    """Return the CPU seconds of another process; 0 if the system does not report them."""
    if os.name == "nt":
        return 0.0
    try:
        return clock_gettime(~process << 3 | 2)  # The CPU clock of a process by its number on Linux.
    except OSError:
        return 0.0

"""Gonfalon's jobs, run in the plain and in the compiled environment."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from gonfalon import Rng, __version__, games
from gonfalon.bench import list_positions
from gonfalon.bots import Budget, list_playable_levels
from gonfalon.bots import make as make_bot
from gonfalon.cli import THREADS
from gonfalon.core.arrays.loops import copy_all, deal_all, mask_all, play_out
from gonfalon.core.build import find_build
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from tools.benchmarks import duel
from tools.benchmarks.clock import ROW_COUNTS, Job, Makers, serve_jobs

ITERATIONS = 500
"""Number of iterations of a search for a move."""
ROW_FORMS = {"dense": ("observations", "masks"), "sparse": ("sparse", "candidates")}
"""Arrays of a vector in each form of its rows."""
SEARCHERS = {"feint": "strong"}
"""Strongest level that searches, for games whose strongest level uses a network."""


def play_job(game: Game) -> Job:
    """Return a job of random games in the core's loop. Units: decisions of players."""
    start, rng = game.start(), Rng(1)
    return lambda: play_out(start.clone(), rng)


def step_job(game: Game) -> Job:
    """Return a job of random games stepped from Python. Units: decisions of players."""
    start, rng = game.start(), Rng(1)

    def job() -> int:
        state, made = start.clone(), 0
        while state.stack:
            if state.turn < 0:
                state.apply(state.turn, state.chance(rng))
            else:
                actions = state.legal(state.turn)
                state.apply(state.turn, actions[rng.below(len(actions))])
                made += 1
        return made

    return job


def clone_job(game: Game) -> Job:
    places = list_positions(game)
    return lambda: copy_all(places)


def mask_job(game: Game) -> Job:
    places = list_positions(game)
    return lambda: mask_all(places)


def deal_job(game: Game) -> Job:
    sources = [worlds(state.mask(seat)) for state in list_positions(game) for seat in range(game.seats)]
    rng = Rng(3)
    return lambda: deal_all(sources, rng)


def search_job(game: Game) -> Job:
    """Return a job of the strongest level without a network. Units: its iterations."""
    return think_job(game, SEARCHERS.get(game.name, list_playable_levels(game)[-1]))


def network_job(game: Game) -> Job:
    """Return a job of the strongest level. Units: its iterations."""
    return think_job(game, list_playable_levels(game)[-1])


def think_job(game: Game, level: str) -> Job:
    """Return a job of a level in positions of random games. Units: its iterations."""
    for name in THREADS:  # Before numpy is loaded, as in the command `gonfalon`.
        os.environ.setdefault(name, "1")
    bot, rng = make_bot(level, game), Rng(4)
    views = [state.mask(state.turn) for state in list_positions(game)]
    budget = Budget(iterations=ITERATIONS)
    at = 0

    def job() -> int:
        nonlocal at
        at += 1
        return bot.choose(views[at % len(views)], budget, rng).iterations

    return job


def duel_job() -> Job:
    """Return a job of the duel in the core's loop. Its own code is not compiled."""
    start, rng = duel.start_duel(), Rng(1)
    return lambda: play_out(start.clone(), rng)


def duel_clone_job() -> Job:
    rng, places = Rng(1), []
    state = duel.start_duel()
    while not state.over:
        state.apply(state.turn, state.sample(rng))
        places.append(state.clone())
    held: list[Any] = places[:-1]
    return lambda: copy_all(held)


def rows_job(name: str, count: int, shown: tuple[str, ...]) -> Job:
    """Return a job of many games at once, at random, every decision of all seats observed."""
    import numpy as np

    from gonfalon.vector import Vector

    vector = Vector(name, count, 1, shown=shown, forced=True)
    vector.reset()
    chooser = np.random.default_rng(1)

    def job() -> int:
        vector.step((chooser.random(count) * vector.counts).astype(np.int64))
        return count

    return job


def list_makers() -> Makers:
    """Return every job by its name, `ACTIVITY GAME`."""
    found: Makers = {}
    if find_build() == "compiled":
        for name in games.names():
            for count in ROW_COUNTS:
                for form, shown in ROW_FORMS.items():
                    key = f"rows {name} {form} {count}"
                    found[key] = lambda name=name, count=count, shown=shown: rows_job(name, count, shown)  # type: ignore[misc]
    for name in games.names():
        for what, make in (
            ("play", play_job),
            ("step", step_job),
            ("clone", clone_job),
            ("mask", mask_job),
            ("worlds", deal_job),
            ("search", search_job),
        ):
            found[f"{what} {name}"] = lambda make=make, name=name: make(games.game(name))  # type: ignore[misc]
    found["network feint"] = lambda: network_job(games.game("feint"))
    found["play duel"] = duel_job
    found["clone duel"] = duel_clone_job
    return found


if __name__ == "__main__":
    serve_jobs(list_makers(), {"gonfalon": __version__, "build": find_build()}, {"duels": duel.play_duels})

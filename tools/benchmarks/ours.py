"""Gonfalon's jobs; run in the plain and in the compiled environment."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from gonfalon import Rng, __version__, games
from gonfalon.bench import positions
from gonfalon.bots import Budget, levels_for
from gonfalon.bots import make as make_bot
from gonfalon.cli import THREADS
from gonfalon.core.arrays.loops import copy_all, deal_all, mask_all, play_out
from gonfalon.core.build import build
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from tools.benchmarks import duel
from tools.benchmarks.clock import Job, Makers, serve

ITERATIONS = 500
"""That a search gets for a move."""
SEARCHERS = {"feint": "strong"}
"""Who searches a tree, where the strongest level asks a network instead."""


def playing(game: Game) -> Job:
    """Random games, one a call; the loop is the core's. Units: decisions of players."""
    start, rng = game.start(), Rng(1)
    return lambda: play_out(start.clone(), rng)


def stepping(game: Game) -> Job:
    """Random games, stepped from Python."""
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


def copying(game: Game) -> Job:
    places = positions(game)
    return lambda: copy_all(places)


def masking(game: Game) -> Job:
    places = positions(game)
    return lambda: mask_all(places)


def dealing(game: Game) -> Job:
    sources = [worlds(state.mask(seat)) for state in positions(game) for seat in range(game.seats)]
    rng = Rng(3)
    return lambda: deal_all(sources, rng)


def searching(game: Game) -> Job:
    """The strongest level that searches without a network, in positions of random games. Units: its iterations."""
    return thinking(game, SEARCHERS.get(game.name, levels_for(game)[-1]))


def asking(game: Game) -> Job:
    """The same for the strongest level of all."""
    return thinking(game, levels_for(game)[-1])


def thinking(game: Game, level: str) -> Job:
    """A level thinking about positions of random games. Units: its iterations."""
    for name in THREADS:  # as the command `gonfalon` does, before numpy is loaded
        os.environ.setdefault(name, "1")
    bot, rng = make_bot(level, game), Rng(4)
    views = [state.mask(state.turn) for state in positions(game)]
    budget = Budget(iterations=ITERATIONS)
    at = 0

    def job() -> int:
        nonlocal at
        at += 1
        return bot.choose(views[at % len(views)], budget, rng).iterations

    return job


def duelling() -> Job:
    """The duel, stepped by the core's loop. Its own code is no part of the package: it runs interpreted."""
    start, rng = duel.start(), Rng(1)
    return lambda: play_out(start.clone(), rng)


def copying_duels() -> Job:
    rng, places = Rng(1), []
    state = duel.start()
    while not state.over:
        state.apply(state.turn, state.sample(rng))
        places.append(state.clone())
    held: list[Any] = places[:-1]
    return lambda: copy_all(held)


def makers() -> Makers:
    """Every job by its name, `what game`."""
    found: Makers = {}
    for name in games.names():
        for what, make in (
            ("play", playing),
            ("step", stepping),
            ("clone", copying),
            ("mask", masking),
            ("worlds", dealing),
            ("search", searching),
        ):
            found[f"{what} {name}"] = lambda make=make, name=name: make(games.game(name))  # type: ignore[misc]
    found["network feint"] = lambda: asking(games.game("feint"))
    found["play duel"] = duelling
    found["clone duel"] = copying_duels
    return found


if __name__ == "__main__":
    serve(makers(), {"gonfalon": __version__, "build": build()}, {"duels": duel.played})

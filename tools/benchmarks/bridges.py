"""How fast the games are through the bridges.

    python -m tools.benchmarks.bridges [GAME ...] [--seconds S] [--only WORD] [--json]

in an environment with the extras and the build to be measured (`.venv/compiled` has both after `make
compiled`). Every figure is the median of several bursts of random play, stepped from Python: decisions of
seats (those of chance are played, and not counted) per second of CPU time. "ratio" is a figure over that
of a loop of plain Python that runs beside it, and can be compared between machines.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from itertools import count
from statistics import median
from typing import Any, Final

import numpy as np
import pyspiel
from open_spiel.python.observation import make_observation

from gonfalon import games
from gonfalon.bots import Budget, Choice
from gonfalon.bots.players.uniform import RandomBot
from gonfalon.bridges.gymnasium import SeatEnv
from gonfalon.bridges.openspiel import load
from gonfalon.bridges.pettingzoo import env, parallel_env, raw_env
from gonfalon.core.basics.rng import Rng
from gonfalon.core.build import build
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from tools.benchmarks.clock import Job, burst, reference

BURSTS: Final = 5


def exact(game: Game) -> Game:
    return type(game)(**{**game.options, "exact": True})


def core(game: Game) -> Job:
    rng = Rng(1)

    def job() -> int:
        state, made = game.start(), 0
        while state.stack:
            made += state.turn >= 0
            state.apply(state.turn, state.sample(rng))
        return made

    return job


def openspiel(game: Game, observing: bool = False) -> Job:
    spiel = load(exact(game))
    observer = make_observation(spiel)
    below = Rng(1).below

    def job() -> int:
        state, made = spiel.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[below(len(outcomes))][0])
            else:
                if observing:
                    observer.set_from(state, state.current_player())
                actions = state.legal_actions()
                state.apply_action(actions[below(len(actions))])
                made += 1
        return made

    return job


def openspiel_clones(game: Game) -> Job:
    state = load(exact(game)).new_initial_state()
    while state.is_chance_node() or state.move_number() < 60:
        state.apply_action(state.legal_actions()[0])

    def job() -> int:
        for _ in range(100):
            state.clone()
        return 100

    return job


def pettingzoo(game: Game, wrapped: bool = False, observing: bool = True) -> Job:
    table: Any = (env if wrapped else raw_env)(game)
    session = table.unwrapped.session
    below, seeds = Rng(1).below, count()

    def job() -> int:
        table.reset(seed=next(seeds))
        made = 0
        for _ in table.agent_iter():
            if observing:
                observation, _, over, _, _ = table.last()
                if over:
                    break
                legal = observation["action_mask"].nonzero()[0]
            elif session.state.stack:
                legal = session.numbers.legal(session.state.actions)
            else:
                break
            table.step(int(legal[below(len(legal))]))
            made += 1
        return made

    return job


def pettingzoo_parallel(game: Game) -> Job:
    table = parallel_env(game)
    wait = table.size - 1
    below, seeds = Rng(1).below, count()

    def job() -> int:
        observations, _ = table.reset(seed=next(seeds))
        made = 0
        while table.agents:
            actions = {}
            for agent, observation in observations.items():
                legal = observation["action_mask"].nonzero()[0]
                action = actions[agent] = int(legal[below(len(legal))])
                made += action != wait
            observations, *_ = table.step(actions)
        return made

    return job


class Counted(RandomBot):
    """The level `random`, counting; the environment takes the long way past a view for it."""

    count = 0

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        Counted.count += 1
        return super().think(view, budget, rng)


def gymnasium(game: Game, all_seats: bool = False, bots: str = "random") -> Job:
    """One seat's decisions, or those of all: the bots choose inside."""
    below, seeds = Rng(1).below, count()

    def play(table: Any) -> int:
        _, info = table.reset(seed=next(seeds))
        made, over = 0, False
        while not over:
            legal = info["action_mask"].nonzero()[0]
            _, _, over, _, info = table.step(int(legal[below(len(legal))]))
            made += 1
        return made

    share = 1.0
    if all_seats:
        Counted.count = 0
        counting = SeatEnv(game, 0, bots=Counted("counted", game))
        steps = sum(play(counting) for _ in range(60))
        share += Counted.count / steps
    table = SeatEnv(game, 0, bots=bots)
    return lambda: round(play(table) * share)


JOBS: Final[dict[str, Callable[[Game], Job]]] = {
    "core": core,
    "core, exact chance": lambda game: core(exact(game)),
    "OpenSpiel": openspiel,
    "OpenSpiel, a tensor each decision": lambda game: openspiel(game, observing=True),
    "OpenSpiel, clones": openspiel_clones,
    "PettingZoo raw_env, not observing": lambda game: pettingzoo(game, observing=False),
    "PettingZoo raw_env": pettingzoo,
    "PettingZoo env": lambda game: pettingzoo(game, wrapped=True),
    "PettingZoo parallel_env": pettingzoo_parallel,
    "Gymnasium, steps": gymnasium,
    "Gymnasium, decisions of all seats": lambda game: gymnasium(game, all_seats=True),
    "Gymnasium against greedy": lambda game: gymnasium(game, bots="greedy"),
}
GOALS: Final = {("jinkei", "Gymnasium against greedy"): 1000}
"""So many a second of CPU time, on the compiled build."""


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="tools.benchmarks.bridges", description="Measure the games through the bridges."
    )
    parser.add_argument("games", nargs="*", default=games.names())
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU time of a burst")
    parser.add_argument("--only", default="", metavar="WORD", help="only the figures whose names hold this")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    versions = {"python": sys.version.split()[0], "numpy": np.__version__, "open_spiel": pyspiel.__version__}
    report: dict[str, Any] = {"versions": versions, "build": build(), "games": {}}
    for name in args.games:
        figures = report["games"][name] = {}
        for what, make in JOBS.items():
            if args.only not in what:
                continue
            job = make(games.game(name))
            job()
            found = []
            for _ in range(BURSTS):
                pace = burst(reference, args.seconds / 4)
                found.append((burst(job, args.seconds), pace))
            rate = median(rate for rate, _ in found)
            figures[what] = {"per_second": round(rate), "ratio": round(median(r / pace for r, pace in found), 3)}
            said = ""
            if goal := GOALS.get((name, what), 0):
                figures[what]["goal"] = goal
                said = f"  {'ok' if rate >= goal else 'MISS'}, goal {goal:,}"
            if not args.json:
                ratio = figures[what]["ratio"]
                print(f"{name:<12} {what:<36} {rate:>12,.0f} a second {ratio:>8.3f}{said}", flush=True)
    if args.json:
        print(json.dumps(report, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())

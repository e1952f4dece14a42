"""Speed of the games through the bridges.

    python -m tools.benchmarks.bridges [GAME ...] [--seconds S] [--only WORD] [--json]

in an environment with the extras and the build to be measured (`.venv/compiled` has both after `make compiled`). Every
figure is the median of several bursts of random play, stepped from Python: decisions of seats (without those of chance)
per second of CPU time. "ratio" is a figure divided by that of a concurrent loop of plain Python, which makes machines
comparable.
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
from gonfalon.core.build import find_build
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from tools.benchmarks.clock import Job, measure_burst, run_reference_loop

BURST_COUNT: Final = 5


def make_exact(game: Game) -> Game:
    return type(game)(**{**game.options, "exact": True})


def core_job(game: Game) -> Job:
    rng = Rng(1)

    def job() -> int:
        state, made = game.start(), 0
        while state.stack:
            made += state.turn >= 0
            state.apply(state.turn, state.sample(rng))
        return made

    return job


def openspiel_job(game: Game, observing: bool = False) -> Job:
    spiel = load(make_exact(game))
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


def openspiel_clone_job(game: Game) -> Job:
    state = load(make_exact(game)).new_initial_state()
    while state.is_chance_node() or state.move_number() < 60:
        state.apply_action(state.legal_actions()[0])

    def job() -> int:
        for _ in range(100):
            state.clone()
        return 100

    return job


def pettingzoo_job(game: Game, wrapped: bool = False, observing: bool = True) -> Job:
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
            elif session.full_state.stack:
                legal = session.numbers.legal(session.full_state.actions)
            else:
                break
            table.step(int(legal[below(len(legal))]))
            made += 1
        return made

    return job


def pettingzoo_parallel_job(game: Game) -> Job:
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


class CountingBot(RandomBot):
    """A bot that plays at random and counts its decisions. As a subclass it receives views like any other bot."""

    count = 0

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        CountingBot.count += 1
        return super().think(view, budget, rng)


def gymnasium_job(game: Game, all_seats: bool = False, bots: str = "random") -> Job:
    """Return a job that plays one seat; it counts the decisions of this seat or of all seats."""
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
        CountingBot.count = 0
        counting = SeatEnv(game, 0, bots=CountingBot("counted", game))
        steps = sum(play(counting) for _ in range(60))
        share += CountingBot.count / steps
    table = SeatEnv(game, 0, bots=bots)
    return lambda: round(play(table) * share)


JOBS: Final[dict[str, Callable[[Game], Job]]] = {
    "core": core_job,
    "core, exact chance": lambda game: core_job(make_exact(game)),
    "OpenSpiel": openspiel_job,
    "OpenSpiel, a tensor each decision": lambda game: openspiel_job(game, observing=True),
    "OpenSpiel, clones": openspiel_clone_job,
    "PettingZoo raw_env, not observing": lambda game: pettingzoo_job(game, observing=False),
    "PettingZoo raw_env": pettingzoo_job,
    "PettingZoo env": lambda game: pettingzoo_job(game, wrapped=True),
    "PettingZoo parallel_env": pettingzoo_parallel_job,
    "Gymnasium, steps": gymnasium_job,
    "Gymnasium, decisions of all seats": lambda game: gymnasium_job(game, all_seats=True),
    "Gymnasium against greedy": lambda game: gymnasium_job(game, bots="greedy"),
}
GOALS: Final = {("jinkei", "Gymnasium against greedy"): 1000}
"""Goals in decisions per second of CPU time, with the compiled build."""


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="tools.benchmarks.bridges", description="Measure the games through the bridges."
    )
    parser.add_argument("games", nargs="*", default=games.names())
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU time of a burst")
    parser.add_argument("--only", default="", metavar="WORD", help="only figures whose names contain this")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    versions = {"python": sys.version.split()[0], "numpy": np.__version__, "open_spiel": pyspiel.__version__}
    report: dict[str, Any] = {"versions": versions, "build": find_build(), "games": {}}
    for name in args.games:
        figures = report["games"][name] = {}
        for what, make in JOBS.items():
            if args.only not in what:
                continue
            job = make(games.game(name))
            job()
            found = []
            for _ in range(BURST_COUNT):
                pace = measure_burst(run_reference_loop, args.seconds / 4)
                found.append((measure_burst(job, args.seconds), pace))
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

"""Speed of the rules, per second of CPU time.

Each figure is the median of several bursts in one process and one thread; the loops are those of the core. A loop of
plain Python without any game runs between the bursts. "ratio" is a figure divided by the speed of that loop, which
makes machines and Python versions comparable.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Sequence
from random import Random  # noqa: TID251 (the reference loop is not ours)
from statistics import median
from time import process_time
from typing import Final

from gonfalon import games
from gonfalon.core.arrays.loops import copy_all, deal_all, mask_all, play_out
from gonfalon.core.basics.rng import Rng
from gonfalon.core.build import compiled_modules, name_build
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, State

BURST_COUNT: Final = 5
"""Number of measurements for each figure."""
POSITION_COUNT: Final = 64
"""Number of positions to copy and mask."""
SAMPLE_GAMES: Final = 50
"""Number of games for the mean number of decisions."""
Figure = dict[str, float]
"""A rate per second, its spread, and its ratio to the reference loop."""
DESCRIPTIONS: Final = {
    "decisions": "decisions of players, chosen at random",
    "games": "games, from the first shuffle to the end",
    "clones": "copies of a position",
    "masks": "views of a position",
    "worlds": "worlds dealt from a view",
}
"""Description of each figure."""


def main(names: Sequence[str], seconds: float, as_json: bool) -> int:
    """Run the command `gonfalon bench`."""
    chosen = [games.game(name) for name in (names or games.names())]
    figures: dict[str, dict[str, Figure]] = {}
    report: dict[str, object] = {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "machine": platform.machine(),
        "build": name_build(),
        "compiled": compiled_modules(),
        "bursts": BURST_COUNT,
        "burst_seconds": seconds,
        "reference": round(median(measure_burst(run_reference_loop, seconds) for _ in range(BURST_COUNT))),
        "games": figures,
    }
    for game in chosen:
        figures[game.name] = measure_game(game, seconds)
        if not as_json:
            print_figures(report, game.title, figures[game.name])
    if as_json:
        print(json.dumps(report, indent=1))
    return 0


def vector_main(names: Sequence[str], seconds: float, workers: int, as_json: bool) -> int:
    """Run the command `gonfalon bench --vector`: decisions per second for a learner, compared with OpenSpiel."""
    from gonfalon.vector import speed

    found: dict[str, dict[str, Figure]] = {}
    for game in [games.game(name) for name in (names or games.names())]:
        found[game.name] = measure_environments(game, workers, seconds)
        if not as_json:
            print_vector_figures(
                game.title, found[game.name], {k: v.format(workers=workers) for k, v in speed.DESCRIPTIONS.items()}
            )
    if as_json:
        about = {"build": name_build(), "bursts": BURST_COUNT, "burst_seconds": seconds, "workers": workers}
        print(json.dumps({**about, "peer": speed.DESCRIPTIONS[speed.PEER], "games": found}, indent=1))
    return 0


def measure_environments(game: Game, workers: int, seconds: float) -> dict[str, Figure]:
    """Return the speed of a game's vectors and of the peer if it is installed, measured in turns."""
    from gonfalon.vector import speed

    bench = speed.Bench(game, workers)
    try:
        rates = measure_in_turns(bench.jobs, bench.spent, seconds)
    finally:
        bench.close()
    peer = median(rates[speed.PEER]) if speed.PEER in rates else 0.0
    return {name: rate_against_peer(values, peer) for name, values in rates.items()}


def measure_in_turns(
    jobs: dict[str, Callable[[int], int]], spent: Callable[[], float], seconds: float
) -> dict[str, list[float]]:
    """Return several rates of each job, measured in turns so that all jobs see the same load of the machine."""
    rates: dict[str, list[float]] = {name: [] for name in jobs}
    for job in jobs.values():
        job(0)
    for _ in range(BURST_COUNT):
        for name, job in jobs.items():
            rates[name].append(measure_burst(job, seconds, spent))
    return rates


def rate_against_peer(values: list[float], peer: float) -> Figure:
    """Return a median, its spread, and its ratio to the peer; the ratio is 0 if the peer is not installed."""
    middle = median(values)
    spread = (max(values) - min(values)) / middle
    return {
        "per_second": round(middle),
        "spread": round(spread, 3),
        "times_peer": round(middle / peer, 3) if peer else 0,
    }


def print_vector_figures(title: str, figures: dict[str, Figure], words: dict[str, str]) -> None:
    """Print the figures of a game's environments."""
    print(f"{title}: {name_build()}")
    for name, figure in figures.items():
        times = f"{figure['times_peer']:.3f} of spades" if figure["times_peer"] else ""
        print(f"  {figure['per_second']:>12,}/s ± {figure['spread'] * 50:.0f} %  {times:<16}  {words[name]}")


def measure_game(game: Game, seconds: float) -> dict[str, Figure]:
    """Return all figures of a game."""
    places = list_positions(game)
    sources = [worlds(state.mask(seat)) for state in places for seat in range(game.seats)]
    start = game.start()
    per_game = count_mean_decisions(game)
    rng = Rng(1)
    jobs: dict[str, Callable[[int], int]] = {
        "decisions": lambda turn: play_out(start.clone(), rng),
        "clones": lambda turn: copy_all(places),
        "masks": lambda turn: mask_all(places),
        "worlds": lambda turn: deal_all(sources, rng),
    }
    found: dict[str, list[float]] = {name: [] for name in DESCRIPTIONS}
    ratios: dict[str, list[float]] = {name: [] for name in DESCRIPTIONS}
    for _ in range(BURST_COUNT):
        for name, job in jobs.items():
            unit = measure_burst(run_reference_loop, seconds / 4)
            rates = {name: measure_burst(job, seconds)}
            if name == "decisions":
                rates["games"] = rates["decisions"] / per_game
            for key, value in rates.items():
                found[key].append(value)
                ratios[key].append(value / unit)
    return {
        name: {
            "per_second": round(median(values)),
            "spread": round((max(values) - min(values)) / median(values), 3),
            "ratio": round(median(ratios[name]), 4),
        }
        for name, values in found.items()
    }


def measure_burst(job: Callable[[int], int], seconds: float, clock: Callable[[], float] = process_time) -> float:
    """Return the units that a job does in a second of CPU time. A call of the job returns the number of its units."""
    done = 0
    turn = 0
    begin = clock()
    while True:
        done += job(turn)
        turn += 1
        spent = clock() - begin
        if spent >= seconds:
            return done / spent


# ---- what is measured ---------------------------------------------------------------------------


def count_mean_decisions(game: Game) -> float:
    """Return the mean number of players' decisions in a random game."""
    rng = Rng(3)
    return sum(play_out(game.start(), rng) for _ in range(SAMPLE_GAMES)) / SAMPLE_GAMES


def list_positions(game: Game) -> list[State]:
    """Return positions with a player's decision, spread over random games."""
    rng = Rng(2)
    found: list[State] = []
    while len(found) < POSITION_COUNT:
        state = game.start()
        kept: list[State] = []
        while not state.over:
            if state.turn != CHANCE:
                kept.append(state.clone())
            state.apply(state.turn, state.sample(rng))
        found += kept[len(found) % min(7, len(kept)) :: max(1, len(kept) // 8)]
    return found[:POSITION_COUNT]


class Counter:
    """An object with a method, for the reference loop."""

    def __init__(self) -> None:
        self.total = 0

    def add(self, value: int) -> int:
        self.total += value
        return self.total


def run_reference_loop(turn: int) -> int:
    """Run the reference loop: each unit is a method call, a list access, a dict access and a random number."""
    below = Random(turn).randrange
    counter = Counter()
    items = [0] * 16
    table: dict[int, int] = {}
    for i in range(1000):
        j = below(16)
        items[j] = counter.add(i & 3)
        table[j] = table.get(j, 0) + 1
    return 1000


def print_figures(report: dict[str, object], title: str, figures: dict[str, Figure]) -> None:
    """Print the figures of a game."""
    print(f"{title}: {report['python']}, {report['build']}")
    print(f"  {'reference loop':<24}{report['reference']:>12,}/s of CPU time")
    for name, figure in figures.items():
        label = name.replace("_", " ")
        print(
            f"  {label:<24}{figure['per_second']:>12,}/s  ratio {figure['ratio']:<8} "
            f"± {figure['spread'] * 50:.0f} %  {DESCRIPTIONS[name]}"
        )

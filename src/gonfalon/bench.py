"""How fast the rules are, per second of CPU time.

Each figure is the median of several bursts, one process, one thread; the loops are the core's own. A
loop of plain Python that has nothing to do with the games runs between the bursts; "ratio" is a
figure over that loop's, which can be compared between machines and Pythons.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Sequence
from random import Random  # noqa: TID251 (the reference loop is not ours)
from statistics import median
from time import perf_counter, process_time
from typing import Final

from gonfalon import games
from gonfalon.core.arrays.loops import copy_all, deal_all, mask_all, play_out
from gonfalon.core.basics.rng import Rng
from gonfalon.core.build import compiled_modules, sentence
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, State
from gonfalon.lab.run.random_play import BLOCK, Tally, play, played
from gonfalon.lab.run.workers import Team

BURSTS: Final = 5
POSITIONS: Final = 64
SAMPLE: Final = 50
Figure = dict[str, float]
"""A number per second, its spread, its ratio to the reference loop."""
WORDS: Final = {
    "decisions": "decisions of players, chosen at random",
    "games": "games, from the first shuffle to the end",
    "clones": "copies of a position",
    "masks": "views of a position",
    "worlds": "worlds dealt from a view",
}


def main(names: Sequence[str], seconds: float, workers: int, as_json: bool) -> int:
    """The command `gonfalon bench`."""
    chosen = [games.game(name) for name in (names or games.names())]
    figures: dict[str, dict[str, Figure]] = {}
    report: dict[str, object] = {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "machine": platform.machine(),
        "build": sentence(),
        "compiled": compiled_modules(),
        "bursts": BURSTS,
        "burst_seconds": seconds,
        "reference": round(median(burst(reference, seconds) for _ in range(BURSTS))),
        "games": figures,
    }
    shared: dict[str, dict[str, object]] = {}
    for game in chosen:
        figures[game.name] = measure(game, seconds)
        if not as_json:
            show(report, game.title, figures[game.name])
        if workers > 1:
            report["workers"] = shared
            shared[game.name] = parallel(game, seconds, workers)
            if not as_json:
                show_parallel(shared[game.name])
    if as_json:
        print(json.dumps(report, indent=1))
    return 0


def vector_main(names: Sequence[str], seconds: float, workers: int, as_json: bool) -> int:
    """The command `gonfalon bench --vector`: what a learner is handed a second, and beside it what peers do."""
    from gonfalon.vector import speed

    found: dict[str, dict[str, Figure]] = {}
    for game in [games.game(name) for name in (names or games.names())]:
        bench = speed.Bench(game, workers)
        try:
            rates = in_turns(bench.jobs, bench.spent, seconds)
        finally:
            bench.close()
        peer = median(rates[speed.PEER]) if speed.PEER in rates else 0.0
        found[game.name] = {name: rated(values, peer) for name, values in rates.items()}
        if not as_json:
            show_vector(game.title, found[game.name], {k: v.format(workers=workers) for k, v in speed.WORDS.items()})
    if as_json:
        about = {"build": sentence(), "bursts": BURSTS, "burst_seconds": seconds, "workers": workers}
        print(json.dumps({**about, "peer": speed.WORDS[speed.PEER], "games": found}, indent=1))
    return 0


def in_turns(
    jobs: dict[str, Callable[[int], int]], spent: Callable[[], float], seconds: float
) -> dict[str, list[float]]:
    """Several bursts of each job, one job after the other."""
    rates: dict[str, list[float]] = {name: [] for name in jobs}
    for job in jobs.values():
        job(0)
    for _ in range(BURSTS):
        for name, job in jobs.items():
            rates[name].append(burst(job, seconds, spent))
    return rates


def rated(values: list[float], peer: float) -> Figure:
    """A median, its spread, and its share of what the peer does; 0 where that is not installed."""
    middle = median(values)
    spread = (max(values) - min(values)) / middle
    return {
        "per_second": round(middle),
        "spread": round(spread, 3),
        "times_peer": round(middle / peer, 3) if peer else 0,
    }


def show_vector(title: str, figures: dict[str, Figure], words: dict[str, str]) -> None:
    """A game's figures as lines."""
    print(f"{title}: {sentence()}")
    for name, figure in figures.items():
        times = f"{figure['times_peer']:.3f} of spades" if figure["times_peer"] else ""
        print(f"  {figure['per_second']:>12,}/s ± {figure['spread'] * 50:.0f} %  {times:<16}  {words[name]}")


def measure(game: Game, seconds: float) -> dict[str, Figure]:
    """All figures of one game: per second, spread of the bursts, ratio to the reference loop."""
    places = positions(game)
    sources = [worlds(state.mask(seat)) for state in places for seat in range(game.seats)]
    start = game.start()
    per_game = mean_decisions(game)
    rng = Rng(1)
    jobs: dict[str, Callable[[int], int]] = {
        "decisions": lambda turn: play_out(start.clone(), rng),
        "clones": lambda turn: copy_all(places),
        "masks": lambda turn: mask_all(places),
        "worlds": lambda turn: deal_all(sources, rng),
    }
    found: dict[str, list[float]] = {name: [] for name in WORDS}
    ratios: dict[str, list[float]] = {name: [] for name in WORDS}
    for _ in range(BURSTS):
        for name, job in jobs.items():
            unit = burst(reference, seconds / 4)
            rates = {name: burst(job, seconds)}
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


def burst(job: Callable[[int], int], seconds: float, clock: Callable[[], float] = process_time) -> float:
    """How many units a job does in a second of CPU time; it tells how many it did at each call."""
    done = 0
    turn = 0
    begin = clock()
    while True:
        done += job(turn)
        turn += 1
        spent = clock() - begin
        if spent >= seconds:
            return done / spent


def parallel(game: Game, seconds: float, workers: int) -> dict[str, object]:
    """The same random games in one process and in several, by the clock."""
    count = 10 * BLOCK
    one = timed(lambda: play(game.name, game.options, count, 1, 1))
    count = max(count, round(count * 4 * BURSTS * seconds / one[1]))
    alone, spent = timed(lambda: play(game.name, game.options, count, 1, 1))
    with Team(workers) as team:
        played(team, game.name, game.options, 4 * workers * BLOCK, 1)  # what they must have read before they play
        together, shared = timed(lambda: played(team, game.name, game.options, count, 1))
    return {
        "workers": workers,
        "games": count,
        "per_second_alone": round(alone.decisions / spent),
        "per_second": round(together.decisions / shared),
        "times": round(spent / shared, 2),
        "same": alone == together,
        "digest": together.digest,
    }


def timed(job: Callable[[], Tally]) -> tuple[Tally, float]:
    """What a job gives, and how long it takes by the clock."""
    began = perf_counter()
    tally = job()
    return tally, perf_counter() - began


def show_parallel(found: dict[str, object]) -> None:
    """What several processes do, as a line."""
    same = "the same games" if found["same"] else "OTHER GAMES"
    print(
        f"  {found['workers']} processes{found['per_second']:>23,}/s by the clock, {found['times']} times one; "
        f"{found['games']:,} games, {same}"
    )


# ---- what is measured ---------------------------------------------------------------------------


def mean_decisions(game: Game) -> float:
    """How many decisions players make in a random game."""
    rng = Rng(3)
    return sum(play_out(game.start(), rng) for _ in range(SAMPLE)) / SAMPLE


def positions(game: Game) -> list[State]:
    """Positions spread over random games, in which a player is asked."""
    rng = Rng(2)
    found: list[State] = []
    while len(found) < POSITIONS:
        state = game.start()
        kept: list[State] = []
        while not state.over:
            if state.turn != CHANCE:
                kept.append(state.clone())
            state.apply(state.turn, state.sample(rng))
        found += kept[len(found) % min(7, len(kept)) :: max(1, len(kept) // 8)]
    return found[:POSITIONS]


class Counter:
    """Something with a method, for the reference loop."""

    def __init__(self) -> None:
        self.total = 0

    def add(self, value: int) -> int:
        self.total += value
        return self.total


def reference(turn: int) -> int:
    """The reference loop: a method call, a list, a dict and a random number a unit."""
    below = Random(turn).randrange
    counter = Counter()
    items = [0] * 16
    table: dict[int, int] = {}
    for i in range(1000):
        j = below(16)
        items[j] = counter.add(i & 3)
        table[j] = table.get(j, 0) + 1
    return 1000


def show(report: dict[str, object], title: str, figures: dict[str, Figure]) -> None:
    """A game's figures as lines."""
    print(f"{title}: {report['python']}, {report['build']}")
    print(f"  {'reference loop':<24}{report['reference']:>12,}/s of CPU time")
    for name, figure in figures.items():
        label = name.replace("_", " ")
        print(
            f"  {label:<24}{figure['per_second']:>12,}/s  ratio {figure['ratio']:<8} "
            f"± {figure['spread'] * 50:.0f} %  {WORDS[name]}"
        )

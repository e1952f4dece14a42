"""How fast the rules are, per second of CPU time.

Each figure is the median of several bursts of play by a random player, one process, one thread. A
loop of plain Python that has nothing to do with the games runs between the bursts; "ratio" is a
figure over that loop's, which can be compared between machines and Pythons.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable, Sequence
from random import Random  # noqa: TID251 (the reference loop is not ours)
from statistics import median
from time import process_time
from typing import Any, Final

from gonfalon import games
from gonfalon.core.game import Game
from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE, State
from gonfalon.core.worlds import worlds

BURSTS: Final = 5
POSITIONS: Final = 64
MODULES: Final = ("gonfalon.core.state", "gonfalon.core.rng")
WORDS: Final = {
    "decisions": "decisions of players, chosen at random",
    "decisions_with_chance": "the same with chance counted",
    "games": "games, from the first shuffle to the end",
    "clones": "copies of a position",
    "masks": "views of a position",
    "worlds": "worlds dealt from a view",
}


def main(names: Sequence[str], seconds: float, as_json: bool) -> int:
    """The command `gonfalon bench`."""
    chosen = [games.game(name) for name in (names or games.names())]
    report: dict[str, Any] = {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "machine": platform.machine(),
        "compiled": compiled(),
        "bursts": BURSTS,
        "burst_seconds": seconds,
        "reference": round(median(burst(reference, seconds) for _ in range(BURSTS))),
        "games": {},
    }
    for game in chosen:
        report["games"][game.name] = measure(game, seconds)
        if not as_json:
            show(report, game)
    if as_json:
        print(json.dumps(report, indent=1))
    return 0


def compiled() -> list[str]:
    """The modules of the core that run compiled; none in plain Python."""
    found = []
    for name in sorted({*MODULES, *(m for m in sys.modules if m.startswith(("gonfalon.core.", "gonfalon.games.")))}):
        file = getattr(sys.modules.get(name), "__file__", None) or ""
        if file.endswith((".so", ".pyd")):
            found.append(name)
    return found


def measure(game: Game, seconds: float) -> dict[str, Any]:
    """All figures of one game: per second, spread of the bursts, ratio to the reference loop."""
    places = positions(game)
    views = [state.mask(seat) for state in places for seat in range(game.seats)]
    plays = Plays(game)
    jobs: dict[str, Callable[[int], int]] = {
        "decisions": plays,
        "clones": lambda turn: clones(places),
        "masks": lambda turn: masks(places, game.seats),
        "worlds": lambda turn: deals(views, turn),
    }
    found: dict[str, list[float]] = {name: [] for name in WORDS}
    ratios: dict[str, list[float]] = {name: [] for name in WORDS}
    for _ in range(BURSTS):
        for name, job in jobs.items():
            unit = burst(reference, seconds / 4)
            plays.reset()
            rate = burst(job, seconds)
            rates = {name: rate}
            if name == "decisions":
                rates["decisions_with_chance"] = rate * (plays.decisions + plays.chances) / max(1, plays.decisions)
                rates["games"] = rate * plays.games / max(1, plays.decisions)
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


def burst(job: Callable[[int], int], seconds: float) -> float:
    """How many units a job does in a second of CPU time; it tells how many it did at each call."""
    done = 0
    turn = 0
    begin = process_time()
    while True:
        done += job(turn)
        turn += 1
        spent = process_time() - begin
        if spent >= seconds:
            return done / spent


# ---- what is measured ---------------------------------------------------------------------------


class Plays:
    """Random games; a call plays one and tells how many decisions players made."""

    def __init__(self, game: Game) -> None:
        self.start: State = game.start()
        self.rng: Rng = Rng(1)
        self.reset()

    def reset(self) -> None:
        self.decisions: int = 0
        self.chances: int = 0
        self.games: int = 0

    def __call__(self, turn: int) -> int:
        state = self.start.clone()
        rng = self.rng
        below = rng.below
        apply = state.apply
        made = 0
        chances = 0
        while state.stack:
            seat = state.turn
            if seat == CHANCE:
                apply(seat, state.chance(rng))
                chances += 1
            else:
                actions = state.actions
                apply(seat, actions[below(len(actions))])
                made += 1
        self.decisions += made
        self.chances += chances
        self.games += 1
        return made


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
        found += kept[len(found) % 7 :: max(1, len(kept) // 8)]
    return found[:POSITIONS]


def clones(places: list[State]) -> int:
    """Copy every position."""
    for state in places:
        state.clone()
    return len(places)


def masks(places: list[State], seats: int) -> int:
    """Make every seat's view of every position."""
    for state in places:
        for seat in range(seats):
            state.mask(seat)
    return len(places) * seats


def deals(views: list[State], turn: int) -> int:
    """Deal a world from every view."""
    rng = Rng(turn)
    for view in views:
        worlds(view).sample(rng)
    return len(views)


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


def show(report: dict[str, Any], game: Game) -> None:
    """A game's figures as lines."""
    how = f"{len(report['compiled'])} modules compiled" if report["compiled"] else "plain Python, nothing compiled"
    print(f"{game.title}: {report['python']}, {how}")
    print(f"  {'reference loop':<24}{report['reference']:>12,}/s of CPU time")
    for name, figure in report["games"][game.name].items():
        label = name.replace("_", " ")
        print(
            f"  {label:<24}{figure['per_second']:>12,}/s  ratio {figure['ratio']:<8} "
            f"± {figure['spread'] * 50:.0f} %  {WORDS[name]}"
        )

"""Random play on a large scale: lengths of games, endings, and winners.

Each game has its own stream of chance, and games are counted in blocks whose order does not depend on the processes. So
the same seed gives the same games and the same digest, a hash of every decision, with any number of workers and in
either build.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from functools import partial
from hashlib import sha256
from time import perf_counter
from typing import Final

from gonfalon import games
from gonfalon.core.arrays.loops import play_noted
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.build import name_build
from gonfalon.core.rules.state import State
from gonfalon.lab.run.match import SEED_FACTOR, WORD_MASK, get_game, list_matchups, name_sides
from gonfalon.lab.run.workers import Team, Workers

BLOCK_GAMES: Final = 500
"""Number of games in a block."""
_STARTS: Final[dict[str, State]] = {}
"""Starting positions by game and options, cached for each process."""


@dataclass
class RandomPlayResult:
    """The counts of a number of games."""

    games: int = 0
    decisions: int = 0
    """Number of decisions by players, without those of chance."""
    wins: list[float] = field(default_factory=list)
    """Wins of each seat. A shared victory counts in parts."""
    endings: dict[str, int] = field(default_factory=dict)
    sides: dict[str, list[float]] = field(default_factory=dict)
    """Wins and games of each faction, or of each seat."""
    digest: str = ""


def play_random_games(
    name: str, options: Options | None = None, count: int = 1000, seed: int = 0, workers: Workers = 1
) -> RandomPlayResult:
    """Play random games.

    A game with factions plays every choice of them in turn, unless the options set them.

    Raises:
        OptionError: An option is unknown.
    """
    with Team(workers) as team:
        return play_with_team(team, name, options or {}, count, seed)


def play_with_team(team: Team, name: str, options: Options, count: int, seed: int) -> RandomPlayResult:
    """Play random games with open workers."""
    setups = list_matchups(name, options)
    # An unknown option is reported here, before any work is given to a process.
    get_game(name, setups[0])
    work = partial(play_block, name, setups, count, seed)
    # Blocks come in their own order, so the digest does not depend on the workers.
    return merge_results(list(team.map(work, range(-(-count // BLOCK_GAMES)), most=10)))


def play_block(name: str, setups: list[Options], count: int, seed: int, block: int) -> RandomPlayResult:
    """Play the games of one block."""
    tally = RandomPlayResult()
    digest = sha256()
    for number in range(block * BLOCK_GAMES, min(count, (block + 1) * BLOCK_GAMES)):
        # The number of the game alone decides the matchup and the chance, so blocks may be played anywhere.
        setup = setups[number % len(setups)]
        game = get_game(name, setup)
        state = get_start(name, setup).clone()
        made, noted = play_noted(state, Rng((seed + (number + 1) * SEED_FACTOR) & WORD_MASK))
        outcome = state.outcome()
        if outcome is None:
            raise OptionError(f"A game of {name} ended without an outcome.")
        winners = outcome.winners
        digest.update(f"{made} {noted} {winners} {outcome.how}\n".encode())
        tally.games += 1
        tally.decisions += made
        tally.endings[outcome.how] = tally.endings.get(outcome.how, 0) + 1
        tally.wins = tally.wins or [0.0] * game.seats
        for seat, side in enumerate(name_sides(game)):
            share = 1.0 / len(winners) if seat in winners else 0.0
            tally.wins[seat] += share
            won = tally.sides.setdefault(side, [0.0, 0.0])
            won[0] += share
            won[1] += 1
    tally.digest = digest.hexdigest()
    return tally


def get_start(name: str, setup: Options) -> State:
    """Return the starting position of a game, cached for each process. The caller clones it."""
    key = f"{name} {setup!r}"
    if key not in _STARTS:
        _STARTS[key] = get_game(name, setup).start()
    return _STARTS[key]


def merge_results(blocks: list[RandomPlayResult]) -> RandomPlayResult:
    """Return the sum of all blocks, in order."""
    total = RandomPlayResult(wins=[0.0] * max(len(block.wins) for block in blocks))
    digest = sha256()
    for block in blocks:
        total.games += block.games
        total.decisions += block.decisions
        total.wins = [a + b for a, b in zip(total.wins, block.wins, strict=True)]
        for how, times in block.endings.items():
            total.endings[how] = total.endings.get(how, 0) + times
        for side, (won, played) in block.sides.items():
            kept = total.sides.setdefault(side, [0.0, 0.0])
            kept[0] += won
            kept[1] += played
        digest.update(block.digest.encode())
    # Blocks meet endings and sides in different orders; sorted, the output is always the same.
    total.endings = dict(sorted(total.endings.items()))
    total.sides = dict(sorted(total.sides.items()))
    total.digest = digest.hexdigest()[:32]
    return total


def count_cores() -> int:
    """Return the number of processor cores that this process may use."""
    # A container or `taskset` may allow fewer cores than the machine has.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def main(name: str, options: Options, count: int, seed: int, workers: Workers, as_json: bool) -> int:
    """Run the command `gonfalon lab play`."""
    began = perf_counter()
    tally = play_random_games(name, options, count, seed, workers)
    spent = perf_counter() - began
    if as_json:
        who = workers if isinstance(workers, int) else str(workers)
        run = {"seed": seed, "workers": who, "seconds": round(spent, 3), "build": name_build()}
        version = games.find_game_class(name).version
        print(json.dumps({"game": name, "version": version, **asdict(tally), "run": run}, indent=1))
        return 0
    rate = tally.decisions / spent
    print(f"{name}: {tally.games:,} random games with {tally.decisions / tally.games:.1f} decisions each; seed {seed}")
    print(f"Won by seat: {', '.join(f'{100 * won / tally.games:.2f} %' for won in tally.wins)}")
    print("Ended by " + ", ".join(f"{how} {100 * times / tally.games:.2f} %" for how, times in tally.endings.items()))
    # In a game without factions the sides are the seats, which were printed above.
    if len(tally.sides) > len(tally.wins):
        sides = (f"{side} {100 * won / played:.2f} %" for side, (won, played) in tally.sides.items())
        print(f"Won by side: {', '.join(sides)}")
    print(f"Digest {tally.digest}: the same with any number of workers")
    print(f"{spent:.1f} s, {rate:,.0f} decisions a second; {workers} at a time; {name_build()}")
    return 0

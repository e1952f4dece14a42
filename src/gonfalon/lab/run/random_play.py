"""Random play by the million: how long games are, how they end, who wins them.

Each game has a stream of chance of its own, and games are counted in blocks whose order is theirs, not
that of the processes. So the same seed gives the same games and the same digest, a number that stands for
every decision of every game, with any number of workers and in either build.
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
from gonfalon.core.build import sentence
from gonfalon.core.rules.state import State
from gonfalon.lab.run.match import MIX, WORD, game_of, matchups, sides_of
from gonfalon.lab.run.workers import Team, Workers

BLOCK: Final = 500
_STARTS: Final[dict[str, State]] = {}


@dataclass
class Tally:
    """What a number of games come to."""

    games: int = 0
    decisions: int = 0
    """Made by players; chance is not counted."""
    wins: list[float] = field(default_factory=list)
    """By seat; a shared victory is shared out."""
    endings: dict[str, int] = field(default_factory=dict)
    sides: dict[str, list[float]] = field(default_factory=dict)
    """For each faction (or seat) what it won and how often it played."""
    digest: str = ""


def play(name: str, options: Options | None = None, count: int = 1000, seed: int = 0, workers: Workers = 1) -> Tally:
    """Play `count` random games. A game with factions that are not given plays every choice in turn.
    Raises OptionError."""
    with Team(workers) as team:
        return played(team, name, options or {}, count, seed)


def played(team: Team, name: str, options: Options, count: int, seed: int) -> Tally:
    """The same by these workers."""
    setups = matchups(name, options)
    game_of(name, setups[0])
    work = partial(play_block, name, setups, count, seed)
    return joined(list(team.map(work, range(-(-count // BLOCK)), most=10)))


def play_block(name: str, setups: list[Options], count: int, seed: int, block: int) -> Tally:
    """The games of one block."""
    tally = Tally()
    digest = sha256()
    for number in range(block * BLOCK, min(count, (block + 1) * BLOCK)):
        setup = setups[number % len(setups)]
        game = game_of(name, setup)
        state = start_of(name, setup).clone()
        made, noted = play_noted(state, Rng((seed + (number + 1) * MIX) & WORD))
        outcome = state.outcome()
        if outcome is None:
            raise OptionError(f"A game of {name} ended without an outcome.")
        winners = outcome.winners
        digest.update(f"{made} {noted} {winners} {outcome.how}\n".encode())
        tally.games += 1
        tally.decisions += made
        tally.endings[outcome.how] = tally.endings.get(outcome.how, 0) + 1
        tally.wins = tally.wins or [0.0] * game.seats
        for seat, side in enumerate(sides_of(game)):
            share = 1.0 / len(winners) if seat in winners else 0.0
            tally.wins[seat] += share
            won = tally.sides.setdefault(side, [0.0, 0.0])
            won[0] += share
            won[1] += 1
    tally.digest = digest.hexdigest()
    return tally


def start_of(name: str, setup: Options) -> State:
    """The position that a game begins with, made once in each process; the caller clones it."""
    key = f"{name} {setup!r}"
    if key not in _STARTS:
        _STARTS[key] = game_of(name, setup).start()
    return _STARTS[key]


def joined(blocks: list[Tally]) -> Tally:
    """All blocks as one, in their order."""
    total = Tally(wins=[0.0] * max(len(block.wins) for block in blocks))
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
    total.endings = dict(sorted(total.endings.items()))
    total.sides = dict(sorted(total.sides.items()))
    total.digest = digest.hexdigest()[:32]
    return total


def cores() -> int:
    """How many processes this machine runs at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def main(name: str, options: Options, count: int, seed: int, workers: Workers, as_json: bool) -> int:
    """The command `gonfalon lab play`."""
    began = perf_counter()
    tally = play(name, options, count, seed, workers)
    spent = perf_counter() - began
    if as_json:
        who = workers if isinstance(workers, int) else str(workers)
        run = {"seed": seed, "workers": who, "seconds": round(spent, 3), "build": sentence()}
        version = games.kind(name).version
        print(json.dumps({"game": name, "version": version, **asdict(tally), "run": run}, indent=1))
        return 0
    rate = tally.decisions / spent
    print(f"{name}: {tally.games:,} random games with {tally.decisions / tally.games:.1f} decisions each; seed {seed}")
    print(f"Won by seat: {', '.join(f'{100 * won / tally.games:.2f} %' for won in tally.wins)}")
    print("Ended by " + ", ".join(f"{how} {100 * times / tally.games:.2f} %" for how, times in tally.endings.items()))
    if len(tally.sides) > len(tally.wins):
        sides = (f"{side} {100 * won / played:.2f} %" for side, (won, played) in tally.sides.items())
        print(f"Won by side: {', '.join(sides)}")
    print(f"Digest {tally.digest}: the same with any number of workers")
    print(f"{spent:.1f} s, {rate:,.0f} decisions a second; {workers} at a time; {sentence()}")
    return 0

"""New decision tasks for the benchmark: cut from games of ordinary levels, and every legal action tried.

Of each game one decision, taken at random among those in which something is at stake: in a quick look the best and the
worst action lie `STAKE` apart. All follows from the seed and the number of the game.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from gonfalon import games
from gonfalon.core.errors import OptionError
from gonfalon.core.options import Options
from gonfalon.core.record import Record
from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE
from gonfalon.lab.baselines import game_between, pairs_of, table_of
from gonfalon.lab.match import MIX, WORD, game_of, matchups
from gonfalon.learn.benchmark.tasks import FORMAT, FORMAT_VERSION, Task
from gonfalon.puzzles.trying import Trial, Worths
from gonfalon.review.budgets import stream
from gonfalon.review.course import positions
from gonfalon.review.held import NETWORK, held_hash

STAKE: Final = 0.05
MOST: Final = 40
"""Actions that a task may have."""
IDLE: Final = 100
"""After so many games without a task no more are looked through."""
LOOK: Final = 16
WORLDS: Final = 128
ENDED: Final = 32
"""Worlds that are played to the end."""
VALUES: Final = 11
"""Use of a decision's stream."""


def head(name: str) -> str:
    """The first line of a file of tasks."""
    kind = games.kind(name)
    game = game_of(name, {})
    about = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "game": name,
        "rules": kind.version,
        "data": game.data_hash,
        "network": held_hash(game, NETWORK),
        "worlds": WORLDS,
        "end_worlds": ENDED,
    }
    return json.dumps(about)


def make(name: str, options: Options, seed: int, first: int) -> Iterator[Task]:
    """Tasks of a game without end, from that with the number `first` on. Raises OptionError where there are none."""
    setups = matchups(name, options)
    pairs = pairs_of(game_of(name, setups[0]))
    number = first
    while True:
        record = game_between(name, setups, pairs[number % len(pairs)], seed, number)
        task = of_record(record, seed, number)
        number += 1
        if task is not None:
            yield task
            first = number
        elif number - first == IDLE:
            raise OptionError(f"In {IDLE} games of {record.game.title} nothing was at stake that can be judged.")


def of_record(record: Record, seed: int, number: int) -> Task | None:
    """The task of a game; None where nothing was ever at stake."""
    own = (seed + (number + 1) * MIX) & WORD
    states = positions(record)
    ats = [at for at, (seat, _) in enumerate(record.decisions) if seat != CHANCE]
    Rng(own).shuffle(ats)
    table = table_of(record.game)
    for at in ats:
        seat = record.decisions[at][0]
        view = states[at].mask(seat)
        legal = view.legal(seat)
        if not 2 <= len(legal) <= MOST or not table.insight.judges(view):
            continue
        trial = Trial(table, view, stream(own, at, VALUES))
        look = Worths()
        trial.in_worlds(look, legal, LOOK)
        order = look.order()
        if look.value(order[0]) - look.value(order[-1]) < STAKE:
            continue
        ahead, ended = Worths(), Worths()
        trial.in_worlds(ahead, legal, WORLDS)
        trial.to_the_end(ended, legal, ENDED)
        game = record.game
        return Task(
            options=game.shown_options(),
            seat=seat,
            decisions=[(int(one), str(text)) for one, text in record.written()[:at]],
            values={game.notation(a): (round(ahead.value(a), 4), round(ended.value(a), 4)) for a in legal},
            source={"seed": seed, "number": number, "at": at},
        )
    return None

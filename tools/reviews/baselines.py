"""Baselines for luck, fitted to games of ordinary players and tried on games that nothing was fitted to.

Half of the games teach the weights, by a logistic regression with a ridge. Of a quarter the luck is worked out with
them, and says how much of it is told: a baseline that swings too far would add to the variance of results. Of the last
quarter, too, and what it leaves of that variance is what the cards do not explain.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Final

from gonfalon import games
from gonfalon.bots import levels_for
from gonfalon.bots.players.driver import Driver
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game
from gonfalon.lab.run import machine
from gonfalon.lab.run.atomic_files import write
from gonfalon.lab.run.match import MIX, WORD, entrant, game_of, matchups
from gonfalon.lab.run.workers import Team, Workers
from gonfalon.review.figures import compute_mean, compute_variance
from gonfalon.review.judging.baseline import FILE_VERSION, Baseline, FittedBaseline, build_rows
from gonfalon.review.judging.budgets import Budgets
from gonfalon.review.judging.course import split_strides
from gonfalon.review.judging.luck import measure_luck, sum_lines
from gonfalon.review.judging.players import Table, compute_share

ORDINARY: Final = ("gentle", "casual", "club")
"""Levels that play about as people do who know the rules, as far as a game has them."""
RIDGE: Final = 30.0
STEPS: Final = 30
SAMPLES: Final = 400
DEALS: Final = Budgets.deals
"""Of the luck of the games that are kept back: as many as a review has."""

Row = list[float]
Seen = tuple[list[Row], float]
"""What a baseline sees of the positions of a game, and the first seat's share of the victory."""


@dataclass(frozen=True)
class Tried:
    """A result of the first seat, and what the cards brought it, with the error of that."""

    result: float
    luck: float
    error: float


def pairs_of(game: Game) -> list[tuple[str, str]]:
    """Who plays whom: ordinary levels, each against itself and the next, from both seats."""
    found = [level for level in levels_for(game) if level in ORDINARY] or ["random"]
    return [(one, one) for one in found] + [pair for a, b in pairwise(found) for pair in ((a, b), (b, a))]


def game_between(name: str, setups: list[Options], levels: tuple[str, ...], seed: int, number: int) -> Record:
    """A game between levels, one for each seat; its number is its deal."""
    game = game_of(name, setups[number % len(setups)])
    chance = Rng((seed + (number + 1) * MIX) & WORD).seed()
    driver = Driver(Record(game), [entrant(level, game) for level in levels], chance)
    driver.advance()
    return driver.record


@cache
def table_of(game: Game) -> Table:
    """A game with what reviews it, made once in each process."""
    return Table(game)


def ordinary_game(name: str, setups: list[Options], seed: int, number: int) -> Record:
    """A game of ordinary players."""
    pairs = pairs_of(game_of(name, setups[0]))
    return game_between(name, setups, pairs[number // len(setups) % len(pairs)], seed, number)


def seen(name: str, setups: list[Options], seed: int, number: int) -> Seen:
    """What a baseline sees of a game."""
    record = ordinary_game(name, setups, seed, number)
    states = [stride.after for stride in split_strides(record)]
    last = states[-1]
    return build_rows(table_of(record.game), [s for s in states if s.stack]), compute_share(last, 0)


def tried(name: str, setups: list[Options], seed: int, weights: tuple[float, ...], share: float, number: int) -> Tried:
    """The luck of a game."""
    record = ordinary_game(name, setups, seed, number)
    baseline = Baseline(table_of(record.game), FittedBaseline(weights, share, 0.0, 0.0, 0.0, 0, True))
    # Each game deals its own: what deals lack that all games share would never even out.
    lines = measure_luck(record, baseline, DEALS, seed + number)
    sum_ = sum_lines(lines)
    assert record.result is not None
    winners = record.result["winners"]
    assert isinstance(winners, list)
    return Tried(1.0 / len(winners) if 0 in winners else 0.0, sum_.seat0, sum_.error)


def fitted(found: Iterable[Seen]) -> tuple[float, ...]:
    """A logistic regression by Newton's steps."""
    import numpy as np

    games_ = list(found)
    x = np.array([row for seen_, _ in games_ for row in seen_])
    y = np.array([share for seen_, share in games_ for _ in seen_])
    weights = np.zeros(x.shape[1])
    for _ in range(STEPS):
        p = 1.0 / (1.0 + np.exp(-np.clip(x @ weights, -30.0, 30.0)))
        curve = (x * (p * (1.0 - p))[:, None]).T @ x + np.eye(len(weights)) * RIDGE
        weights += np.linalg.solve(curve, x.T @ (y - p) - RIDGE * weights)
    return tuple(round(float(weight), 5) for weight in weights)


def share_told(games_: list[Tried]) -> float:
    """How much of the luck is told: what leaves least of the variance of results, and never more than all of it."""
    spread = compute_variance([one.luck for one in games_])
    result, luck_ = compute_mean([one.result for one in games_]), compute_mean([one.luck for one in games_])
    together = sum((one.result - result) * (one.luck - luck_) for one in games_) / max(1, len(games_) - 1)
    return round(max(0.0, min(1.0, together / spread)), 3) if spread else 0.0


def explained(games_: list[Tried]) -> tuple[float, float, float]:
    """How much of the variance of results the cards took, with its 95 % interval; below 0 where they added to it."""

    def part(some: list[Tried]) -> float:
        raw = compute_variance([one.result for one in some])
        return 1.0 - compute_variance([one.result - one.luck for one in some]) / raw if raw else 0.0

    rng = Rng(1)
    drawn = sorted(part([games_[int(rng.below(len(games_)))] for _ in games_]) for _ in range(SAMPLES))
    low, high = drawn[round(0.025 * (SAMPLES - 1))], drawn[round(0.975 * (SAMPLES - 1))]
    return round(part(games_), 4), round(low, 4), round(high, 4)


def learn(name: str, options: Options, count: int, seed: int, workers: Workers, file: Path) -> None:
    """Fit a baseline, say what it takes, and keep it. Raises OptionError."""
    setups = matchups(name, options)
    game = game_of(name, setups[0])
    if game.seats != 2:
        raise OptionError("Luck is told of games for two seats only: give the option seats=2.")
    taught, kept = count // 2, count - count // 4
    with Team(workers) as team:
        weights = fitted(team.map(partial(seen, name, setups, seed), range(taught)))
        share = share_told(list(team.map(partial(tried, name, setups, seed, weights, 1.0), range(taught, kept))))
        kept_back = list(team.map(partial(tried, name, setups, seed, weights, share), range(kept, count)))
    part, low, high = explained(kept_back)
    held = {
        "version": FILE_VERSION,
        "about": {
            "games": count,
            "kept back": count - kept,
            "levels": sorted({level for pair in pairs_of(game) for level in pair}),
            "seed": seed,
            "rules": games.kind(name).version,
            "network": table_of(game).network,
            "date": date.today().isoformat(),
            "commit": machine.commit(),
        },
        "weights": weights,
        "share": share,
        "explains": part,
        "interval": [low, high],
        "shown": part > 0.0,
    }
    write(file, json.dumps(held, indent=1) + "\n")
    bias = compute_mean([one.luck for one in kept_back])
    print(
        f"{name}: cards took {part:.1%} ({low:.1%} to {high:.1%}) of the variance of {count - kept} results that "
        f"nothing was fitted to; luck was {100 * bias:+.1f} points on the whole."
    )

"""Baselines for luck, fitted to games of ordinary players and tested on other games.

Half of the games determine the weights by a logistic regression with a ridge. A quarter determines the share of luck to
report: a baseline with too large swings would increase the variance of results. The last quarter measures the variance
that the cards do not explain.
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
from gonfalon.bots import list_playable_levels, make
from gonfalon.bots.players.driver import Driver
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game
from gonfalon.lab.run import machine
from gonfalon.lab.run.atomic_files import write_file
from gonfalon.lab.run.match import SEED_FACTOR, WORD_MASK, get_game, list_matchups
from gonfalon.lab.run.workers import Team, Workers
from gonfalon.review.figures import compute_mean, compute_variance
from gonfalon.review.judging.baseline import FILE_VERSION, Baseline, FittedBaseline, build_rows
from gonfalon.review.judging.budgets import Budgets
from gonfalon.review.judging.course import split_strides
from gonfalon.review.judging.luck import measure_luck, sum_lines
from gonfalon.review.judging.players import Table, compute_share

ORDINARY_LEVELS: Final = ("gentle", "casual", "club")
"""Levels that play about like people who know the rules."""
RIDGE: Final = 30.0
"""Strength of the ridge."""
STEPS: Final = 30
"""Number of Newton steps."""
SAMPLES: Final = 400
"""Number of bootstrap samples."""
MIN_RATIOS: Final = {"factionwars": 2.0, "generals": 1.15, "feint": 1.05}
"""The variance of results divided by that of corrected ones from which luck is shown, by game."""
DEALS: Final = Budgets.deals
"""Number of deals for luck, as in reviews."""

Row = list[float]
BaselineInput = tuple[list[Row], float]
"""The input of a baseline in a game, and the first seat's share of the victory."""


@dataclass(frozen=True)
class LuckResult:
    """A result of the first seat, and its luck with the error."""

    result: float
    luck: float
    error: float


def list_pairs(game: Game) -> list[tuple[str, str]]:
    """Return the pairs of ordinary levels: each against itself and the next, from both seats."""
    found = [level for level in list_playable_levels(game) if level in ORDINARY_LEVELS] or ["random"]
    return [(one, one) for one in found] + [pair for a, b in pairwise(found) for pair in ((a, b), (b, a))]


def play_game(name: str, setups: list[Options], levels: tuple[str, ...], seed: int, number: int) -> Record:
    """Return a game between levels, one for each seat. Its number is its deal."""
    game = get_game(name, setups[number % len(setups)])
    chance = Rng((seed + (number + 1) * SEED_FACTOR) & WORD_MASK).seed()
    driver = Driver(Record(game), [make(level, game) for level in levels], chance)
    driver.advance()
    return driver.record


@cache
def get_table(game: Game) -> Table:
    """Return a game with its reviewer, cached for each process."""
    return Table(game)


def play_ordinary_game(name: str, setups: list[Options], seed: int, number: int) -> Record:
    """Return a game of ordinary players."""
    pairs = list_pairs(get_game(name, setups[0]))
    return play_game(name, setups, pairs[number // len(setups) % len(pairs)], seed, number)


def read_game(name: str, setups: list[Options], seed: int, number: int) -> BaselineInput:
    """Return the input of a baseline in a game."""
    record = play_ordinary_game(name, setups, seed, number)
    states = [stride.after for stride in split_strides(record)]
    last = states[-1]
    return build_rows(get_table(record.game), [s for s in states if s.stack]), compute_share(last, 0)


def measure_game_luck(
    name: str, setups: list[Options], seed: int, weights: tuple[float, ...], share: float, number: int
) -> LuckResult:
    """Return the luck of a game."""
    record = play_ordinary_game(name, setups, seed, number)
    baseline = Baseline(get_table(record.game), FittedBaseline(weights, share, 0.0, 0.0, 0.0, 0, True))
    # Each game has its own deals: errors of shared deals would not cancel out.
    lines = measure_luck(record, baseline, DEALS, seed + number)
    sum_ = sum_lines(lines)
    assert record.result is not None
    winners = record.result["winners"]
    assert isinstance(winners, list)
    return LuckResult(1.0 / len(winners) if 0 in winners else 0.0, sum_.seat0, sum_.error)


def fit_weights(found: Iterable[BaselineInput]) -> tuple[float, ...]:
    """Return the weights of a logistic regression by Newton's method."""
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


def fit_share(games_: list[LuckResult]) -> float:
    """Return the share of luck that minimizes the variance of corrected results, from 0 to 1."""
    spread = compute_variance([one.luck for one in games_])
    result, luck_ = compute_mean([one.result for one in games_]), compute_mean([one.luck for one in games_])
    together = sum((one.result - result) * (one.luck - luck_) for one in games_) / max(1, len(games_) - 1)
    return round(max(0.0, min(1.0, together / spread)), 3) if spread else 0.0


def explained_variance(games_: list[LuckResult]) -> tuple[float, float, float]:
    """Return the share of the variance explained by luck, with its 95 % interval; negative if luck increases it."""

    def part(some: list[LuckResult]) -> float:
        raw = compute_variance([one.result for one in some])
        return 1.0 - compute_variance([one.result - one.luck for one in some]) / raw if raw else 0.0

    rng = Rng(1)
    drawn = sorted(part([games_[int(rng.below(len(games_)))] for _ in games_]) for _ in range(SAMPLES))
    low, high = drawn[round(0.025 * (SAMPLES - 1))], drawn[round(0.975 * (SAMPLES - 1))]
    return round(part(games_), 4), round(low, 4), round(high, 4)


def learn_baseline(name: str, options: Options, count: int, seed: int, workers: Workers, file: Path) -> None:
    """Fit a baseline, print its effect, and write it.

    Raises:
        OptionError: The game does not have two seats.
    """
    setups = list_matchups(name, options)
    game = get_game(name, setups[0])
    if game.seats != 2:
        raise OptionError("Luck needs a game for two seats. Use the option seats=2.")
    taught, kept = count // 2, count - count // 4
    with Team(workers) as team:
        weights = fit_weights(team.map(partial(read_game, name, setups, seed), range(taught)))
        share = fit_share(
            list(team.map(partial(measure_game_luck, name, setups, seed, weights, 1.0), range(taught, kept)))
        )
        kept_back = list(team.map(partial(measure_game_luck, name, setups, seed, weights, share), range(kept, count)))
    part, low, high = explained_variance(kept_back)
    held = {
        "version": FILE_VERSION,
        "about": {
            "games": count,
            "kept back": count - kept,
            "levels": sorted({level for pair in list_pairs(game) for level in pair}),
            "seed": seed,
            "rules": games.find_game_class(name).version,
            "network": get_table(game).network,
            "date": date.today().isoformat(),
            "commit": machine.read_commit(),
        },
        "weights": weights,
        "share": share,
        "explains": part,
        "interval": [low, high],
        "shown": part > max(0.0, 1.0 - 1.0 / MIN_RATIOS.get(name, 1.0)),
    }
    write_file(file, json.dumps(held, indent=1) + "\n")
    bias = compute_mean([one.luck for one in kept_back])
    print(
        f"{name}: cards took {part:.1%} ({low:.1%} to {high:.1%}) of the variance of {count - kept} results that "
        f"nothing was fitted to; luck was {100 * bias:+.1f} points on the whole."
    )

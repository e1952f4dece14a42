"""The win rate of the first of two seats from a full position, in games of ordinary players.

It is the baseline of luck, fitted beforehand and equal for all reviewed games, so that luck is 0 on average. The
network alone varies too much for weaker play. A logistic regression explains luck far better; its inputs are the
network's value, the game's fast evaluation, and both times the progress of the game.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from pathlib import Path
from typing import Final

from gonfalon.bots.players.noise import log_odds
from gonfalon.core.rules.state import State
from gonfalon.review.data_files import BASELINE, find_data_file
from gonfalon.review.judging.players import Table, compute_share

FILE_VERSION: Final = 1
"""Version of the file."""


@dataclass(frozen=True)
class FittedBaseline:
    """The contents of a baseline file."""

    weights: tuple[float, ...]
    """Weights of the regression, in the order of `build_rows`."""
    share: float
    """Factor on a line of luck that minimizes the variance of corrected results."""
    explains: float
    """Share of the variance of results that cards explain in games that were not used for fitting; at least 0."""
    low: float
    """Lower end of the 95 % interval of `explains`."""
    high: float
    """Upper end of the 95 % interval of `explains`."""
    games: int
    """Number of games used for fitting."""
    shown: bool
    """Whether luck may be shown: cards explain some of the results, and luck does not mislead."""


class Baseline:
    """The fitted chance of the first seat."""

    def __init__(self, table: Table, fitted: FittedBaseline) -> None:
        self.table = table
        self.fitted = fitted

    def estimate_chances(self, states: list[State]) -> list[float]:
        """Return the first seat's chance to win in each position; its share of the victory if the game is over."""
        found = [compute_share(s, 0) for s in states]
        going = [i for i, s in enumerate(states) if s.stack]
        weights = self.fitted.weights
        for i, row in zip(going, build_rows(self.table, [states[i] for i in going]), strict=True):
            odds = sum(weight * x for weight, x in zip(weights, row, strict=True))
            found[i] = 1.0 / (1.0 + exp(-max(-30.0, min(30.0, odds))))  # exp overflows above 709
        return found


def build_rows(table: Table, states: list[State]) -> list[list[float]]:
    """Return the inputs of the regression for positions that are not over.

    Each number of the network and of the fast evaluation appears three times: alone, times the progress, and times the
    square of the progress. The last input is 1 if it is the first seat's turn, and -1 if not.
    """
    learnt = table.learnt
    values = learnt.evaluator.values(states, 0) if learnt is not None else []
    found = []
    for i, s in enumerate(states):
        numbers = table.insight.numbers(s)
        if values:
            numbers = [log_odds(values[i]), *numbers]
        gone = table.insight.progress(s)
        # The same number means more as the end comes nearer, so each is weighted by the progress too.
        row = [number * part for number in numbers for part in (1.0, gone, gone * gone)]
        found.append([*row, 1.0 if s.turn == 0 else -1.0])
    return found


def load_baseline(table: Table) -> Baseline | None:
    """Return the baseline of a game for two, fitted with this network; None if there is none."""
    path = find_data_file(table.game, BASELINE)
    if path is None or table.game.seats != 2:
        return None
    fitted = read_baseline(path, table.network, table.game.version)
    return None if fitted is None else Baseline(table, fitted)


@lru_cache(16)
def read_baseline(path: Path, network: str, rules: str) -> FittedBaseline | None:
    """Return the contents of a file; None if it was fitted with another network or other rules."""
    held = json.loads(path.read_text("utf-8"))
    if held["version"] != FILE_VERSION or held["about"]["network"] != network or held["about"]["rules"] != rules:
        return None
    low, high = held["interval"]
    return FittedBaseline(
        tuple(held["weights"]),
        held.get("share", 1.0),
        held["explains"],
        low,
        high,
        held["about"]["games"],
        held["shown"],
    )

"""How likely the first of two seats wins from a full position, in games of ordinary players.

A baseline for luck: fitted to games beforehand, and the same for every game that is reviewed, so that what it calls
luck is nothing on the whole. The network alone swings too far for weaker play; a logistic regression of what it says,
of what the game's quick valuer says, each also by how far the game has gone, takes luck far better.
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
from gonfalon.review.held import BASELINE, held_file
from gonfalon.review.judging.players import Table, share_of

VERSION: Final = 1


@dataclass(frozen=True)
class Fitted:
    """What a file holds."""

    weights: tuple[float, ...]
    share: float
    """So much of a line is told: what makes corrected results vary least."""
    explains: float
    """The part of the variance of results that cards took in games that nothing was fitted to; at least 0."""
    low: float
    high: float
    games: int
    shown: bool
    """Whether the cards of a game may be shown as luck: they explain something, and do not mislead."""


class Baseline:
    """The fitted chance of the first seat."""

    def __init__(self, table: Table, fitted: Fitted) -> None:
        self.table = table
        self.fitted = fitted

    def chances(self, states: list[State]) -> list[float]:
        """The first seat's chance to win in each position; of games that are over, its share."""
        found = [share_of(s, 0) for s in states]
        going = [i for i, s in enumerate(states) if s.stack]
        weights = self.fitted.weights
        for i, row in zip(going, rows(self.table, [states[i] for i in going]), strict=True):
            odds = sum(weight * x for weight, x in zip(weights, row, strict=True))
            found[i] = 1.0 / (1.0 + exp(-max(-30.0, min(30.0, odds))))
        return found


def rows(table: Table, states: list[State]) -> list[list[float]]:
    """What a baseline sees of each position that is not over: numbers of the network and the quick valuer, also times
    progress and its square, and whose turn it is."""
    learnt = table.learnt
    values = learnt.evaluator.values(states, 0) if learnt is not None else []
    found = []
    for i, s in enumerate(states):
        numbers = table.insight.numbers(s)
        if values:
            numbers = [log_odds(values[i]), *numbers]
        gone = table.insight.progress(s)
        row = [number * part for number in numbers for part in (1.0, gone, gone * gone)]
        found.append([*row, 1.0 if s.turn == 0 else -1.0])
    return found


def baseline_of(table: Table) -> Baseline | None:
    """The baseline of a game for two, fitted with this network; None where there is none."""
    path = held_file(table.game, BASELINE)
    if path is None or table.game.seats != 2:
        return None
    fitted = read(path, table.network, table.game.version)
    return None if fitted is None else Baseline(table, fitted)


@lru_cache(16)
def read(path: Path, network: str, rules: str) -> Fitted | None:
    """What a file holds; None where it was fitted with another network or by other rules."""
    held = json.loads(path.read_text("utf-8"))
    if held["version"] != VERSION or held["about"]["network"] != network or held["about"]["rules"] != rules:
        return None
    low, high = held["interval"]
    return Fitted(
        tuple(held["weights"]),
        held.get("share", 1.0),
        held["explains"],
        low,
        high,
        held["about"]["games"],
        held["shown"],
    )

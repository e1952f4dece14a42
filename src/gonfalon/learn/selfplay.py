"""Parallel games of a network against itself, and the training data from them.

In a part of the games one seat is played by an earlier version of the network, the first of which is the priors alone,
and in another part by the game's heuristic, so that training does not go in circles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from gonfalon.bots.networks.batch import Batch
from gonfalon.bots.networks.network import Array, Layers
from gonfalon.bots.networks.network_input import NetworkInput
from gonfalon.core.arrays.lanes import Lanes
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.players import RuleOfThumb
from gonfalon.core.rules.state import State
from gonfalon.learn.layers import find_filled_columns, reduce_columns
from gonfalon.learn.settings import Settings
from gonfalon.vector import Vector

HEURISTIC_RIVAL: Final = -1  # the rule of thumb as a rival
PLAY_STREAM: Final = 1  # so that playing and learning do not draw the same numbers


class Version(NamedTuple):
    """A network after a number of updates."""

    policy: Layers
    value: Layers
    updates: int


@dataclass(frozen=True, slots=True)
class Lot:
    """Decisions of finished games."""

    batch: Batch
    picks: Array
    """Index of the chosen action in each position."""
    before: Array
    """Log probability of the chosen action."""
    surplus: Array
    """Generalized advantage of the chosen action."""
    target: Array
    """Target of the value network."""
    decisions: int
    """Number of decisions since the previous lot, including those of unfinished games."""
    finished: int
    """Number of finished games."""
    scores: dict[int, list[float]]
    """Scores against the first version and the heuristic."""


class Rival(NamedTuple):
    """The opponent in one seat of a game: an earlier version by its index, or `THUMB`."""

    seat: int
    version: int


NO_RIVAL: Final = Rival(-1, 0)
"""Game without a rival."""


class Tick:
    """One decision of every game."""

    __slots__ = ("batch", "logp", "value")

    def __init__(self, batch: Batch, logp: Array, value: Array) -> None:
        self.batch = batch
        self.logp = logp  # of what was picked
        self.value = value


Decision: TypeAlias = tuple[Tick, int, int]
"""A decision: the tick, the position in it, and the index of the chosen action."""
TrainingExample: TypeAlias = tuple[Tick, int, int, float, float]
"""A decision of a finished game, with its advantage and its value target."""


class SelfPlay:
    """Parallel games, one vector for each setup, and the training data from them.

    The network plays all seats, except rivals in some of the games.
    """

    def __init__(self, encoder: NetworkInput, setups: list[Game], seed: int, settings: Settings) -> None:
        self.encoder = encoder
        self.settings = settings
        self.dice = np.random.default_rng([seed, PLAY_STREAM])
        self.scales = np.array(encoder.scales(), dtype=np.float32)
        self.lanes = max(2, -(-settings.games // len(setups)))
        """Number of games in each vector."""
        # The vectors write no arrays, because the network input is written from the states.
        self.vectors = [Vector(game, self.lanes, int(self.dice.integers(1 << 60)), shown=()) for game in setups]
        self.rows: list[dict[int, list[Decision]]] = [{} for _ in range(self.lanes * len(setups))]
        """Decisions of unfinished games, by game and seat."""
        self.ready: list[TrainingExample] = []
        self.decisions = 0
        self.finished = 0
        self.scores: dict[int, list[float]] = {}
        self.rng = Rng(int(self.dice.integers(1 << 62)))
        self.rules_of_thumb: list[RuleOfThumb | None] = [game.rule_of_thumb() for game in setups]
        self.old: list[Layers] = []
        self.rivals: list[Rival] = []
        """Rival of each game."""

    @property
    def parts(self) -> list[Lanes]:
        """Lanes of the vectors."""
        return [vector.part.lanes for vector in self.vectors if vector.part is not None]

    def lot(self, version: Version) -> Lot:
        """Play with this version until there is enough data. The first version becomes the reference opponent."""
        self.keep_version(version)
        self.rivals = self.rivals or [self.draw_rival(number) for number in range(len(self.rows))]
        if self.vectors[0].fresh:
            for vector in self.vectors:
                vector.reset()
        while len(self.ready) < self.settings.batch:
            self.play(version)
        lot = make_lot(self.ready, self.decisions, self.finished, self.scores)
        self.ready, self.scores = [], {}
        self.decisions = self.finished = 0
        return lot

    def play(self, version: Version) -> None:
        """Play one decision of every game."""
        states = [state for lanes in self.parts for state in lanes.states]
        picks = np.zeros(len(states), np.int64)
        ruled = self.apply_heuristics(states)
        for number, pick in ruled.items():
            picks[number] = pick
        asked = [number for number in range(len(states)) if number not in ruled]
        if asked:
            picks[asked] = self.decide(version, asked, [states[number] for number in asked])
        for first, vector in zip(count(step=self.lanes), self.vectors, strict=False):
            vector.step(picks[first : first + self.lanes])
            for lane in vector.dones.nonzero()[0].tolist():
                self.close(first + lane, vector.rewards[lane].tolist())

    def decide(self, version: Version, asked: list[int], states: list[State]) -> Array:
        """Return the choices of networks in these games, each from the view of the deciding seat."""
        batch = Batch.from_states(self.encoder, states)
        columns = find_filled_columns(batch.rows)
        known = columns[columns < self.encoder.known]
        full = batch.rows[:, columns] * self.scales[columns]
        value = np.tanh(reduce_columns(version.value, columns)(full)[:, 0])
        seen = full[:, : len(known)]
        said = reduce_columns(version.policy, known)(seen)
        foreign = self.insert_rivals(asked, states, known, seen, said)
        picks, logp = draw_actions(batch, said, self.dice)
        tick = Tick(batch, logp, value)
        for row, (number, state, pick) in enumerate(zip(asked, states, picks.tolist(), strict=True)):
            if row not in foreign:
                self.rows[number].setdefault(state.turn, []).append((tick, row, pick))
        self.decisions += len(asked)
        return picks

    def close(self, number: int, returns: list[float]) -> None:
        """Compute the training data of a finished game."""
        rows, self.rows[number] = self.rows[number], {}
        self.finished += 1
        for seat in sorted(rows):
            self.ready += iter_examples(rows[seat], returns[seat], self.settings.decay)
        seat, version = self.rivals[number]
        if seat >= 0 and version <= 0:
            self.scores.setdefault(version, []).append(max(r for other, r in enumerate(returns) if other != seat))
        self.rivals[number] = self.draw_rival(number)

    def keep_version(self, version: Version) -> None:
        """Keep some versions as rivals."""
        settings = self.settings
        if not self.old:
            self.old.append(version.policy)
        elif version.updates and version.updates % settings.renew == 0:
            number = version.updates // settings.renew
            if number <= settings.keep:
                self.old.append(version.policy)
            else:
                # A game under way may still ask for the oldest, which goes: the newest takes its place.
                self.old[1 + (number - 1) % settings.keep] = version.policy

    def draw_rival(self, number: int) -> Rival:
        """Draw the rival of the next game with this number."""
        dice, setup = self.dice, number // self.lanes
        seats = self.vectors[setup].game.seats
        if dice.random() < self.settings.thumb:
            return Rival(int(dice.integers(seats)), HEURISTIC_RIVAL) if self.rules_of_thumb[setup] else NO_RIVAL
        if dice.random() >= self.settings.rivals:
            return NO_RIVAL
        # The first version is met as often as all the others together.
        old = 0 if dice.random() < 0.5 else int(dice.integers(len(self.old)))
        return Rival(int(dice.integers(seats)), old)

    def apply_heuristics(self, states: list[State]) -> dict[int, int]:
        """Return the choices of the heuristic, by the number of the game."""
        found = {}
        for number, (rival, state) in enumerate(zip(self.rivals, states, strict=True)):
            if rival == (state.turn, HEURISTIC_RIVAL):
                rule = self.rules_of_thumb[number // self.lanes]
                assert rule is not None
                action, _ = rule.choose(state.mask(state.turn), self.rng)
                found[number] = state.actions.index(action)
        return found

    def insert_rivals(self, asked: list[int], states: list[State], known: Array, seen: Array, said: Array) -> set[int]:
        """Insert the outputs of earlier versions, and return their rows, which are not training data.

        `seen` has the `known` columns of the rows.
        """
        by_version: dict[int, list[int]] = {}
        for row, (number, state) in enumerate(zip(asked, states, strict=True)):
            rival = self.rivals[number]
            if rival.seat == state.turn:
                by_version.setdefault(rival.version, []).append(row)
        for version, rows in by_version.items():
            said[rows] = reduce_columns(self.old[version], known)(seen[rows])
        return {row for rows in by_version.values() for row in rows}


def draw_actions(batch: Batch, said: Array, dice: np.random.Generator) -> tuple[Array, Array]:
    """Draw an action in each position from the policy, and return its index and log probability."""
    starts = batch.starts
    logp = batch.log_probabilities(said, batch.owners())
    # One sum runs through all positions, which is too long for the precision of float32.
    reached = np.cumsum(np.exp(logp, dtype=np.float64))
    before = np.concatenate([[0.0], reached])[starts[:-1]]
    # Inverse sampling from the cumulative probabilities of each position.
    marks = before + dice.random(len(batch.rows)) * (reached[starts[1:] - 1] - before)
    # Rounding may lead into a neighboring position, so the index is kept within its own.
    picks = np.clip(np.searchsorted(reached, marks, side="right"), starts[:-1], starts[1:] - 1)
    return picks - starts[:-1], logp[picks]


def iter_examples(rows: list[Decision], result: float, decay: float) -> Iterator[TrainingExample]:
    """Yield the training data of a seat's decisions in a game, given its result."""
    after = result
    surplus = 0.0
    for tick, row, pick in reversed(rows):
        value = float(tick.value[row])
        # Generalized advantage estimation without intermediate rewards.
        surplus = (after - value) + decay * surplus
        yield tick, row, pick, surplus, value + surplus
        after = value


def make_lot(ready: list[TrainingExample], decisions: int, finished: int, scores: dict[int, list[float]]) -> Lot:
    """Return decisions of finished games as a lot."""
    # Group by tick: the decisions of one game are spread over as many ticks.
    ticks: dict[int, list[int]] = {}
    for i, (tick, *_) in enumerate(ready):
        ticks.setdefault(id(tick), []).append(i)
    parts = [ready[some[0]][0].batch.select([ready[i][1] for i in some]) for some in ticks.values()]
    order = [ready[i] for some in ticks.values() for i in some]
    return Lot(
        Batch.concatenate(parts),
        np.array([entry[2] for entry in order]),
        np.array([entry[0].logp[entry[1]] for entry in order], dtype=np.float32),
        np.array([entry[3] for entry in order], dtype=np.float32),
        np.array([entry[4] for entry in order], dtype=np.float32),
        decisions,
        finished,
        scores,
    )

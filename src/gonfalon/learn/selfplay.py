"""Many games of a network against itself, side by side, and what is to be learnt from them.

A part of the games has an earlier version of the network in one seat, the first of which is the priors
alone, and another part the game's rule of thumb, so that what is learnt does not turn in circles.
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
from gonfalon.learn.layers import filled, reading
from gonfalon.learn.settings import Settings
from gonfalon.vector import Vector

THUMB: Final = -1  # the rule of thumb as a rival
STREAM: Final = 1  # so that playing and learning do not draw the same numbers


class Version(NamedTuple):
    """A network as it was after so many updates."""

    policy: Layers
    value: Layers
    updates: int


@dataclass(frozen=True, slots=True)
class Lot:
    """Decisions of finished games."""

    batch: Batch
    picks: Array
    """Which of its actions was taken in each position,"""
    before: Array
    """the logarithm of how likely that was,"""
    surplus: Array
    """how much better it went than the value had said (generalised advantage),"""
    target: Array
    """and what the value should have said."""
    decisions: int
    """How many have been made meanwhile, in games under way too."""
    finished: int
    """Games."""
    scores: dict[int, list[float]]
    """What was won in them against the first version and the rule of thumb."""


class Rival(NamedTuple):
    """Who sits in one seat of a game: an earlier version by its place among those that are kept, or `THUMB`."""

    seat: int
    version: int


ITSELF: Final = Rival(-1, 0)
"""Nobody does."""


class Tick:
    """One decision of every game."""

    __slots__ = ("batch", "logp", "value")

    def __init__(self, batch: Batch, logp: Array, value: Array) -> None:
        self.batch = batch
        self.logp = logp  # of what was picked
        self.value = value


Made: TypeAlias = tuple[Tick, int, int]
"""A decision: the tick, the position in it, which of its actions was picked."""
Learnable: TypeAlias = tuple[Tick, int, int, float, float]
"""A decision of a finished game: also its surplus and target."""


class SelfPlay:
    """Games side by side, every set-up in a vector of its own, and what is to be learnt from them. All seats are the
    network's, but for rivals in some of the games."""

    def __init__(self, encoder: NetworkInput, setups: list[Game], seed: int, settings: Settings) -> None:
        self.encoder = encoder
        self.settings = settings
        self.dice = np.random.default_rng([seed, STREAM])
        self.scales = np.array(encoder.scales(), dtype=np.float32)
        self.lanes = max(2, -(-settings.games // len(setups)))
        """Games of each vector."""
        self.vectors = [Vector(game, self.lanes, int(self.dice.integers(1 << 60)), shown=()) for game in setups]
        self.rows: list[dict[int, list[Made]]] = [{} for _ in range(self.lanes * len(setups))]
        """What was decided in the games under way, by game and seat."""
        self.ready: list[Learnable] = []
        self.decisions = 0
        self.finished = 0
        self.scores: dict[int, list[float]] = {}
        self.rng = Rng(int(self.dice.integers(1 << 62)))
        self.rules_of_thumb: list[RuleOfThumb | None] = [game.rule_of_thumb() for game in setups]
        self.old: list[Layers] = []
        self.rivals: list[Rival] = []
        """By game."""

    @property
    def parts(self) -> list[Lanes]:
        """The lanes of the vectors."""
        return [vector.part.lanes for vector in self.vectors if vector.part is not None]

    def lot(self, version: Version) -> Lot:
        """Play with this version until there is enough to learn from. The first one asked for is what the
        others are measured against."""
        self.keep(version)
        self.rivals = self.rivals or [self.rival(number) for number in range(len(self.rows))]
        if self.vectors[0].fresh:
            for vector in self.vectors:
                vector.reset()
        while len(self.ready) < self.settings.batch:
            self.play(version)
        lot = lot_of(self.ready, self.decisions, self.finished, self.scores)
        self.ready, self.scores = [], {}
        self.decisions = self.finished = 0
        return lot

    def play(self, version: Version) -> None:
        """One decision of every game."""
        states = [state for lanes in self.parts for state in lanes.states]
        picks = np.zeros(len(states), np.int64)
        ruled = self.ruled(states)
        for number, pick in ruled.items():
            picks[number] = pick
        asked = [number for number in range(len(states)) if number not in ruled]
        if asked:
            picks[asked] = self.decided(version, asked, [states[number] for number in asked])
        for first, vector in zip(count(step=self.lanes), self.vectors, strict=False):
            vector.step(picks[first : first + self.lanes])
            for lane in vector.dones.nonzero()[0].tolist():
                self.close(first + lane, vector.rewards[lane].tolist())

    def decided(self, version: Version, asked: list[int], states: list[State]) -> Array:
        """What networks do in the games with these numbers, each from what the seat may know that is asked."""
        batch = Batch.from_states(self.encoder, states)
        columns = filled(batch.rows)
        known = columns[columns < self.encoder.known]
        full = batch.rows[:, columns] * self.scales[columns]
        value = np.tanh(reading(version.value, columns)(full)[:, 0])
        seen = full[:, : len(known)]
        said = reading(version.policy, known)(seen)
        foreign = self.foreign(asked, states, known, seen, said)
        picks, logp = picked(batch, said, self.dice)
        tick = Tick(batch, logp, value)
        for row, (number, state, pick) in enumerate(zip(asked, states, picks.tolist(), strict=True)):
            if row not in foreign:
                self.rows[number].setdefault(state.turn, []).append((tick, row, pick))
        self.decisions += len(asked)
        return picks

    def close(self, number: int, returns: list[float]) -> None:
        """Work out what is to be learnt from a finished game."""
        rows, self.rows[number] = self.rows[number], {}
        self.finished += 1
        for seat in sorted(rows):
            self.ready += learnable(rows[seat], returns[seat], self.settings.decay)
        seat, version = self.rivals[number]
        if seat >= 0 and version <= 0:
            self.scores.setdefault(version, []).append(max(r for other, r in enumerate(returns) if other != seat))
        self.rivals[number] = self.rival(number)

    def keep(self, version: Version) -> None:
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

    def rival(self, number: int) -> Rival:
        """Who sits in one seat of the next game with this number."""
        dice, setup = self.dice, number // self.lanes
        seats = self.vectors[setup].game.seats
        if dice.random() < self.settings.thumb:
            return Rival(int(dice.integers(seats)), THUMB) if self.rules_of_thumb[setup] else ITSELF
        if dice.random() >= self.settings.rivals:
            return ITSELF
        # The first version is met as often as all the others.
        old = 0 if dice.random() < 0.5 else int(dice.integers(len(self.old)))
        return Rival(int(dice.integers(seats)), old)

    def ruled(self, states: list[State]) -> dict[int, int]:
        """Return the numbers of the games in which no network is asked, and which action is taken there."""
        found = {}
        for number, (rival, state) in enumerate(zip(self.rivals, states, strict=True)):
            if rival == (state.turn, THUMB):
                rule = self.rules_of_thumb[number // self.lanes]
                assert rule is not None
                action, _ = rule.choose(state.mask(state.turn), self.rng)
                found[number] = state.actions.index(action)
        return found

    def foreign(self, asked: list[int], states: list[State], known: Array, seen: Array, said: Array) -> set[int]:
        """Write down what earlier versions say, and return their rows, from which nothing is learnt. `seen` has these
        `known` columns of the rows."""
        by_version: dict[int, list[int]] = {}
        for row, (number, state) in enumerate(zip(asked, states, strict=True)):
            rival = self.rivals[number]
            if rival.seat == state.turn:
                by_version.setdefault(rival.version, []).append(row)
        for version, rows in by_version.items():
            said[rows] = reading(self.old[version], known)(seen[rows])
        return {row for rows in by_version.values() for row in rows}


def picked(batch: Batch, said: Array, dice: np.random.Generator) -> tuple[Array, Array]:
    """In each position one of its actions, drawn as the policy says, and the logarithm of how likely that was."""
    starts = batch.starts
    logp = batch.log_probabilities(said, batch.owners())
    reached = np.cumsum(np.exp(logp, dtype=np.float64))
    before = np.concatenate([[0.0], reached])[starts[:-1]]
    marks = before + dice.random(len(batch.rows)) * (reached[starts[1:] - 1] - before)
    picks = np.clip(np.searchsorted(reached, marks, side="right"), starts[:-1], starts[1:] - 1)
    return picks - starts[:-1], logp[picks]


def learnable(rows: list[Made], result: float, decay: float) -> Iterator[Learnable]:
    """What is to be learnt from a seat's decisions in a game, given what it got in the end."""
    after = result
    surplus = 0.0
    for tick, row, pick in reversed(rows):
        value = float(tick.value[row])
        surplus = (after - value) + decay * surplus
        yield tick, row, pick, surplus, value + surplus
        after = value


def lot_of(ready: list[Learnable], decisions: int, finished: int, scores: dict[int, list[float]]) -> Lot:
    """Decisions of finished games as a lot."""
    # Tick by tick: what a game adds lies in as many ticks as it has decisions.
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

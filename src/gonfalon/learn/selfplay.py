"""Many games of a network against itself, side by side, and what is to be learnt from them.

A part of the games has an earlier version of the network in one seat, the first of which is the hunches
alone, and another part the game's rule of thumb, so that what is learnt does not turn in circles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from gonfalon.bots.batch import Batch
from gonfalon.bots.network import Array, Layers
from gonfalon.bots.network_input import NetworkInput, to_choice
from gonfalon.core.game import Game
from gonfalon.core.players import RuleOfThumb
from gonfalon.core.rng import Rng
from gonfalon.core.state import State
from gonfalon.learn.settings import Settings

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


class Place:
    """A game being played: its position, and what is to be learnt from it."""

    __slots__ = ("state", "rival_seat", "rival", "rule_of_thumb", "rows")

    def __init__(self, state: State, rival_seat: int, rival: int, rule_of_thumb: RuleOfThumb | None) -> None:
        self.state = state
        self.rival_seat = rival_seat
        self.rival = rival
        self.rule_of_thumb = rule_of_thumb
        self.rows: list[list[Made]] = [[] for _ in range(state.seats)]
        """By seat."""


class SelfPlay:
    """Plays `games`, every set-up that is to be learnt."""

    def __init__(self, sense: NetworkInput, games: list[Game], seed: int, settings: Settings) -> None:
        self.sense = sense
        self.starts = [game.start() for game in games]
        self.rules_of_thumb: list[RuleOfThumb | None] = [game.rule_of_thumb() for game in games]
        self.settings = settings
        self.dice = np.random.default_rng([seed, STREAM])
        self.rng = Rng(int(self.dice.integers(1 << 62)))
        self.scales = np.array(sense.scales(), dtype=np.float32)
        self.old: list[Layers] = []
        self.table: list[Place] = []
        self.ready: list[Learnable] = []
        self.decisions = 0
        self.finished = 0
        self.scores: dict[int, list[float]] = {}

    def lot(self, version: Version) -> Lot:
        """Play with this version until there is enough to learn from. The first one asked for is what the
        others are measured against."""
        self.keep(version)
        if not self.table:
            self.table = [self.begin() for _ in range(self.settings.games)]
        while len(self.ready) < self.settings.batch:
            self.play(version)
        ready, self.ready = self.ready, []
        lot = lot_of(ready, self.decisions, self.finished, self.scores)
        self.decisions = self.finished = 0
        self.scores = {}
        return lot

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

    def begin(self) -> Place:
        """A new game, up to the first decision of a network."""
        dice = self.dice
        while True:
            number = int(dice.integers(len(self.starts)))
            s = self.starts[number].clone()
            place = Place(s, -1, 0, self.rules_of_thumb[number])
            if dice.random() < self.settings.thumb:
                if place.rule_of_thumb is not None:
                    place.rival = THUMB
                    place.rival_seat = int(dice.integers(s.seats))
            elif dice.random() < self.settings.rivals:
                # The first version is met as often as all the others.
                place.rival = 0 if dice.random() < 0.5 else int(dice.integers(len(self.old)))
                place.rival_seat = int(dice.integers(s.seats))
            if self.advance(place):
                return place

    def advance(self, place: Place) -> bool:
        """Go on to the next decision of a network; False at the end of the game."""
        s = place.state
        while to_choice(s, self.rng):
            if place.rival != THUMB or s.turn != place.rival_seat:
                return True
            assert place.rule_of_thumb is not None
            action, _ = place.rule_of_thumb.choose(s.mask(s.turn), self.rng)
            s.apply(s.turn, action)
        return False

    def play(self, version: Version) -> None:
        """One decision of every game."""
        table = self.table
        batch = Batch.of(self.sense, [place.state for place in table])
        full = batch.rows * self.scales
        value = np.tanh(version.value(full)[:, 0])
        seen = full[:, : self.sense.known]
        said = version.policy(seen)
        foreign: dict[int, list[int]] = {}
        for i, place in enumerate(table):
            if place.state.turn == place.rival_seat:
                foreign.setdefault(place.rival, []).append(i)
        for rival, rows in foreign.items():
            said[rows] = self.old[rival](seen[rows])
        picks, logp = picked(batch, said, self.dice)
        tick = Tick(batch, logp, value)
        offsets = picks.tolist()
        for i, place in enumerate(table):
            s = place.state
            seat = s.turn
            if seat != place.rival_seat:
                place.rows[seat].append((tick, i, offsets[i]))
            s.apply(seat, s.actions[offsets[i]])
            if not self.advance(place):
                self.close(place)
                table[i] = self.begin()
        self.decisions += len(table)

    def close(self, place: Place) -> None:
        """Work out what is to be learnt from a finished game."""
        returns = place.state.returns()
        self.finished += 1
        if place.rival_seat >= 0 and place.rival <= 0:
            others = [r for seat, r in enumerate(returns) if seat != place.rival_seat]
            self.scores.setdefault(place.rival, []).append(max(others))
        for seat, rows in enumerate(place.rows):
            self.ready += learnable(rows, returns[seat], self.settings.decay)


def picked(batch: Batch, said: Array, dice: np.random.Generator) -> tuple[Array, Array]:
    """In each position one of its actions, drawn as the policy says, and the logarithm of how likely that was."""
    starts = batch.starts
    logp = batch.logp(said, batch.owner())
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
    parts = [ready[some[0]][0].batch.some([ready[i][1] for i in some]) for some in ticks.values()]
    order = [ready[i] for some in ticks.values() for i in some]
    return Lot(
        Batch.joined(parts),
        np.array([entry[2] for entry in order]),
        np.array([entry[0].logp[entry[1]] for entry in order], dtype=np.float32),
        np.array([entry[3] for entry in order], dtype=np.float32),
        np.array([entry[4] for entry in order], dtype=np.float32),
        decisions,
        finished,
        scores,
    )

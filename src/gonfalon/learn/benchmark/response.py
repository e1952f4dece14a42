"""The learned best response: a fixed recipe that trains an exploiter against a frozen player.

The exploiter plays one seat of many games side by side, the player all others. It begins as the network in the game's
folder, where there is one for this game, else as a copy of the player that it has watched, and learns by proximal
policy optimisation from the results alone until it has made so many decisions, the watched ones included. Then it is
frozen too, and both play deals that neither has seen. What it scores there is a lower bound: a longer training, or
another recipe, might find more.

Everything follows from the seed, and the same figures come out again on the same machine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from gonfalon.bots import Bot
from gonfalon.bots.batch import Batch
from gonfalon.bots.network import Net
from gonfalon.core.game import Game
from gonfalon.core.state import State
from gonfalon.learn.benchmark.copying import imitate, watch
from gonfalon.learn.benchmark.policies import sense_of
from gonfalon.learn.ppo import Training
from gonfalon.learn.selfplay import STREAM, Learnable, Lot, Made, Tick, Version, learnable, lot_of, picked
from gonfalon.learn.settings import Settings
from gonfalon.review.held import NETWORK, held_hash
from gonfalon.review.players import learnt
from gonfalon.vector import Vector
from gonfalon.vector.slices import SPREAD

LANES: Final = 128
"""Games side by side, over all set-ups."""
BATCH: Final = 4096
"""Decisions that are learnt from at once,"""
PART: Final = 1024
"""and of these in each step."""
RATE: Final = 3e-4
COPIED: Final = 0.25
"""The part of its decisions that an exploiter watches first where it begins as a copy."""
COPY: Final = "a copy"
TELL: Final = 10
"""Updates between two lines about how it goes."""
Told = Callable[[str], None]


class Against:
    """Games of an exploiter against a player, in every set-up, many side by side."""

    def __init__(self, setups: list[Game], players: list[Bot], seed: int, settings: Settings) -> None:
        """`players` is the same player for each set-up."""
        self.sense = sense_of(setups[0])
        self.settings = settings
        self.dice = np.random.default_rng([seed, STREAM])
        self.scales = np.array(self.sense.scales(), dtype=np.float32)
        lanes = max(2, -(-settings.games // len(setups)))
        self.vectors = [
            Vector(game, lanes, int(self.dice.integers(1 << 60)), SPREAD, player, shown=())
            for game, player in zip(setups, players, strict=True)
        ]
        for vector, game in zip(self.vectors, setups, strict=True):
            assert vector.part is not None
            vector.part.lanes.start = game.start(log=True)  # as at a table: a view tells what has happened
            vector.reset()
        self.rows: list[list[Made]] = [[] for _ in self.states()]
        self.ready: list[Learnable] = []
        self.decisions = self.finished = 0
        self.scores: list[float] = []

    def states(self) -> list[State]:
        """The positions in which the exploiter has to decide. Of these its policy reads what its seat may know."""
        return [state for vector in self.vectors if vector.part is not None for state in vector.part.lanes.states]

    def lot(self, version: Version) -> Lot:
        """Play with this version until there is enough to learn from."""
        while len(self.ready) < self.settings.batch:
            self.play(version)
        ready, self.ready = self.ready, []
        lot = lot_of(ready, self.decisions, self.finished, {})
        self.decisions = self.finished = 0
        return lot

    def play(self, version: Version) -> None:
        """One decision of the exploiter in every game, and all that follows."""
        batch = Batch.of(self.sense, self.states())
        full = batch.rows * self.scales
        value = np.tanh(version.value(full)[:, 0])
        picks, logp = picked(batch, version.policy(full[:, : self.sense.known]), self.dice)
        tick = Tick(batch, logp, value)
        for i, pick in enumerate(picks.tolist()):
            self.rows[i].append((tick, i, pick))
        at = 0
        for vector in self.vectors:
            vector.step(picks[at : at + vector.n])
            for lane in vector.dones.nonzero()[0].tolist():
                (seat,) = vector.settings.learners_of(lane)
                self.close(at + lane, float(vector.rewards[lane, seat]))
            at += vector.n
        self.decisions += len(picks)

    def close(self, number: int, result: float) -> None:
        """A game is over, and the next has begun."""
        rows, self.rows[number] = self.rows[number], []
        self.ready += learnable(rows, result, self.settings.decay)
        self.scores.append(result)
        self.finished += 1


def begun_as(game: Game) -> str:
    """Which network an exploiter begins as, or that it begins as a copy."""
    return held_hash(game, NETWORK) if learnt(game) is not None else COPY


def respond(setups: list[Game], players: list[Bot], decisions: int, seed: int, tell: Told | None = None) -> Net:
    """Train an exploiter of a player for so many decisions."""
    sense = sense_of(setups[0])
    begun = learnt(setups[0])
    settings = Settings(
        thumb=0.0,
        decay=sense.decay,
        games=LANES,
        batch=BATCH,
        part=PART,
        rate=RATE,
    )
    games = Against(setups, players, seed, settings)
    training = Training(sense, lambda version: partial(games.lot, version), seed, settings)
    if begun is None:
        imitate(training, watch(sense, setups, players, int(COPIED * decisions), seed))
    else:
        training.policy.begin_as(begun.net.policy)
        training.value.begin_as(begun.net.value)
    while training.decisions < decisions:
        version = training.version()
        training.learn(games.lot(version), training.decisions / decisions)
        if tell is not None and training.updates % TELL == 0:
            recent, games.scores = games.scores or [0.0], []
            won = 50.0 + 50.0 * sum(recent) / len(recent)
            tell(f"{training.decisions} decisions, {training.finished} games; {won:.1f} % of the last {len(recent)}")
    game = setups[0]
    return training.net({"game": game.name, "rules": game.version, "cards": game.learnt_hash, "decisions": decisions})

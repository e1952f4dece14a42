"""The learned best response: a fixed recipe that trains an exploiter against a frozen player.

The exploiter plays one seat of many games side by side, the player all others. It begins as the network in the game's
folder where there is one that takes half of the games or more, else as the player itself, and learns by proximal policy
optimisation from the results alone until it has made so many decisions. Then it is frozen too, and both play deals that
neither has seen. What it scores there is a lower bound: a longer training, or another recipe, might find more.

Everything follows from the seed, and the same figures come out again on the same machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from gonfalon.bots import Bot
from gonfalon.bots.batch import Batch
from gonfalon.bots.network import Net
from gonfalon.core.game import Game
from gonfalon.core.rng import Rng
from gonfalon.core.state import State
from gonfalon.learn.benchmark.shadow import leaning
from gonfalon.learn.ppo import Training
from gonfalon.learn.selfplay import Games
from gonfalon.learn.settings import Settings
from gonfalon.review.players import learnt
from gonfalon.vector.networks import sense_of
from gonfalon.vector.slices import SPREAD

LANES: Final = 128
"""Games side by side, over all set-ups."""
BATCH: Final = 4096
"""Decisions that are learnt from at once,"""
PART: Final = 1024
"""and of these in each step."""
RATE: Final = 3e-4
TELL: Final = 10
"""Updates between two lines about how it goes."""
Told = Callable[[str], None]


class Against(Games):
    """Games of an exploiter against a player, in every set-up, many side by side."""

    def __init__(self, setups: list[Game], players: list[Bot], seed: int, settings: Settings, advised: bool) -> None:
        """`players` is the same player for each set-up. Where the exploiter is `advised`, its hunches are what the
        player would do in its place."""
        super().__init__(sense_of(setups[0]), setups, seed, settings, SPREAD, players)
        self.players = players
        self.advised = advised
        self.luck = Rng(seed)
        for lanes, game in zip(self.parts, setups, strict=True):
            lanes.start = game.start(log=True)  # as at a table: a view tells what has happened
        self.results: list[float] = []

    def look(self, asked: list[int], states: list[State]) -> Batch:
        batch = super().look(asked, states)
        if not self.advised:
            return batch
        hunches: list[float] = []
        for number, state in zip(asked, states, strict=True):
            player = self.players[number // self.lanes]
            hunches += leaning(state.actions, player.choose(state.mask(state.turn), None, self.luck).action)
        return replace(batch, hunches=np.array(hunches, np.float32))

    def close(self, number: int, returns: list[float]) -> None:
        self.results += [returns[seat] for seat in self.rows[number]]
        super().close(number, returns)


def respond(
    setups: list[Game], players: list[Bot], decisions: int, seed: int, tell: Told | None = None, advised: bool = False
) -> Net:
    """Train an exploiter of a player for so many decisions. It begins as the network that has learnt the game, or where
    it is `advised` as the player itself, and plays on as `ShadowBot` does."""
    sense = sense_of(setups[0])
    settings = Settings(
        thumb=0.0,
        decay=sense.decay,
        games=LANES,
        batch=BATCH,
        part=PART,
        rate=RATE,
        curious=0.0,  # who begins as a good player loses by being more even
    )
    games = Against(setups, players, seed, settings, advised)
    training = Training(sense, lambda version: partial(games.lot, version), seed, settings)
    begun = learnt(setups[0])
    if begun is not None:
        training.value.begin_as(begun.adviser.net.value)
        if not advised:
            training.policy.begin_as(begun.adviser.net.policy)
    while training.decisions < decisions:
        version = training.version()
        training.learn(games.lot(version), training.decisions / decisions)
        if tell is not None and training.updates % TELL == 0:
            recent, games.results = games.results or [0.0], []
            won = 50.0 + 50.0 * sum(recent) / len(recent)
            tell(f"{training.decisions} decisions, {training.finished} games; {won:.1f} % of the last {len(recent)}")
    game = setups[0]
    return training.net({"game": game.name, "rules": game.version, "cards": game.learnt_hash, "decisions": decisions})

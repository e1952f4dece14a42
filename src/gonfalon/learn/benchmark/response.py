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

from gonfalon.bots import Bot
from gonfalon.bots.network import Net
from gonfalon.core.game import Game
from gonfalon.learn.benchmark.copying import imitate, watch
from gonfalon.learn.benchmark.policies import sense_of
from gonfalon.learn.ppo import Training
from gonfalon.learn.selfplay import Games
from gonfalon.learn.settings import Settings
from gonfalon.review.held import NETWORK, held_hash
from gonfalon.review.players import learnt
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


class Against(Games):
    """Games of an exploiter against a player, in every set-up, many side by side."""

    def __init__(self, setups: list[Game], players: list[Bot], seed: int, settings: Settings) -> None:
        """`players` is the same player for each set-up."""
        super().__init__(sense_of(setups[0]), setups, seed, settings, SPREAD, players)
        for lanes, game in zip(self.parts, setups, strict=True):
            lanes.start = game.start(log=True)  # as at a table: a view tells what has happened
        self.results: list[float] = []

    def close(self, number: int, returns: list[float]) -> None:
        self.results += [returns[seat] for seat in self.rows[number]]
        super().close(number, returns)


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
        training.policy.begin_as(begun.adviser.net.policy)
        training.value.begin_as(begun.adviser.net.value)
    while training.decisions < decisions:
        version = training.version()
        training.learn(games.lot(version), training.decisions / decisions)
        if tell is not None and training.updates % TELL == 0:
            recent, games.results = games.results or [0.0], []
            won = 50.0 + 50.0 * sum(recent) / len(recent)
            tell(f"{training.decisions} decisions, {training.finished} games; {won:.1f} % of the last {len(recent)}")
    game = setups[0]
    return training.net({"game": game.name, "rules": game.version, "cards": game.learnt_hash, "decisions": decisions})

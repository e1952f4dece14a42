"""Networks by self-play, for a number of decisions: proximal policy optimisation (Schulman et al. 2017,
arXiv:1707.06347), alone or with the magnet of magnetic mirror descent (Sokota et al. 2022, arXiv:2206.05825), and a
player that searches with what was learnt.

All games are against the newest network itself: no rule of thumb and no earlier version sits in.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from gonfalon.bots.batch import Batch
from gonfalon.bots.network import Array, Layers, Net
from gonfalon.core.options import Options
from gonfalon.core.rng import Rng
from gonfalon.learn.command import set_ups
from gonfalon.learn.layers import reading
from gonfalon.learn.ppo import Training
from gonfalon.learn.selfplay import Lot, SelfPlay
from gonfalon.learn.settings import Settings
from gonfalon.vector.networks import sense_of

GAMES: Final = 128
BATCH: Final = 4096
PULL: Final = 0.05
"""How strongly the magnet pulls."""
FOLLOW: Final = 0.1
"""How much nearer the magnet's weights come to the policy's after each update."""
TRIES: Final = 64
"""Of a player that searches, for each decision."""
TELL: Final = 10
"""Updates between two lines about how it goes."""


class Magnetic(Training):
    """Keeps the policy near a magnet, which follows it slowly, instead of even."""

    magnet: Layers | None = None

    def calm(self, batch: Batch, full: Array, owner: Array, p: Array, logp: Array, curious: float) -> Array:
        assert self.magnet is not None
        said = reading(self.magnet, self.known)(np.ascontiguousarray(full[:, : len(self.known)]))
        apart = logp - batch.logp(said, owner)
        distance = np.add.reduceat(p * apart, batch.starts[:-1])
        fall: Array = (PULL / len(batch.rows)) * p * (apart - distance[owner])
        return fall

    def learn(self, lot: Lot, done: float) -> dict[str, float]:
        self.magnet = self.magnet or self.policy.copy()  # later the policy is narrowed to the lot's columns
        return super().learn(lot, done)

    def follow(self) -> None:
        """Let the magnet come nearer."""
        if self.magnet is not None:
            for mine, policy in (
                (self.magnet.weights, self.policy.layers.weights),
                (self.magnet.biases, self.policy.layers.biases),
            ):
                for old, new in zip(mine, policy, strict=True):
                    old += np.float32(FOLLOW) * (new - old)


def learnt(name: str, options: Options, budget: int, seed: int, magnetic: bool, tell: Callable[[str], None]) -> Net:
    """A network that has learnt from at least so many decisions."""
    games = set_ups(name, options, Rng(seed))
    sense = sense_of(games[0])
    settings = Settings(thumb=0.0, decay=sense.decay, rivals=0.0, games=GAMES, batch=min(BATCH, budget))
    playing = SelfPlay(sense, games, seed, settings)
    training = (Magnetic if magnetic else Training)(
        sense, lambda version: partial(playing.lot, version), seed, settings
    )
    while training.decisions < budget:
        training.learn(playing.lot(training.version()), training.decisions / budget)
        if isinstance(training, Magnetic):
            training.follow()
        if training.updates % TELL == 0:
            tell(f"{training.decisions} of {budget} decisions, {training.finished} games")
    game = games[0]
    return training.net(
        {"game": name, "rules": game.version, "cards": game.learnt_hash, "decisions": training.decisions}
    )

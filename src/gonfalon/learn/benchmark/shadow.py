"""How an exploiter begins as the player that it is to beat: it does what the player would do in its place, until it has
learnt where something else is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log
from typing import Final

import numpy as np

from gonfalon.bots import Bot
from gonfalon.bots.batch import Batch
from gonfalon.bots.network import Net
from gonfalon.core.game import Game
from gonfalon.core.rng import Rng
from gonfalon.core.state import Action, State
from gonfalon.vector.networks import PolicyBot

FREE: Final = 0.05
"""The part of the first likelihood that all actions share: without it nothing else would ever be tried."""


def leaning(actions: Sequence[Action], advised: Action) -> list[float]:
    """Log-odds of actions of which one was advised."""
    other = FREE / len(actions)
    return [log(1.0 - FREE + other if action == advised else other) for action in actions]


class ShadowBot(PolicyBot):
    """Does what the player would do unless it has learnt that something else is better: the likeliest, for what is left
    to chance while it learns is lost when it plays."""

    def __init__(self, name: str, game: Game, net: Net, player: Bot) -> None:
        """Raises Unlearnt."""
        super().__init__(name, game, net)
        self.player = player

    def look(self, world: State, view: State, rng: Rng) -> Batch:
        advised = self.player.choose(view, None, rng).action
        return replace(super().look(world, view, rng), hunches=np.array(leaning(world.actions, advised), np.float32))

    def pick(self, shares: list[float], rng: Rng) -> int:
        return shares.index(max(shares))

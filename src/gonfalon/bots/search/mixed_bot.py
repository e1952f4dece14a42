"""Bots that state the probability of each action."""

from __future__ import annotations

from typing import TypeAlias

from gonfalon.bots.players.bot import Bot
from gonfalon.bots.players.budget import Budget
from gonfalon.bots.players.choice import Choice
from gonfalon.bots.search.weighted_choice import drawn
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import Action, State

Mixture: TypeAlias = list[tuple[Action, float]]
"""Actions with their probabilities."""


class MixedBot(Bot):
    """A bot that states the probability of each action."""

    def mixture(self, view: State) -> Mixture:
        """Return the mixture of the seat whose view this is."""
        raise NotImplementedError

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        mixture = self.mixture(view)
        action, _ = mixture[drawn([share for _, share in mixture], rng)]
        return Choice(action, "Drawn at random from my mixed strategy.", policy=tuple(mixture))

"""A bot that chooses every legal action with equal probability."""

from __future__ import annotations

from gonfalon.bots.players.bot import Bot
from gonfalon.bots.players.budget import Budget
from gonfalon.bots.players.choice import Choice
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import State


class RandomBot(Bot):
    """Chooses any legal action."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        legal = view.legal(view.viewer)
        return Choice(legal[int(rng.below(len(legal)))], "All legal actions looked equally good to me.")

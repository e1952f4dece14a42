"""Bots that ask the game's own rule of thumb, without any search."""

from __future__ import annotations

from typing import Protocol

from gonfalon.bots.bot import Bot
from gonfalon.bots.budget import Budget
from gonfalon.bots.choice import Basis, Choice, Reason
from gonfalon.core.errors import OptionError
from gonfalon.core.game import Game
from gonfalon.core.rng import Rng
from gonfalon.core.state import Action, State


class Heuristic(Protocol):
    """What `Game.rule_of_thumb()` gives: a rule of thumb that sees one seat's view only."""

    def choose(self, view: State, rng: Rng) -> tuple[Action, str]:
        """A legal action of the seat whose view this is, and the reason as a sentence."""
        ...


class GreedyBot(Bot):
    """Asks a rule of thumb, the game's own if none is given. Raises OptionError for a game that has none."""

    def __init__(self, name: str, game: Game, heuristic: Heuristic | None = None) -> None:
        super().__init__(name, game)
        found: Heuristic | None = heuristic or game.rule_of_thumb()
        if found is None:
            raise OptionError(f"{game.title} has no heuristic, so nobody can play it as {name}; try random.")
        self.heuristic: Heuristic = found

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        legal = view.legal(view.viewer)
        if len(legal) == 1:
            return Choice(legal[0], "Nothing else is legal.")
        action, why = self.heuristic.choose(view, rng)
        return Choice(action, why, reason=Reason(Basis.RULE))

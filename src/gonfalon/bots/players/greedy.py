"""Bots that ask the game's own rule of thumb, without any search."""

from __future__ import annotations

from gonfalon.bots.players.bot import Bot
from gonfalon.bots.players.budget import Budget
from gonfalon.bots.players.choice import Choice
from gonfalon.bots.players.heuristic_bot import HeuristicRule
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.players import RuleOfThumb
from gonfalon.core.rules.state import State


class GreedyBot(Bot):
    """Asks a rule of thumb, the game's own if none is given. Raises OptionError for a game that has none."""

    def __init__(self, name: str, game: Game, rule_of_thumb: RuleOfThumb | None = None) -> None:
        super().__init__(name, game)
        found: RuleOfThumb | None = rule_of_thumb or game.rule_of_thumb()
        if found is None:
            raise OptionError(f"{game.title} has no rule of thumb, so it has no level {name}. Try random.")
        self.rule_of_thumb: RuleOfThumb = found

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return Choice(*self.rule_of_thumb.choose(view, rng))

    def explain(self, view: State, choice: Choice) -> Choice:
        if isinstance(self.rule_of_thumb, HeuristicRule):
            return self.rule_of_thumb.heuristic.explain(view, choice)
        return super().explain(view, choice)

"""Players by rule of thumb, with fewer of its ideas."""

from __future__ import annotations

from gonfalon.bots.players.bot import Bot
from gonfalon.bots.players.budget import Budget
from gonfalon.bots.players.choice import Basis, Belief, Choice, Reason
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.games.feint.bots.rule_of_thumb import FeintRuleOfThumb, Thought
from gonfalon.games.feint.face import thoughts
from gonfalon.games.feint.rules.state import FeintState
from gonfalon.games.feint.setup import FeintRules


class RuleOfThumbBot(Bot):
    """Weighs each action once, without a search. `skill` says how many ideas it has, see `rule_of_thumb`."""

    def __init__(self, name: str, game: Game, skill: int) -> None:
        super().__init__(name, game)
        assert isinstance(game, FeintRules)
        self.rule: FeintRuleOfThumb = FeintRuleOfThumb(game.setup, skill)

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        assert isinstance(view, FeintState)
        legal = view.legal(view.viewer)
        if len(legal) == 1:
            return Choice(legal[0], thoughts.ONLY)
        thought = Thought(self.rule.facts, self.rule.skill, view, rng)
        action, why = thought.choose()
        numbers = view.setup.numbers
        likely = [(str(numbers[place]), chance) for place, chance in thought.belief]
        likely.sort(key=lambda entry: (-entry[1], entry[0]))
        return Choice(
            action,
            why,
            reason=Reason(Basis.RULE),
            beliefs=(Belief(thoughts.LOCATION_CARD, tuple(likely)),) if likely else (),
        )

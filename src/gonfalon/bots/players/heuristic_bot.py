"""Players that follow a game's heuristic without any search."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.players import messages
from gonfalon.bots.players.bot import Bot
from gonfalon.bots.players.budget import Budget
from gonfalon.bots.players.choice import Choice
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.players.noise import choose_with_noise
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, State

SLIP: Final = 0.5
"""The number of noises from which an action that looks worse than the best is called a second choice."""


class HeuristicRule:
    """A rule of thumb (`Game.rule_of_thumb`) that plays what a heuristic scores highest, with noise where that is no
    blunder."""

    def __init__(self, heuristic: Heuristic, noise: float = 0.0) -> None:
        self.heuristic: Heuristic = heuristic
        self.noise: float = noise

    def choose(self, view: State, rng: Rng) -> tuple[Action, str]:
        """Return a legal action of the seat whose view this is, and a sentence if it is the only one or was drawn
        although another looks better. Otherwise `Heuristic.explain` finds the reason."""
        legal = view.legal(view.viewer)
        if len(legal) == 1:
            return legal[0], messages.ONLY_ACTION
        self.heuristic.prepare(view)
        scores = self.heuristic.scores(view) or [0.0] * len(legal)
        noise = self.noise if self.heuristic.allows_noise(view) else 0.0
        place, top = choose_with_noise(scores, noise, rng), max(scores)
        if top - scores[place] <= SLIP * noise:
            return legal[place], ""
        first = self.heuristic.named(view, legal[scores.index(top)])
        return legal[place], messages.SECOND_CHOICE.format(first=first)


class HeuristicBot(Bot):
    """A level without search. The noise (`bots/players/noise.py`) makes it weaker."""

    def __init__(self, name: str, game: Game, heuristic: Heuristic, noise: float = 0.0) -> None:
        super().__init__(name, game)
        self.rule: HeuristicRule = HeuristicRule(heuristic, noise)

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return Choice(*self.rule.choose(view, rng), beliefs=self.rule.heuristic.beliefs(view))

    def explain(self, view: State, choice: Choice) -> Choice:
        return self.rule.heuristic.explain(view, choice)

"""Bots that search a tree in worlds of the view, and report the results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gonfalon.bots.players.bot import Bot, ThinkingBot
from gonfalon.bots.players.budget import Budget, Clock
from gonfalon.bots.players.choice import Alternative, Choice, ranked
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.players.heuristic_bot import HeuristicRule
from gonfalon.bots.search.search import Search
from gonfalon.bots.search.simultaneous import SimultaneousSearch
from gonfalon.bots.search.trials import ENOUGH
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, State

ITERATIONS: Final = {"gentle": 16, "club": 128, "expert": 1024}
"""The iterations of each level of a game without bots. In a game with much luck the upper levels play alike."""


class SearchBot(ThinkingBot):
    """Searches the worlds of its view, steered by a heuristic, which answers minor questions by itself."""

    def __init__(self, name: str, game: Game, budget: Budget, heuristic: Heuristic | None = None) -> None:
        super().__init__(name, game)
        self.budget = budget
        self.heuristic: Heuristic = heuristic or Heuristic(game)

    def consider(self, view: State, legal: list[Action], clock: Clock, rng: Rng) -> Choice:
        if self.heuristic.is_minor(view):
            return Choice(*HeuristicRule(self.heuristic).choose(view, rng))
        self.heuristic.prepare(view)
        search = self.search(view, rng)
        clock.run(search.iterate)
        return self.told(search)

    def search(self, view: State, rng: Rng) -> Search:
        """Return a new search for a decision."""
        kind = SimultaneousSearch if self.heuristic.is_simultaneous(view) else Search
        return kind(view, self.sampler(view).sample, self.heuristic, rng)

    def told(self, search: Search) -> Choice:
        """Return the choice, with everything that the search has found out."""
        (action, best), *rest = search.ranked()
        policy = dict(search.policy())
        others = ranked(
            Alternative(other, tally.estimate() if tally.count >= ENOUGH else None, tally.count / search.iterations)
            for other, tally in rest
        )
        return Choice(
            action,
            value=best.estimate(),
            policy=tuple(sorted(policy.items())),
            alternatives=others,
            beliefs=search.beliefs(),
            iterations=search.iterations,
            worlds=min(search.dealt, search.most),
        )

    def explain(self, view: State, choice: Choice) -> Choice:
        return self.heuristic.explain(view, choice)


def searchers() -> dict[str, Callable[[str, Game], Bot]]:
    """Return for each level of a game without bots the function that makes its bot: a search that knows only
    the rules."""
    return dict.fromkeys(ITERATIONS, searcher)


def searcher(name: str, game: Game) -> Bot:
    """Return the bot of a level that searches."""
    return SearchBot(name, game, Budget(iterations=ITERATIONS[name]))

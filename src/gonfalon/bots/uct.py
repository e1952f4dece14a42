"""Information-set Monte Carlo tree search as it is published (Cowling, Powley and Whitehouse 2012, single observer): a
yardstick for other players. Worlds are played on at random, and nothing but the rules is known."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.budget import Budget
from gonfalon.bots.search import Search, UctSearch
from gonfalon.bots.searcher import SearchBot
from gonfalon.core.game import Game
from gonfalon.core.rng import Rng
from gonfalon.core.state import State

NAME: Final = "is-mcts"
TRIES: Final = 200


class UctBot(SearchBot):
    """Plays so, with so many tries for each decision."""

    def __init__(self, name: str, game: Game, tries: int = TRIES) -> None:
        super().__init__(name, game, Budget(iterations=tries))

    def search(self, view: State, rng: Rng) -> Search:
        return UctSearch(view, self.sampler(view).sample, self.pilot, rng)

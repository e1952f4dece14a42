"""The settings of levels: their budget of search, and their noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gonfalon.bots.players.bot import Bot
from gonfalon.bots.players.budget import Budget
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.players.heuristic_bot import HeuristicBot
from gonfalon.bots.search.searcher import SearchBot
from gonfalon.core.rules.game import Game


@dataclass(frozen=True)
class LevelSettings:
    """The settings of a level. Levels of a game differ in nothing else."""

    iterations: int = 0
    """The budget of a decision. With 0 the level plays by the heuristic alone."""
    noise: float = 0.0
    """In log-odds, by how much an action may look worse than the best and still be played a third as often. A level
    that searches has none."""

    def make_bot(self, name: str, game: Game, heuristic: Heuristic) -> Bot:
        """Return the bot of the level for a game."""
        if self.iterations:
            return SearchBot(name, game, Budget(self.iterations), heuristic)
        return HeuristicBot(name, game, heuristic, self.noise)


def make_levels(
    settings: Mapping[str, LevelSettings], heuristic: Callable[[Game], Heuristic]
) -> dict[str, Callable[[str, Game], Bot]]:
    """Return for each level the function that makes its bot, in the form of `Game.players`.

    Args:
        settings: The settings of each level, by its name.
        heuristic: Makes the heuristic of a game.
    """

    def make(name: str, game: Game) -> Bot:
        return settings[name].make_bot(name, game, heuristic(game))

    return dict.fromkeys(settings, make)

"""The levels of Jinkei."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gonfalon.bots.level_settings import LevelSettings, make_levels
from gonfalon.bots.players.bot import Bot
from gonfalon.bots.players.heuristic_bot import HeuristicRule
from gonfalon.core.rules.game import Game
from gonfalon.games.jinkei.bots.heuristic import JinkeiHeuristic

LEVELS: Final = {
    "gentle": LevelSettings(noise=1.0),
    "casual": LevelSettings(noise=0.3),
    "club": LevelSettings(iterations=16),
    "strong": LevelSettings(iterations=100),
    "expert": LevelSettings(iterations=1000),
}


def list_levels() -> dict[str, Callable[[str, Game], Bot]]:
    """Return the function that makes a bot, by level."""
    return make_levels(LEVELS, JinkeiHeuristic)


def rule_of_thumb(game: Game) -> HeuristicRule:
    """Return the rule of thumb, which plays by the heuristic alone."""
    return HeuristicRule(JinkeiHeuristic(game))

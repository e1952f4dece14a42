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
    "gentle": LevelSettings(noise=0.55),
    "casual": LevelSettings(noise=0.1),
    "club": LevelSettings(iterations=8),
    "strong": LevelSettings(iterations=40),
    "expert": LevelSettings(iterations=1000),
}


def list_levels() -> dict[str, Callable[[str, Game], Bot]]:
    """Return the function that makes a bot, by level."""
    return make_levels(LEVELS, JinkeiHeuristic)


def rule_of_thumb(game: Game) -> HeuristicRule:
    """Return the rule of thumb, which plays by the heuristic alone."""
    return HeuristicRule(JinkeiHeuristic(game))

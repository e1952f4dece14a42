"""The levels of Feint."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from gonfalon.bots.level_settings import LevelSettings, make_levels
from gonfalon.bots.networks.network import Net
from gonfalon.bots.networks.network_level import NetworkLevel
from gonfalon.bots.networks.planner import Planner, PlannerSettings
from gonfalon.bots.players.bot import Bot
from gonfalon.bots.players.heuristic_bot import HeuristicRule
from gonfalon.core.rules.game import Game
from gonfalon.games.feint.bots.heuristic import FeintHeuristic
from gonfalon.games.feint.bots.network_input import FeintNetworkInput

LEVELS: Final = {
    "gentle": LevelSettings(noise=6.5),
    "casual": LevelSettings(noise=3.3),
    "club": LevelSettings(noise=1.0),
    "strong": LevelSettings(iterations=800),
    "expert": LevelSettings(iterations=2000),
}
"""The settings by level. With cards that the network can read, those of `PLANNERS` apply instead."""
TRAINED: Final = Path(__file__).with_name("network.npz")
PLANNERS: Final = {
    "strong": PlannerSettings(iterations=16, trust=0.03, min_probability=0.0, noise=0.16),
    "expert": PlannerSettings(trust=0.007, min_probability=0.001),
}
"""The network is overconfident, so the planner also tries actions of low probability, and Strong any action."""


def list_levels() -> dict[str, Callable[[str, Game], Bot]]:
    """Return the function that makes a bot, by level."""
    makers = make_levels(LEVELS, FeintHeuristic)
    return makers | {name: NetworkLevel(TRAINED, make_planner, makers[name]) for name in PLANNERS}


def rule_of_thumb(game: Game) -> HeuristicRule:
    """Return the rule of thumb of a game."""
    return HeuristicRule(FeintHeuristic(game))


def make_planner(name: str, game: Game, net: Net, encoder: FeintNetworkInput) -> Bot:
    """Return the bot that searches the proposals of a network."""
    return Planner(name, game, net, encoder, encoder.heuristic, PLANNERS[name])


def network_input(game: Game) -> FeintNetworkInput:
    """Return the input of networks for a game."""
    return FeintNetworkInput(FeintHeuristic(game))

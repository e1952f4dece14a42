"""The levels of Generals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gonfalon.bots.level_settings import LevelSettings, make_levels
from gonfalon.bots.networks.network import Net
from gonfalon.bots.networks.network_level import NetworkLevel
from gonfalon.bots.networks.planner import Planner, PlannerSettings
from gonfalon.bots.players.bot import Bot
from gonfalon.bots.players.heuristic_bot import HeuristicRule
from gonfalon.core.rules.game import Game
from gonfalon.games.generals.bots.heuristic import GeneralsHeuristic
from gonfalon.games.generals.bots.network_input import GeneralsNetworkInput

if TYPE_CHECKING:
    from gonfalon.games.generals.rules.setup import Setup

LEVELS: Final = {
    "gentle": LevelSettings(noise=4.8),
    "casual": LevelSettings(noise=2.8),
    "club": LevelSettings(noise=1.25),
    "strong": LevelSettings(iterations=32),
    "expert": LevelSettings(iterations=240),
}
"""The settings of each level. Those of Expert apply with cards that its network cannot read."""
NETWORK_FILE: Final = Path(__file__).with_name("network.npz")
PLANNER_SETTINGS: Final = PlannerSettings(iterations=240, infers=False)


def list_bot_makers() -> dict[str, Callable[[str, Game], Bot]]:
    """Return the function that makes the bot of each level."""
    found = make_levels(LEVELS, GeneralsHeuristic)
    return found | {"expert": NetworkLevel(NETWORK_FILE, make_planner, found["expert"])}


def make_rule_of_thumb(game: Game) -> HeuristicRule:
    """Return the player that follows the heuristic."""
    return HeuristicRule(GeneralsHeuristic(game))


def make_planner(name: str, game: Game, net: Net, encoder: GeneralsNetworkInput) -> Bot:
    """Return the bot that searches with the network."""
    return Planner(name, game, net, encoder, GeneralsHeuristic(game), PLANNER_SETTINGS)


def make_network_input(game: Game, setup: Setup) -> GeneralsNetworkInput:
    """Return the network input of a game."""
    return GeneralsNetworkInput(game, setup)

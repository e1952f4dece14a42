"""The levels of Faction Wars."""

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
from gonfalon.games.factionwars.bots.heuristic import FactionHeuristic
from gonfalon.games.factionwars.bots.network_input import FactionNetworkInput
from gonfalon.games.factionwars.bots.position_value import WEIGHTS
from gonfalon.games.factionwars.face.words import FactionWords

TRAINED: Final = Path(__file__).with_name("network.npz")
SETTINGS: Final = {
    "gentle": LevelSettings(noise=5.0),
    "casual": LevelSettings(noise=2.5),
    "club": LevelSettings(noise=0.9),
    "strong": LevelSettings(iterations=60),
    "expert": LevelSettings(iterations=900),
}
VARIATION: Final = 0.3
PLANNER: Final = PlannerSettings(iterations=400, trust=0.03)


def make_network_input(game: Game) -> FactionNetworkInput:
    """Return the network input of a game."""
    assert isinstance(game, FactionWords)
    return FactionNetworkInput(game, game.setup, WEIGHTS[game.seats])


def make_planner(name: str, game: Game, net: Net, encoder: FactionNetworkInput) -> Bot:
    """Return the bot of a level that has a network."""
    return Planner(name, game, net, encoder, FactionHeuristic(game), PLANNER)


def make_rule_of_thumb(game: Game) -> HeuristicRule:
    """Return the heuristic as a rule of thumb. It varies its picks a little, so that they cannot be foreseen."""
    return HeuristicRule(FactionHeuristic(game), VARIATION)


def make_players() -> dict[str, Callable[[str, Game], Bot]]:
    """Return the function that makes the bot of each level."""
    levels = make_levels(SETTINGS, FactionHeuristic)
    return {**levels, "expert": NetworkLevel(TRAINED, make_planner, levels["expert"])}

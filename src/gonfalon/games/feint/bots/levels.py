"""Who plays Feint at which level."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from gonfalon.bots.networks import weight_files
from gonfalon.bots.networks.network import Net
from gonfalon.bots.networks.network_level import NetworkLevel
from gonfalon.bots.networks.planner import Planner, PlannerSettings
from gonfalon.bots.players.bot import Bot
from gonfalon.bots.players.budget import Budget
from gonfalon.bots.search.searcher import SearchBot
from gonfalon.core.rules.game import Game
from gonfalon.games.feint.bots.heuristic import FeintHeuristic
from gonfalon.games.feint.bots.network_input import FeintNetworkInput
from gonfalon.games.feint.bots.rollout_policy import PASSING, PLAYING
from gonfalon.games.feint.bots.rule_levels import RuleOfThumbBot
from gonfalon.games.feint.rules.cards import ABILITIES

QUICK = Path(__file__).with_name("rollout_policy.json")
TRAINED: Final = Path(__file__).with_name("network.npz")
SETTINGS: Final = PlannerSettings(trust=0.007, min_probability=0.001, rule_of_thumb_share=0.5)
"""So sure a network would seldom be tried out otherwise; and in half of its games it met the rule of thumb."""

LEAN: Final = 0.5
"""The part of a search's first sight that is the rule of thumb's: quick players see too little of what abilities do."""


def heuristic_of(game: Game, sharp: float = 1.0) -> FeintHeuristic:
    """What steers a search through this game; `sharp` is 0 to 1, how well it reads the other's cards."""
    weights = weight_files.read(QUICK, {"pass": PASSING, "play": PLAYING, "ability": [""]}, {"ability": ABILITIES})
    return FeintHeuristic(game, weights["pass"], weights["play"], weights["ability"], sharp)


def network_input(game: Game) -> FeintNetworkInput:
    """Return how networks read this game."""
    return FeintNetworkInput(heuristic_of(game))


def searching(name: str, game: Game, iterations: int, sharp: float) -> Bot:
    """Searches, for so many iterations."""
    return SearchBot(name, game, Budget(iterations), heuristic_of(game, sharp), LEAN)


def planning(name: str, game: Game, net: Net, encoder: FeintNetworkInput) -> Bot:
    """Asks the network and tries out what it proposes."""
    return Planner(name, game, net, encoder, encoder.policy, SETTINGS)


def players() -> dict[str, Callable[[str, Game], Bot]]:
    """For each level what makes the bot."""
    return {
        "gentle": partial(RuleOfThumbBot, skill=1),
        "casual": partial(RuleOfThumbBot, skill=2),
        "club": partial(RuleOfThumbBot, skill=3),
        "strong": partial(searching, iterations=40, sharp=0.3),
        "expert": NetworkLevel(TRAINED, planning, partial(searching, iterations=1000, sharp=1.0)),
    }

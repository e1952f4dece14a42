"""Who plays Feint at which level."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from gonfalon.bots import weight_files
from gonfalon.bots.bot import Bot
from gonfalon.bots.budget import Budget
from gonfalon.bots.network import load
from gonfalon.bots.planner import Ideas, Planner
from gonfalon.bots.searcher import SearchBot
from gonfalon.core.game import Game
from gonfalon.games.feint.bots.network_input import FeintNetworkInput
from gonfalon.games.feint.bots.rollout_policy import PASSING, PLAYING
from gonfalon.games.feint.bots.rule_levels import RuleOfThumbBot
from gonfalon.games.feint.bots.search_policy import FeintSearchPolicy
from gonfalon.games.feint.rules.cards import ABILITIES

QUICK = Path(__file__).with_name("rollout_policy.json")
TRAINED: Final = Path(__file__).with_name("network.npz")
IDEAS: Final = Ideas(trust=0.007, rare=0.001, rule_of_thumb_share=0.5)
"""So sure a network would seldom be tried out otherwise; and in half of its games it met the rule of thumb."""


def search_policy(game: Game, sharp: float = 1.0) -> FeintSearchPolicy:
    """What steers a search through this game; `sharp` is 0 to 1, how well it reads the other's cards."""
    weights = weight_files.read(QUICK, {"pass": PASSING, "play": PLAYING, "ability": [""]}, {"ability": ABILITIES})
    return FeintSearchPolicy(game, weights["pass"], weights["play"], weights["ability"], sharp)


def network_input(game: Game) -> FeintNetworkInput | None:
    """What a network sees of this game; None with a box of another size."""
    policy = search_policy(game)
    return FeintNetworkInput(policy) if FeintNetworkInput.serves(policy) else None


def by_rule_of_thumb(skill: int) -> Callable[[str, Game], Bot]:
    """Makes players with so many of the ideas of the rule of thumb."""

    def build(name: str, game: Game) -> Bot:
        return RuleOfThumbBot(name, game, skill)

    return build


def searching(iterations: int, sharp: float) -> Callable[[str, Game], Bot]:
    """Makes players that search, for so many iterations."""

    def build(name: str, game: Game) -> Bot:
        return SearchBot(name, game, Budget(iterations), search_policy(game, sharp))

    return build


def expert(name: str, game: Game) -> Bot:
    """Asks the network and tries out what it proposes; with cards that the network has not learnt, searches."""
    sight = network_input(game)
    if sight is None or not load(TRAINED).fits(game, sight):
        return searching(1000, 1.0)(name, game)
    return Planner(name, game, load(TRAINED), sight, sight.policy, IDEAS)


def players() -> dict[str, Callable[[str, Game], Bot]]:
    """For each level what makes the bot."""
    return {
        "gentle": by_rule_of_thumb(1),
        "casual": by_rule_of_thumb(2),
        "club": by_rule_of_thumb(3),
        "strong": searching(40, 0.3),
        "expert": expert,
    }

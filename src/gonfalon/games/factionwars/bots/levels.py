"""The five levels of Faction Wars."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from gonfalon.bots.networks.network_level import NetworkLevel
from gonfalon.bots.players.bot import Bot
from gonfalon.bots.players.greedy import GreedyBot
from gonfalon.core.rules.game import Game
from gonfalon.games.factionwars.bots.expert import Learner
from gonfalon.games.factionwars.bots.network_input import FactionNetworkInput
from gonfalon.games.factionwars.bots.rule_levels import Casual, Club, Gentle
from gonfalon.games.factionwars.bots.rule_of_thumb import RuleOfThumb
from gonfalon.games.factionwars.bots.search_levels import TrialBot
from gonfalon.games.factionwars.bots.settings import (
    EXPERT,
    EXPERT_AMONG_MORE,
    STRONG,
    STRONG_AMONG_MORE,
    WEIGHTS,
    Settings,
)
from gonfalon.games.factionwars.face.words import FactionWords

TRAINED: Final = Path(__file__).with_name("network.npz")
ADAPTED: Final = "On a set with five changed cards it still won 69 % against Strong."
"""Measured strength with other cards (docs/strength/notes/networks.md)."""


def simple(player: type[RuleOfThumb], name: str, game: Game) -> Bot:
    """A bot that goes by a rule of thumb."""
    assert isinstance(game, FactionWords)
    return GreedyBot(name, game, player(game))


def trying(two: Settings, more: Settings, name: str, game: Game) -> Bot:
    """A bot that tries rounds out, between two or among more."""
    return TrialBot(name, game, two if game.seats == 2 else more)


def network_input(game: Game) -> FactionNetworkInput:
    """Return how networks read this game."""
    assert isinstance(game, FactionWords)
    return FactionNetworkInput(game, game.setup, WEIGHTS[game.seats])


def players() -> dict[str, Callable[[str, Game], Bot]]:
    """What makes a bot of each level."""
    return {
        "gentle": partial(simple, Gentle),
        "casual": partial(simple, Casual),
        "club": partial(simple, Club),
        "strong": partial(trying, STRONG, STRONG_AMONG_MORE),
        "expert": NetworkLevel(TRAINED, Learner, partial(trying, EXPERT, EXPERT_AMONG_MORE), ADAPTED),
    }

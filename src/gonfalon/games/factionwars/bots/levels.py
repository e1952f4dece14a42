"""The five levels of Faction Wars."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from gonfalon.bots.bot import Bot
from gonfalon.bots.greedy import GreedyBot
from gonfalon.bots.network import load
from gonfalon.core.game import Game
from gonfalon.games.factionwars.bots.expert import Learner
from gonfalon.games.factionwars.bots.network_input import FactionSense
from gonfalon.games.factionwars.bots.rule_levels import Casual, Club, Gentle
from gonfalon.games.factionwars.bots.search_levels import Thinker
from gonfalon.games.factionwars.bots.settings import (
    EXPERT,
    EXPERT_AMONG_MORE,
    STRONG,
    STRONG_AMONG_MORE,
    WEIGHTS,
    Ideas,
)
from gonfalon.games.factionwars.game import FactionWars

TRAINED: Final = Path(__file__).with_name("network.npz")


def gentle(name: str, game: Game) -> Bot:
    """Counts points."""
    assert isinstance(game, FactionWars)
    return GreedyBot(name, game, Gentle(game))


def casual(name: str, game: Game) -> Bot:
    """Weighs cards, and asks where the others go."""
    assert isinstance(game, FactionWars)
    return GreedyBot(name, game, Casual(game))


def club(name: str, game: Game) -> Bot:
    """Counts battle decks too."""
    assert isinstance(game, FactionWars)
    return GreedyBot(name, game, Club(game))


def thinker(two: Ideas, more: Ideas) -> Callable[[str, Game], Bot]:
    """What makes a bot that tries rounds out, between two and among more."""

    def make(name: str, game: Game) -> Bot:
        assert isinstance(game, FactionWars)
        return Thinker(name, game, two if game.seats == 2 else more)

    return make


def sense(game: Game) -> FactionSense:
    """What a network sees of this game."""
    assert isinstance(game, FactionWars)
    return FactionSense(game, game.setup, WEIGHTS[game.seats])


def expert(name: str, game: Game) -> Bot:
    """Asks a network between two, with the cards of the box; elsewhere it does without."""
    assert isinstance(game, FactionWars)
    if game.seats == 2 and not game.later:
        sight = sense(game)
        if load(TRAINED).fits(game, sight):
            return Learner(name, game, load(TRAINED), sight)
    return thinker(EXPERT, EXPERT_AMONG_MORE)(name, game)


def players() -> dict[str, Callable[[str, Game], Bot]]:
    """What makes a bot of each level."""
    return {
        "gentle": gentle,
        "casual": casual,
        "club": club,
        "strong": thinker(STRONG, STRONG_AMONG_MORE),
        "expert": expert,
    }

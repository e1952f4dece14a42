"""The five levels of Faction Wars, and a network's player between two."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from gonfalon.bots.bot import Bot
from gonfalon.bots.greedy import GreedyBot
from gonfalon.bots.net import load
from gonfalon.core.errors import OptionError
from gonfalon.core.game import Game
from gonfalon.games.factionwars.game import FactionWars
from gonfalon.games.factionwars.players.fast_sense import FactionSense
from gonfalon.games.factionwars.players.ideas import (
    EXPERT,
    EXPERT_AMONG_MORE,
    EXTRA,
    STRONG,
    STRONG_AMONG_MORE,
    WEIGHTS,
    Ideas,
)
from gonfalon.games.factionwars.players.learner import Learner
from gonfalon.games.factionwars.players.rules import Casual, Club, Gentle
from gonfalon.games.factionwars.players.thinker import Thinker

TRAINED: Final = Path(__file__).with_name("learned.npz")


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
    extra = [EXTRA.get(entry.get("ability", ""), 0.0) for entry in game.entries]
    return FactionSense(game, game.setup, WEIGHTS[game.seats], extra)


def learned(name: str, game: Game) -> Bot:
    """Asks a network. Raises OptionError without numpy, and for what the network has not learnt."""
    assert isinstance(game, FactionWars)
    net = load(TRAINED)
    sight = sense(game)
    if not net.fits(game, sight):
        raise OptionError("The network of Faction Wars has learnt the cards of the box, for two seats, only.")
    return Learner(name, game, net, sight)


def players(game: Game) -> dict[str, Callable[[str, Game], Bot]]:
    """What makes a bot of each level. The network needs numpy, two seats and the cards of the box."""
    found: dict[str, Callable[[str, Game], Bot]] = {
        "gentle": gentle,
        "casual": casual,
        "club": club,
        "strong": thinker(STRONG, STRONG_AMONG_MORE),
        "expert": thinker(EXPERT, EXPERT_AMONG_MORE),
    }
    box = game.options["cards"] is None and game.options["revision"] == "earlier"
    if game.seats == 2 and box and find_spec("numpy") is not None:
        found["learned"] = learned
    return found

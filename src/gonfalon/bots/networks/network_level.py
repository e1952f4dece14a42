"""Levels that use a trained network, and search with cards that are too different from those it was trained with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gonfalon.bots.networks.adaptation import UNCHANGED, find_adaptation
from gonfalon.bots.networks.network import Net, load, load_description
from gonfalon.bots.players.bot import Bot
from gonfalon.core.rules.game import Game

ADAPTED: Final = "{} was trained with other cards and plays each new one like the trained card that resembles it most."
SEARCHING: Final = "{} was not trained for this set, so it searches instead."


@dataclass(frozen=True)
class NetworkLevel:
    """Makes the bot of a level: with a network if it knows most of the game's cards, otherwise by search."""

    file: Path
    with_network: Callable[[str, Game, Net, Any], Bot]
    """Makes the bot from its name, the game, the network and the game's `NetworkInput`."""
    without_network: Callable[[str, Game], Bot]

    def __call__(self, name: str, game: Game) -> Bot:
        adaptation = find_adaptation(game, load_description(self.file))
        if adaptation is None:
            return self.without_network(name, game)
        return self.with_network(name, game, adaptation.apply(load(self.file)), game.network_input())

    def note(self, title: str, game: Game) -> str:
        """Return a sentence for people if the network was trained with other cards for this number of seats."""
        description = load_description(self.file)
        adaptation = find_adaptation(game, description)
        if adaptation is UNCHANGED or description.seats(game) != game.seats:
            return ""
        return SEARCHING.format(title) if adaptation is None else ADAPTED.format(title)

"""Levels that use a trained network, and search where it was not trained with the cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gonfalon.bots.networks.network import Net, load, load_description
from gonfalon.bots.networks.network_input import NetworkInput
from gonfalon.bots.players.bot import Bot
from gonfalon.core.rules.game import Game

NOTE: Final = "{} has not learnt these cards, so it plays by search alone."


@dataclass(frozen=True)
class NetworkLevel:
    """Makes the bot of a level: with a network if it was trained with the game's cards, otherwise by search."""

    file: Path
    with_network: Callable[[str, Game, Net, Any], Bot]
    """Makes the bot from its name, the game, the network and the game's `NetworkInput`."""
    without_network: Callable[[str, Game], Bot]

    def __call__(self, name: str, game: Game) -> Bot:
        encoder = self._encoder(game)
        if encoder is None:
            return self.without_network(name, game)
        return self.with_network(name, game, load(self.file), encoder)

    def note(self, title: str, game: Game) -> str:
        """Return a sentence for people if the bot plays without the network that it has for this number of seats."""
        seats = load_description(self.file).about["options"].get("seats", game.seats)
        return NOTE.format(title) if int(seats) == game.seats and self._encoder(game) is None else ""

    def _encoder(self, game: Game) -> NetworkInput | None:
        """Return the game's network input, or None if the network was trained with other cards or rules."""
        found = game.network_input()
        return found if isinstance(found, NetworkInput) and load_description(self.file).fits(game, found) else None

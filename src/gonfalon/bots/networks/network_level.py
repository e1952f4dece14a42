"""Levels that ask a trained network, and search where it has not learnt the cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gonfalon.bots.networks.network import Net, load, load_outline
from gonfalon.bots.networks.network_input import NetworkInput
from gonfalon.bots.players.bot import Bot
from gonfalon.core.rules.game import Game

NOTE: Final = "{} has not learnt these cards, so it plays by search alone."


@dataclass(frozen=True)
class NetworkLevel:
    """Makes the bot of a level: with `asking` where the network of `file` has learnt the game, else with `searching`.

    `asking` is also given the network and what it sees of the game.
    """

    file: Path
    asking: Callable[[str, Game, Net, Any], Bot]
    searching: Callable[[str, Game], Bot]

    def __call__(self, name: str, game: Game) -> Bot:
        sense = self._sense(game)
        return self.searching(name, game) if sense is None else self.asking(name, game, load(self.file), sense)

    def note(self, title: str, game: Game) -> str:
        """Return a sentence for people where the bot does without the network that it has for this number of seats."""
        seats = load_outline(self.file).about["options"].get("seats", game.seats)
        return NOTE.format(title) if int(seats) == game.seats and self._sense(game) is None else ""

    def _sense(self, game: Game) -> NetworkInput | None:
        """Return what the network sees of the game; None where it has not learnt it."""
        sense = game.network_input()
        return sense if isinstance(sense, NetworkInput) and load_outline(self.file).fits(game, sense) else None

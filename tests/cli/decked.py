"""The small game for three, with the decks of Generals."""

from __future__ import annotations

from typing import ClassVar

from gonfalon.core.decks import Decks
from gonfalon.games.generals import data
from gonfalon.games.generals.decks import GeneralsDecks
from tests.cli.bids import Bids


class Decked(Bids):
    name: ClassVar[str] = "decked"

    def decks(self) -> Decks:
        return GeneralsDecks(data.load())

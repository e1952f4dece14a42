"""The small game for three, with the decks of Generals."""

from __future__ import annotations

from typing import ClassVar

from gonfalon.core.basics.decks import Decks
from gonfalon.games.generals.cards import files
from gonfalon.games.generals.cards.decks import GeneralsDecks
from tests.cli.bids import Bids


class Decked(Bids):
    name: ClassVar[str] = "decked"

    def decks(self) -> Decks:
        return GeneralsDecks(files.load())

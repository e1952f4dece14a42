"""The card pool of Generals as plain objects: cards, factions, decks. files.py reads and checks it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Any, Final

from gonfalon.core.basics.decks import Deck
from gonfalon.core.files.card_files import CardData, Raw, hash_data

TYPES: Final = ("character", "strategy", "equipment", "counter", "commandment")
SUBTYPES: Final[dict[str, tuple[str, ...]]] = {
    "character": (),
    "strategy": ("tactics", "fire", "water"),
    "equipment": ("armament", "troop"),
    "counter": (),
    "commandment": (),
}
NEUTRAL: Final = "NONE"
Table = Raw
"""A table of a card file before it is checked. Its contents are untrusted."""
Row = list[Any]
"""A list within a table, such as a condition."""


@dataclass(frozen=True)
class Card:
    """A printed card. `kind` is its number in the rules, which is its index in the pool."""

    kind: int
    id: str
    slug: str
    name: str
    type: str
    subtypes: tuple[str, ...]
    faction: str
    cost: int
    """The printed number of cards from hand, which effects read. 0 if the price is something else, or nothing."""
    pay: dict[str, int]
    """The whole price: the amounts of `hand`, `resource` and `sacrifice` that are above 0 (ruling 28)."""
    might: int
    wits: int
    upkeep: int
    text: str
    abilities: list[Table]
    """The abilities in the effect language, which effects.md explains and checker.py checks."""
    requires: list[Row]
    """Conditions without which the card cannot be played."""
    host: Table
    """The requirements for the bearer of an Equipment; empty if any general may bear it."""
    rulings: tuple[int, ...]
    otherwise: dict[str, str]
    """The text in games where an option has not its default value, by the name of the option."""
    sources: dict[str, str]
    """The provenance of each printed thing: rulebook, publisher, inferred or ours."""
    story: str

    @property
    def tactics(self) -> bool:
        """Whether a general must execute the card (ruling 18)."""
        return "tactics" in self.subtypes


@dataclass(frozen=True)
class Faction:
    """A faction mark. `counts` is whether it counts for the hand limit (ruling 57)."""

    code: str
    slug: str
    name: str
    counts: bool
    colour: str
    glyph: str
    pattern: str
    style: str


@dataclass(frozen=True)
class Pool(CardData):
    """A checked set of cards, factions, decks and numbers."""

    cards: list[Card]
    factions: list[Faction]
    decks: list[Deck]
    """The preset decks, all of them legal."""
    deck_least: int
    deck_most: int
    copies: int
    hands: list[int]
    """The hand limits with 1, 2, 3 or more factions."""
    opening: int
    by_id: dict[str, Card]
    by_slug: dict[str, Card]

    @property
    def hash(self) -> str:
        """A short fingerprint of all data except the texts for other options, which change no game."""
        return hash_data(self._game_data)

    @property
    def cards_hash(self) -> str:
        """A short fingerprint of all data except the preset decks and the texts for other options."""
        return hash_data({key: value for key, value in self._game_data.items() if key != "deck"})

    @property
    def _game_data(self) -> Raw:
        """The data without the texts for other options."""
        cards = [{key: value for key, value in card.items() if key != "otherwise"} for card in self.raw["card"]]
        return {**self.raw, "card": cards}

    def find(self, text: str) -> Card | None:
        """Return the card with an id, a slug or a name, in any case, or None."""
        word = text.strip()
        return self.by_id.get(word.upper()) or self.by_slug.get(slug_of(word))

    def faction(self, code: str) -> Faction:
        """Return the faction with a code."""
        return next(faction for faction in self.factions if faction.code == code)

    def deck(self, slug: str) -> Deck | None:
        """Return the preset deck with a slug, or None."""
        return next((deck for deck in self.decks if deck.slug == slug), None)

    def resource(self, deck: Deck) -> list[int]:
        """Return the kinds of a deck's RESOURCE cards, ascending, one entry for each copy."""
        kinds: list[int] = []
        for card in self.cards:
            if card.type != "commandment":
                kinds += [card.kind] * deck.counts.get(card.id, 0)
        return kinds

    def commandment(self, deck: Deck) -> int:
        """Return the kind of a deck's Commandment, or -1 if it has none."""
        for card in self.cards:
            if card.type == "commandment" and deck.counts.get(card.id, 0):
                return card.kind
        return -1


def slug_of(name: str) -> str:
    """Return the slug of a name: `Tactics - Water` becomes `tactics-water`."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower().replace("'", "")
    return "-".join(re.findall(r"[a-z0-9]+", plain))

"""Decks, for games in which players bring their own. A game that has them returns its `Decks` from
`Game.decks()`; the command line and the deck builder know nothing else of it."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from typing import Final

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.basics.rng import Rng

MAX_DECK_BYTES: Final = 1 << 20


class DeckError(GonfalonError):
    """A text or a code that is no deck."""


@dataclass(frozen=True)
class Deck:
    """Cards by id with their numbers. Nothing says that it is legal: a draft is a deck too.

    `slug` and `style` (one line on how it plays) are those of a ready-made deck.
    """

    name: str
    counts: dict[str, int]
    slug: str = ""
    style: str = ""


@dataclass(frozen=True)
class DeckCard:
    """A card that may go into a deck, as tools show it. `group` is what cards are sorted by (Characters,
    Counters), `cost` what they are filtered by, None for what costs nothing anybody could count."""

    id: str
    slug: str
    name: str
    group: str
    faction: str
    """The faction's slug."""
    faction_name: str
    colour: str
    pattern: str
    glyph: str
    """What the faction's banner looks like."""
    cost: int | None
    cost_text: str
    facts: tuple[tuple[str, str], ...]
    """What else is printed in figures: ("Might", "5")."""
    text: str
    most: int
    """So many copies of it a deck may hold."""


@dataclass(frozen=True)
class Figures:
    """What a deck amounts to. `facts` are labels with texts; `curve` and `groups` labels with numbers of cards."""

    size: int
    facts: list[tuple[str, str]] = field(default_factory=list)
    groups: list[tuple[str, int]] = field(default_factory=list)
    curve: list[tuple[str, int]] = field(default_factory=list)


class Decks:
    """What a game knows about decks. Ids are those of its cards; codes are short texts that stand for the cards of a
    deck, in an address for instance."""

    option: str = "decks"
    """The game's option that lists a deck for each seat."""
    curve_title: str = "Cards by cost"
    remark: str = "# "
    """What begins a line of a deck file that `parse` passes over."""
    opening: int
    """Cards of the first hand."""

    def cards(self) -> list[DeckCard]:
        """All cards, in the order in which a deck is read."""
        raise NotImplementedError

    def ready(self) -> list[Deck]:
        """The ready-made decks."""
        raise NotImplementedError

    def lot(self, rng: Rng) -> Deck:
        """A legal deck of any cards, drawn by lot."""
        raise NotImplementedError

    def parse(self, text: str) -> tuple[Deck, list[str]]:
        """The deck of a deck file, as far as it can be read, and what cannot, as sentences with their lines."""
        raise NotImplementedError

    def text(self, deck: Deck) -> str:
        """The deck file of a deck; `parse` reads it back."""
        raise NotImplementedError

    def code(self, deck: Deck) -> str:
        """The share code of a deck's cards. Its name is no part of it: equal cards have equal codes."""
        raise NotImplementedError

    def decode(self, code: str) -> Deck:
        """The deck of a share code, without a name. Raises DeckError."""
        raise NotImplementedError

    def check(self, deck: Deck) -> list[str]:
        """All that forbids to play with a deck, as sentences; none when it is legal."""
        raise NotImplementedError

    def figures(self, deck: Deck) -> Figures:
        """What a deck amounts to."""
        raise NotImplementedError

    def pile(self, deck: Deck) -> list[str]:
        """The cards that are drawn from, in no order that means anything."""
        raise NotImplementedError

    def chance(self, deck: Deck, id: str, turn: int, first: bool) -> float:
        """How likely at least one copy of a card has been drawn by a player's turn of this number."""
        raise NotImplementedError

    # ---- for all games alike -------------------------------------------------------------------------------------

    def word(self, deck: Deck) -> str:
        """What the game's option calls a deck by: the slug of a ready-made one, else its code."""
        return deck.slug or self.code(deck)

    def named(self, deck: Deck) -> str:
        """What the game's option takes a deck by, its name included where that is possible: a code has none."""
        return self.word(deck)

    def find(self, text: str) -> Deck:
        """The deck of a slug, of a ready-made deck's name, or of a code. Raises DeckError."""
        word = text.strip().lower()
        for deck in self.ready():
            if word in (deck.slug, deck.name.lower()):
                return deck
        try:
            return self.decode(text)
        except DeckError as error:
            slugs = [deck.slug for deck in self.ready()]
            near = difflib.get_close_matches(word, slugs, 1)
            if near:
                raise DeckError(f"There is no deck {text.strip()!r}; did you mean {near[0]}?") from None
            if "/" in word or "\\" in word or word.endswith((".deck", ".txt")):
                what = f"There is no deck {text.strip()[:60]!r}"
                raise DeckError(f"{what}; of a deck file its text is taken here, not its name.") from None
            if any(letter.isdigit() for letter in word) and " " not in word:
                raise error  # it may well be meant as a code
            raise DeckError(f"There is no deck {text.strip()[:60]!r}; there are {', '.join(slugs)}.") from None

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
    """A card for decks, as tools show it. `group` is the heading (Characters, Counters), `cost` the number for filters,
    or None."""

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
    """The picture on the faction's banner."""
    cost: int | None
    cost_text: str
    facts: tuple[tuple[str, str], ...]
    """Further printed figures: ("Might", "5")."""
    text: str
    most: int
    """The maximum number of copies in a deck."""


@dataclass(frozen=True)
class Figures:
    """The figures of a deck. `facts` are labels with texts; `curve` and `groups` are labels with numbers of cards."""

    size: int
    facts: list[tuple[str, str]] = field(default_factory=list)
    groups: list[tuple[str, int]] = field(default_factory=list)
    curve: list[tuple[str, int]] = field(default_factory=list)


class Decks:
    """The decks of a game. Ids are those of its cards; codes are short texts that stand for the cards of a deck, for
    example in an address."""

    option: str = "decks"
    """The game's option that lists a deck for each seat."""
    curve_title: str = "Cards by cost"
    remark: str = "# "
    """The beginning of a comment line in a deck file."""
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
        """Return the deck in a deck file as far as it can be read, and the faults as sentences with their lines."""
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
        """Return the figures of a deck."""
        raise NotImplementedError

    def pile(self, deck: Deck) -> list[str]:
        """The cards that are drawn from, in no order that means anything."""
        raise NotImplementedError

    def chance(self, deck: Deck, id: str, turn: int, first: bool) -> float:
        """Return the probability of having drawn at least one copy of a card by a player's turn of this number."""
        raise NotImplementedError

    # ---- for all games alike -------------------------------------------------------------------------------------

    def word(self, deck: Deck) -> str:
        """Return the text that names a deck in the game's option: the slug of a preset deck, else its code."""
        return deck.slug or self.code(deck)

    def named(self, deck: Deck) -> str:
        """Return the text that names a deck in the game's option, with its name where possible: a code has none."""
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

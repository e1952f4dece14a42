"""Decks, for games whose players bring their own.

Such a game returns its `Decks` from `Game.decks()`. The command line and the deck builder know nothing else of them.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import comb
from typing import Final
from urllib.parse import parse_qsl, urlencode

from gonfalon.core.basics import share_code
from gonfalon.core.basics.errors import DeckError as DeckError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.basics.share_code import MAX_COPIES
from gonfalon.core.text.english import many
from gonfalon.core.text.untrusted import one_line, without_isolates

MAX_DECK_BYTES: Final = 1 << 20
"""The maximum size of a deck file."""
MAX_TEXT_LENGTH: Final = 50_000
MAX_NAME_LENGTH: Final = 60
TOO_LONG: Final = f"The text is longer than {MAX_TEXT_LENGTH} characters, which no deck needs."


@dataclass(frozen=True)
class Deck:
    """The numbers of cards by their ids. It may be illegal or unfinished.

    `slug` and `style` (one line on how it plays) are those of a preset deck.
    """

    name: str
    counts: dict[str, int]
    slug: str = ""
    style: str = ""


@dataclass(frozen=True)
class DeckCard:
    """A card for decks, as tools show it. `group` is its heading (Characters, Counters), `cost` the number for filters
    or None."""

    id: str
    slug: str
    name: str
    group: str = "Cards"
    faction: str = ""
    """The faction's slug."""
    faction_name: str = ""
    colour: str = "gray"
    pattern: str = "plain"
    glyph: str = "gonfalon"
    """The icon on the faction's banner."""
    cost: int | None = None
    cost_text: str = ""
    """The cost in words; by default its number."""
    facts: tuple[tuple[str, str], ...] = ()
    """Further printed numbers, such as ("Might", "5")."""
    text: str = ""
    most: int = MAX_COPIES
    """The maximum number of copies in a deck."""

    def __post_init__(self) -> None:
        if self.cost is not None and not self.cost_text:
            object.__setattr__(self, "cost_text", str(self.cost))


@dataclass(frozen=True)
class Figures:
    """The figures of a deck. `facts` are labels with texts; `curve` and `groups` are labels with numbers of cards."""

    size: int
    facts: list[tuple[str, str]] = field(default_factory=list)
    groups: list[tuple[str, int]] = field(default_factory=list)
    curve: list[tuple[str, int]] = field(default_factory=list)


class Decks:
    """The decks of a game.

    A game returns its cards, its preset decks and the bounds of a deck's size; the rest has defaults for decks without
    further rules. Ids are those of its cards. A code is a short text that stands for the cards of a deck, for example
    in an address.
    """

    option: str = "decks"
    """The name of the game's option that lists a deck for each seat."""
    curve_title: str = "Cards by cost"
    remark: str = "# "
    """The beginning of a comment line in a deck file."""
    opening: int = 0
    """The number of cards of the first hand."""
    least: int | None = 1
    """The smallest number of cards of a deck; None if the game knows it otherwise."""
    most: int | None = 99
    """The largest number of cards of a deck; None if the game knows it otherwise."""

    def cards(self) -> list[DeckCard]:
        """Return all cards, in the order in which a deck is listed."""
        raise NotImplementedError

    def ready(self) -> list[Deck]:
        """Return the preset decks."""
        raise NotImplementedError

    def lot(self, rng: Rng) -> Deck:
        """Return a random legal deck; by default a preset one."""
        return self.ready()[int(rng.below(len(self.ready())))]

    def parse(self, text: str) -> tuple[Deck, list[str]]:
        """Read a deck file.

        Returns:
            The deck as far as it can be read, and the faults as sentences with their lines.
        """
        from gonfalon.core.basics.deck_text import read_deck_text

        return read_deck_text(text, self.cards())

    def text(self, deck: Deck) -> str:
        """Return the deck file of a deck, which `parse` reads back."""
        from gonfalon.core.basics.deck_text import write_deck_text

        return write_deck_text(deck, self.cards(), self.figures(deck), self.check(deck))

    def number(self, id: str) -> int:
        """Return the number of a card in share codes, up to 2599; by default its place in the list of cards. A game
        that will insert cards returns numbers that stay."""
        return next(number for number, card in enumerate(self.cards()) if card.id == id)

    def code(self, deck: Deck) -> str:
        """Return the share code of a deck's cards, without the name: equal cards have equal codes."""
        return share_code.encode({self.number(id): count for id, count in deck.counts.items() if count > 0})

    def decode(self, code: str) -> Deck:
        """Return the deck of a share code, without a name. Raises DeckError."""
        ids = {self.number(card.id): card.id for card in self.cards()}
        cards = share_code.decode(code)
        if unknown := [self.describe_number(number) for number in cards if number not in ids]:
            raise DeckError(f"The share code names cards that this game does not have: {', '.join(unknown)}.")
        return Deck("", {ids[number]: count for number, count in cards.items()})

    def describe_number(self, number: int) -> str:
        """Return a card's number in share codes for people."""
        return str(number)

    def check(self, deck: Deck) -> list[str]:
        """Return all reasons why a deck is illegal, as sentences; none if it is legal."""
        most = {card.id: card for card in self.cards()}
        faults = [f"There is no card {id}." for id in sorted(deck.counts) if id not in most]
        size = len(self.pile(deck))
        if self.least is not None and size < self.least:
            faults.append(f"Add at least {many(self.least - size, 'card')}: a deck has at least {self.least}.")
        if self.most is not None and size > self.most:
            faults.append(f"Remove at least {many(size - self.most, 'card')}: a deck has at most {self.most}.")
        return faults + [
            f"Remove {count - most[id].most} of the {count} copies of {most[id].name}: at most {most[id].most} are "
            "allowed."
            for id, count in deck.counts.items()
            if id in most and count > most[id].most
        ]

    def figures(self, deck: Deck) -> Figures:
        """Return the figures of a deck."""
        here = [(card, deck.counts[card.id]) for card in self.cards() if deck.counts.get(card.id, 0) > 0]
        groups, curve = Counter[str](), Counter[int]()
        for card, count in here:
            groups[card.group] += count
            curve[card.cost or 0] += count
        size = len(self.pile(deck))
        columns = [(str(cost), curve[cost]) for cost in range(max(curve, default=0) + 1)]
        return Figures(size, [("Cards", str(size))], list(groups.items()), columns)

    def announced(self, deck: Deck) -> Sequence[str]:
        """Return the factions of a deck that all viewers learn before the first card; none by default."""
        return ()

    def pile(self, deck: Deck) -> list[str]:
        """Return the ids of the cards of the draw pile, in any order; by default all cards."""
        return [card.id for card in self.cards() for _ in range(deck.counts.get(card.id, 0))]

    def drawn(self, turn: int, first: bool) -> int:
        """Return the number of cards that a player has drawn by their turn of this number, from 1; 0 for the opening
        hand."""
        return self.opening + turn

    def chance(self, deck: Deck, id: str, turn: int, first: bool) -> float:
        """Return the probability of having drawn at least one copy of a card.

        Args:
            deck: The deck.
            id: The id of the card.
            turn: The number of the player's turn, from 1.
            first: Whether the player begins the game.
        """
        pile = self.pile(deck)
        size, copies = len(pile), pile.count(id)
        if not copies:
            return 0.0
        cards = min(self.drawn(turn, first), size)
        # The complement of drawing only other cards.
        return 1 - comb(size - copies, cards) / comb(size, cards)

    def fill(self, deck: Deck) -> Deck:
        """Return a deck filled up to a legal one, as far as cards can be added, from the most similar preset decks."""

        def count_common(other: Deck) -> int:
            return sum(min(count, deck.counts.get(id, 0)) for id, count in other.counts.items())

        ready = sorted(self.ready(), key=lambda other: -count_common(other))
        size, filled, faults = self.figures(ready[0]).size, Deck(deck.name, deck.counts), len(self.check(deck))
        for id, count in (card for other in ready for card in other.counts.items()):
            for _ in range(count - filled.counts.get(id, 0)):
                more = Deck(deck.name, filled.counts | {id: filled.counts.get(id, 0) + 1})
                left = len(self.check(more))
                if left <= faults and self.figures(more).size <= size:
                    filled, faults = more, left
            if not faults and self.figures(filled).size >= size:
                break
        return filled

    # ---- for all games alike -------------------------------------------------------------------------------------

    def word(self, deck: Deck) -> str:
        """Return the text that names a deck in the game's option: the slug of a preset deck, else its code."""
        return deck.slug or self.code(deck)

    def named(self, deck: Deck) -> str:
        """Return the text that names a deck in the game's option, with its name where possible: a code has none."""
        return self.word(deck)

    def link(self, deck: Deck) -> str:
        """Return the end of a deck's link: its code and its name."""
        fields = {"d": self.code(deck) if deck.counts else "", "name": deck.name}
        return "?" + urlencode({key: value for key, value in fields.items() if value})

    def read_link(self, text: str) -> Deck | None:
        """Return the deck of a link to any server; None for other text. Raises DeckError."""
        # The host is ignored, because a deck is the same on every server.
        _, _, query = text.strip().partition("?")
        fields = dict(parse_qsl(query.partition("#")[0])) if "\n" not in query else {}
        code = fields.get("d", "").strip()
        return replace(self.decode(code), name=clean_deck_name(fields.get("name", ""))) if code else None

    def read(self, text: str) -> Deck:
        """Return the deck of any text: a link, a share code, a preset deck's name, or a list of cards.

        Raises:
            DeckError: The text is none of these. The message names all faults of a list.
        """
        if not text.strip():
            raise DeckError("Enter a share code, a link, or a list of cards.")
        if len(text) > MAX_TEXT_LENGTH:
            raise DeckError(TOO_LONG)
        linked = self.read_link(text)
        if linked is not None:
            return linked
        deck, faults = self.parse(text)
        if deck.counts and not faults:
            return deck
        if "\n" not in text.strip():
            return self.find(text)
        raise DeckError(" ".join(faults) or "There is no card in this text.", faults)

    def find(self, text: str) -> Deck:
        """Return the deck of a slug, of a preset deck's name, of a code, or of a link. Raises DeckError."""
        linked = self.read_link(text)
        if linked is not None:
            return linked
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
                # A file name is refused here: options come from web forms too, which must not read files.
                raise DeckError(
                    f"There is no deck {text.strip()[:60]!r}. Paste the text of a deck file instead of its name."
                ) from None
            if any(letter.isdigit() for letter in word) and " " not in word:
                raise error  # digits suggest a code, whose error is more precise
            raise DeckError(f"There is no deck {text.strip()[:60]!r}. Known decks: {', '.join(slugs)}.") from None


def clean_deck_name(text: str) -> str:
    """Return a valid name for a deck."""
    return one_line(without_isolates(text))[:MAX_NAME_LENGTH].strip()

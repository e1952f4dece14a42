"""A deck that is being built: what lies in it, which cards are looked through, and what was before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from gonfalon.core.decks import Deck, DeckCard, Decks, Figures, Sieve, with_more
from gonfalon.core.english import many
from gonfalon.terminal import deck_shelf
from gonfalon.terminal.decks import TURNS, curve

CARDS, DECK = "cards", "deck"
ANY: Final = ""


@dataclass(eq=False)
class Source:
    """Where a deck is kept, if anywhere, and what can be had again there: its file, a ready-made deck, an empty one."""

    path: Path | None = None
    stored: Deck | None = None


class Builder:
    """The deck and the cards. `column` says in which of the two the cursor is."""

    def __init__(self, game: str, title: str, decks: Decks, deck: Deck, kept: Path | None = None) -> None:
        self.game, self.title, self.decks = game, title, decks
        self.cards: Sequence[DeckCard] = decks.cards()
        self.by_id = {card.id: card for card in self.cards}
        self.sieve = Sieve()
        self.column = CARDS
        self.at = {CARDS: self.cards[0].id if self.cards else "", DECK: ""}
        """The card under the cursor in each column."""
        self.before: list[tuple[Deck, Source]] = []
        """A file that is written, renamed or deleted is that for all decks that came from it."""
        self.deck, self.source = deck, Source(kept, deck)
        self.faults: list[str] = []
        self.figures = Figures(0)
        self.weigh()

    def weigh(self) -> None:
        """Look anew at what the deck amounts to."""
        self.faults, self.figures = self.decks.check(self.deck), self.decks.figures(self.deck)
        if self.deck.counts.get(self.at[DECK], 0) == 0:
            rows = self.rows()
            self.at[DECK] = rows[0].id if rows else ""
            self.column = self.column if rows else CARDS

    @property
    def kept(self) -> Path | None:
        """The file in which it is kept."""
        return self.source.path

    @property
    def saved(self) -> bool:
        """Whether it can be had again as it is now."""
        return self.deck == self.source.stored

    # ---- what is shown ---------------------------------------------------------------------------

    def shown(self) -> list[DeckCard]:
        """The cards that the filters let through."""
        return [card for card in self.cards if self.sieve.shows(card)]

    def rows(self) -> list[DeckCard]:
        """The cards of the deck."""
        return [card for card in self.cards if self.deck.counts.get(card.id)]

    def listed(self) -> list[DeckCard]:
        """The cards of the column with the cursor."""
        return self.shown() if self.column == CARDS else self.rows()

    @property
    def card(self) -> DeckCard | None:
        """The card under the cursor."""
        return self.by_id.get(self.at[self.column])

    def name(self) -> str:
        """What the deck is called."""
        return self.deck.name or "A deck without a name"

    def verdict(self) -> str:
        """What the rules say of it, in short."""
        size = many(self.figures.size, "card")
        return f"{size}, legal" if not self.faults else f"{size}, {many(len(self.faults), 'fault')}"

    # ---- the cursor and the filters --------------------------------------------------------------

    def move(self, by: int) -> None:
        """The cursor so many cards on."""
        some = [card.id for card in self.listed()]
        if some:
            now = some.index(self.at[self.column]) if self.at[self.column] in some else 0
            self.at[self.column] = some[min(max(now + by, 0), len(some) - 1)]

    def turn(self) -> None:
        """The cursor to the other column, at the same card if that is there."""
        here = self.at[self.column]
        other = DECK if self.column == CARDS else CARDS
        some = [card.id for card in (self.rows() if other == DECK else self.shown())]
        if some:
            self.column = other
            self.at[other] = here if here in some else self.at[other] if self.at[other] in some else some[0]

    def go_to(self, column: str, id: str) -> None:
        """The cursor to a card."""
        self.column = column
        self.at[column] = id

    def sift(self, sieve: Sieve) -> None:
        """Look through other cards; the cursor stays at its card if that is among them."""
        self.sieve = sieve
        self.column = CARDS
        some = [card.id for card in self.shown()]
        if self.at[CARDS] not in some:
            self.at[CARDS] = some[0] if some else ""

    def next_filter(self, what: str, by: int = 1) -> None:
        """The next faction, group or cost to look through; all of them after the last one."""
        found: dict[str, list[str]] = {
            "factions": list(dict.fromkeys(card.faction for card in self.cards)),
            "group": list(dict.fromkeys(card.group for card in self.cards)),
            "cost": [str(cost) for cost in sorted({card.cost for card in self.cards if card.cost is not None})],
        }
        values = [ANY, *found[what]]
        now = str(getattr(self.sieve, what))
        value = values[(values.index(now) + by) % len(values)]
        sieves = {
            "factions": replace(self.sieve, factions=value),
            "group": replace(self.sieve, group=value),
            "cost": replace(self.sieve, cost=value),
        }
        self.sift(sieves[what])

    # ---- changes ---------------------------------------------------------------------------------

    def put(self, deck: Deck, source: Source | None = None) -> None:
        """Another deck on the table, of the same file unless it comes from elsewhere; `take_back` brings back the one
        before."""
        self.before.append((self.deck, self.source))
        self.deck, self.source = deck, source or self.source
        self.weigh()

    def change(self, by: int) -> None:
        """So many copies more or less of the card under the cursor."""
        if (card := self.card) is not None:
            deck = with_more(self.deck, card.id, by)
            if deck.counts != self.deck.counts:
                self.put(deck)

    def set_to(self, count: int) -> None:
        """So many copies of the card under the cursor."""
        if (card := self.card) is not None:
            self.change(count - self.deck.counts.get(card.id, 0))

    def take_back(self) -> bool:
        """As it was before the last change; False where there is none."""
        if not self.before:
            return False
        self.deck, self.source = self.before.pop()
        self.weigh()
        return True

    # ---- names and files -------------------------------------------------------------------------

    def call(self, name: str, source: Source | None = None) -> None:
        """Give it another name."""
        name = " ".join(name.split())[:60].strip()
        self.put(replace(self.deck, name=name, slug="", style=""), source)

    def save(self) -> Path:
        """Keep it under its name. Raises DeckError and OSError."""
        path = deck_shelf.save(self.game, self.decks, self.deck)
        self.forget(path)
        self.source.path, self.source.stored = path, self.deck
        return path

    def open(self, path: Path, deck: Deck) -> None:
        """Lay a deck that is kept on the table."""
        source = next((one for one in self.sources() if one.path == path), Source(path))
        source.stored = deck
        self.put(deck, source)

    def forget(self, path: Path) -> None:
        """What this file held is not there any more."""
        for source in self.sources():
            if source.path == path:
                source.path = source.stored = None

    def sources(self) -> list[Source]:
        """That of the deck, and those of the decks before."""
        return [self.source, *(source for _, source in self.before)]

    def rename(self, name: str) -> None:
        """Give it another name, its file too. Raises DeckError and OSError."""
        was = self.kept
        self.call(name)
        if was is None:
            return
        try:
            path = self.save()
        except Exception:
            self.take_back()
            raise
        if path != was:
            was.unlink(missing_ok=True)

    def delete(self) -> None:
        """Take its file away; the deck stays on the table. Raises OSError."""
        if self.kept is not None:
            self.kept.unlink(missing_ok=True)
            self.forget(self.kept)

    # ---- in words --------------------------------------------------------------------------------

    def told(self) -> list[str]:
        """What it amounts to, in lines."""
        lines = [f"{label}: {value}" for label, value in self.figures.facts]
        lines += [f"{label}: {count}" for label, count in self.figures.groups]
        lines += ["", *curve(self.decks, self.deck)]
        card = self.card
        if card is not None and card.id in self.decks.pile(self.deck):
            count = many(self.deck.counts[card.id], "card")
            lines += ["", f"{card.name} ({count} of the deck), drawn by your turn"]
            for turn in TURNS:
                first, second = (self.decks.chance(self.deck, card.id, turn, begins) for begins in (True, False))
                lines.append(f"  {turn:>2}  {first:>4.0%} going first, {second:>4.0%} going second")
        return lines

    def shared(self) -> list[str]:
        """How it is taken elsewhere, in lines."""
        where = [] if self.kept is None else ["", f"Its file: {self.kept}"]
        code = f"Share code (the cards, without the name): {self.decks.code(self.deck)}"
        return [code, *where, "", *self.decks.text(self.deck).splitlines()]

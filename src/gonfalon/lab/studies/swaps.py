"""Decks in which plain cards replace some cards, as a baseline for studies."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.files.card_changes import Entry, copy_data, iter_entries
from gonfalon.core.files.card_files import Raw
from gonfalon.core.rules.game import Game
from gonfalon.lab.studies.overrides import SIDES

MAX_REPLACED_COPIES: Final = 4
"""Maximum number of copies of a card that are replaced at once. More would make a different deck."""


@dataclass(frozen=True)
class Slot:
    """A card of a side's deck that a plain card can replace."""

    side: str
    word: str
    """Word that names the card in the deck."""
    name: str
    copies: int

    @property
    def replaced_copies(self) -> int:
        """Number of its copies that are replaced at once."""
        return min(self.copies, MAX_REPLACED_COPIES)


def find_slots(game: Game) -> dict[str, list[Slot]]:
    """Return the replaceable cards of each side that has its own deck.

    Raises:
        OptionError: No side has any.
    """
    found: dict[str, list[Slot]] = {}
    raw = copy_data(game)
    for entry in find_owners(raw):
        side = str(entry.table["slug"])
        own = [
            Slot(side, word, str(card.get("name", word)), copies)
            for word, card, copies in list_cards(raw, entry)
            if copies and game.plain_card(card, side) is not None
        ]
        if own:
            found[side] = own
    if not found:
        raise OptionError(
            f"{game.title} has no plain card that could replace another one in a side's deck, so cards cannot be "
            f"valued. `gonfalon lab whatif {game.name}` measures the effect of a number, `gonfalon lab balance "
            f"{game.name}` the strength of the sides."
        )
    return found


def find_owners(raw: Raw) -> list[Entry]:
    """Return the factions or decks that hold cards."""
    return [
        entry for entry in iter_entries(raw) if entry.list in SIDES and entry.table.get("cards") and not entry.owner
    ]


def list_cards(raw: Raw, entry: Entry) -> list[tuple[str, Raw, int]]:
    """Return the cards of a side: word, table and number of copies.

    A faction holds the tables themselves, a deck holds numbers of copies by id.
    """
    cards = entry.table["cards"]
    if isinstance(cards, list):
        return [(str(card["slug"]), card, int(card["copies"])) for card in cards]
    by_id = {str(e.table["id"]): e.table for e in iter_entries(raw) if "id" in e.table}
    return [(id, by_id[id], copies) for id, copies in cards.items()]


def owns_cards(raw: Raw, side: str) -> bool:
    """Return whether the cards of a side belong to it alone."""
    return next(isinstance(e.table["cards"], list) for e in find_owners(raw) if e.table["slug"] == side)


def replace_cards(game: Game, raw: Raw, side: str, taken: Mapping[str, int]) -> Raw:
    """Return a copy of the data with plain cards in place of some copies.

    They take the position of the first of these, so that a shuffle keeps the order of all other cards.
    """
    # A copy through JSON is deep: the tables of the original must not change.
    made: Raw = json.loads(json.dumps(raw))
    entry = next(e for e in find_owners(made) if e.table["slug"] == side)
    for word, card, copies in list_cards(made, entry):
        count = taken.get(word, 0)
        if count:
            stand_in = game.plain_card(card, side)
            assert stand_in is not None
            replace_copies(made, entry.table, word, stand_in, copies - count, count)
    return made


def replace_copies(raw: Raw, owner: Raw, word: str, stand_in: Raw, left: int, count: int) -> None:
    """Replace `count` copies of a card by a plain card; `left` copies remain."""
    cards: list[Raw] | dict[str, int] = owner["cards"]
    if isinstance(cards, list):
        at = next(at for at, card in enumerate(cards) if card["slug"] == word)
        known = next((card for card in cards if card["slug"] == stand_in["slug"]), None)
        if known is None:
            cards.insert(at + 1, known := {**stand_in, "copies": 0})
        known["copies"] += count
        cards[at]["copies"] = left
        cards[:] = [card for card in cards if card["copies"]]
        return
    pool: list[Raw] = raw["card"]
    if all(card["id"] != stand_in["id"] for card in pool):
        # Next to the original card, since the order of the pool affects shuffles.
        pool.insert(next(at for at, card in enumerate(pool) if card["id"] == word) + 1, stand_in)
    kept = {**cards, stand_in["id"]: cards.get(stand_in["id"], 0) + count, word: left}
    owner["cards"] = {id: copies for id, copies in kept.items() if copies}


def describe_replacements(game: Game, known: Sequence[Slot]) -> list[str]:
    """Return descriptions of the plain cards, each once."""
    raw = copy_data(game)
    tables = {(str(e.table["slug"]), word): card for e in find_owners(raw) for word, card, _ in list_cards(raw, e)}
    told = []
    for slot in known:
        card = game.plain_card(tables[slot.side, slot.word], slot.side) or {}
        numbers = ", ".join(f"{key} {number}" for key, number in card.items() if type(number) is int)
        told.append(f"a plain {card.get('type', 'card')} ({numbers})")
    return list(dict.fromkeys(told))

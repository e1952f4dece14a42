"""Decks in which some cards are replaced by plain ones: what studies compare a deck with."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.files.card_files import Raw
from gonfalon.core.rules.game import Game
from gonfalon.lab.studies.overrides import SIDES, Entry, entries, plain

TOGETHER: Final = 4
"""At most so many copies of a card are replaced at once: more would make another deck of it."""


@dataclass(frozen=True)
class Slot:
    """A card of a side's deck that a plain one may stand in for."""

    side: str
    word: str
    """What the card goes by in the deck."""
    name: str
    copies: int

    @property
    def together(self) -> int:
        """How many of its copies are replaced at once."""
        return min(self.copies, TOGETHER)


def slots(game: Game) -> dict[str, list[Slot]]:
    """The cards of each side that has a deck of its own. Raises OptionError where no side has."""
    found: dict[str, list[Slot]] = {}
    raw = plain(game)
    for entry in owners(raw):
        side = str(entry.table["slug"])
        own = [
            Slot(side, word, str(card.get("name", word)), copies)
            for word, card, copies in cards_of(raw, entry)
            if copies and game.plain_card(card, side) is not None
        ]
        if own:
            found[side] = own
    if not found:
        raise OptionError(
            f"{game.title} knows no plain card that could stand in for another in one side's deck, so none can be "
            f"valued; `gonfalon lab whatif {game.name}` tells what a number does, `gonfalon lab balance {game.name}` "
            "who wins with what."
        )
    return found


def owners(raw: Raw) -> list[Entry]:
    """The factions or decks that hold cards."""
    return [entry for entry in entries(raw) if entry.list in SIDES and entry.table.get("cards") and not entry.owner]


def cards_of(raw: Raw, entry: Entry) -> list[tuple[str, Raw, int]]:
    """The cards of a side: the word that each goes by, its table, its copies. A faction holds the tables themselves, a
    deck holds numbers of copies by id."""
    cards = entry.table["cards"]
    if isinstance(cards, list):
        return [(str(card["slug"]), card, int(card["copies"])) for card in cards]
    by_id = {str(e.table["id"]): e.table for e in entries(raw) if "id" in e.table}
    return [(id, by_id[id], copies) for id, copies in cards.items()]


def in_tables(raw: Raw, side: str) -> bool:
    """Whether the cards of a side are its own, and no other deck holds them."""
    return next(isinstance(e.table["cards"], list) for e in owners(raw) if e.table["slug"] == side)


def swapped(game: Game, raw: Raw, side: str, taken: Mapping[str, int]) -> Raw:
    """A copy of the data in which plain cards stand in for so many copies of some cards of a side. They stand where the
    first of these stood, so that a shuffle lays all other cards as it would have."""
    made: Raw = json.loads(json.dumps(raw))
    entry = next(e for e in owners(made) if e.table["slug"] == side)
    for word, card, copies in cards_of(made, entry):
        count = taken.get(word, 0)
        if count:
            stand_in = game.plain_card(card, side)
            assert stand_in is not None
            put_in(made, entry.table, word, stand_in, copies - count, count)
    return made


def put_in(raw: Raw, owner: Raw, word: str, stand_in: Raw, left: int, count: int) -> None:
    """Let a plain card stand in for so many copies of a card, of which so many are left."""
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
        pool.insert(next(at for at, card in enumerate(pool) if card["id"] == word) + 1, stand_in)
    kept = {**cards, stand_in["id"]: cards.get(stand_in["id"], 0) + count, word: left}
    owner["cards"] = {id: copies for id, copies in kept.items() if copies}


def stand_ins(game: Game, known: Sequence[Slot]) -> list[str]:
    """What stands in for cards, each once, in words."""
    raw = plain(game)
    tables = {(str(e.table["slug"]), word): card for e in owners(raw) for word, card, _ in cards_of(raw, e)}
    told = []
    for slot in known:
        card = game.plain_card(tables[slot.side, slot.word], slot.side) or {}
        numbers = ", ".join(f"{key} {number}" for key, number in card.items() if type(number) is int)
        told.append(f"a plain {card.get('type', 'card')} ({numbers})")
    return list(dict.fromkeys(told))

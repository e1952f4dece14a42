"""Cards of Faction Wars as data."""

from __future__ import annotations

from typing import Required, TypedDict

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Card
from gonfalon.games.factionwars import box
from gonfalon.games.factionwars.face.words import FactionWords


class Printed(TypedDict, total=False):
    """What is printed on a card. A goal has no faction, ability, symbol, copies and battle value, an Action card no
    battle value and points."""

    slug: str
    name: str
    kind: str
    faction: str | None
    ability: str | None
    icons: list[str]
    symbol: str | None
    text: str
    rulings: list[int]
    copies: int
    battle: int
    points: int
    provenance: dict[str, str]


class CatalogueCard(Printed, total=False):
    """A card with its faction's arms."""

    faction_name: str
    colour: str


class Face(Printed, total=False):
    """A card on the table: its back, or all that is `Printed` on it."""

    back: Required[bool]


class Counted(TypedDict):
    """So many of a card."""

    card: Printed
    count: int


def printed_card(game: FactionWords, kind: int) -> Printed:
    """What is printed on a card, with what is known about it."""
    entry = game.entries[kind]
    if "rule" in entry:
        return {
            "slug": entry["slug"],
            "name": entry["name"],
            "kind": "goal",
            "text": f"Goal: {game.goal_text(kind)}.",
            "points": box.goal_number(entry, "bonus", game.seats),
            "rulings": [31],
            "provenance": {"points": "reconstructed", "name": "ours"},
        }
    card_kind = game.setup.kinds[kind]
    conscript = kind >= len(game.box.cards)
    faction = card_kind.faction
    what = "recruit" if faction >= 0 else card_kind.sort
    text, rulings = game.card_text(kind)
    card: Printed = {
        "slug": entry["slug"],
        "name": entry["name"],
        "kind": what,
        "faction": game.box.factions[faction]["slug"] if faction >= 0 else None,
        "ability": card_kind.ability or None,
        "icons": [card_kind.icon] if card_kind.icon else [],
        "symbol": entry.get("symbol"),
        "text": text,
        "rulings": list(rulings),
        "copies": entry["copies"] if conscript else game.copies(entry),
        "battle": entry.get("battle", 0),
        "points": entry.get("points", 0),
        "provenance": box.provenance(entry),
    }
    if what in ("action", "war"):
        del card["battle"], card["points"]
        del card["provenance"]["battle"], card["provenance"]["points"]
    return card


def build_face(game: FactionWords, card: Card) -> Face:
    """A card or its back."""
    return {"back": True} if card & KIND == HIDDEN else {**printed_card(game, card & KIND), "back": False}


def count_cards(game: FactionWords, cards: list[Card]) -> list[Counted]:
    """The known cards of a pile by kind, each with how many there are."""
    kinds = [card & KIND for card in cards if card & KIND != HIDDEN]
    return [{"card": printed_card(game, kind), "count": kinds.count(kind)} for kind in sorted(set(kinds))]


def abilities(game: FactionWords) -> list[list[str]]:
    """Return the guide's table of the abilities that recruits have."""
    told = {}
    for entry, kind in zip(game.box.cards, game.setup.kinds, strict=False):
        if kind.faction >= 0 and kind.ability:
            told["Bonus Card" if kind.is_bonus else entry["name"]] = kind.text.format(faction="cards of its faction")
    return [["Card", "What it does"], *map(list, told.items())]


def copies(game: FactionWords, later: FactionWords) -> list[list[str]]:
    """Return the guide's table of all cards, with their copies in both revisions."""
    rows = [["Card", "Faction", "Battle", "Points", "Copies"]]
    for number, kind in enumerate(game.setup.kinds):
        card = printed_card(game, number)
        points = str(card.get("points", "–")) if kind.prints_points else "★"
        both = dict.fromkeys([card.get("copies"), printed_card(later, number).get("copies")])
        faction = game.box.factions[kind.faction]["name"] if kind.faction >= 0 else "–"
        numbers = [str(card.get("battle", "–")), points.replace("-", "−")]
        rows.append([game.entries[number]["name"], faction, *numbers, ", later ".join(map(str, both))])
    return rows

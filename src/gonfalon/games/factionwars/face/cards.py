"""Cards of Faction Wars as data."""

from __future__ import annotations

from typing import Required, TypedDict

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Card
from gonfalon.games.factionwars import box
from gonfalon.games.factionwars.face.words import FactionWords


class Printed(TypedDict, total=False):
    """The printed parts of a card. A goal has no faction, ability, symbol, copies or battle value, an Action card no
    battle value or points."""

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
    """A card with the name and colour of its faction."""

    faction_name: str
    colour: str


class Face(Printed, total=False):
    """A card on the table: its back, or all parts of `Printed`."""

    back: Required[bool]


class Counted(TypedDict):
    """A card and the number of its copies."""

    card: Printed
    count: int


def build_printed(game: FactionWords, kind: int) -> Printed:
    """Return the printed parts of a kind of card, with the origin of its numbers."""
    entry = game.entries[kind]
    if "rule" in entry:
        return {
            "slug": entry["slug"],
            "name": entry["name"],
            "kind": "goal",
            "text": f"Goal: {game.goal_text(kind)}.",
            "points": box.find_goal_number(entry, "bonus", game.seats),
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
        "copies": entry["copies"] if conscript else game.count_copies(entry),
        "battle": entry.get("battle", 0),
        "points": entry.get("points", 0),
        "provenance": box.list_provenance(entry),
    }
    if what in ("action", "war"):
        del card["battle"], card["points"]
        del card["provenance"]["battle"], card["provenance"]["points"]
    return card


def build_face(game: FactionWords, card: Card) -> Face:
    """Return a card, or its back if the viewer does not know it."""
    return {"back": True} if card & KIND == HIDDEN else {**build_printed(game, card & KIND), "back": False}


def count_cards(game: FactionWords, cards: list[Card]) -> list[Counted]:
    """Return the known cards of a pile by kind, each with its number."""
    kinds = [card & KIND for card in cards if card & KIND != HIDDEN]
    return [{"card": build_printed(game, kind), "count": kinds.count(kind)} for kind in sorted(set(kinds))]


def list_abilities(game: FactionWords) -> list[list[str]]:
    """Return the guide's table of the abilities that recruits have."""
    told = {}
    for entry, kind in zip(game.box.cards, game.setup.kinds, strict=False):
        if kind.faction >= 0 and kind.ability:
            told["Bonus Card" if kind.is_bonus else entry["name"]] = kind.text.format(faction="cards of its faction")
    return [["Card", "What it does"], *map(list, told.items())]


def list_copies(game: FactionWords, later: FactionWords) -> list[list[str]]:
    """Return the guide's table of all cards, with their copies in both revisions."""
    rows = [["Card", "Faction", "Battle", "Points", "Copies"]]
    for number, kind in enumerate(game.setup.kinds):
        card = build_printed(game, number)
        points = str(card.get("points", "–")) if kind.prints_points else "★"
        both = dict.fromkeys([card.get("copies"), build_printed(later, number).get("copies")])
        faction = game.box.factions[kind.faction]["name"] if kind.faction >= 0 else "–"
        numbers = [str(card.get("battle", "–")), points.replace("-", "−")]
        rows.append([game.entries[number]["name"], faction, *numbers, ", later ".join(map(str, both))])
    return rows

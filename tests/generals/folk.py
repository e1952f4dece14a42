"""Generals without abilities for tests. Retuning the card pool does not change their numbers.

table = plain()
table.may.has("Ash", at="BORDER")       # SHU, cost 3, Might 5, Wits 3
table.david.has("Kite", at="ENEMY_BORDER")
"""

from __future__ import annotations

from typing import Any

from tests.generals.scenario import Table

NUMBERS: list[tuple[str, str, int, int, int]] = [
    # name, faction, cost, Might, Wits
    ("Ash", "SHU", 3, 5, 3),
    ("Birch", "SHU", 2, 4, 2),
    ("Cedar", "SHU", 1, 3, 5),
    ("Rook", "WEI", 2, 5, 2),
    ("Kite", "WEI", 1, 4, 4),
    ("Heron", "WEI", 0, 0, 6),
    ("Wolf", "QUN", 3, 6, 1),
    ("Reed", "NONE", 0, 2, 2),
    ("Sedge", "NONE", 0, 3, 3),
]


def card(id: str, name: str, type: str, *abilities: dict[str, Any], cost: Any = 0, **more: Any) -> dict[str, Any]:
    """A card for a test, neutral by default."""
    text = "Made for a test."
    made: dict[str, Any] = {"id": id, "name": name, "type": type, "faction": "NONE", "text": text, "story": text}
    if type != "commandment":
        made["cost"] = cost
    return {**made, "abilities": list(abilities), "rulings": [], **more}


FOLK = [
    card(f"X{number}", name, "character", cost=cost, faction=faction, might=might, wits=wits)
    for number, (name, faction, cost, might, wits) in enumerate(NUMBERS, start=10)
]
QUIET = card("X99", "Quiet", "commandment")
"""A Commandment that does nothing."""


def plain(*cards: dict[str, Any], **options: Any) -> Table:
    """Return a table with these generals, Commandments that do nothing, and at most three more cards."""
    return Table([*FOLK, QUIET, *cards], **{"commandments": ("X99", "X99"), **options})

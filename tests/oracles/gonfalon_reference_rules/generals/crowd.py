"""Card files for the conformance kit in which effects that are rare with the game's cards happen often:
full armies, blockers, Sieges every turn, plots against all generals."""

from __future__ import annotations

from typing import Final

from gonfalon.games.generals.cards.pool import Table

NUMBERS: Final[list[tuple[str, str, int, int, int, int]]] = [
    # name, faction, cost, Might, Wits, Upkeep
    ("Ash", "SHU", 2, 3, 3, 1),
    ("Birch", "SHU", 1, 2, 2, 0),
    ("Cedar", "SHU", 3, 4, 4, 1),
    ("Rook", "WEI", 2, 3, 1, 1),
    ("Kite", "WEI", 1, 1, 2, 0),
    ("Reed", "NONE", 0, 2, 2, 0),
    ("Sedge", "NONE", 0, 3, 1, 0),
]
HOME: Final = {"kind": "active", "cost": {"hand": 0}, "do": [{"op": "bounce", "target": {"ref": "self"}}]}
EVERYBODY: Final = {"side": "enemy", "zone": "one_of:any", "count": "all"}
PLOT: Final = {"op": "plot", "by": {"ref": "executor"}, "target": EVERYBODY, "bonus": 1, "success": "casualty"}
FLOOD: Final = {"kind": "tactic", "do": [PLOT]}


def card(id: str, name: str, type: str, *abilities: Table, **more: object) -> Table:
    """A card in the form of the card data, neutral by default."""
    text = "Made for a crowd."
    made: Table = {"id": id, "name": name, "type": type, "faction": "NONE", "text": text, "story": text}
    return {**made, "abilities": list(abilities), "rulings": [], **more}


def cards(free: bool) -> list[Table]:
    """Generals, including a horde that is free to recruit and keep, a general that returns to the hand, and Tactics."""
    made = [
        card(
            f"X{number}",
            name,
            "character",
            cost=0 if free else cost,
            faction=faction,
            might=might,
            wits=wits,
            upkeep=0 if free else upkeep,
        )
        for number, (name, faction, cost, might, wits, upkeep) in enumerate(NUMBERS, start=10)
    ]
    flood = card("X21", "Flood", "strategy", FLOOD, cost=0, subtypes=["tactics"], requires=[["executor"]])
    return [*made, card("X20", "Pan Feng", "character", HOME, cost=0, might=2, wits=2, upkeep=0), flood]


def crowded(free: bool) -> Table:
    """The decks `a` and `b`: an army with costs, or a horde with little RESOURCE, with Siegecraft on both sides."""
    made = cards(free)
    counts = {one["id"]: 1 if free else 3 for one in made} | {"C02": 1, "S05": 3}
    both = [
        {"slug": slug, "name": slug, "style": "", "commandment": "D03", "cards": {**counts, "R01": rocks}}
        for slug, rocks in (("a", 3), ("b", 2))  # no two names for one list
    ]
    return {"form": 1, "game": {"deck_least": 1, "hands": [3]}, "card": made, "deck": both}


CROWDS: Final = [(crowded(False), False), (crowded(True), True)]
"""A box for the option `strict_blocking`."""

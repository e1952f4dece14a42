"""Boxes of cards that no table plays with: for tools that look at every game there is, or at what is rare."""

from __future__ import annotations

from typing import Final

from gonfalon.core.card_files import Raw


def card(slug: str, copies: int, strength: int, morale: int, ability: str = "", **more: object) -> Raw:
    """A card in the form of the card data."""
    made = {"slug": slug, "name": slug.title(), "copies": copies, "strength": strength, "morale": morale, **more}
    return {**made, "ability": ability} if ability else made


def box(red: list[Raw], blue: list[Raw], **numbers: object) -> Raw:
    """Card data of two factions."""
    return {
        "form": 1,
        "box": numbers,
        "faction": [
            {"slug": "red", "name": "Red", "initiative": 101, "cards": red},
            {"slug": "blue", "name": "Blue", "initiative": 102, "cards": blue},
        ],
    }


SMALL: Final[Raw] = {
    "locations": [2, 5],
    "location_copies": 1,
    "capacity": 4,
    "morale": 3,
    "end_round": 2,
}
TINY: Final[list[Raw]] = [
    box([card("oak", 1, 3, 1), card("ash", 1, 1, 1)], [card("elm", 2, 2, 1)], hand=1, **SMALL),
    box(
        [card("mask", 1, 3, 1, "covert"), card("veil", 1, 1, 1, "covert"), card("rose", 1, 2, 1)],
        [card("elm", 1, 2, 1), card("dirk", 1, 1, 1, "assassin")],
        hand=2,
        **SMALL,
    ),
]
"""So small that every game of them can be played through."""


def narrow(faction: str) -> list[Raw]:
    """Plays within plays within plays, and Scramblers everywhere."""
    return [
        card(f"{faction}-{ability}", copies, 1, 1, ability)
        for ability, copies in (("conjurer", 13), ("good-for-something", 13), ("scrambler", 14))
    ]


def nested(faction: str) -> list[Raw]:
    """What is moved, taken back or bombed while other things wait."""
    return [
        card(f"{faction}-guard", 2, 1, 1, tags=["gang"], protected=True),
        *(
            card(f"{faction}-{ability}", copies, 1, 1, ability, tags=list(tags))
            for ability, copies, tags in (
                ("conjurer", 5, ()),
                ("good-for-something", 6, ("gang",)),
                ("scrambler", 6, ()),
                ("gangan", 5, ("gang",)),
                ("bomb-tower", 5, ("tower",)),
                ("engineer", 4, ("engineer",)),
                ("trojan", 3, ()),
                ("guardian-angel", 2, ("gang",)),
            )
        ),
        card(f"{faction}-archangel", 2, 1, 1, "guardian-angel", tokens=3, tags=["gang"]),
    ]


def crowded(faction: str) -> list[Raw]:
    """All that can be set off beside a Scrambler, and what changes the battles."""
    rounds = {"by": 1 if faction == "red" else -1}
    return [
        card(f"{faction}-{ability}", copies, 1, 1, ability, **more)
        for ability, copies, more in (
            ("scrambler", 9, {}),
            ("medic", 2, {"protected": True}),
            ("explorer", 3, {}),
            ("patriot", 3, {}),
            ("saboteur", 3, {}),
            ("assassin", 3, {}),
            ("support-tower", 1, {"tags": ["tower"], "protected": True}),
            ("engineer", 2, {"tags": ["engineer"]}),
            ("storm-prodigy", 2, {"protected": True}),
            ("master-of-fire", 1, {}),
            ("master-of-wind", 1, {}),
            ("master-of-earth", 1, {}),
            ("punisher", 4, {}),
            ("dragoon", 1, {}),
            ("covert", 1, {}),
            ("capacity", 2, {"by": 3}),
            ("rounds", 1, rounds),
        )
    ]


FEW: Final[Raw] = {"morale": 40, "hand": 8}
NARROW: Final = box(narrow("red"), narrow("blue"), locations=[2, 5], capacity=20, end_round=6, **FEW)
NESTED: Final = box(nested("red"), nested("blue"), locations=[2, 3, 5], capacity=12, end_round=6, **FEW)
CROWDED: Final = box(crowded("red"), crowded("blue"), locations=[2, 3, 5], capacity=7, end_round=4, **FEW)
BUSY: Final = [
    (NARROW, "itself", "tag"),
    (NESTED, "played", "faction"),
    (CROWDED, "itself", "tag"),
    (NARROW, "played", "tag"),
    (NESTED, "itself", "tag"),
    (CROWDED, "played", "tag"),
]
"""For the conformance kit, with the options `scrambler` and `gang`: what seldom happens with the cards of the game
happens all the time."""

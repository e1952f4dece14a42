"""Boxes with few cards: all games of the tiny ones can be enumerated, and those of the other are solved."""

from __future__ import annotations

from typing import Final

from gonfalon.core.files.card_files import Raw


def make_card(slug: str, copies: int, strength: int, morale: int, ability: str = "", **more: object) -> Raw:
    """Return a card in the form of the card data."""
    made = {"slug": slug, "name": slug.title(), "copies": copies, "strength": strength, "morale": morale, **more}
    return {**made, "ability": ability} if ability else made


def make_box(red: list[Raw], blue: list[Raw], **numbers: object) -> Raw:
    """Return card data with two factions."""
    return {
        "form": 1,
        "box": numbers,
        "faction": [
            {"slug": "red", "name": "Red", "initiative": 101, "cards": red},
            {"slug": "blue", "name": "Blue", "initiative": 102, "cards": blue},
        ],
    }


SMALL: Final[Raw] = {"locations": [2, 5], "location_copies": 1, "capacity": 4, "morale": 3, "end_round": 2}
TINY: Final[list[Raw]] = [
    make_box([make_card("oak", 1, 3, 1), make_card("ash", 1, 1, 1)], [make_card("elm", 2, 2, 1)], hand=1, **SMALL),
    make_box(
        [make_card("mask", 1, 3, 1, "covert"), make_card("veil", 1, 1, 1, "covert"), make_card("rose", 1, 2, 1)],
        [make_card("elm", 1, 2, 1), make_card("dirk", 1, 1, 1, "assassin")],
        hand=2,
        **SMALL,
    ),
]

_LARGER: Final[dict[str, object]] = {**SMALL, "locations": [2, 3], "capacity": 11, "morale": 9, "hand": 5}
SOLVED: Final[list[Raw]] = [
    make_box(
        [make_card("oak", 1, 8, 1, "covert"), make_card("ash", 2, 0, 1, "covert")],
        [
            make_card("elm", 1, 1, 1, "engineer", tags=["engineer"]),
            make_card("fir", 1, 1, 1, "engineer", tags=["engineer"]),
            make_card("bay", 1, 1, 1, "bomb-tower", tags=["tower"]),
            make_card("rose", 2, 1, 1),
        ],
        **_LARGER,
    )
]
"""One seat hides a strong card among three that are face down, and the other can destroy one of them."""

"""Boxes of cards in which effects that are rare with the game's cards happen often."""

from __future__ import annotations

from typing import Final

from gonfalon.core.files.card_files import Raw
from gonfalon.games.feint.tiny import make_box, make_card


def narrow(faction: str) -> list[Raw]:
    """Nested plays several levels deep, and Scramblers everywhere."""
    return [
        make_card(f"{faction}-{ability}", copies, 1, 1, ability)
        for ability, copies in (("conjurer", 13), ("good-for-something", 13), ("scrambler", 14))
    ]


def nested(faction: str) -> list[Raw]:
    """Cards that move, take back or bomb while other effects wait."""
    return [
        make_card(f"{faction}-guard", 2, 1, 1, tags=["gang"], protected=True),
        *(
            make_card(f"{faction}-{ability}", copies, 1, 1, ability, tags=list(tags))
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
        make_card(f"{faction}-archangel", 2, 1, 1, "guardian-angel", tokens=3, tags=["gang"]),
    ]


def crowded(faction: str) -> list[Raw]:
    """Cards that trigger beside a Scrambler, and cards that change battles."""
    rounds = {"by": 1 if faction == "red" else -1}
    return [
        make_card(f"{faction}-{ability}", copies, 1, 1, ability, **more)
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
NARROW: Final = make_box(narrow("red"), narrow("blue"), locations=[2, 5], capacity=20, end_round=6, **FEW)
NESTED: Final = make_box(nested("red"), nested("blue"), locations=[2, 3, 5], capacity=12, end_round=6, **FEW)
CROWDED: Final = make_box(crowded("red"), crowded("blue"), locations=[2, 3, 5], capacity=7, end_round=4, **FEW)
BUSY: Final = [
    (NARROW, "itself", "tag"),
    (NESTED, "played", "faction"),
    (CROWDED, "itself", "tag"),
    (NARROW, "played", "tag"),
    (NESTED, "itself", "tag"),
    (CROWDED, "played", "tag"),
]
"""A box for the options `scrambler` and `gang`."""

"""Card files with few cards: all games of the tiny ones can be played out, and those of the other are solved."""

from __future__ import annotations

from typing import Final

from gonfalon.games.generals.cards.pool import Table


def _make_card(id: str, name: str, type: str, cost: int, abilities: list[Table], **more: object) -> Table:
    text = "Made for the smallest games."
    card: Table = {"id": id, "name": name, "type": type, "faction": "TINY", "text": text, "story": text}
    if type != "commandment":
        card["cost"] = cost
    return {**card, "abilities": abilities, "rulings": [], **more}


def _make_general(id: str, name: str, might: int, wits: int, cost: int, *abilities: Table) -> Table:
    return _make_card(id, name, "character", cost, list(abilities), might=might, wits=wits)


def _make_pool(cards: list[Table], red: dict[str, int], blue: dict[str, int], opening: int) -> Table:
    decks = [
        {"slug": slug, "name": slug.title(), "style": "", "commandment": "D05", "cards": cards}
        for slug, cards in (("red", red), ("blue", blue))
    ]
    game = {"deck_least": 1, "deck_most": 60, "copies": 3, "opening": opening}
    return {"form": 1, "game": game, "faction": FACTIONS, "card": cards, "deck": decks}


def _make_faction(code: str) -> Table:
    return {"code": code, "slug": code.lower(), "name": code.title(), "counts": True}


FACTIONS: Final = [_make_faction("TINY"), _make_faction("NONE")]
"""The factions of the tiny files. No card is neutral, so a closed list of TINY cards can only hold cards of the file.
"""


OAK: Final = _make_general("X01", "Oak", 2, 1, 0)
ELM: Final = _make_general("X02", "Elm", 1, 2, 0)
ASH: Final = _make_general(
    "X03",
    "Ash",
    1,
    1,
    0,
    {"kind": "active", "cost": {"hand": 1}, "do": [{"op": "discard", "n": 1, "who": "enemy", "choose": "random"}]},
)
FEINT: Final = _make_card(
    "X04", "Sidestep", "counter", 0, [{"kind": "response", "to": ["melee", "siege"], "do": [{"op": "negate"}]}]
)
SCOUT: Final = _make_card(
    "X05",
    "Scouting",
    "strategy",
    0,
    [
        {
            "kind": "play",
            "do": [
                {
                    "op": "search",
                    "zone": "RESOURCE",
                    "filter": {"type": ["character"]},
                    "n": 1,
                    "to": "hand",
                    "show": True,
                }
            ],
        }
    ],
)
SPY: Final = _make_card(
    "X06",
    "Spying",
    "strategy",
    0,
    [
        {
            "kind": "play",
            "do": [
                {"op": "reveal", "zone": "hand", "who": "enemy", "n": "all", "to": "you"},
                {"op": "discard", "n": 1, "who": "enemy", "choose": "you"},
            ],
        }
    ],
)
FARM: Final = _make_card(
    "X07",
    "Farming",
    "strategy",
    1,
    [
        {
            "kind": "play",
            "do": [{"op": "recover", "n": 1, "choose": "random"}, {"op": "exile", "target": {"ref": "this"}}],
        }
    ],
)

TINY: Final[list[Table]] = [
    _make_pool([OAK, ELM, FEINT], {"X01": 2, "X02": 2}, {"X01": 1, "X02": 1, "X04": 2}, 2),
    _make_pool([OAK, ASH, SCOUT], {"X01": 1, "X03": 1, "X05": 1}, {"X01": 2, "X03": 1}, 2),
    _make_pool([OAK, ELM, SPY, FARM], {"X01": 1, "X06": 1, "X07": 2}, {"X01": 1, "X02": 2}, 2),
]


def _make_strategy(id: str, name: str, cost: int, effect: Table) -> Table:
    return _make_card(id, name, "strategy", cost, [{"kind": "play", "do": [effect]}])


def _make_counter(id: str, name: str, act: str) -> Table:
    return _make_card(id, name, "counter", 0, [{"kind": "response", "to": [act], "do": [{"op": "negate"}]}])


_DAMAGE: Final[Table] = {"op": "deplete", "n": 2, "who": "enemy"}
_STORM: Final[Table] = {"kind": "active", "cost": {"hand": 1}, "do": [{**_DAMAGE, "by": "general"}]}
SOLVED: Final[list[Table]] = [
    _make_pool(
        [
            _make_general("X02", "Elm", 2, 2, 0),
            _make_counter("X08", "Ward", "strategy"),
            _make_counter("X10", "Foil", "active"),
            _make_strategy("X11", "Purge", 0, {"op": "discard", "n": 2, "who": "enemy", "choose": "owner"}),
            {**_make_general("X12", "Storm", 1, 1, 0, _STORM), "upkeep": 0},
            _make_strategy("X09", "Raid", 1, {**_DAMAGE, "by": "card"}),
        ],
        {"X12": 1, "X09": 2, "X11": 1},
        {"X08": 2, "X10": 2, "X02": 1},
        3,
    )
]
"""One seat attacks in one of two ways, and the other keeps a Counter to one of them in secret."""

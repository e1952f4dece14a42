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


def _make_strategy(id: str, name: str, cost: int, *effects: Table) -> Table:
    return _make_card(id, name, "strategy", cost, [{"kind": "play", "do": list(effects)}])


def _make_counter(id: str, name: str, *acts: str) -> Table:
    return _make_card(id, name, "counter", 0, [{"kind": "response", "to": list(acts), "do": [{"op": "negate"}]}])


def _make_pool(
    cards: list[Table], red: dict[str, int], blue: dict[str, int], opening: int, second: str = "D05", **numbers: object
) -> Table:
    decks = [
        {"slug": slug, "name": slug.title(), "style": "", "commandment": commandment, "cards": cards}
        for slug, commandment, cards in (("red", "D05", red), ("blue", second, blue))
    ]
    game = {"deck_least": 1, "deck_most": 60, "copies": 3, "opening": opening, **numbers}
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
FEINT: Final = _make_counter("X04", "Sidestep", "melee", "siege")
SCOUT: Final = _make_strategy(
    "X05",
    "Scouting",
    0,
    {"op": "search", "zone": "RESOURCE", "filter": {"type": ["character"]}, "n": 1, "to": "hand", "show": True},
)
SPY: Final = _make_strategy(
    "X06",
    "Spying",
    0,
    {"op": "reveal", "zone": "hand", "who": "enemy", "n": "all", "to": "you"},
    {"op": "discard", "n": 1, "who": "enemy", "choose": "you"},
)
FARM: Final = _make_strategy(
    "X07", "Farming", 1, {"op": "recover", "n": 1, "choose": "random"}, {"op": "exile", "target": {"ref": "this"}}
)

TINY: Final[list[Table]] = [
    _make_pool([OAK, ELM, FEINT], {"X01": 2, "X02": 2}, {"X01": 1, "X02": 1, "X04": 2}, 2),
    _make_pool([OAK, ASH, SCOUT], {"X01": 1, "X03": 1, "X05": 1}, {"X01": 2, "X03": 1}, 2),
    _make_pool([OAK, ELM, SPY, FARM], {"X01": 1, "X06": 1, "X07": 2}, {"X01": 1, "X02": 2}, 2),
]


_EFFECTS: Final[list[Table]] = [
    {"op": "deplete", "n": 4, "who": "enemy", "by": "general"},
    {"op": "discard", "n": 1, "who": "enemy", "choose": "random"},
    {"op": "reveal", "zone": "hand", "who": "enemy", "n": "all", "to": "you"},
]
_LANDING: Final[Table] = {
    "kind": "trigger",
    "when": {"event": "recruited", "subject": {"ref": "self"}},
    "do": [{"op": "move", "target": {"ref": "self"}, "to": "ENEMY_BORDER", "ignore_block": True}],
}
_STORM: Final[list[Table]] = [
    *[{"kind": "active", "cost": {"hand": 1}, "counts_as": "attack", "do": [effect]} for effect in _EFFECTS],
    _LANDING,
]
SOLVED: Final[list[Table]] = [
    _make_pool(
        [
            {**_make_general("X12", "Storm", 4, 1, 0, *_STORM), "upkeep": 0},
            _make_counter("X08", "Ward", "siege"),
            _make_counter("X10", "Foil", "active"),
        ],
        {"X12": 5},
        {"X08": 4, "X10": 4},
        opening=3,
        second="D06",
        copies=5,
        hands=[1],
    )
]
"""One seat attacks twice by a Siege or an active effect, and the other keeps one Counter in secret."""

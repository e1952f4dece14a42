"""How the types of formations do against each other, worked out before play (`tools.fitting.jinkei_matchups`).

For formations other than those it was made with the players try rounds out themselves.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from gonfalon.games.jinkei.face.words import JinkeiWords

FILE = Path(__file__).with_name("matchups.toml")


def read(game: JinkeiWords) -> dict[tuple[int, int], float]:
    """By two types the first one's margin over a game, in points; nothing where the file is about other
    formations."""
    found = tomllib.loads(FILE.read_text())
    if found["formations"] != game.data_hash:
        return {}
    margins: dict[tuple[int, int], float] = {}
    for entry in found["pair"]:
        a, b = game.box.types.index(entry["type"]), game.box.types.index(entry["against"])
        margins[a, b] = entry["margin"]
        margins[b, a] = -entry["margin"]
    return margins

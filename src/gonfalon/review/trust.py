"""What of a review is told: only what a check on reviews of that game has found right.

`gonfalon lab review GAME --trust FILE` writes down which goals were met. Whatever missed one is left out of pages and
words, and it is said that it is.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Final

from gonfalon.core.game import Game

FILE: Final = "trust.json"
VERSION: Final = 1

CARDS: Final = "cards"
"""What the cards brought."""
MARKS: Final = "marks"
"""Which decisions are inaccuracies, mistakes, blunders."""
INTERVALS: Final = "intervals"
"""How sure a loss is."""
SUMS: Final = "sums"
"""What was given away on the whole."""
PARTS: Final = (CARDS, MARKS, INTERVALS, SUMS)


def untold_of(game: Game, network: str) -> tuple[str, ...]:
    """The parts of a review that are not told, for they missed their goal; none where nothing was checked."""
    folder = getattr(game, "folder", None)  # a game made for a test may have none
    path = None if folder is None else folder / "bots" / FILE
    return read(path, network, game.version) if path is not None and path.is_file() else ()


@lru_cache(16)
def read(path: Path, network: str, rules: str) -> tuple[str, ...]:
    """What a file leaves out; nothing where another network or other rules were checked."""
    held = json.loads(path.read_text("utf-8"))
    about = held["about"]
    if held["version"] != VERSION or about["network"] != network or about["rules"] != rules:
        return ()
    return tuple(part for part in PARTS if not held["met"][part])

"""Card data of earlier versions of a game: its `kept` folder holds those by which its own records were played.

So a new card changes neither lessons nor puzzles. Each file is named after the hash of the data.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gonfalon.core.basics.options import Options

if TYPE_CHECKING:
    from pathlib import Path

    from gonfalon.core.rules.game import Game

HASH: Final = re.compile("[0-9a-f]{16}")


def data_file(game: Game, data: str) -> Path:
    """Return where a game keeps the card data of a hash."""
    return game.folder / "kept" / f"{data}.json"


def data_option(game: Game) -> str:
    """Return the name of the option that takes the card data of a game; empty where it has none."""
    return next((option.name for option in game.options_spec if option.file), "")


def kept_data(game: Game, data: object) -> Options:
    """Return the option that gives a game of the usual cards the kept data of a hash, and nothing if it keeps none."""
    option = data_option(game)
    if not option or game.options[option] is not None or not isinstance(data, str) or not HASH.fullmatch(data):
        return {}
    file = data_file(game, data)
    if not file.is_file():
        return {}
    import json

    return {option: json.loads(file.read_text("utf-8"))}


def brief_options(game: Game) -> Options:
    """Return the options of a game as JSON, without card data that it keeps: their hash stands for them."""
    option = data_option(game)
    kept = option and game.options[option] is not None and data_file(game, game.data_hash).is_file()
    return game.shown_options() | ({option: None} if kept else {})

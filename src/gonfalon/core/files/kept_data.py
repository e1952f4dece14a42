"""Card data of earlier versions of a game, from its folder `kept`.

Lessons and puzzles are replayed with the data that they were made with, so new cards do not change them. Each file is
named after the hash of its data.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gonfalon.core.basics.options import Options

if TYPE_CHECKING:
    from pathlib import Path

    from gonfalon.core.rules.game import Game
    from gonfalon.core.rules.rules import Rules

HASH: Final = re.compile("[0-9a-f]{16}")
"""The form of a hash of card data."""


def data_file(game: Rules, data: str) -> Path:
    """Return the path of the card data of a game with a hash."""
    return game.folder / "kept" / f"{data}.json"


def data_option(game: Rules | type[Rules]) -> str:
    """Return the name of the option that takes the card data of a game; empty if there is none."""
    return next((option.name for option in game.options_spec if option.file), "")


def kept_data(game: Game, data: object) -> Options:
    """Return the options that replace the current card data of a game with kept data.

    Args:
        game: A game with the standard card data.
        data: The hash of the card data, of any origin.

    Returns:
        The option with its value; empty if the game keeps no data of that hash.
    """
    option = data_option(game)
    # The hash becomes a file name. Its form is checked, so that a record cannot name any other path.
    if not option or game.options[option] is not None or not isinstance(data, str) or not HASH.fullmatch(data):
        return {}
    file = data_file(game, data)
    if not file.is_file():
        return {}
    import json

    return {option: json.loads(file.read_text("utf-8"))}


def brief_options(game: Game) -> Options:
    """Return the options of a game as JSON, without kept card data, which their hash identifies."""
    option = data_option(game)
    kept = option and game.options[option] is not None and data_file(game, game.data_hash).is_file()
    return game.shown_options() | ({option: None} if kept else {})

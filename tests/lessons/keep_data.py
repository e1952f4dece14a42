"""Store the current card data for the records of a game: `python -m tests.lessons.keep_data GAME`."""

from __future__ import annotations

import json
import sys

from gonfalon import games
from gonfalon.core.files.kept_data import data_file


def keep(name: str) -> None:
    """Write the card data of a game to the place its records read when the built-in data changes."""
    game = games.game(name)
    option = next(option.name for option in game.options_spec if option.file)
    file = data_file(game, game.data_hash)
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(game.pinned()[option], ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    keep(sys.argv[1])

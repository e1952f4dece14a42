"""Unfinished games of this terminal: records in a folder of the user. A record holds every hidden card."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from gonfalon import games
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.files.reading import read_text
from gonfalon.core.files.record import Record, is_over, load, parse_body
from gonfalon.core.folders import locate_data

MAX_GAMES: Final = 6
"""Maximum number of games in the list."""
REVIEW_ENDING: Final = ".review.json"
"""Ending of reviews, which are in the same folder."""


class SavedGame(NamedTuple):
    """A saved game."""

    path: Path
    record: Record


def get_folder() -> Path:
    """Return the folder of saved games."""
    return locate_data("games")


def new_path(game: str) -> Path:
    """Return the path for a new game. Raises OSError."""
    where = get_folder()
    where.mkdir(mode=0o700, parents=True, exist_ok=True)
    stem = f"{game}-{time.strftime('%Y-%m-%d-%H%M%S')}"
    found = where / f"{stem}.json"
    number = 1
    while found.exists():
        number += 1
        found = where / f"{stem}-{number}.json"
    return found


def list_waiting() -> list[SavedGame]:
    """Return the newest unfinished games, at most `MAX_GAMES`, of installed games. Other files are ignored."""
    return list(islice(find_waiting(), MAX_GAMES))


def find_waiting() -> Iterator[SavedGame]:
    """Yield the unfinished games in the folder, the newest first."""
    try:
        paths = sorted(get_folder().glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return
    for path in paths:
        if path.name.endswith(REVIEW_ENDING):
            continue
        try:
            text = read_text(path)
            record = None if is_over(parse_body(text)) else load(text, games.game)
        except (GonfalonError, OSError, ValueError):
            continue
        if record is not None and record.decisions:
            yield SavedGame(path, record)

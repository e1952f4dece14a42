"""Games of this terminal that wait: each a record in a folder of this user's. A record holds every hidden card."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from gonfalon import games
from gonfalon.core.errors import GonfalonError
from gonfalon.core.record import Record, load

MOST: Final = 6
"""So many are offered."""


class Kept(NamedTuple):
    """A game that waits."""

    path: Path
    record: Record


def folder() -> Path:
    """Where they are."""
    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return home / "gonfalon" / "games"


def new_path(game: str) -> Path:
    """A file for a new game. Raises OSError."""
    where = folder()
    where.mkdir(mode=0o700, parents=True, exist_ok=True)
    stem = f"{game}-{time.strftime('%Y-%m-%d-%H%M%S')}"
    found = where / f"{stem}.json"
    number = 1
    while found.exists():
        number += 1
        found = where / f"{stem}-{number}.json"
    return found


def records() -> Iterator[Kept]:
    """The games in the folder, the newest first; what is no record of a game that is installed here is passed over."""
    try:
        paths = sorted(folder().glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return
    for path in paths[: 4 * MOST]:
        try:
            yield Kept(path, load(path.read_text(encoding="utf-8"), games.game))
        except (GonfalonError, OSError, ValueError):
            continue


def is_over(record: Record) -> bool:
    """Whether a game has come to its end."""
    return record.result is not None or record.ended is not None


def waiting() -> list[Kept]:
    """The unfinished games."""
    return [one for one in records() if not is_over(one.record) and one.record.decisions][:MOST]


def last_played() -> Kept | None:
    """The game that was played to its end last."""
    return next((one for one in records() if is_over(one.record)), None)

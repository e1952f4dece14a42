"""The parts of a review that are shown: only those that a check of reviews of that game found right.

`python -m tools.reviews GAME --trust FILE` records which goals were met, by number of seats. A part that missed its
goal is omitted, and the report says so. A check of reviews that were made with other files does not count, which is
reported too.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypedDict

from gonfalon.core.rules.game import Game
from gonfalon.review.data_files import BASELINE, TRUST, find_data_file, hash_data_file

FILE_VERSION: Final = 2
"""Version of the file."""

CARDS: Final = "cards"
"""The luck of the cards."""
MARKS: Final = "marks"
"""The marks of decisions: inaccuracy, mistake, blunder."""
PARTS: Final = (CARDS, MARKS)
"""All parts."""
CHECK: Final = "check"
"""Stands in the list of omitted parts if no reviews of this kind were checked."""


def load_omitted_parts(game: Game, network: str) -> tuple[str, ...]:
    """Return the parts of a review that are omitted because they missed their goal; only CHECK if none were checked."""
    path = find_data_file(game, TRUST)
    return (CHECK,) if path is None else read_omitted_parts(path, MadeBy.of(game, network))


class ReviewCheck(TypedDict):
    """A check of reviews in the file: its conditions, and whether each part met its goal."""

    about: dict[str, Any]
    met: dict[str, bool]


class MadeBy(NamedTuple):
    """The conditions for which a check of reviews holds: seats, rules, learned cards and hashes of files."""

    seats: int
    rules: str
    cards: str
    network: str
    baseline: str

    @classmethod
    def of(cls, game: Game, network: str) -> MadeBy:
        """Return the conditions of a game."""
        return cls(
            game.seats,
            game.version,
            game.learnt_hash,
            network,
            hash_data_file(game, BASELINE),
        )


@lru_cache(16)
def read_omitted_parts(path: Path, by: MadeBy) -> tuple[str, ...]:
    """Return the omitted parts by a file; only CHECK if its checks were made under other conditions."""
    for check in read_checks(path):
        if all(check["about"].get(name) == value for name, value in by._asdict().items()):
            return tuple(part for part in PARTS if not check["met"][part])
    return (CHECK,)


def read_checks(path: Path) -> list[ReviewCheck]:
    """Return the checks in a file, one for each number of seats; none if its version differs."""
    held = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    found: list[ReviewCheck] = held["checks"] if held.get("version") == FILE_VERSION else []
    return found

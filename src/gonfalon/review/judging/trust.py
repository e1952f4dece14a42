"""What of a review is told: only what a check on reviews of that game has found right.

`python -m tools.reviews GAME --trust FILE` writes down which goals were met, by the number of seats. Whatever missed
one is left out of pages and words, and it is said that it is. A check of reviews that were made with other files says
nothing, and that is said too.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from gonfalon.core.rules.game import Game
from gonfalon.review.held import BASELINE, LOSSES, TRUST, held_file, held_hash

VERSION: Final = 2

CARDS: Final = "cards"
"""What the cards brought."""
MARKS: Final = "marks"
"""Which decisions are inaccuracies, mistakes, blunders."""
INTERVALS: Final = "intervals"
"""How sure a loss is."""
SUMS: Final = "sums"
"""What was given away on the whole."""
PARTS: Final = (CARDS, MARKS, INTERVALS, SUMS)
CHECK: Final = "check"
"""Not a part, but among those that are not told: whether such reviews are right, for none were checked."""


def untold_of(game: Game, network: str) -> tuple[str, ...]:
    """The parts of a review that are not told, for they missed their goal. Where nothing was checked only that is not
    told, and it is said."""
    path = held_file(game, TRUST)
    return (CHECK,) if path is None else read(path, MadeBy.of(game, network))


class MadeBy(NamedTuple):
    """What a check of reviews holds for, and for nothing else: seats, rules, the cards learnt and hashes of files."""

    seats: int
    rules: str
    cards: str
    network: str
    baseline: str
    losses: str

    @classmethod
    def of(cls, game: Game, network: str) -> MadeBy:
        return cls(
            game.seats, game.version, game.learnt_hash, network, held_hash(game, BASELINE), held_hash(game, LOSSES)
        )


@lru_cache(16)
def read(path: Path, by: MadeBy) -> tuple[str, ...]:
    """What a file leaves out. Where reviews were checked that were made by anything else it says nothing of these."""
    for check in checks(path):
        if all(check["about"].get(name) == value for name, value in by._asdict().items()):
            return tuple(part for part in PARTS if not check["met"][part])
    return (CHECK,)


def checks(path: Path) -> list[dict[str, Any]]:
    """What a file says of each check, one for a number of seats; nothing where it has another form."""
    held = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    found: list[dict[str, Any]] = held["checks"] if held.get("version") == VERSION else []
    return found

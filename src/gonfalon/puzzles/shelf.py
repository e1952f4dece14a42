"""The puzzles that a game brings, `puzzles.jsonl` in its folder, numbered from 1 in the order of its lines.

New ones are added at the end, so that a number stays what it was.
"""

from __future__ import annotations

from datetime import date
from functools import partial
from math import gcd
from typing import Final

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.game import Game
from gonfalon.lessons.shelf import made
from gonfalon.puzzles.course import PuzzleCourse
from gonfalon.puzzles.files import Position, Puzzle, read

FILE: Final = "puzzles.jsonl"
STRIDE: Final = 17
"""From one day's puzzle to the next: those of one game lie side by side."""

_FOUND: Final[dict[type[Game], tuple[Puzzle, ...]]] = {}
_COURSES: Final[dict[tuple[type[Game], int], PuzzleCourse]] = {}


class Unknown(GonfalonError):
    """There is no such puzzle."""


def of_game(kind: type[Game]) -> tuple[Puzzle, ...]:
    """All puzzles of a game, none where it brings none, read once. Raises PuzzleError."""
    if kind not in _FOUND:
        folder = getattr(kind, "folder", None)  # a game made for a test may have none
        _FOUND[kind] = () if folder is None else tuple(read(folder / FILE))
    return _FOUND[kind]


def course(kind: type[Game], number: int) -> PuzzleCourse:
    """A puzzle laid out, once. Raises Unknown."""
    puzzles = of_game(kind)
    if not 0 < number <= len(puzzles):
        raise Unknown(f"{kind.title} has the puzzles 1 to {len(puzzles)}." if puzzles else none_of(kind))
    if (kind, number) not in _COURSES:
        _COURSES[kind, number] = PuzzleCourse(number, Position(puzzles[number - 1], partial(made, kind)))
    return _COURSES[kind, number]


def none_of(kind: type[Game]) -> str:
    """What is said where a game has no puzzles."""
    return f"{kind.title} has no puzzles yet."


def today(kind: type[Game], day: date) -> int:
    """The number of the puzzle of a day: another each day until all have had theirs. Raises Unknown."""
    count = len(of_game(kind))
    if not count:
        raise Unknown(none_of(kind))
    stride = next(step for step in range(STRIDE, STRIDE + count + 1) if gcd(step, count) == 1)
    return day.toordinal() * stride % count + 1

"""The puzzles of a game: `puzzles.jsonl` in its folder, numbered from 1 by line.

New ones are appended, so that numbers never change.
"""

from __future__ import annotations

from datetime import date
from functools import partial
from math import gcd
from typing import Final

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.game import Game
from gonfalon.lessons.shelf import make_game
from gonfalon.puzzles.course import PuzzleCourse
from gonfalon.puzzles.files import Position, Puzzle, read_puzzles

FILE_NAME: Final = "puzzles.jsonl"
"""Name of the file."""
MIN_STRIDE: Final = 17
"""Smallest distance between the numbers of two days' puzzles, because puzzles of one game are adjacent."""

_FOUND: Final[dict[type[Game], tuple[Puzzle, ...]]] = {}
"""Cache of `list_puzzles`."""
_COURSES: Final[dict[tuple[type[Game], int], PuzzleCourse]] = {}
"""Cache of `load_course`."""


class UnknownPuzzleError(GonfalonError):
    """There is no such puzzle."""


def list_puzzles(kind: type[Game]) -> tuple[Puzzle, ...]:
    """Return all puzzles of a game, from a cache. Raises PuzzleError."""
    if kind not in _FOUND:
        folder = getattr(kind, "folder", None)  # games in tests may have no folder
        _FOUND[kind] = () if folder is None else tuple(read_puzzles(folder / FILE_NAME))
    return _FOUND[kind]


def load_course(kind: type[Game], number: int) -> PuzzleCourse:
    """Return the steps of a puzzle, from a cache. Raises UnknownPuzzleError."""
    puzzles = list_puzzles(kind)
    if not 0 < number <= len(puzzles):
        raise UnknownPuzzleError(
            f"{kind.title} has the puzzles 1 to {len(puzzles)}." if puzzles else format_no_puzzles(kind)
        )
    if (kind, number) not in _COURSES:
        _COURSES[kind, number] = PuzzleCourse(number, Position(puzzles[number - 1], partial(make_game, kind)))
    return _COURSES[kind, number]


def format_no_puzzles(kind: type[Game]) -> str:
    """Return the message for a game without puzzles."""
    return f"{kind.title} has no puzzles yet."


def choose_daily_puzzle(kind: type[Game], day: date) -> int:
    """Return the number of a day's puzzle. All puzzles take their turn before one is repeated.

    Raises:
        UnknownPuzzleError: The game has no puzzles.
    """
    count = len(list_puzzles(kind))
    if not count:
        raise UnknownPuzzleError(format_no_puzzles(kind))
    # A stride without a common divisor visits every puzzle before it repeats one.
    stride = next(step for step in range(MIN_STRIDE, MIN_STRIDE + count + 1) if gcd(step, count) == 1)
    return day.toordinal() * stride % count + 1

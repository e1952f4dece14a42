"""Puzzle files as they are written, and when the figures of a puzzle prove its answer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import State
from gonfalon.puzzles.files import FORMAT, FORMAT_VERSION, Find, Position, Puzzle, PuzzleError
from gonfalon.puzzles.sorting import KINDS

LEAD: Final = 0.08
"""By how much the best answer is ahead of the second in fresh worlds, at least."""
END_LEAD: Final = 0.04
"""The same where both are played to the end."""
OPEN_LEAD: Final = 0.03
"""By how much the open answer of a jewel is ahead of the best one from the view, at least."""
SURE: Final = 2.0
"""So many standard errors below a lead half of what it has to be is left at least."""
ROUNDED: Final = 0.001
"""Losses are written down with three digits."""


def line_of(puzzle: Puzzle) -> str:
    """The line of a puzzle in its file."""
    return json.dumps({"format": FORMAT, "format_version": FORMAT_VERSION} | asdict(puzzle), ensure_ascii=False)


def cards_of(state: State) -> str:
    """Stands for how the cards lie."""
    lie = [[card & KIND for card in zone] for zone in state.zones()]
    return hashlib.sha256(json.dumps(lie).encode()).hexdigest()[:16]


def write(path: Path, puzzles: Iterable[Puzzle]) -> None:
    """Add puzzles to a file."""
    text = "".join(line_of(puzzle) + "\n" for puzzle in puzzles)
    if text:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)


def rewrite(path: Path, puzzles: Iterable[Puzzle]) -> None:
    """Write a file anew, whole or not at all."""
    part = path.with_suffix(path.suffix + ".part")
    part.write_text("".join(line_of(puzzle) + "\n" for puzzle in puzzles), "utf-8")
    part.replace(path)


def check(puzzle: Puzzle, find: Find) -> Position:
    """A puzzle laid out, its answer being legal and its figures a proof. Raises PuzzleError, RecordError."""
    position = Position(puzzle, find)
    state, seat = position.state, puzzle.seat
    if puzzle.kind not in KINDS:
        raise PuzzleError(f"There is no kind {puzzle.kind!r} of puzzles.")
    if seat not in range(state.seats) or len(position.view.legal(seat)) < 2:
        raise PuzzleError("The seat of this puzzle has nothing to choose.")
    for answer in (puzzle.best, puzzle.second, puzzle.open_best, *puzzle.losses):
        if not state.is_legal(seat, position.game.parse(answer)):
            raise PuzzleError(f"{answer} is not legal in this puzzle.")
    if not proved(puzzle):
        raise PuzzleError("The figures of this puzzle do not prove its answer.")
    if puzzle.jewel != (puzzle.open_best != puzzle.best):
        raise PuzzleError("This puzzle is called a jewel without being one, or the other way round.")
    if puzzle.jewel and not proved_open(puzzle):
        raise PuzzleError("The figures of this jewel do not prove its open answer.")
    if puzzle.dealt is not None and puzzle.cards != cards_of(state):
        raise PuzzleError("The cards of this puzzle are dealt otherwise by this version.")
    return position


def is_clear(lead: float, error: float, least: float) -> bool:
    """Whether a lead is so large, and no less than half of that where it is as small as chance may have made it."""
    return lead > least and lead - SURE * error > least / 2.0


def proved(puzzle: Puzzle) -> bool:
    """Whether the best answer is clearly ahead of every other one, in fresh worlds and to the end."""
    return (
        is_clear(puzzle.lead, puzzle.error, LEAD)
        and is_clear(puzzle.end_lead, puzzle.end_error, END_LEAD)
        and puzzle.best not in puzzle.losses
        and min(puzzle.losses.values(), default=0.0) >= puzzle.lead - ROUNDED
    )


def proved_open(puzzle: Puzzle) -> bool:
    """Whether the open answer of a jewel is ahead of the best one from the view by as much and as surely."""
    return (
        puzzle.open_lead > OPEN_LEAD
        and puzzle.open_lead > SURE * puzzle.open_error
        and puzzle.open_end_lead > SURE * puzzle.open_end_error
    )

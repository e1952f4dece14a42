"""Writing of puzzle files, and the criteria for a proof."""

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

MIN_ANSWERS: Final = 3
"""Minimum number of legal answers of a puzzle that is not a jewel: of two, one is a wrong guess away."""
MIN_LEAD: Final = 0.08
"""Minimum lead of the best answer over the second best in fresh worlds."""
MIN_END_LEAD: Final = 0.04
"""Minimum lead in complete playouts."""
MIN_OPEN_LEAD: Final = 0.03
"""Minimum lead of a jewel's open answer over the best answer from the view."""
SURE_ERRORS: Final = 2.0
"""Number of standard errors by which a lead must exceed half of its minimum."""
LOSS_PRECISION: Final = 0.001
"""Rounding error of losses in a file."""


def format_line(puzzle: Puzzle) -> str:
    """Return the line of a puzzle in its file."""
    return json.dumps({"format": FORMAT, "format_version": FORMAT_VERSION} | asdict(puzzle), ensure_ascii=False)


def hash_cards(state: State) -> str:
    """Return a hash of the positions of all cards."""
    lie = [[card & KIND for card in zone] for zone in state.zones()]
    return hashlib.sha256(json.dumps(lie).encode()).hexdigest()[:16]


def append_puzzles(path: Path, puzzles: Iterable[Puzzle]) -> None:
    """Add puzzles to a file."""
    text = "".join(format_line(puzzle) + "\n" for puzzle in puzzles)
    if text:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)


def rewrite_puzzles(path: Path, puzzles: Iterable[Puzzle]) -> None:
    """Write a file again, completely or not at all."""
    part = path.with_suffix(path.suffix + ".part")
    part.write_text("".join(format_line(puzzle) + "\n" for puzzle in puzzles), "utf-8")
    part.replace(path)


def check_puzzle(puzzle: Puzzle, find: Find) -> Position:
    """Return the position of a puzzle, after checking that its answer is legal and proved.

    Raises:
        PuzzleError: The puzzle is faulty.
        RecordError: Its position cannot be restored.
    """
    position = Position(puzzle, find)
    state, seat = position.state, puzzle.seat
    if puzzle.kind not in KINDS:
        raise PuzzleError(f"There is no kind {puzzle.kind!r} of puzzles.")
    if seat not in range(state.seats) or len(position.view.legal(seat)) < 2:
        raise PuzzleError("The seat of this puzzle has no choice.")
    if not puzzle.jewel and len(position.view.legal(seat)) < MIN_ANSWERS:
        raise PuzzleError("Only a jewel may have two answers.")
    for answer in (puzzle.best, puzzle.second, puzzle.open_best, *puzzle.losses):
        if not state.is_legal(seat, position.game.parse(answer)):
            raise PuzzleError(f"{answer} is not legal in this puzzle.")
    if not is_proved(puzzle):
        raise PuzzleError("The figures of this puzzle do not prove its answer.")
    if puzzle.jewel != (puzzle.open_best != puzzle.best):
        raise PuzzleError("The `jewel` field of this puzzle is wrong.")
    if puzzle.jewel and not is_open_proved(puzzle):
        raise PuzzleError("The figures of this jewel do not prove its open answer.")
    if puzzle.dealt is not None and puzzle.cards != hash_cards(state):
        raise PuzzleError("This version deals the cards of this puzzle differently.")
    return position


def is_clear(lead: float, error: float, least: float) -> bool:
    """Return whether a lead exceeds its minimum, and half of it even after subtracting its error."""
    return lead > least and lead - SURE_ERRORS * error > least / 2.0


def is_proved(puzzle: Puzzle) -> bool:
    """Return whether the best answer is clearly ahead of every other one, in fresh worlds and in complete playouts."""
    return (
        is_clear(puzzle.lead, puzzle.error, MIN_LEAD)
        and is_clear(puzzle.end_lead, puzzle.end_error, MIN_END_LEAD)
        and puzzle.best not in puzzle.losses
        and min(puzzle.losses.values(), default=0.0) >= puzzle.lead - LOSS_PRECISION
    )


def is_open_proved(puzzle: Puzzle) -> bool:
    """Return whether the open answer of a jewel is clearly ahead of the best answer from the view."""
    return (
        puzzle.open_lead > MIN_OPEN_LEAD
        and puzzle.open_lead > SURE_ERRORS * puzzle.open_error
        and puzzle.open_end_lead > SURE_ERRORS * puzzle.open_end_error
    )

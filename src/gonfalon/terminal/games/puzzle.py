"""Puzzles by lines: the table as the seat sees it, and a choice until it is the best one."""

from __future__ import annotations

from datetime import UTC, datetime

from gonfalon.core.rules.game import Game
from gonfalon.puzzles import shelf
from gonfalon.puzzles.course import ASKED, QUESTIONS, format_answer, format_proof
from gonfalon.terminal import messages
from gonfalon.terminal.drawing.console import Console
from gonfalon.terminal.games.lesson import ask_answer


def play_puzzle(kind: type[Game], number: int | None, plain: bool) -> int:
    """Run `gonfalon puzzles`. Return the exit code.

    Args:
        kind: The game.
        number: Number of the puzzle; today's by default.
        plain: Write one thing in each line, and no bold type.

    Raises:
        UnknownPuzzleError: There is no such puzzle.
    """
    course = shelf.load_course(
        kind, shelf.choose_daily_puzzle(kind, datetime.now(UTC).date()) if number is None else number
    )
    console, puzzle = Console(plain), course.position.puzzle
    console.head(messages.PUZZLE.format(game=kind.title, title=course.noted.title, kind=puzzle.kind))
    console.say(messages.PUZZLE_START.format(question=QUESTIONS[puzzle.kind]))
    if ask_answer(console, course, ASKED) is None:
        return 0
    console.say(messages.PUZZLE_SOLVED.format(reason=format_answer(puzzle)))
    for frame in course.playouts.list_frames():
        console.say(messages.PUZZLE_FRAME.format(heading=frame.text, news=frame.news))
    console.say(format_proof(course.position))
    return 0

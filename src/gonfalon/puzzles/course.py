"""The steps of a puzzle: the position from its seat's view, the answer, and the same position with all cards open.

Only the third step contains hidden cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gonfalon.bots.players.choice import Z
from gonfalon.bots.players.reasons import percent
from gonfalon.core.rules.state import OPEN, Action
from gonfalon.core.text.citations import Reason
from gonfalon.lessons.notes import Note, Noted
from gonfalon.lessons.steps import Course, LessonStep, Ruling
from gonfalon.puzzles.files import Position, Puzzle
from gonfalon.puzzles.playouts import Playouts
from gonfalon.puzzles.sorting import BLUFF, READING, TACTICS, TEMPO

ASKED, ANSWERED, OPENED = 0, 1, 2
"""Numbers of the steps."""
NOTES_KIND: Final = "puzzle"
"""Kind of the notes of a puzzle."""
QUESTIONS: Final = {
    TACTICS: "What is best here?",
    READING: "What is best on average over the hidden cards?",
    BLUFF: "What is best, given what the other side sees?",
    TEMPO: "Is it best to act now, or not yet?",
}
"""The question for each kind of puzzle."""


def format_stakes(puzzle: Puzzle) -> str:
    """Return the chance with the best answer."""
    return f"The best move wins {percent(puzzle.value)}, every other clearly less."


def format_answer(puzzle: Puzzle) -> str:
    """Return the chances with the answer and with the next best."""
    return f"The best move wins {percent(puzzle.value)}, the next best {percent(puzzle.value - puzzle.lead)}."


class PuzzleCourse(Course):
    """The steps of a puzzle."""

    def __init__(self, number: int, position: Position) -> None:
        self.number: int = number
        self.position: Position = position
        puzzle, record, at = position.puzzle, position.record, len(position.record.decisions)
        asks = Note(at, format_stakes(puzzle), QUESTIONS[puzzle.kind], (position.best,), {}, {}, ())
        best = f"Best: {position.game.describe(position.view, position.best).rstrip('.')}"
        tells = Note(at, format_answer(puzzle), best, (), {}, {}, ())
        title = f"Puzzle {number}"
        self.noted: Noted = Noted(
            str(number), NOTES_KIND, title, puzzle.kind, 1, number, position.seat, record, (asks, tells)
        )
        self.playouts: Playouts = Playouts(position)
        view, bare = position.view, position.state.mask(OPEN)
        # Only the new events are announced at a step, so the log before it counts as heard.
        heard = len(view.log or ())
        self.steps: list[LessonStep] = [
            LessonStep(view, asks, position.best, 0),
            LessonStep(view, tells, None, heard),
            LessonStep(bare, tells, None, len(bare.log or ())),
        ]

    def answer(self, place: int, actions: Sequence[Action]) -> Ruling:
        """Judge an answer, which is one action."""
        if place != ASKED:
            return Ruling(0, "This step needs no answer.", False)
        if not actions:
            return Ruling(0, "Choose a move first.", False)
        position, action = self.position, actions[0]
        # Legality is judged from the view: the true position could reveal hidden cards.
        why = position.view.why_not(position.seat, action)
        if why is None and action != position.best:
            why = self.explain_wrong(action)
        return Ruling(0 if why else 1, why, False)

    def explain_wrong(self, action: Action) -> Reason:
        """Return the loss of an answer that is not the best."""
        game, puzzle = self.position.game, self.position.puzzle
        loss = puzzle.losses.get(game.notation(action))
        lost = "is not the best" if loss is None else f"wins {100 * loss:.0f} games fewer in 100"
        text = game.describe(self.position.view, action).rstrip(".")
        return Reason(f"“{text}” {lost}.", "Not the best")


def format_proof(position: Position) -> str:
    """Return the reason and the proof of the answer in words, and that of the open answer for a jewel."""
    puzzle, game = position.puzzle, position.game
    second = game.describe(position.view, game.parse(puzzle.second)).rstrip(".")
    told = [
        puzzle.why,
        f"The next best move is “{second}”. Of 100 games it wins {format_fewer(puzzle.lead, puzzle.error)} in "
        f"{puzzle.worlds} deals of the cards that you could not see, and "
        f"{format_fewer(puzzle.end_lead, puzzle.end_error)} when bots play to the end.",
        format_jewel(position) if puzzle.jewel else "",
    ]
    return " ".join(filter(None, told))


def format_jewel(position: Position) -> str:
    """Return the proof of a jewel's open answer in words, and the origin of its cards."""
    puzzle, game = position.puzzle, position.game
    other = game.describe(position.view, game.parse(puzzle.open_best)).rstrip(".")
    text = (
        f"This is a jewel: if you saw all cards, “{other}” would be better. Of 100 games the best move would "
        f"then win {format_fewer(puzzle.open_lead, puzzle.open_error)}, and "
        f"{format_fewer(puzzle.open_end_lead, puzzle.open_end_error)} when bots play to the end."
    )
    if puzzle.dealt is None:
        return f"{text} The cards are those of the game."
    return f"{text} The hidden cards were dealt again for this, and are likely ones."


def format_fewer(value: float, error: float) -> str:
    """Return how many of 100 games a move wins less than another, with its 95 % interval."""
    return f"{100 * value:.0f} fewer (± {max(1, round(100 * Z * error))})"

"""A puzzle as its player meets it: the position from its seat's view, the answer, and the same with all cards open.

Only the third step knows what lay hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gonfalon.bots.players.choice import Z
from gonfalon.bots.players.reasons import percent
from gonfalon.core.rules.game import names_for
from gonfalon.core.rules.state import OPEN, Action
from gonfalon.lessons.notes import Note, Noted
from gonfalon.lessons.steps import Course, LessonStep, Ruling
from gonfalon.puzzles.files import Position, Puzzle
from gonfalon.puzzles.sorting import BLUFF, READING, TACTICS, TEMPO
from gonfalon.review.report import POINTS

ASKED, ANSWERED, OPENED = 0, 1, 2
"""The steps."""
KIND: Final = "puzzle"
HINTS: Final = {
    TACTICS: "Nearly all that matters can be seen.",
    READING: "Think of what may lie hidden, and how likely it is.",
    BLUFF: "Think of what the other side will see of it.",
    TEMPO: "Ask yourself whether it has to be now.",
}
"""What helps, by kind, without telling the answer."""


QUESTIONS: Final = {
    TACTICS: "What is best here?",
    READING: "What is best, whatever may lie hidden?",
    BLUFF: "What is best, as the other side will see it?",
    TEMPO: "Is it best to act now, or not yet?",
}


def stakes(position: Position) -> str:
    """Return the score, and what a wrong answer costs."""
    game, puzzle, view = position.game, position.puzzle, position.view
    names = names_for(game, position.seat, position.record.names)
    score = ", ".join(f"{name} {count}" for name, count in zip(names, game.score(view), strict=True))
    return (
        f"{game.chapter(view)}. {game.counts}: {score}. "
        f"With the best answer you win in {percent(puzzle.value)} of the cases that you have to "
        f"reckon with, and any other gives away at least {least(puzzle)} percentage points. {QUESTIONS[puzzle.kind]}"
    )


def least(puzzle: Puzzle) -> int:
    """What any other answer gives away by both measures: as it is judged, and played to the end."""
    return int(100 * min(puzzle.lead, puzzle.end_lead))


class PuzzleCourse(Course):
    """The steps of a puzzle."""

    def __init__(self, number: int, position: Position) -> None:
        self.number: int = number
        self.position: Position = position
        puzzle, record, at = position.puzzle, position.record, len(position.record.decisions)
        asks = Note(at, stakes(position), (position.best,), {}, {}, ())
        tells = Note(at, puzzle.why, (), {}, {}, ())
        title = f"Puzzle {number}"
        self.noted: Noted = Noted(
            str(number), KIND, title, puzzle.kind, 1, number, position.seat, record, (asks, tells), None
        )
        view, bare = position.view, position.state.mask(OPEN)
        heard = len(view.log or ())
        self.steps: list[LessonStep] = [
            LessonStep(view, asks, position.best, 0),
            LessonStep(view, tells, None, heard),
            LessonStep(bare, tells, None, len(bare.log or ())),
        ]

    def answer(self, place: int, actions: Sequence[Action]) -> Ruling:
        """Judge an answer, which is one action."""
        if place != ASKED:
            return Ruling(0, "Nothing more is asked here.", False)
        if not actions:
            return Ruling(0, "Choose something first.", False)
        position, action = self.position, actions[0]
        why = position.view.why_not(position.seat, action)
        if why is None and action != position.best:
            why = self.wrong(action)
        return Ruling(0 if why else 1, why, False)

    def wrong(self, action: Action) -> str:
        """What is lost by an answer that is not the best one."""
        game, puzzle = self.position.game, self.position.puzzle
        loss = puzzle.losses.get(game.notation(action))
        lost = "is not the best" if loss is None else f"gives away an estimated {100 * loss:.0f} {POINTS}"
        text = game.describe(self.position.view, action).rstrip(".")
        return f"“{text}” {lost}. {HINTS[puzzle.kind]} Try again."


def proof_of(position: Position) -> str:
    """How an answer was proved, in words, and the open one of a jewel."""
    puzzle = position.puzzle
    text = (
        f"A judge gives it {points(puzzle.lead, puzzle.error)} more than the next best, in {puzzle.worlds} deals of "
        f"what your seat cannot see. The judge: {puzzle.judge}. Played to the end, both come to chances of their own: "
        f"there the lead is {points(puzzle.end_lead, puzzle.end_error)}."
    )
    return f"{text} {jewel_words(position)}" if puzzle.jewel else text


def jewel_words(position: Position) -> str:
    """How the open answer of a jewel was proved, and where its cards are from."""
    puzzle, game = position.puzzle, position.game
    other = game.describe(position.view, game.parse(puzzle.open_best)).rstrip(".")
    text = (
        f"A jewel: with all cards open “{other}” is ahead of it by {points(puzzle.open_lead, puzzle.open_error)} in "
        f"{puzzle.worlds} deals of what nobody has seen, and by {points(puzzle.open_end_lead, puzzle.open_end_error)} "
        "played to the end."
    )
    if puzzle.dealt is None:
        return f"{text} The cards lie as they did in the game."
    return (
        f"{text} What you cannot see was dealt anew for that, as one of the likely cases that you have to reckon with."
    )


def points(value: float, error: float) -> str:
    """What lies between two chances, with its 95 % interval."""
    return f"{100 * value:.0f} percentage points (± {max(1, round(100 * Z * error))})"

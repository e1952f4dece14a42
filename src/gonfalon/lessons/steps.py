"""A lesson as its player meets it: steps to look at, and steps at which they are asked.

Every step holds nothing but the view of the lesson's seat. What others do are steps of their own where it shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gonfalon.core.files.replay import sights
from gonfalon.core.rules.state import Action, State
from gonfalon.lessons.notes import Note, Noted, NotesError


class LessonStep(NamedTuple):
    """A step of a lesson."""

    view: State
    note: Note | None
    """What is told; None where only something happens."""
    asks: Action | None
    """What the record does here, where the player is asked for it."""
    heard: int
    """How much of the log was told before."""


class Ruling(NamedTuple):
    """What an answer leads to: how many of its actions were right, and words for the first that was not. `otherwise`
    tells that something as good was chosen, after which the lesson goes on as its record does."""

    right: int
    why: str | None
    otherwise: bool


class Course:
    """The steps of a lesson or an exercise."""

    def __init__(self, noted: Noted) -> None:
        self.noted: Noted = noted
        self.steps: list[LessonStep] = steps_of(noted)

    def answer(self, place: int, actions: Sequence[Action]) -> Ruling:
        """Judge what was done at a step: nothing at all happens unless every action is right or as good. What comes
        after the last that is asked for is dropped unjudged, as at a table."""
        otherwise = False
        for n, action in enumerate(actions):
            step = self.steps[place + n] if place + n < len(self.steps) else None
            if step is None or step.asks is None:
                return Ruling(n, None if n else "Nothing more is asked here; go on.", otherwise)
            why = why_not(self.noted, step, action)
            if why is not None:
                return Ruling(n, why, False)
            otherwise = otherwise or action != step.asks
        if not actions:
            return Ruling(0, "Choose something first.", False)
        return Ruling(len(actions), None, otherwise)


def why_not(noted: Noted, step: LessonStep, action: Action) -> str | None:
    """Why an action is not the one that is asked for: by the rules, or else by the note."""
    game, view = noted.game, step.view
    reason = view.why_not(noted.seat, action)
    if reason is not None:
        return reason
    note = step.note
    if action == step.asks or (note is not None and action in note.do):
        return None
    if note is not None and action in note.wrong:
        return note.wrong[action]
    assert step.asks is not None
    said, asked = (game.describe(view, one).rstrip(".") for one in (action, step.asks))
    reason = "" if note is None else note.why.get(step.asks, "")
    if noted.kind == "exercise":
        return f"“{said}” is legal, but there is something better. {reason or 'Look again.'}"
    return f"You may do that in a game. Here choose “{asked}”. {reason}".rstrip()


def steps_of(noted: Noted) -> list[LessonStep]:
    """The steps from the first note to the last. Raises NotesError for a note at a place that the seat does not see."""
    record, seat = noted.record, noted.seat
    first, last = noted.notes[0].at, noted.notes[-1].at
    views: dict[float, State] = {}
    for sight in sights(record, seat, actions=False):
        if sight.mark > last:
            break
        views[sight.mark] = sight.state.mask(seat)
    steps: list[LessonStep] = []
    heard = 0
    for mark, view in views.items():
        told = [note for note in noted.notes if note.at == mark]
        asks = record.decisions[int(mark)][1] if asked(noted, view, mark) else None
        size = len(view.log or ())
        if mark >= first and (told or asks is not None or view.moment or size > heard):
            if asks is not None and not (told and told[-1].do):
                told.append(covering(noted, mark))
            for n, note in enumerate(told or [None]):
                mine = asks if note is not None and n == len(told) - 1 else None
                steps.append(LessonStep(view, note, mine, size if n else heard))
        heard = size
    missing = {float(note.at) for note in noted.notes} - set(views)
    if missing:
        raise NotesError(f"{noted.name}: a note stands at decision {min(missing):g}, which its seat does not see.")
    return steps


def asked(noted: Noted, view: State, mark: float) -> bool:
    """Whether a place of the record is a decision of the player's that the lesson asks for."""
    if mark != int(mark) or mark >= noted.notes[-1].at or mark >= len(noted.record.decisions):
        return False
    return noted.record.decisions[int(mark)][0] == noted.seat and not view.moment


def covering(noted: Noted, mark: float) -> Note:
    """The question that a decision without one of its own belongs to: laying several cards is one thing to do. Raises
    NotesError."""
    before = [note for note in noted.notes if note.do and note.at < mark]
    if not before:
        raise NotesError(f"{noted.name}: nothing is told before the player's decision {mark:g}.")
    note = before[-1]
    return Note(int(mark), note.text, (noted.record.decisions[int(mark)][1],), note.why, {}, note.point)

"""The steps of a lesson: some to read, and some with a question.

Every step holds only the view of the lesson's seat. Visible actions of other seats are steps of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gonfalon.core.files.replay import replay_sights
from gonfalon.core.rules.state import Action, State
from gonfalon.core.text.citations import Reason
from gonfalon.lessons.notes import EXERCISE, Note, Noted, NotesError


class LessonStep(NamedTuple):
    """A step of a lesson."""

    view: State
    note: Note | None
    """The text; None if the step only shows an action."""
    asks: Action | None
    """The record's action, if the player is asked for it."""
    heard: int
    """Number of events of the log that earlier steps have shown."""


class Ruling(NamedTuple):
    """The result of an answer."""

    right: int
    """Number of right actions at its beginning."""
    why: str | None
    """The reply to the first wrong action; None if all are right."""
    otherwise: bool
    """Whether an action was as good as the record's own one, with which the lesson continues."""


class Course:
    """The steps of a lesson or an exercise."""

    def __init__(self, noted: Noted) -> None:
        self.noted: Noted = noted
        self.steps: list[LessonStep] = build_steps(noted)

    def answer(self, place: int, actions: Sequence[Action]) -> Ruling:
        """Judge the actions of the player at a step.

        No action takes effect unless every one is right or as good. Actions after the last requested one are dropped,
        as at a table.

        Args:
            place: The number of the step.
            actions: The actions, in order.
        """
        otherwise = False
        for n, action in enumerate(actions):
            step = self.steps[place + n] if place + n < len(self.steps) else None
            if step is None or step.asks is None:
                return Ruling(n, None if n else "This step needs no answer. Continue.", otherwise)
            why = explain_wrong(self.noted, step, action)
            if why is not None:
                return Ruling(n, why, False)
            otherwise = otherwise or action != step.asks
        return Ruling(0, "Choose an action first.", False) if not actions else Ruling(len(actions), None, otherwise)


def explain_wrong(noted: Noted, step: LessonStep, action: Action) -> str | None:
    """Return the reply to a wrong action, by the rules or else by the note; None if it is right."""
    game, view = noted.game, step.view
    # From the view: a reason from the true position could reveal hidden cards.
    reason = view.why_not(noted.seat, action)
    if reason is not None:
        return reason
    note = step.note
    if action == step.asks or (note is not None and action in note.do):
        return None
    tag = "Look again" if noted.kind == EXERCISE else "Not yet"
    if note is not None and action in note.wrong:
        return Reason(note.wrong[action], tag)
    assert step.asks is not None
    said, asked = (game.describe(view, one).rstrip(".") for one in (action, step.asks))
    reason = "" if note is None else note.why.get(step.asks, "")
    if noted.kind == EXERCISE:
        return Reason(f"“{said}” is not the best. {reason or 'Look again.'}", tag)
    return Reason(f"Not now. {reason}" if reason else f"Not now. Choose “{asked}”.", tag)


def build_steps(noted: Noted) -> list[LessonStep]:
    """Return the steps from the first note to the last. Raises NotesError for a note that the seat cannot see."""
    record, seat = noted.record, noted.seat
    first, last = noted.notes[0].at, noted.notes[-1].at
    views: dict[float, State] = {}
    midway: set[float] = set()
    opened = (seat, "")
    for sight in replay_sights(record, seat, actions=False):
        # Later views are not needed, and each costs a mask of the whole position.
        if sight.mark > last:
            break
        views[sight.mark] = sight.state.mask(seat)
        asked = (sight.state.turn, sight.state.stack[-1].prompt if sight.state.stack else "")
        # Another seat's play, such as a card and its payments, ends when the seat is asked the same again.
        if asked[0] == opened[0] != seat and asked[1] != opened[1]:
            midway.add(sight.mark)
        else:
            opened = asked
    steps: list[LessonStep] = []
    heard = 0
    for mark, view in views.items():
        told = [note for note in noted.notes if note.at == mark]
        if mark in midway and not told and not view.moment:
            continue
        asks = record.decisions[int(mark)][1] if is_asked(noted, view, mark) else None
        size = len(view.log or ())
        if mark >= first and (told or asks is not None or view.moment or size > heard):
            if asks is not None and not (told and told[-1].do):
                told.append(find_covering_note(noted, mark))
            for n, note in enumerate(told or [None]):
                mine = asks if note is not None and n == len(told) - 1 else None
                steps.append(LessonStep(view, note, mine, size if n else heard))
        heard = size
    # Decisions that the seat cannot see have no view, and a note there would never be shown.
    missing = {note.at for note in noted.notes} - set(views)
    if missing:
        raise NotesError(f"{noted.name}: a note is at decision {min(missing):g}, which its seat cannot see.")
    return drop_echoes(steps)


def drop_echoes(steps: list[LessonStep]) -> list[LessonStep]:
    """Return the steps without those that only repeat an answer, where the next one shows what comes of it."""
    kept = steps[:1]
    for before, step, after in zip(steps, steps[1:], [*steps[2:], None], strict=False):
        bare = before.asks is not None and step.note is None and not step.view.moment
        if not (bare and after and (after.note is None or after.view.moment)):
            kept.append(step)
    return kept


def is_asked(noted: Noted, view: State, mark: float) -> bool:
    """Return whether a place of the record is a decision that the lesson asks for."""
    if mark != int(mark) or mark >= noted.notes[-1].at or mark >= len(noted.record.decisions):
        return False
    return noted.record.decisions[int(mark)][0] == noted.seat and not view.moment


def find_covering_note(noted: Noted, mark: float) -> Note:
    """Return the note whose question covers a decision without a note of its own, such as a second card of one play.

    Raises:
        NotesError: There is no question before it.
    """
    before = [note for note in noted.notes if note.do and note.at < mark]
    if not before:
        raise NotesError(f"{noted.name}: no note asks for an action before the player's decision {mark:g}.")
    note = before[-1]
    return Note(mark, note.news, note.text, (noted.record.decisions[int(mark)][1],), note.why, {}, ())

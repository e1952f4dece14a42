"""A record as one viewer saw the game: every decision that showed to them, the moments that it led through, and nothing
that did not show.

What a viewer may not know of a decision is not told: seeds and other outcomes of chance, what others
chose in secret, and even that they have answered before the last answer of a simultaneous decision is
in. So sights are numbered as the viewer saw them come, which only with all cards open is the number of
the decision.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from gonfalon.core.basics.errors import NotationError
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, OPEN, TOGETHER, Action, Seat, State

LIMIT: Final = 4096
_ACTIONS: Final[dict[Game, list[Action]]] = {}


class Sight:
    """A step as one viewer saw it: the `state` after it (whole, and changed by the next step: mask it at
    once), whose step it was, and what the viewer sees of the action; `seat` is None before the first
    decision and at a moment. `decisions` counts those of the record that have been carried out; `moment` is 0, or says
    which of the moments (`State.moments`) this is through which the next decision led."""

    __slots__ = ("number", "decisions", "seat", "action", "state", "moment")

    def __init__(
        self, number: int, decisions: int, seat: Seat | None, action: Action | None, state: State, moment: int = 0
    ) -> None:
        self.number: int = number
        self.decisions: int = decisions
        self.seat: Seat | None = seat
        self.action: Action | None = action
        self.state: State = state
        self.moment: int = moment

    @property
    def mark(self) -> float:
        """Where in the record it stands: 12 after twelve decisions, 12.02 at the second moment of the thirteenth."""
        return self.decisions + self.moment / 100 if self.moment else self.decisions


class Course(NamedTuple):
    """A game in numbers, step by step as a viewer saw it: where in the record each step lies, which part of the game
    was on, and how the seats stood."""

    marks: list[float]
    chapters: list[str]
    scores: list[list[int]]


def course(record: Record, viewer: int) -> Course:
    """A record's course for one viewer. Raises RecordError."""
    found = Course([], [], [])
    for sight in sights(record, viewer, actions=False, log=False):
        view = sight.state.mask(viewer)
        if found.marks and found.marks[-1] == sight.mark:
            for column in found:
                column.pop()
        found.marks.append(sight.mark)
        found.chapters.append(record.game.chapter(view))
        found.scores.append(record.game.score(view))
    return found


def sights(record: Record, viewer: int, actions: bool = True, log: bool = True) -> Iterator[Sight]:
    """What a viewer saw of a record; the first is the table before the first decision. Without
    `actions` those stay None, and without `log` nothing is told, which is much faster.

    Raises RecordError at an illegal decision.
    """
    game = record.game
    # Those that are due when the next state is there; secret answers wait for the last one.
    due: list[tuple[Seat | None, Action | None]] = [(None, None)]
    waiting: list[tuple[Seat | None, Action | None]] = []
    number = decisions = 0
    state = first = game.start(log=log)
    passed: list[State] = []
    first.moments = passed
    for state, seat, action in record.fold(first):
        for nth, moment in enumerate(passed, start=1):
            yield Sight(number, decisions - 1, None, None, moment, nth)
            number += 1
        passed.clear()
        for who, what in due:
            yield Sight(number, decisions, who, what, state)
            number += 1
        due = [(seat, seen_of(game, state, seat, action, viewer) if actions else None)]
        if viewer != OPEN and state.stack[-1].seat == TOGETHER:
            if seat != viewer:
                waiting += due
                due = []
            if is_last(state, seat, action):
                due = waiting + due
                waiting = []
        decisions += 1
    for nth, moment in enumerate(passed, start=1):
        yield Sight(number, decisions - 1, None, None, moment, nth)
        number += 1
    for who, what in due:
        yield Sight(number, decisions, who, what, state)
        number += 1


def seen_of(game: Game, state: State, seat: Seat, action: Action, viewer: int) -> Action | None:
    """What a viewer sees of a decision; nothing of chance, whose seeds tell the future."""
    if viewer in (OPEN, seat):
        return action
    if seat == CHANCE:
        return None
    public = game.public(state, seat, action, viewer)
    for other in every_action(game):
        if other != action and game.public(state, seat, other, viewer) == public:
            return None  # one that stands for all that look alike would name one of them
    return public


def every_action(game: Game) -> list[Action]:
    """The actions of a game that have a notation, up to a limit."""
    if game not in _ACTIONS:
        _ACTIONS.clear()
        _ACTIONS[game] = [action for action in range(LIMIT) if is_action(game, action)]
    return _ACTIONS[game]


def is_action(game: Game, action: Action) -> bool:
    """Whether a number is an action of the game."""
    try:
        return game.parse(game.notation(action)) == action
    except (NotationError, LookupError):
        return False


def is_last(state: State, seat: Seat, action: Action) -> bool:
    """Whether this answer ends the simultaneous decision that is on."""
    after = state.clone()
    after.apply(seat, action)
    return not any(after.answers)

"""Replays: a record as one viewer saw the game, with every visible decision and moment.

Hidden parts of decisions are left out: seeds and other outcomes of chance, secret choices of others, and the fact that
others have answered before the last answer of a simultaneous decision. Sights are therefore numbered as the viewer saw
them; only with all cards open does this equal the number of the decision.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from gonfalon.core.basics.errors import NotationError
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, OPEN, TOGETHER, Action, Seat, State

MAX_ACTIONS: Final = 4096
"""The number of actions that are compared to find those that look alike."""
VisibleMove: TypeAlias = tuple[Seat | None, Action | None]
"""The seat and the visible part of a decision; None for no seat, or a hidden action."""
_ACTIONS: Final[dict[Game, list[Action]]] = {}


class Sight:
    """A step as one viewer saw it.

    `state` is the full state after it, which the next step changes: mask it at once. `seat` is the seat that acted,
    None before the first decision and at a moment; `action` is the visible part. `decisions` counts the decisions of
    the record so far. `moment` is 0, or the number of the moment (`State.moments`) that the next decision caused.
    """

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
        """The place in the record: 12 after twelve decisions, 12.02 at the second moment of the thirteenth."""
        return self.decisions + self.moment / 100 if self.moment else self.decisions


class Course(NamedTuple):
    """The course of a game as a viewer saw it, step by step: the place in the record, the part of the game, and the
    score of each seat."""

    marks: list[float]
    chapters: list[str]
    scores: list[list[int]]


def trace_course(record: Record, viewer: int) -> Course:
    """Return the course of a record for one viewer. Raises RecordError."""
    found = Course([], [], [])
    for sight in replay_sights(record, viewer, actions=False, log=False):
        view = sight.state.mask(viewer)
        # Secret answers that are revealed together share a place in the record. The last sight of a place counts.
        if found.marks and found.marks[-1] == sight.mark:
            for column in found:
                column.pop()
        found.marks.append(sight.mark)
        found.chapters.append(record.game.chapter(view))
        found.scores.append(record.game.score(view))
    return found


def replay_sights(record: Record, viewer: int, actions: bool = True, log: bool = True) -> Iterator[Sight]:
    """Yield the steps of a record that a viewer saw, beginning with the table before the first decision.

    Args:
        record: The record.
        viewer: A seat, SPECTATOR or OPEN.
        actions: Whether sights include the visible actions.
        log: Whether states have a log. Without it the replay is much faster.

    Raises:
        RecordError: A decision is illegal.
    """
    game = record.game
    # A decision is yielded with the state after it, and secret answers with the state after the last one.
    due: list[VisibleMove] = [(None, None)]
    waiting: list[VisibleMove] = []
    number = decisions = 0
    state = first = game.start(log=log)
    passed: list[State] = []
    first.moments = passed
    for state, seat, action in record.fold(first):
        found = list_sights(number, decisions, passed, due, state)
        yield from found
        number += len(found)
        # The state keeps appending to this list, so it is emptied and not replaced.
        passed.clear()
        due = [(seat, mask_action(game, state, seat, action, viewer) if actions else None)]
        if viewer != OPEN and state.stack[-1].seat == TOGETHER:
            if seat != viewer:
                waiting += due
                due = []
            if is_last(state, seat, action):
                due = waiting + due
                waiting = []
        decisions += 1
    yield from list_sights(number, decisions, passed, due, state)


def list_sights(number: int, decisions: int, passed: list[State], due: list[VisibleMove], state: State) -> list[Sight]:
    """Return the moments of a decision, followed by the visible moves that led to the state after it."""
    moments = [Sight(number + at, decisions - 1, None, None, moment, at + 1) for at, moment in enumerate(passed)]
    number += len(moments)
    return moments + [Sight(number + at, decisions, who, what, state) for at, (who, what) in enumerate(due)]


def mask_action(game: Game, state: State, seat: Seat, action: Action, viewer: int) -> Action | None:
    """Return a decision as a viewer saw it; None for chance, whose seeds determine the future."""
    if viewer in (OPEN, seat):
        return action
    if seat == CHANCE:
        return None
    public = game.public(state, seat, action, viewer)
    for other in list_actions(game):
        if other != action and game.public(state, seat, other, viewer) == public:
            return None  # the representative of equal-looking actions would name one of them
    return public


def list_actions(game: Game) -> list[Action]:
    """Return the actions of a game that have a notation, up to a limit."""
    if game not in _ACTIONS:
        # One game is enough: a replay asks for the same game at every decision.
        _ACTIONS.clear()
        _ACTIONS[game] = [action for action in range(MAX_ACTIONS) if is_action(game, action)]
    return _ACTIONS[game]


def is_action(game: Game, action: Action) -> bool:
    """Return whether a number is an action of the game."""
    try:
        return game.parse(game.notation(action)) == action
    except (NotationError, LookupError):
        return False


def is_last(state: State, seat: Seat, action: Action) -> bool:
    """Return whether an answer completes a simultaneous decision."""
    after = state.clone()
    after.apply(seat, action)
    # `apply` clears all answers once the last one is given.
    return not any(after.answers)

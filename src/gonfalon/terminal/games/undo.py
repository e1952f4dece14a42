"""Undo in this terminal, for one person among bots.

The rule is that of a table: a decision can be undone as long as it has revealed only the player's choice, and neither
chance nor a bot has decided since. Bots agree to that at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from gonfalon.bots.players.driver import Driver
from gonfalon.core.knowledge.learned import showed_only_own
from gonfalon.core.rules.state import SPECTATOR, TOGETHER, Action, Seat, State
from gonfalon.terminal import messages

MAX_UNDO: Final = 64
"""Number of decisions that can be undone."""


class SavedPosition(NamedTuple):
    """A position before a decision of the person."""

    state: State
    decisions: int


class UndoStack:
    """The decisions of a person that can be undone."""

    def __init__(self, driver: Driver, people: Sequence[Seat]) -> None:
        self.driver = driver
        self.people = people
        self.before: list[SavedPosition] = []

    def save_position(self) -> None:
        """Save the position before a decision of the person."""
        now = SavedPosition(self.driver.state.clone(), len(self.driver.record.decisions))
        self.before = [*self.before[1 - MAX_UNDO :], now]

    def why_not(self, seat: Seat | None) -> str:
        """Return why the last decision cannot be undone; empty if it can."""
        if len(self.people) > 1:
            return messages.UNDO_SHARED
        if not self.before or self.driver.state.over or seat is None:
            return messages.NO_UNDO
        return "" if self.is_open(self.before[-1], seat) else messages.UNDO_LATE

    def is_open(self, before: SavedPosition, seat: Seat) -> bool:
        """Return whether nothing has followed from a decision, and it has revealed only the seat's choice."""
        game, now, decisions = self.driver.game, self.driver.state, self.driver.record.decisions
        if len(decisions) != before.decisions + 1:
            return False
        if is_together(before.state):
            return is_together(now) and bool(now.answers[seat])
        if is_together(now) or game.window(before.state.mask(SPECTATOR)) is not None:
            return False
        state = before.state.clone()
        # A moment has shown something to players, so the decision is final.
        state.moments = []
        state.apply(*decisions[-1])
        return not state.moments and showed_only_own(before.state, now, seat)

    def list_changes(self, seat: Seat) -> dict[Action, list[Action]]:
        """Return changes of a secret answer that consists of several actions, such as marked cards.

        Returns:
            For each action that can be added or removed, all actions to give instead of the present ones.
        """
        state = self.driver.state
        given = state.answers[seat] if is_together(state) else []
        if not given or len(given) > len(self.before) or self.why_not(seat):
            return {}
        first = self.before[-len(given)].state
        found: dict[Action, list[Action]] = {}
        for action in set(first.legal(seat)) - set(state.legal(seat)):
            order = order_actions(first, seat, [*given, action])
            if order is None and action in given:
                order = order_actions(first, seat, [one for one in given if one != action])
            if order is not None:
                found[action] = order
        return found

    def undo(self) -> None:
        """Return to the position before the person's last decision."""
        last = self.before.pop()
        # The bots' random streams are not rewound: another try may meet another answer.
        self.driver.state = last.state
        del self.driver.record.decisions[last.decisions :]


def is_together(state: State) -> bool:
    """Return whether several seats are asked at once."""
    return bool(state.stack) and state.stack[-1].seat == TOGETHER


def order_actions(state: State, seat: Seat, wanted: Sequence[Action]) -> list[Action] | None:
    """Return actions of a simultaneous decision in an order in which they are legal; None if there is none."""
    state, rest, order = state.clone(), list(wanted), list[Action]()
    while rest:
        found = next((action for action in state.legal(seat) if action in rest), None)
        if found is None:
            return None
        state.apply(seat, found)
        rest.remove(found)
        order.append(found)
    return order

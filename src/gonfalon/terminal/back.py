"""Taking back at this terminal, for one person among bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from gonfalon.bots.driver import Driver
from gonfalon.core.learned import brought_news
from gonfalon.core.state import CHANCE, SPECTATOR, TOGETHER, Action, Seat, State

MOST: Final = 64
"""So many decisions can be taken back."""


class Before(NamedTuple):
    """A position before a decision of the person."""

    state: State
    decisions: int


class Back:
    """What a person has decided, as far as it can be taken back."""

    def __init__(self, driver: Driver, people: Sequence[Seat]) -> None:
        self.driver = driver
        self.people = people
        self.before: list[Before] = []

    def note(self) -> None:
        """For every decision of the person, before it is done."""
        now = Before(self.driver.state.clone(), len(self.driver.record.decisions))
        self.before = [*self.before[1 - MOST :], now]

    def why_not(self, seat: Seat | None) -> str:
        """Why the last decision cannot be taken back; empty where it can."""
        if len(self.people) > 1:
            return "With several people at one device nothing is taken back."
        if not self.before or self.driver.state.over or seat is None:
            return "There is nothing to take back."
        before = self.before[-1]
        told = self.told_everybody(before)
        if told or brought_news(before.state.mask(seat), self.driver.state.mask(seat)):
            return "You have learned something since, so that cannot be taken back."
        return ""

    def told_everybody(self, before: Before) -> bool:
        """Whether something came since that tells everybody something new: a chance, a moment, answers that are shown,
        a window."""
        state = before.state.clone()
        return any(tells(self.driver, state, *one) for one in self.driver.record.decisions[before.decisions :])

    def changes(self, seat: Seat) -> dict[Action, list[Action]]:
        """Where a secret answer is made of several, such as cards that are marked in the order of the card list: what
        is not legal after those that the person has given, but can still be added or taken out, with all that is then
        to be answered in their place."""
        state = self.driver.state
        given = state.answers[seat] if state.stack and state.stack[-1].seat == TOGETHER else []
        if not given or len(given) > len(self.before) or self.why_not(seat):
            return {}
        first = self.before[-len(given)].state
        found: dict[Action, list[Action]] = {}
        for action in set(first.legal(seat)) - set(state.legal(seat)):
            order = in_order(first, seat, [*given, action])
            if order is None and action in given:
                order = in_order(first, seat, [one for one in given if one != action])
            if order is not None:
                found[action] = order
        return found

    def go(self) -> None:
        """Go back to before the person's last decision."""
        last = self.before.pop()
        self.driver.state = last.state
        del self.driver.record.decisions[last.decisions :]
        for number in [number for number in self.driver.thoughts if number >= last.decisions]:
            del self.driver.thoughts[number]


def in_order(state: State, seat: Seat, wanted: Sequence[Action]) -> list[Action] | None:
    """These answers to a question for all in the order in which they are legal; None where there is none."""
    state, rest, order = state.clone(), list(wanted), list[Action]()
    while rest:
        found = next((action for action in state.legal(seat) if action in rest), None)
        if found is None:
            return None
        state.apply(seat, found)
        rest.remove(found)
        order.append(found)
    return order


def tells(driver: Driver, state: State, seat: Seat, action: Action) -> bool:
    """Carry out a decision; whether it told everybody something new."""
    if seat == CHANCE:
        return True
    together = state.stack[-1].seat == TOGETHER
    window = driver.game.window(state.mask(SPECTATOR)) is not None
    state.moments = []
    state.apply(seat, action)
    return bool(state.moments) or window or (together and not state.answers[seat])

"""Models of the answers of other seats in a simultaneous decision.

The choices of the other seats cannot be predicted. Therefore a decision is judged against several models, and only a
loss against all of them counts. Unpredictable mixed answers are right against one of the models.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import TOGETHER, Action, Seat, State, Together
from gonfalon.review.judging.players import Player, Table

MAX_ANSWER_ACTIONS: Final = 60
"""Maximum number of actions in one answer."""

Answers = list[tuple[Seat, Action]]
"""Actions of the other seats, in order."""


class Belief:
    """A model of the other seats."""

    def __init__(self, name: str) -> None:
        self.name = name

    def action(self, world: State, seat: Seat, rng: Rng) -> Action:
        """Return the next action of a seat's answer in a world in which it is that seat's turn."""
        raise NotImplementedError


class PlayerBelief(Belief):
    """The other seats answer like the player of worlds."""

    def __init__(self, name: str, player: Player) -> None:
        super().__init__(name)
        self.player = player

    def action(self, world: State, seat: Seat, rng: Rng) -> Action:
        return self.player.choose([world], rng)[0]


def list_beliefs(table: Table, view: State) -> list[Belief | None]:
    """Return the models for a decision; only None if it is not simultaneous."""
    if view.stack[-1].seat != TOGETHER:
        return [None]
    found: list[Belief | None] = [PlayerBelief(table.player.name, table.player)]
    # Without a network the player is the rule of thumb, which would count twice.
    if table.player is not table.thumb:
        found.append(PlayerBelief(table.thumb.name, table.thumb))
    return found


def sample_answers(belief: Belief | None, world: State, me: Seat, rng: Rng) -> Answers:
    """Return the answers of all other seats to a simultaneous decision in a world.

    Args:
        belief: The model; None if the decision is not simultaneous.
        world: The world, which is not changed.
        me: The seat whose decision is judged.
        rng: Random numbers for the model.
    """
    if belief is None:
        return []
    step = world.stack[-1]
    assert isinstance(step, Together)
    found: Answers = []
    for seat in step.seats:
        # A seat without options has answered already or is not asked.
        if seat == me or not world.legal(seat):
            continue
        s = world.clone()
        give_turn(s, seat)
        for _ in range(MAX_ANSWER_ACTIONS):
            action = belief.action(s, seat, rng)
            found.append((seat, action))
            s.apply(seat, action)
            if s.turn != seat or not any(s.answers):
                break
    return found


def give_turn(s: State, seat: Seat) -> None:
    """Advance a simultaneous decision to a seat's turn. Earlier seats give arbitrary answers, which stay hidden."""
    for _ in range(MAX_ANSWER_ACTIONS):
        if s.turn == seat:
            return
        s.apply(s.turn, s.actions[0])


def apply_answers(s: State, me: Seat, action: Action, others: Answers) -> None:
    """Apply an action of a seat, and the other seats' answers to the same decision."""
    s.apply(me, action)
    for seat, answer in others:
        s.apply(seat, answer)

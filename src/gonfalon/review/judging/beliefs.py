"""What the others may answer to a decision that is asked of all at once.

Nobody knows how somebody picks. So an own pick is judged against several ways to think about them, and charged only
what is bad against all of these: who mixes picks so that nobody can foresee them is right against one or the other.
"""

from __future__ import annotations

from typing import Final

from gonfalon.bots import levels_for, make
from gonfalon.bots.players.bot import Bot
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import TOGETHER, Action, Seat, State, Together
from gonfalon.review.judging.players import Player, Table

LEVEL: Final = "club"
"""Whose answers are thought possible, as far as a game has that level."""
SETS: Final = 60
"""Actions of one answer, at most."""

Answers = list[tuple[Seat, Action]]


class Belief:
    """One way to think about the others."""

    def __init__(self, name: str) -> None:
        self.name = name

    def action(self, world: State, seat: Seat, rng: Rng) -> Action:
        """The next action of a seat's answer in a world in which it is its turn."""
        raise NotImplementedError


class ByPlayer(Belief):
    """They answer as whoever plays worlds on."""

    def __init__(self, name: str, player: Player) -> None:
        super().__init__(name)
        self.player = player

    def action(self, world: State, seat: Seat, rng: Rng) -> Action:
        return self.player.choose([world], rng)[0]


class ByLevel(Belief):
    """They answer as a level does."""

    def __init__(self, name: str, bot: Bot) -> None:
        super().__init__(name)
        self.bot = bot

    def action(self, world: State, seat: Seat, rng: Rng) -> Action:
        return self.bot.choose(world.mask(seat), None, rng).action


def beliefs_of(table: Table, view: State) -> list[Belief | None]:
    """The ways to think about the others for a decision; one that says nothing where they are not asked with it."""
    if view.stack[-1].seat != TOGETHER:
        return [None]
    found: list[Belief | None] = [ByPlayer(table.player.name, table.player)]
    if table.player is not table.thumb:
        found.append(ByPlayer(table.thumb.name, table.thumb))
    if LEVEL in levels_for(table.game):
        found.append(ByLevel(f"the level {LEVEL}", make(LEVEL, table.game)))
    return found


def answers(belief: Belief | None, world: State, me: Seat, rng: Rng) -> Answers:
    """What all others answer in a world to the decision that is asked of all."""
    if belief is None:
        return []
    step = world.stack[-1]
    assert isinstance(step, Together)
    found: Answers = []
    for seat in step.seats:
        if seat == me or not world.legal(seat):
            continue
        s = world.clone()
        turn_to(s, seat)
        for _ in range(SETS):
            action = belief.action(s, seat, rng)
            found.append((seat, action))
            s.apply(seat, action)
            if s.turn != seat or not any(s.answers):
                break
    return found


def turn_to(s: State, seat: Seat) -> None:
    """Let it be a seat's turn in a decision that is asked of all: who comes before answers something, which does not
    show."""
    for _ in range(SETS):
        if s.turn == seat:
            return
        s.apply(s.turn, s.actions[0])


def carry_out(s: State, me: Seat, action: Action, others: Answers) -> None:
    """An own action, and the others' answers to the same decision."""
    s.apply(me, action)
    for seat, answer in others:
        s.apply(seat, answer)

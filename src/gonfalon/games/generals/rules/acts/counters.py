"""Counter windows: the question that follows every act that can be answered (rulings 40 to 43).

The question is asked for any hand, and a pass is always an answer. It is skipped only by public knowledge: if the hand
is empty, or if no Counter that a deck of the announced factions may hold answers such an act (with open lists, no
Counter of the list).
"""

from __future__ import annotations

from typing import ClassVar

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import NO_ACTIONS, NOBODY, Action, Seat, Step
from gonfalon.games.generals.effects.filters import all_hold
from gonfalon.games.generals.effects.frame import NO_SOURCE, Frame
from gonfalon.games.generals.effects.run import add_variables, push_script
from gonfalon.games.generals.rules import stats
from gonfalon.games.generals.rules.actions import CARD, PASS
from gonfalon.games.generals.rules.acts import legal
from gonfalon.games.generals.rules.acts.declarations import Act, Declare
from gonfalon.games.generals.rules.cards import BY_COUNTER, COUNTER, NO_COUNTER, Kind
from gonfalon.games.generals.rules.state import OPPONENT, GeneralsState


class Answer(Step[GeneralsState]):
    """The question whether the other seat answers an act with a Counter. It is asked again after each Counter until the
    seat passes or the act is negated (ruling 41)."""

    __slots__ = ("act",)
    prompt: ClassVar[str] = "answer"

    def __init__(self, act: Act) -> None:
        super().__init__(OPPONENT[act.doer])
        self.act: Act = act

    def options(self, s: GeneralsState) -> list[Action]:
        seat = self.seat
        hand = s.hand[seat]
        if not hand:
            return NO_ACTIONS
        out = [PASS]
        kinds = s.setup.kinds
        code = self.act.code
        for card in hand:
            kind = kinds[card & KIND]
            if not kind.answers >> code & 1 or CARD + kind.id in out:
                continue
            if find_counter_hindrance(s, seat, kind, self.act) == legal.FINE:
                out.append(CARD + kind.id)
        out.sort()
        return out

    def choose(self, s: GeneralsState, action: Action) -> None:
        if action == PASS:
            return
        s.stack.append(self)
        # This question stays on the stack below the Counter, so it is asked again afterwards (ruling 41).
        declare_counter(s, self.seat, s.setup.kinds[action - CARD], self.act)

    def key(self) -> list[int]:
        return [self.seat, *self.act.key()]


def find_counter_hindrance(s: GeneralsState, seat: Seat, kind: Kind, act: Act) -> int:
    """Return why a card of the hand cannot answer an act, FINE if it can."""
    if kind.type != COUNTER:
        return legal.NOT_PLAYED
    if not kind.answers >> act.code & 1:
        return legal.NO_TARGET
    # The Counter itself is no part of its payment (ruling 27).
    if stats.compute_cost(s, seat, kind) > len(s.hand[seat]) - 1:
        return legal.COST
    if kind.resource > len(s.deck[seat]):
        return legal.RESOURCE_COST
    if kind.sacrifice > len(s.army[seat]):
        return legal.SACRIFICE_COST
    if kind.requires and not all_hold(kind.requires, s, counter_frame(seat, kind, act)):
        return legal.REQUIRES
    return legal.FINE


def counter_frame(seat: Seat, kind: Kind, act: Act) -> Frame:
    """Return the frame of a Counter, with the facts of the act that it answers."""
    return Frame(seat, NO_SOURCE, kind.id, -1, act.unit, act.other, 0, 0, 0, act.list_aims())


def declare_counter(s: GeneralsState, seat: Seat, kind: Kind, act: Act) -> None:
    """Declare a Counter of the hand."""
    s.lift(seat, kind.id)
    assert kind.script is not None
    frame = add_variables(kind.script, counter_frame(seat, kind, act))
    cost = stats.compute_cost(s, seat, kind)
    counter = Counter(seat, BY_COUNTER, kind.id, -1, -1, frame)
    # A choice without candidates is skipped; the other operations still act (ruling 47).
    choices = [choice for choice in kind.script.choices if choice.possible(s, frame)]
    s.stack.append(Declare(counter, choices, cost, kind.resource, kind.sacrifice))


class Answerable(Act):
    """An act that the other seat may answer."""

    def launch(self, s: GeneralsState) -> None:
        s.stack.append(self)
        open_window(s, self)


class Played(Answerable):
    """A declared card. Its script runs, then the card is used up."""

    def launch(self, s: GeneralsState) -> None:
        await_answer(s, self)

    def auto(self, s: GeneralsState) -> None:
        script = s.setup.kinds[self.kind].script
        s.stack.append(UseUp(self.doer, self.kind))
        assert script is not None
        push_script(s, script, self.frame)


class Counter(Played):
    """A Counter card."""


class UseUp(Step[GeneralsState]):
    """The end of a declared card, which goes face down to DISCARD unless it is elsewhere already."""

    __slots__ = ("doer", "kind")

    def __init__(self, doer: Seat, kind: int) -> None:
        super().__init__(NOBODY)
        self.doer: Seat = doer
        self.kind: int = kind

    def auto(self, s: GeneralsState) -> None:
        s.use_up(self.doer, self.kind)

    def key(self) -> list[int]:
        return [self.doer, self.kind]


def await_answer(s: GeneralsState, act: Act) -> None:
    """Push the act of a played card and the question to the other seat, unless an effect forbids answers."""
    kind = s.setup.kinds[act.kind]
    barred = stats.find_card_bits(s, act.doer, kind) & NO_COUNTER
    stats.end_next_card_effects(s, act.doer, kind)
    s.stack.append(act)
    if not barred and (act.code != BY_COUNTER or s.setup.counter_chain):
        open_window(s, act)


def open_window(s: GeneralsState, act: Act) -> None:
    """Push the question to the other seat if by public knowledge it could have an answer."""
    seat = OPPONENT[act.doer]
    # Only public facts decide whether the question is asked, or it would reveal the hand (ruling 40).
    if s.setup.answerable[seat] >> act.code & 1 and s.hand[seat]:
        s.stack.append(Answer(act))


def negate_act(s: GeneralsState) -> Act | None:
    """Remove the act that is being answered from the stack. Return it, or None if there is none."""
    stack = s.stack
    for i in range(len(stack) - 1, 0, -1):
        top = stack[i]
        if isinstance(top, Answer):
            act = top.act
            # Both go: the question and the act below it.
            del stack[i - 1 : i + 1]
            act.discard_played(s)
            return act
    return None

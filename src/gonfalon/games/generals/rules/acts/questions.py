"""The small questions: choosing generals, choosing cards to pay with, yes or no."""

from __future__ import annotations

from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import NO_ACTIONS, Action, Card, Evident, Seat, Step
from gonfalon.games.generals.effects.frame import Frame
from gonfalon.games.generals.effects.targets import ALL, Choice
from gonfalon.games.generals.rules import events
from gonfalon.games.generals.rules.actions import CARD, DONE, NO, UNIT, YES, ZONE
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.games.generals.rules.zones import DEAD, ZONE_OF


class Host(Step[GeneralsState]):
    """A step with a frame. A choice pushes it again with the chosen values in the frame."""

    __slots__ = ("frame",)

    def __init__(self, seat: Seat, frame: Frame) -> None:
        super().__init__(seat)
        self.frame: Frame = frame

    def with_frame(self, frame: Frame) -> Host:
        """Return a copy of the step with another frame."""
        raise NotImplementedError


class Pick(Evident[GeneralsState]):
    """The choice of the generals of a `Choice`, one by one."""

    __slots__ = ("choice", "frame", "picked", "host")
    prompt: ClassVar[str] = "target"

    def __init__(self, choice: Choice, frame: Frame, picked: list[int], host: Host) -> None:
        super().__init__(frame.seat)
        self.choice: Choice = choice
        self.frame: Frame = frame
        self.picked: list[int] = picked
        self.host: Host = host

    def answers(self, s: GeneralsState) -> list[Action]:
        choice, f = self.choice, self.frame
        if choice.count == ALL:
            zones = {s.zone[u] for u in choice.list_candidates(s, f)}
            # All generals of one zone are chosen, so the answer is the zone.
            return sorted([ZONE + ZONE_OF[f.seat][zone] for zone in zones])
        out: list[Action] = []
        if self.picked and len(self.picked) >= choice.least:
            out.append(DONE)
        if len(self.picked) < choice.most(s, f):
            out += [UNIT + u for u in choice.next(s, f, self.picked)]
        return out

    def choose(self, s: GeneralsState, action: Action) -> None:
        choice, f = self.choice, self.frame
        if action == DONE:
            self.settle(s, self.picked)
        elif action < UNIT:
            zone = ZONE_OF[f.seat][action - ZONE]
            self.settle(s, [u for u in choice.list_candidates(s, f) if s.zone[u] == zone])
        else:
            picked = [*self.picked, action - UNIT]
            if len(picked) >= choice.most(s, f):
                self.settle(s, picked)
            else:
                s.stack.append(Pick(choice, f, picked, self.host))

    def otherwise(self, s: GeneralsState) -> None:
        self.settle(s, self.picked)

    def settle(self, s: GeneralsState, picked: list[int]) -> None:
        s.stack.append(self.host.with_frame(self.frame.with_variable(self.choice.variable, picked)))

    def key(self) -> list[int]:
        return [self.seat, self.choice.variable, *self.picked, -8, *self.frame.key(), -8, *self.host.key()]


def list_ascending(s: GeneralsState, seat: Seat, left: int) -> list[Action]:
    """Return the kinds of a hand that may go next when `left` cards go in ascending order. Each leaves enough cards for
    the rest."""
    hand = [card & KIND for card in s.hand[seat]]
    hand.sort()
    floor = s.floor[seat]
    # The last index that still leaves `left` cards, the card itself included.
    last = len(hand) - left
    out: list[Action] = []
    for i in range(last + 1):
        kind = hand[i]
        if kind >= floor and (not out or out[-1] != CARD + kind):
            out.append(CARD + kind)
    return out


class Pay(Step[GeneralsState]):
    """The payment with cards of the hand, face down to DISCARD, one by one in ascending order, so that each set is one
    payment (rulings 27, 28). If the whole hand must go, nothing is asked."""

    __slots__ = ("left",)
    prompt: ClassVar[str] = "pay"

    def __init__(self, seat: Seat, left: int) -> None:
        super().__init__(seat)
        self.left: int = left

    def options(self, s: GeneralsState) -> list[Action]:
        # The whole hand goes by itself, in `auto`: there is nothing to choose, and hand sizes are public.
        if self.left <= 0 or self.left >= len(s.hand[self.seat]):
            return NO_ACTIONS
        return list_ascending(s, self.seat, self.left)

    def choose(self, s: GeneralsState, action: Action) -> None:
        seat = self.seat
        s.drop(seat, action - CARD)
        # The event names no card: the payment is the owner's secret.
        s.tell(self.code(), seat, HIDDEN, 1)
        if self.left > 1:
            s.floor[seat] = action - CARD
            s.stack.append(self.rest())
        else:
            s.floor[seat] = -1

    def rest(self) -> Step[GeneralsState]:
        """Return the step for the remaining cards."""
        return Pay(self.seat, self.left - 1)

    def code(self) -> int:
        """Return the event code of one paid card."""
        return events.PAID

    def auto(self, s: GeneralsState) -> None:
        seat = self.seat
        if self.left > 0:
            drop_all(s, seat)
            s.tell(self.code(), seat, HIDDEN, self.left)
        s.floor[seat] = -1

    def key(self) -> list[int]:
        return [self.seat, self.left]


def drop_all(s: GeneralsState, seat: Seat) -> None:
    """Put the whole hand on DISCARD."""
    for card in s.hand[seat]:
        s.bury(seat, card)
    s.hand[seat].clear()


class Sacrifice(Evident[GeneralsState]):
    """The choice of an own general that goes to CASUALTY as a cost, which triggers nothing (ruling 36)."""

    __slots__ = ("left", "keep")
    prompt: ClassVar[str] = "sacrifice"

    def __init__(self, seat: Seat, left: int, keep: int) -> None:
        super().__init__(seat)
        self.left: int = left
        self.keep: int = keep  # the acting general, which cannot be the price; -1 for none

    def answers(self, s: GeneralsState) -> list[Action]:
        return [UNIT + u for u in sorted(s.army[self.seat]) if u != self.keep]

    def choose(self, s: GeneralsState, action: Action) -> None:
        card = s.leave(action - UNIT, DEAD)
        s.tell(events.SACRIFICED, self.seat, card)
        if self.left > 1:
            s.stack.append(Sacrifice(self.seat, self.left - 1, self.keep))

    def key(self) -> list[int]:
        return [self.seat, self.left, self.keep]


class PayResource(Step[GeneralsState]):
    """The payment with cards of the player's own RESOURCE."""

    __slots__ = ("count",)

    def __init__(self, seat: Seat, count: int) -> None:
        super().__init__(seat)
        self.count: int = count

    def auto(self, s: GeneralsState) -> None:
        s.tell(events.PAID_RESOURCE, self.seat, HIDDEN, self.count)
        s.deplete(self.seat, self.count)

    def key(self) -> list[int]:
        return [self.seat, self.count]


class Discarding(Step[GeneralsState]):
    """The choice of cards of a hand that go to DISCARD. With a `variable`, their number is stored in the frame of the
    host, which continues afterwards."""

    __slots__ = ("left", "done", "upto", "variable", "host")

    def __init__(self, seat: Seat, left: int, done: int, upto: bool, variable: int, host: Host | None) -> None:
        super().__init__(seat)
        self.left: int = left
        self.done: int = done
        self.upto: bool = upto
        self.variable: int = variable
        self.host: Host | None = host

    def settle(self, s: GeneralsState, count: int) -> None:
        """Push the host with the number of discarded cards."""
        if self.host is not None:
            s.stack.append(self.host.with_frame(self.host.frame.with_variable(self.variable, [count])))


class DiscardOwn(Discarding):
    """The owner's choice of cards that go face down to DISCARD; of a smaller hand all cards go (ruling 49)."""

    prompt: ClassVar[str] = "discard"

    def options(self, s: GeneralsState) -> list[Action]:
        hand = s.hand[self.seat]
        if self.left <= 0 or not hand:
            return NO_ACTIONS
        if self.upto:
            return [DONE, *list_ascending(s, self.seat, 1)]
        return list_ascending(s, self.seat, self.left) if self.left < len(hand) else NO_ACTIONS

    def choose(self, s: GeneralsState, action: Action) -> None:
        seat = self.seat
        if action == DONE:
            self.settle(s, self.done)
            return
        s.drop(seat, action - CARD)
        s.tell(events.DISCARDED, seat, HIDDEN, 1, events.BY_OWNER)
        if self.left > 1:
            s.floor[seat] = action - CARD
            s.stack.append(DiscardOwn(seat, self.left - 1, self.done + 1, self.upto, self.variable, self.host))
        else:
            self.settle(s, self.done + 1)

    def auto(self, s: GeneralsState) -> None:
        count = 0
        if self.left > 0 and not self.upto and s.hand[self.seat]:
            count = len(s.hand[self.seat])
            drop_all(s, self.seat)
            s.tell(events.DISCARDED, self.seat, HIDDEN, count, events.BY_OWNER)
        self.settle(s, self.done + count)

    def settle(self, s: GeneralsState, count: int) -> None:
        s.floor[self.seat] = -1
        super().settle(s, count)

    def key(self) -> list[int]:
        tail = [] if self.host is None else self.host.key()
        return [self.seat, self.left, self.done, int(self.upto), self.variable, *tail]


class MayDraw(Step[GeneralsState]):
    """The choice whether to draw. With an empty RESOURCE it is not asked (ruling 53)."""

    __slots__ = ("count",)
    prompt: ClassVar[str] = "may-draw"

    def __init__(self, seat: Seat, count: int) -> None:
        super().__init__(seat)
        self.count: int = count

    def options(self, s: GeneralsState) -> list[Action]:
        return MAY if self.count > 0 and s.deck[self.seat] else NO_ACTIONS

    def choose(self, s: GeneralsState, action: Action) -> None:
        if action == YES:
            s.draw(self.seat, 1)
            if self.count > 1:
                s.stack.append(MayDraw(self.seat, self.count - 1))
        else:
            s.tell(events.DECLINED, self.seat, HIDDEN)

    def key(self) -> list[int]:
        return [self.seat, self.count]


MAY: Final[list[Action]] = [YES, NO]


def list_hand_kinds(hand: list[Card]) -> list[int]:
    """Return the kinds of a hand, ascending, each once."""
    return sorted({card & KIND for card in hand})

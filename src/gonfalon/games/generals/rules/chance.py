"""Chance in Generals: the first player, random discards, and cards that return from DISCARD."""

from __future__ import annotations

from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, counts, kinds
from gonfalon.core.rules.state import CHANCE, NO_ACTIONS, Action, Seat, Step
from gonfalon.games.generals.rules import events
from gonfalon.games.generals.rules.actions import CARD, FIRST
from gonfalon.games.generals.rules.acts.questions import drop_all
from gonfalon.games.generals.rules.state import GeneralsState


class Toss(Step[GeneralsState]):
    """The choice of the first player by chance, unless the option `starts` names one (ruling 50)."""

    prompt: ClassVar[str] = "toss"

    def options(self, s: GeneralsState) -> list[Action]:
        return [FIRST, FIRST + 1] if s.setup.starter < 0 else NO_ACTIONS

    def choose(self, s: GeneralsState, action: Action) -> None:
        s.first = action - FIRST
        s.active = s.first

    def auto(self, s: GeneralsState) -> None:
        s.first = s.active = s.setup.starter


class ByChance(Step[GeneralsState]):
    """A random choice of several cards of an owner, one at a time."""

    __slots__ = ("owner", "left")

    def __init__(self, owner: Seat, left: int) -> None:
        super().__init__(CHANCE)
        self.owner: Seat = owner
        self.left: int = left

    def key(self) -> list[int]:
        return [self.owner, self.left]


class RandomDiscard(ByChance):
    """A random choice of cards of a hand, which go face down to DISCARD; of a smaller hand all cards go (ruling 49)."""

    prompt: ClassVar[str] = "random-discard"

    def options(self, s: GeneralsState) -> list[Action]:
        hand = s.hand[self.owner]
        # The whole hand goes without a draw by chance, in `auto`.
        return NO_ACTIONS if self.left <= 0 or self.left >= len(hand) else [CARD + kind for kind in kinds(hand)]

    def weights(self, s: GeneralsState) -> list[int]:
        return counts(s.hand[self.owner])

    def choose(self, s: GeneralsState, action: Action) -> None:
        s.drop(self.owner, action - CARD)
        s.tell(events.DISCARDED, self.owner, HIDDEN, 1, events.BY_CHANCE)
        s.tell_only(1 << self.owner, events.LOST_CARD, self.owner, HIDDEN, action - CARD)
        if self.left > 1:
            s.stack.append(RandomDiscard(self.owner, self.left - 1))

    def auto(self, s: GeneralsState) -> None:
        count = len(s.hand[self.owner])
        if self.left > 0 and count:
            drop_all(s, self.owner)
            s.tell(events.DISCARDED, self.owner, HIDDEN, count, events.BY_CHANCE)


class Recover(ByChance):
    """A random choice of cards of DISCARD, which go unseen under RESOURCE."""

    prompt: ClassVar[str] = "recover"

    def options(self, s: GeneralsState) -> list[Action]:
        return NO_ACTIONS if self.left <= 0 else [CARD + kind for kind in kinds(s.discard[self.owner])]

    def weights(self, s: GeneralsState) -> list[int]:
        return counts(s.discard[self.owner])

    def choose(self, s: GeneralsState, action: Action) -> None:
        s.dig(self.owner, action - CARD)
        s.tell(events.RECOVERED, self.owner, HIDDEN, 1)
        if self.left > 1:
            s.stack.append(Recover(self.owner, self.left - 1))


TOSS: Final = Toss(CHANCE)

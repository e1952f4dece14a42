"""Chance in Generals: the first player, shuffles, random discards, cards that come back from DISCARD."""

from __future__ import annotations

from typing import ClassVar, Final

from gonfalon.core.cards import HIDDEN, KIND, kinds
from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE, NO_ACTIONS, SEED, Action, Seat, Step
from gonfalon.games.generals.rules import events
from gonfalon.games.generals.rules.actions import CARD, FIRST
from gonfalon.games.generals.rules.questions import drop_all
from gonfalon.games.generals.rules.state import GeneralsState


class Toss(Step[GeneralsState]):
    """Chance names the first player (ruling 50)."""

    prompt: ClassVar[str] = "toss"

    def options(self, s: GeneralsState) -> list[Action]:
        return [FIRST, FIRST + 1]

    def choose(self, s: GeneralsState, action: Action) -> None:
        s.first = action - FIRST
        s.active = s.first


class Shuffle(Step[GeneralsState]):
    """Chance gives a seed that shuffles the RESOURCE of the seats of a bitmask."""

    __slots__ = ("seats",)
    prompt: ClassVar[str] = "shuffle"

    def __init__(self, seats: int) -> None:
        super().__init__(CHANCE)
        self.seats: int = seats

    def options(self, s: GeneralsState) -> list[Action]:
        return [SEED]

    def choose(self, s: GeneralsState, action: Action) -> None:
        rng = Rng(-1 - action)
        for seat in (0, 1):
            if self.seats >> seat & 1:
                rng.shuffle(s.deck[seat])

    def key(self) -> list[int]:
        return [self.seats]


class DealCard(Step[GeneralsState]):
    """The exact shuffle: chance decides the next card of RESOURCE, from the bottom up."""

    __slots__ = ("owner", "place")
    prompt: ClassVar[str] = "deal"

    def __init__(self, owner: Seat, place: int) -> None:
        super().__init__(CHANCE)
        self.owner: Seat = owner
        self.place: int = place

    def options(self, s: GeneralsState) -> list[Action]:
        left = kinds(s.deck[self.owner][self.place :])
        return [CARD + kind for kind in left] if len(left) > 1 else NO_ACTIONS

    def weights(self, s: GeneralsState) -> list[int]:
        rest = [card & KIND for card in s.deck[self.owner][self.place :]]
        return [rest.count(kind) for kind in sorted(set(rest))]

    def choose(self, s: GeneralsState, action: Action) -> None:
        deck = s.deck[self.owner]
        at = self.place
        while CARD + (deck[at] & KIND) != action:
            at += 1
        # The rest stays sorted, so that equal decisions give equal states.
        deck.insert(self.place, deck.pop(at))
        s.stack.append(DealCard(self.owner, self.place + 1))

    def key(self) -> list[int]:
        return [self.owner, self.place]


def push_shuffle(s: GeneralsState, seats: int) -> None:
    """Have chance shuffle RESOURCE, fast or card by card; what anybody knew of it is gone."""
    for seat in (0, 1):
        if seats >> seat & 1:
            deck = s.deck[seat]
            for i in range(len(deck)):
                deck[i] &= KIND
            deck.sort()
            if s.setup.exact:
                s.stack.append(DealCard(seat, 0))
    if not s.setup.exact:
        s.stack.append(SHUFFLES[seats])


SHUFFLES: Final = [Shuffle(0), Shuffle(1), Shuffle(2), Shuffle(3)]


class RandomDiscard(Step[GeneralsState]):
    """Chance picks cards of a hand, which go face down to DISCARD (ruling 49: what there is)."""

    __slots__ = ("owner", "left")
    prompt: ClassVar[str] = "random-discard"

    def __init__(self, owner: Seat, left: int) -> None:
        super().__init__(CHANCE)
        self.owner: Seat = owner
        self.left: int = left

    def options(self, s: GeneralsState) -> list[Action]:
        hand = s.hand[self.owner]
        if self.left <= 0 or self.left >= len(hand):
            return NO_ACTIONS
        return [CARD + kind for kind in kinds(hand)]

    def weights(self, s: GeneralsState) -> list[int]:
        hand = [card & KIND for card in s.hand[self.owner]]
        return [hand.count(kind) for kind in sorted(set(hand))]

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

    def key(self) -> list[int]:
        return [self.owner, self.left]


class Recover(Step[GeneralsState]):
    """Chance picks cards of DISCARD, which go under RESOURCE unseen."""

    __slots__ = ("owner", "left")
    prompt: ClassVar[str] = "recover"

    def __init__(self, owner: Seat, left: int) -> None:
        super().__init__(CHANCE)
        self.owner: Seat = owner
        self.left: int = left

    def options(self, s: GeneralsState) -> list[Action]:
        if self.left <= 0:
            return NO_ACTIONS
        return [CARD + kind for kind in kinds(s.discard[self.owner])]

    def weights(self, s: GeneralsState) -> list[int]:
        pile = [card & KIND for card in s.discard[self.owner]]
        return [pile.count(kind) for kind in sorted(set(pile))]

    def choose(self, s: GeneralsState, action: Action) -> None:
        s.dig(self.owner, action - CARD)
        s.tell(events.RECOVERED, self.owner, HIDDEN, 1)
        if self.left > 1:
            s.stack.append(Recover(self.owner, self.left - 1))

    def key(self) -> list[int]:
        return [self.owner, self.left]


TOSS: Final = Toss(CHANCE)

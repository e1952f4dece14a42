"""Shuffles as decisions of chance: by a seed, or card by card for tools that need every order by itself."""

from __future__ import annotations

from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from gonfalon.core.basics.cards import KIND, counts, kinds
from gonfalon.core.basics.rng import Rng, shuffle_by
from gonfalon.core.rules.state import CHANCE, NO_ACTIONS, SEED, Action, Card, State, Step

ANY_SEED: Final[list[Action]] = [SEED]
EVERY_ZONE: Final = -1


@mypyc_attr(allow_interpreted_subclasses=True)
class ShuffledState(State):
    """A state with zones that chance shuffles."""

    __slots__ = ()

    def shuffled_zones(self) -> list[list[Card]]:
        """The zones that chance shuffles; a zone's number is its index here."""
        raise NotImplementedError

    def deal_action(self, zone: int, kind: int) -> Action:
        """How chance names a card of this kind that it deals next."""
        raise NotImplementedError

    def dealt(self, zone: int) -> int:
        """How many cards of a zone the exact shuffle deals; -1 for all. What never leaves its zone needs no order."""
        return -1


class Shuffle(Step[ShuffledState]):
    """Chance gives a seed that shuffles the zones of a bitmask, one after the other.

    A `quick` one takes its words from `shuffle_by`: for games that shuffle a few cards again and again. Which of
    the two a game uses is part of its rules, for they give other orders.
    """

    __slots__ = ("zones", "quick")
    prompt: ClassVar[str] = "shuffle"

    def __init__(self, zones: int, quick: bool) -> None:
        super().__init__(CHANCE)
        self.zones: int = zones
        self.quick: bool = quick

    def options(self, s: ShuffledState) -> list[Action]:
        return ANY_SEED

    def choose(self, s: ShuffledState, action: Action) -> None:
        s.own()
        zones = [cards for zone, cards in enumerate(s.shuffled_zones()) if self.zones >> zone & 1]
        seed = -1 - action
        if self.quick:
            for cards in zones:
                seed = shuffle_by(seed, cards)
        else:
            rng = Rng(seed)
            for cards in zones:
                rng.shuffle(cards)

    def key(self) -> list[int]:
        return [self.zones]


class DealCard(Step[ShuffledState]):
    """The exact shuffle: chance decides the next card of a zone, from the bottom up."""

    __slots__ = ("zone", "place")
    prompt: ClassVar[str] = "deal"

    def __init__(self, zone: int, place: int) -> None:
        super().__init__(CHANCE)
        self.zone: int = zone
        self.place: int = place

    def options(self, s: ShuffledState) -> list[Action]:
        if self.place == s.dealt(self.zone):
            return NO_ACTIONS
        left = kinds(s.shuffled_zones()[self.zone][self.place :])
        return [s.deal_action(self.zone, kind) for kind in left] if len(left) > 1 else NO_ACTIONS

    def weights(self, s: ShuffledState) -> list[int]:
        return counts(s.shuffled_zones()[self.zone][self.place :])

    def choose(self, s: ShuffledState, action: Action) -> None:
        s.own()
        cards = s.shuffled_zones()[self.zone]
        at = self.place
        while s.deal_action(self.zone, cards[at] & KIND) != action:
            at += 1
        # The rest stays sorted, so that equal decisions give equal states.
        cards.insert(self.place, cards.pop(at))
        s.stack.append(DealCard(self.zone, self.place + 1))

    def key(self) -> list[int]:
        return [self.zone, self.place]


def push_shuffle(s: ShuffledState, zones: int, exact: bool, quick: bool) -> None:
    """Have chance shuffle the zones of a bitmask, by a seed or, `exact`, card by card. What anybody knew of these
    cards is gone."""
    s.own()
    for zone, cards in enumerate(s.shuffled_zones()):
        if zones >> zone & 1:
            cards[:] = sorted([card & KIND for card in cards])
            if exact:
                s.stack.append(DealCard(zone, 0))
    if not exact:
        s.stack.append(Shuffle(zones, quick))

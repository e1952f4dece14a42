"""Shuffles as decisions of chance: by a seed, or card by card for tools that enumerate every order."""

from __future__ import annotations

from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from gonfalon.core.basics.cards import KIND, counts, kinds
from gonfalon.core.basics.rng import Rng, shuffle_by
from gonfalon.core.rules.state import CHANCE, NO_ACTIONS, SEED, Action, Card, State, Step

ANY_SEED: Final[list[Action]] = [SEED]
"""The options of a fast shuffle."""
EVERY_ZONE: Final = -1
"""The bitmask of all zones."""


@mypyc_attr(allow_interpreted_subclasses=True)
class ShuffledState(State):
    """A state with zones that chance shuffles."""

    __slots__ = ()

    def shuffled_zones(self) -> list[list[Card]]:
        """Return the zones that chance shuffles. The number of a zone is its index here."""
        raise NotImplementedError

    def deal_action(self, zone: int, kind: int) -> Action:
        """Return the action of chance that deals a card of a kind next in a zone."""
        raise NotImplementedError

    def dealt(self, zone: int) -> int:
        """Return the number of cards that the exact shuffle of a zone deals; -1 for all. Cards that never leave the
        zone need no order."""
        return -1


class Shuffle(Step[ShuffledState]):
    """A fast shuffle: chance draws a seed, which shuffles the zones of a bitmask one after the other.

    A `quick` one takes its words from `shuffle_by`, for games that shuffle a few cards again and again. The choice is
    part of a game's rules, because the two give different orders.
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
        # Clones may share these zones until one of them changes.
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
    """An exact shuffle: chance chooses the next card of a zone, from the bottom up."""

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
        # A single remaining kind is no decision: the rest of the zone is already in place.
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
    """Let chance shuffle zones. All seats forget these cards: their seen bits and flags are cleared.

    Args:
        s: The state.
        zones: A bitmask of `shuffled_zones`.
        exact: Whether chance deals card by card instead of drawing a seed.
        quick: Whether the seed is used by `shuffle_by` instead of `Rng.shuffle`.
    """
    s.own()
    for zone, cards in enumerate(s.shuffled_zones()):
        if zones >> zone & 1:
            # Sorted, so that the result of a seed depends on nothing but the set of cards.
            cards[:] = sorted([card & KIND for card in cards])
            if exact:
                s.stack.append(DealCard(zone, 0))
    if not exact:
        s.stack.append(Shuffle(zones, quick))

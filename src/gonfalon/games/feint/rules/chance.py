"""Chance in Feint: the shuffles, fast and card by card, and the toss for the start player."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from gonfalon.core.cards import HIDDEN, KIND, kinds
from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE, NO_ACTIONS, SEED, Action, Card, Seat, Step
from gonfalon.games.feint.rules import events
from gonfalon.games.feint.rules.actions import CARD, FIRST, PLACE, SLOTS
from gonfalon.games.feint.rules.state import FeintState

DECK: Final = 0  # zones that are shuffled: DECK + seat, PILE + seat
PILE: Final = 2


def zone_of(s: FeintState, zone: int) -> list[Card]:
    """A draw pile by its number."""
    return s.deck[zone] if zone < PILE else s.pile[zone - PILE]


class Shuffle(Step[FeintState]):
    """Chance gives a seed that shuffles the zones of a bitmask."""

    __slots__ = ("zones",)
    prompt: ClassVar[str] = "shuffle"

    def __init__(self, zones: int) -> None:
        super().__init__(CHANCE)
        self.zones: int = zones

    def options(self, s: FeintState) -> list[Action]:
        return [SEED]

    def choose(self, s: FeintState, action: Action) -> None:
        rng = Rng(-1 - action)
        for zone in range(4):
            if self.zones >> zone & 1:
                rng.shuffle(zone_of(s, zone))

    def key(self) -> list[int]:
        return [self.zones]


class DealCard(Step[FeintState]):
    """The exact shuffle: chance decides the next card of a zone, from the bottom up."""

    __slots__ = ("zone", "place")
    prompt: ClassVar[str] = "deal"

    def __init__(self, zone: int, place: int) -> None:
        super().__init__(CHANCE)
        self.zone: int = zone
        self.place: int = place

    def action(self, kind: int) -> Action:
        return CARD + kind * SLOTS if self.zone < PILE else PLACE + kind

    def options(self, s: FeintState) -> list[Action]:
        left = kinds(zone_of(s, self.zone)[self.place :])
        return [self.action(kind) for kind in left] if len(left) > 1 else NO_ACTIONS

    def weights(self, s: FeintState) -> list[int]:
        rest = [card & KIND for card in zone_of(s, self.zone)[self.place :]]
        return [rest.count(kind) for kind in sorted(set(rest))]

    def choose(self, s: FeintState, action: Action) -> None:
        zone = zone_of(s, self.zone)
        at = self.place
        while self.action(zone[at] & KIND) != action:
            at += 1
        # The rest stays sorted, so that equal decisions give equal states.
        zone.insert(self.place, zone.pop(at))
        s.stack.append(DealCard(self.zone, self.place + 1))

    def key(self) -> list[int]:
        return [self.zone, self.place]


def push_shuffle(s: FeintState, zones: int) -> None:
    """Have chance shuffle the zones of a bitmask, fast or card by card."""
    for zone in range(4):
        if zones >> zone & 1:
            cards = zone_of(s, zone)
            for i in range(len(cards)):
                cards[i] &= KIND
            cards.sort()
            if s.setup.exact:
                s.stack.append(DealCard(zone, 0))
    if not s.setup.exact:
        s.stack.append(Shuffle(zones))


def refill(s: FeintState, seat: Seat) -> None:
    """Make the Location discard pile the draw pile."""
    s.pile[seat], s.used[seat] = s.used[seat][:], []
    s.tell(events.SHUFFLED, seat, HIDDEN)
    push_shuffle(s, 1 << (PILE + seat))


class Toss(Step[FeintState]):
    """A mirror match has no lower initiative: chance names the start player (ruling 1)."""

    prompt: ClassVar[str] = "toss"

    def options(self, s: FeintState) -> list[Action]:
        return [FIRST, FIRST + 1]

    def choose(self, s: FeintState, action: Action) -> None:
        s.first = action - FIRST


TOSS: Final[Step[Any]] = Toss(CHANCE)

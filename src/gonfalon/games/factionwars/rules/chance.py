"""Chance in Faction Wars: the shuffles, fast and card by card, and the recruits picked at random."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from gonfalon.core.cards import HIDDEN, KIND, kinds
from gonfalon.core.rng import Rng, shuffle_by
from gonfalon.core.state import CHANCE, NO_ACTIONS, SEED, Action, Card, Seat, Step
from gonfalon.games.factionwars.rules import events
from gonfalon.games.factionwars.rules.actions import DEAL, STEAL, STEAL_OPEN
from gonfalon.games.factionwars.rules.state import FactionState, named

DECK: Final = 0  # zones that are shuffled
GOALS: Final = 1
BONUSES: Final = 2
ZONES: Final = 3


def zone_of(s: FactionState, zone: int) -> list[Card]:
    """A zone that is shuffled, by its number."""
    return s.deck if zone == DECK else s.goals if zone == GOALS else s.bonuses


class Shuffle(Step[FactionState]):
    """Chance gives a seed that shuffles the zones of a bitmask."""

    __slots__ = ("zones", "order")
    prompt: ClassVar[str] = "shuffle"

    def __init__(self, zones: int) -> None:
        super().__init__(CHANCE)
        self.zones: int = zones
        self.order: list[int] = [zone for zone in range(ZONES) if zones >> zone & 1]

    def options(self, s: FactionState) -> list[Action]:
        return ANY_SEED

    def choose(self, s: FactionState, action: Action) -> None:
        seed = -1 - action
        for zone in self.order:
            seed = shuffle_by(seed, zone_of(s, zone))

    def key(self) -> list[int]:
        return [self.zones]


class DealCard(Step[FactionState]):
    """The exact shuffle: chance decides the next card of a zone, from the bottom up."""

    __slots__ = ("zone", "place")
    prompt: ClassVar[str] = "deal"

    def __init__(self, zone: int, place: int) -> None:
        super().__init__(CHANCE)
        self.zone: int = zone
        self.place: int = place

    def options(self, s: FactionState) -> list[Action]:
        if self.place == self.enough(s):
            return NO_ACTIONS
        left = kinds(zone_of(s, self.zone)[self.place :])
        return [DEAL + kind for kind in left] if len(left) > 1 else NO_ACTIONS

    def enough(self, s: FactionState) -> int:
        """How many cards are dealt: of goals and Bonus Cards only those that leave the pile."""
        if self.zone == GOALS:
            return s.seats
        return s.setup.open_bonus if self.zone == BONUSES else -1

    def weights(self, s: FactionState) -> list[int]:
        rest = [card & KIND for card in zone_of(s, self.zone)[self.place :]]
        return [rest.count(kind) for kind in sorted(set(rest))]

    def choose(self, s: FactionState, action: Action) -> None:
        zone = zone_of(s, self.zone)
        at = self.place
        while zone[at] & KIND != action - DEAL:
            at += 1
        # The rest stays sorted, so that equal decisions give equal states.
        zone.insert(self.place, zone.pop(at))
        s.stack.append(DealCard(self.zone, self.place + 1))

    def key(self) -> list[int]:
        return [self.zone, self.place]


ANY_SEED: Final[list[Action]] = [SEED]
SHUFFLE: Final[list[Step[Any]]] = [Shuffle(zones) for zones in range(1 << ZONES)]


def disorder(cards: list[Card]) -> bool:
    """From now on nobody knows the order of these cards. False when they are all alike: they need no
    shuffle, and whoever knew them knows them still."""
    bare = [card & KIND for card in cards]
    bare.sort()
    if not bare or bare[0] == bare[-1]:
        return False
    cards[:] = bare
    return True


def push_shuffle(s: FactionState, zones: int) -> None:
    """Have chance shuffle zones that are in no order, fast or card by card."""
    if s.setup.exact:
        for zone in range(ZONES):
            if zones >> zone & 1:
                s.stack.append(DealCard(zone, 0))
    elif zones:
        s.stack.append(SHUFFLE[zones])


def renew(s: FactionState, seat: Seat, why: int) -> None:
    """A seat's battle deck and discard pile together are its new battle deck."""
    army = s.army[seat]
    pile = s.pile[seat]
    army += pile
    pile.clear()
    if s.log is not None:
        s.tell(events.SHUFFLED, seat, HIDDEN, len(army), why)


def after_loss(s: FactionState, seat: Seat) -> None:
    """A seat has lost a recruit. Everything is shuffled, or by option only the draw part (ruling 19)."""
    if s.setup.shuffle_all or not s.army[seat]:
        renew(s, seat, events.LOST_ONE)
    elif s.log is not None:
        s.tell(events.SHUFFLED, seat, HIDDEN, len(s.army[seat]), events.LOST_ONE)


def lose_and_shuffle(s: FactionState, seat: Seat, kind: int, from_pile: bool) -> Card:
    """`FactionState.lose` and `after_loss`, untold."""
    if from_pile or not s.setup.shuffle_all:
        card = s.lose(seat, kind, from_pile)
        after_loss(s, seat)
        return card
    # All cards are put together anyway, those of the battle deck first: that saves looking for the card in both.
    card = kind | s.setup.full
    army = s.army[seat]
    pile = s.pile[seat]
    army += pile
    pile.clear()
    army.remove(card)
    return card


class Pick(Step[FactionState]):
    """Chance picks one of a victim's recruits, each card equally likely (ruling 17); `picked` carries on.

    The options are kinds, weighted by their copies. Where only the draw part is shuffled afterwards it
    also matters out of which part the card comes.
    """

    __slots__ = ("thief", "victim")
    prompt: ClassVar[str] = "steal"

    def __init__(self, thief: Seat, victim: Seat) -> None:
        super().__init__(CHANCE)
        self.thief: Seat = thief
        self.victim: Seat = victim

    def options(self, s: FactionState) -> list[Action]:
        army, pile = s.army[self.victim], s.pile[self.victim]
        count = s.setup.stealable
        if s.setup.shuffle_all:
            actions = named(count, army + pile, STEAL)
        else:
            actions = named(count, army, STEAL)
            actions += named(count, pile, STEAL_OPEN)
        return actions if len(actions) > 1 else NO_ACTIONS

    def draw(self, s: FactionState, actions: list[Action], rng: Rng) -> Action:
        """By cards instead of kinds: counting copies takes longer."""
        if not s.setup.shuffle_all:
            return super().draw(s, actions, rng)
        limit = s.setup.loot_limit
        loot = [card & KIND for card in s.army[self.victim] + s.pile[self.victim] if card < limit]
        return STEAL + loot[int(rng.below(len(loot)))]

    def weights(self, s: FactionState) -> list[int]:
        army, pile = s.army[self.victim], s.pile[self.victim]
        to_card = s.setup.full - STEAL
        if s.setup.shuffle_all:
            cards = army + pile
            return [cards.count(action + to_card) for action in s.actions]
        return [
            army.count(action + to_card) if action < STEAL_OPEN else pile.count(action + to_card + STEAL - STEAL_OPEN)
            for action in s.actions
        ]

    def choose(self, s: FactionState, action: Action) -> None:
        if action < STEAL_OPEN:
            self.picked(s, action - STEAL, False)
        else:
            self.picked(s, action - STEAL_OPEN, True)

    def auto(self, s: FactionState) -> None:
        """Only one kind is there to be picked, or none."""
        for card in s.army[self.victim] + s.pile[self.victim]:
            if card < s.setup.loot_limit:
                self.picked(s, card & KIND, card in s.pile[self.victim])
                return

    def picked(self, s: FactionState, kind: int, from_pile: bool) -> None:
        raise NotImplementedError

    def key(self) -> list[int]:
        return [self.thief, self.victim]

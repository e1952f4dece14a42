"""Chance in Faction Wars: the shuffles, fast and card by card, and the recruits picked at random."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from gonfalon.core.cards import HIDDEN, KIND, kinds
from gonfalon.core.rng import shuffle_by
from gonfalon.core.state import CHANCE, NO_ACTIONS, SEED, Action, Card, Seat, Step
from gonfalon.games.factionwars import events
from gonfalon.games.factionwars.actions import DEAL, STEAL, STEAL_OPEN
from gonfalon.games.factionwars.state import FactionState

DECK: Final = 5  # zones that are shuffled: a seat's battle deck by its number, then these
GOALS: Final = 6
BONUSES: Final = 7
ZONES: Final = 8


def zone_of(s: FactionState, zone: int) -> list[Card]:
    """A zone that is shuffled, by its number."""
    if zone < DECK:
        return s.army[zone]
    return s.deck if zone == DECK else s.goals if zone == GOALS else s.bonuses


class Shuffle(Step[FactionState]):
    """Chance gives a seed that shuffles the zones of a bitmask."""

    __slots__ = ("zones",)
    prompt: ClassVar[str] = "shuffle"

    def __init__(self, zones: int) -> None:
        super().__init__(CHANCE)
        self.zones: int = zones

    def options(self, s: FactionState) -> list[Action]:
        return ANY_SEED

    def choose(self, s: FactionState, action: Action) -> None:
        seed = -1 - action
        zones = self.zones
        zone = 0
        while zones:
            if zones & 1:
                seed = shuffle_by(seed, s.army[zone] if zone < DECK else zone_of(s, zone))
            zones >>= 1
            zone += 1

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


def push_shuffle(s: FactionState, zones: int) -> None:
    """Have chance shuffle the zones of a bitmask, fast or card by card; from now on nobody knows their
    order. Cards that are all alike need no shuffle: whoever knew them knows them still."""
    exact = s.setup.exact
    seeded = 0
    zone = 0
    left = zones
    while left:
        if left & 1:
            cards = s.army[zone] if zone < DECK else zone_of(s, zone)
            bare = [card & KIND for card in cards]
            bare.sort()
            if bare and bare[0] != bare[-1]:
                cards[:] = bare
                if exact:
                    s.stack.append(DealCard(zone, 0))
                else:
                    seeded |= 1 << zone
        left >>= 1
        zone += 1
    if seeded:
        s.stack.append(SHUFFLE[seeded])


def renew(s: FactionState, seat: Seat, why: int) -> int:
    """A seat's battle deck and discard pile together are its new battle deck; its bit for
    `push_shuffle`, which the caller calls once for all."""
    army = s.army[seat]
    army += s.pile[seat]
    s.pile[seat].clear()
    if s.log is not None:
        s.tell(events.SHUFFLED, seat, HIDDEN, len(army), why)
    return 1 << seat


def after_loss(s: FactionState, seat: Seat) -> int:
    """A seat has lost a recruit: its bit for `push_shuffle`, or 0. Everything is shuffled, or by option
    only the draw part (ruling 19)."""
    if s.setup.shuffle_all or not s.army[seat]:
        return renew(s, seat, events.LOST_ONE)
    if s.log is not None:
        s.tell(events.SHUFFLED, seat, HIDDEN, len(s.army[seat]), events.LOST_ONE)
    return 1 << seat


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
        setup = s.setup
        first = self.victim * setup.owned
        counts = s.owned[first : first + setup.stealable]
        if setup.shuffle_all:
            actions = [STEAL + kind for kind, count in enumerate(counts) if count]
        else:
            shown = self.shown(s)
            actions = [STEAL + kind for kind in range(len(counts)) if counts[kind] > shown[kind]]
            actions += [STEAL_OPEN + kind for kind in range(len(counts)) if shown[kind]]
        return actions if len(actions) > 1 else NO_ACTIONS

    def weights(self, s: FactionState) -> list[int]:
        owned = s.owned
        first = self.victim * s.setup.owned - STEAL
        if s.setup.shuffle_all:
            return [owned[first + action] for action in s.actions]
        shown = self.shown(s)
        return [
            owned[first + action] - shown[action - STEAL] if action < STEAL_OPEN else shown[action - STEAL_OPEN]
            for action in s.actions
        ]

    def shown(self, s: FactionState) -> list[int]:
        """How many of each kind lie in the victim's discard pile."""
        counts = [0] * s.setup.stealable
        for card in s.pile[self.victim]:
            kind = card & KIND
            if kind < len(counts):
                counts[kind] += 1
        return counts

    def choose(self, s: FactionState, action: Action) -> None:
        if action < STEAL_OPEN:
            self.picked(s, action - STEAL, False)
        else:
            self.picked(s, action - STEAL_OPEN, True)

    def auto(self, s: FactionState) -> None:
        """Only one kind is there to be picked, or none."""
        setup = s.setup
        shown = self.shown(s)
        for kind in range(setup.stealable):
            if s.count(self.victim, kind):
                self.picked(s, kind, bool(shown[kind]))
                return

    def picked(self, s: FactionState, kind: int, from_pile: bool) -> None:
        raise NotImplementedError

    def key(self) -> list[int]:
        return [self.thief, self.victim]

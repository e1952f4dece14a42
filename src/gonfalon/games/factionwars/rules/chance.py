"""Chance in Faction Wars: shuffled battle decks, and recruits picked at random."""

from __future__ import annotations

from typing import ClassVar

from gonfalon.core.basics.cards import HIDDEN, KIND, kinds
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.shuffles import push_shuffle
from gonfalon.core.rules.state import CHANCE, NO_ACTIONS, Action, Card, Seat, Step
from gonfalon.games.factionwars.rules import events
from gonfalon.games.factionwars.rules.actions import STEAL, STEAL_OPEN
from gonfalon.games.factionwars.rules.state import FactionState, name_kinds


def shuffle_mixed_zones(s: FactionState, zones: int) -> None:
    """Have chance shuffle those zones of a bitmask that hold different cards.

    Equal cards need no shuffle: a viewer who knew them still knows them.
    """
    unlike = 0
    for zone, cards in enumerate(s.shuffled_zones()):
        if zones >> zone & 1 and len(kinds(cards)) > 1:
            unlike |= 1 << zone
    if unlike:
        push_shuffle(s, unlike, exact=s.setup.exact, quick=True)


def renew_battle_deck(s: FactionState, seat: Seat, why: int) -> None:
    """Shuffle a seat's battle deck and discard pile into a new battle deck."""
    army = s.army[seat]
    pile = s.pile[seat]
    # A battle deck has no order (`FactionState`), so putting the cards together is the shuffle.
    army += pile
    pile.clear()
    if s.log is not None:
        s.tell(events.SHUFFLED, seat, HIDDEN, len(army), why)


def shuffle_after_loss(s: FactionState, seat: Seat) -> None:
    """Shuffle the cards of a seat that has lost a recruit: all of them, or by option its battle deck alone (ruling
    19)."""
    # An empty battle deck is renewed from the discard pile by either option.
    if s.setup.shuffle_all or not s.army[seat]:
        renew_battle_deck(s, seat, events.LOST_ONE)
    elif s.log is not None:
        s.tell(events.SHUFFLED, seat, HIDDEN, len(s.army[seat]), events.LOST_ONE)


def lose_and_shuffle(s: FactionState, seat: Seat, kind: int, from_pile: bool) -> Card:
    """Take a card out of an army and shuffle, without events. It replaces `FactionState.lose` and
    `shuffle_after_loss`."""
    if from_pile or not s.setup.shuffle_all:
        card = s.lose(seat, kind, from_pile)
        shuffle_after_loss(s, seat)
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
    """The random pick of a victim's recruit, each card equally likely (ruling 17). `resolve_pick` continues.

    The options are kinds, weighted by their copies. Where only the battle deck is shuffled afterwards, the options also
    distinguish the part of the army that the card comes from.
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
            actions = name_kinds(count, army + pile, STEAL)
        else:
            actions = name_kinds(count, army, STEAL)
            actions += name_kinds(count, pile, STEAL_OPEN)
        return actions if len(actions) > 1 else NO_ACTIONS

    def draw(self, s: FactionState, actions: list[Action], rng: Rng) -> Action:
        """Return a random recruit by cards instead of kinds, because counting copies takes longer."""
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
            self.resolve_pick(s, action - STEAL, False)
        else:
            self.resolve_pick(s, action - STEAL_OPEN, True)

    def auto(self, s: FactionState) -> None:
        """Pick without chance, because the victim has recruits of one kind or none."""
        for card in s.army[self.victim] + s.pile[self.victim]:
            if card < s.setup.loot_limit:
                self.resolve_pick(s, card & KIND, card in s.pile[self.victim])
                return

    def resolve_pick(self, s: FactionState, kind: int, from_pile: bool) -> None:
        raise NotImplementedError

    def key(self) -> list[int]:
        return [self.thief, self.victim]

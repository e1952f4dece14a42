"""The decisions of abilities, after the card was played.

Most steps are made once, in the tables at the end. Those with more fields than the seat are made when they are pushed.
"""

from __future__ import annotations

from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN, counts, kinds, take
from gonfalon.core.rules.state import CHANCE, NO_ACTIONS, Action, Card, Evident, Owned, Seat, Step
from gonfalon.games.feint.rules import events
from gonfalon.games.feint.rules.actions import CARD, DONE, LOWER, SLOTS, SPOT, SPOTS
from gonfalon.games.feint.rules.chance import refill_locations
from gonfalon.games.feint.rules.playing import begin_play
from gonfalon.games.feint.rules.state import BOTH, DOWN, OPPONENT, FeintState

MAX_HEALED: Final = 3  # ruling 63


class PlayOne(Step[FeintState]):
    """Good-for-Something: after the draw, play a card if any can be played (ruling 61).

    A single play is a decision too, because only the player knows the number of possible plays (ruling 80).
    """

    prompt: ClassVar[str] = "play-one"

    def options(self, s: FeintState) -> list[Action]:
        return s.plays(s.hand[self.seat])

    def choose(self, s: FeintState, action: Action) -> None:
        begin_play(s, self.seat, s.hand[self.seat], action)

    def auto(self, s: FeintState) -> None:
        s.tell_idle(self.seat)


class Conjure(Evident[FeintState]):
    """Conjurer: play a card from the discard pile if any can be played (ruling 59)."""

    prompt: ClassVar[str] = "conjure"

    def answers(self, s: FeintState) -> list[Action]:
        return s.plays(s.discard[self.seat])

    def choose(self, s: FeintState, action: Action) -> None:
        begin_play(s, self.seat, s.discard[self.seat], action)

    def otherwise(self, s: FeintState) -> None:
        s.tell_idle(self.seat)


class Heal(Step[FeintState]):
    """Medic: put up to three discards under the draw pile, one after the other (ruling 63)."""

    __slots__ = ("left",)
    prompt: ClassVar[str] = "medic"

    def __init__(self, seat: Seat, left: int) -> None:
        super().__init__(seat)
        self.left: int = left

    def options(self, s: FeintState) -> list[Action]:
        if self.left == 0:
            return NO_ACTIONS
        wounded = [CARD + kind * SLOTS for kind in kinds(s.discard[self.seat]) if not s.kinds[kind].protected]
        return [DONE, *wounded] if wounded else NO_ACTIONS

    def choose(self, s: FeintState, action: Action) -> None:
        if action != DONE:
            seat = self.seat
            card = take(s.discard[seat], (action - CARD) // SLOTS)
            # The bottom of a pile is the start of its list.
            s.deck[seat].insert(0, card)
            s.tell(events.HEALED, seat, card)
            s.stack.append(HEAL[seat][self.left - 1])

    def auto(self, s: FeintState) -> None:
        # Only if nothing was healed. Later the step ends because the discards or the limit ran out.
        if self.left == MAX_HEALED:
            s.tell_idle(self.seat)

    def key(self) -> list[int]:
        return [self.seat, self.left]


def make_spot(place: int, index: int) -> Action:
    """Return the action that selects the card at an index of a Location."""
    return SPOT + place * SPOTS + index


def list_targets(s: FeintState, seat: Seat, place: int) -> list[Action]:
    """Return the actions that select a seat's cards at a Location for an ability.

    Of equal open cards only one is offered. Face-down cards are never Protected, and all of them are offered, because
    an omission would reveal that two of them are equal.
    """
    cards = s.at(seat, place)
    seen: list[Card] = []
    out: list[Action] = []
    for i in range(len(cards)):
        card = cards[i]
        action = make_spot(place, i)
        if card & DOWN:
            out.append(action)
        elif card not in seen and not s.kinds[card & KIND].protected:
            out.append(action)
            seen.append(card)
    return out


class Pointed(Evident[FeintState]):
    """A choice of a card at a Location, for an ability of a kind at a place."""

    __slots__ = ("kind", "place")

    def __init__(self, seat: Seat, kind: int, place: int) -> None:
        super().__init__(seat)
        self.kind: int = kind
        self.place: int = place

    def key(self) -> list[int]:
        return [self.seat, self.kind, self.place]


class Swap(Pointed):
    """Trojan Bit: put a card in play under the draw pile, then draw one (rulings 67, 68)."""

    prompt: ClassVar[str] = "trojan"

    def answers(self, s: FeintState) -> list[Action]:
        itself = make_spot(self.place, s.find(self.seat, self.place, self.kind))
        return [action for place in range(s.places) for action in list_targets(s, self.seat, place) if action != itself]

    def choose(self, s: FeintState, action: Action) -> None:
        seat = self.seat
        place = (action - SPOT) // SPOTS
        card = s.lift(seat, place, (action - SPOT) % SPOTS) & KIND | BOTH  # turned up as it leaves (ruling 24)
        s.deck[seat].insert(0, card)
        s.tell(events.RETURNED, seat, card, place)
        s.draw(seat, 1)

    def otherwise(self, s: FeintState) -> None:
        s.tell_idle(self.seat)


class Inspect(Step[FeintState]):
    """Support Tower: put one of the top cards under the draw pile, or none (rulings 36, 74)."""

    __slots__ = ("count",)
    prompt: ClassVar[str] = "support"

    def __init__(self, seat: Seat, count: int) -> None:
        super().__init__(seat)
        self.count: int = count

    def options(self, s: FeintState) -> list[Action]:
        top = s.deck[self.seat][-self.count :]
        out = [DONE]
        if self.count == 3 and top[0] & KIND == top[2] & KIND != top[1] & KIND:
            out.append(LOWER)  # only here two equal cards lead to different orders of the pile
        return out + [CARD + kind * SLOTS for kind in kinds(top)]

    def choose(self, s: FeintState, action: Action) -> None:
        seat = self.seat
        if action == DONE:
            s.tell(events.KEPT, seat, HIDDEN)
            return
        deck = s.deck[seat]
        at = len(deck) - (3 if action == LOWER else 1)
        while action != LOWER and deck[at] & KIND != (action - CARD) // SLOTS:
            at -= 1
        # The opponent does not see which card moved, so none of these is known to it any longer.
        unseen = ~SEEN[OPPONENT[seat]]
        for i in range(len(deck) - self.count, len(deck)):
            deck[i] &= unseen
        card = deck.pop(at)
        deck.insert(0, card)
        s.tell(events.BOTTOMED, seat, card)

    def key(self) -> list[int]:
        return [self.seat, self.count]


class Bomb(Pointed):
    """Bomb Tower: discard an enemy card at its Location, then the tower itself (rulings 75, 76)."""

    prompt: ClassVar[str] = "bomb"

    def answers(self, s: FeintState) -> list[Action]:
        return list_targets(s, OPPONENT[self.seat], self.place)

    def choose(self, s: FeintState, action: Action) -> None:
        foe = OPPONENT[self.seat]
        card = s.bury(foe, s.lift(foe, self.place, (action - SPOT) % SPOTS))
        s.tell(events.BOMBED, foe, card, self.place)
        self.otherwise(s)

    def otherwise(self, s: FeintState) -> None:
        card = s.bury(self.seat, s.lift(self.seat, self.place, s.find(self.seat, self.place, self.kind)))
        s.tell(events.SPENT, self.seat, card, self.place)


class Assassinate(Step[FeintState]):
    """Assassin: discard a random card of the opponent's hand (rulings 35, 71)."""

    __slots__ = ("victim",)
    prompt: ClassVar[str] = "assassinate"

    def __init__(self, victim: Seat) -> None:
        super().__init__(CHANCE)
        self.victim: Seat = victim

    def options(self, s: FeintState) -> list[Action]:
        return [CARD + kind * SLOTS for kind in kinds(s.hand[self.victim])]

    def weights(self, s: FeintState) -> list[int]:
        return counts(s.hand[self.victim])

    def choose(self, s: FeintState, action: Action) -> None:
        victim = self.victim
        hand = s.hand[victim]
        card = take(hand, (action - CARD) // SLOTS)
        # Both seats have seen the card, so it returns to the hand with both seen bits.
        if s.kinds[card & KIND].protected:
            hand.append(card | BOTH)
            s.tell(events.SHIELDED, victim, card | BOTH)
        else:
            s.tell(events.STRUCK, victim, s.bury(victim, card))

    def auto(self, s: FeintState) -> None:
        s.tell_idle(OPPONENT[self.victim])

    def key(self) -> list[int]:
        return [self.victim]


class Peek(Owned[FeintState]):
    """Explorer: look at the top card of your Location Draw Pile (rulings 7, 53)."""

    def auto(self, s: FeintState) -> None:
        seat = self.owner
        if not s.pile[seat]:
            if s.used[seat]:
                # The step goes back below the shuffle, so it looks at the new pile.
                s.stack.append(PEEK[seat])
                refill_locations(s, seat)
            else:
                s.tell_idle(seat)
            return
        s.pile[seat][-1] |= SEEN[seat]
        s.tell(events.PEEKED, seat, s.pile[seat][-1])


PLAY_ONE: Final[list[Step[FeintState]]] = [PlayOne(0), PlayOne(1)]
CONJURE: Final[list[Step[FeintState]]] = [Conjure(0), Conjure(1)]
HEAL: Final[list[list[Step[FeintState]]]] = [[Heal(seat, n) for n in range(MAX_HEALED + 1)] for seat in (0, 1)]
PEEK: Final[list[Step[FeintState]]] = [Peek(0), Peek(1)]
ASSASSINATE: Final[list[Step[FeintState]]] = [Assassinate(0), Assassinate(1)]

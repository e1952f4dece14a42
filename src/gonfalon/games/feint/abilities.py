"""The second halves of abilities: what a card asks after it was played.

Steps are made once, in the tables at the end, but for the few that carry more than a seat.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from gonfalon.core.cards import HIDDEN, KIND, SEEN, copies, kinds, take
from gonfalon.core.state import CHANCE, NO_ACTIONS, NOBODY, Action, Seat, Step
from gonfalon.games.feint import events
from gonfalon.games.feint.actions import CARD, DONE, SLOTS, SPOT, SPOTS
from gonfalon.games.feint.chance import refill
from gonfalon.games.feint.playing import begin_play
from gonfalon.games.feint.state import BOTH, DOWN, FLAGS, OPPONENT, FeintState


class PlayOne(Step[FeintState]):
    """Good-for-Something: after the draw, play a card if any can be played (ruling 61)."""

    prompt: ClassVar[str] = "play-one"

    def options(self, s: FeintState) -> list[Action]:
        return s.plays(s.hand[self.seat])

    def choose(self, s: FeintState, action: Action) -> None:
        begin_play(s, self.seat, s.hand[self.seat], action)


class Conjure(Step[FeintState]):
    """Conjurer: play a card from the discard pile if any can be played (ruling 59)."""

    prompt: ClassVar[str] = "conjure"

    def options(self, s: FeintState) -> list[Action]:
        return s.plays(s.discard[self.seat])

    def choose(self, s: FeintState, action: Action) -> None:
        begin_play(s, self.seat, s.discard[self.seat], action)


class Heal(Step[FeintState]):
    """Medic: one after the other, up to three discards go under the draw pile (ruling 63)."""

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
            s.deck[seat].insert(0, card)
            s.tell(events.HEALED, seat, card)
            s.stack.append(HEAL[seat][self.left - 1])

    def key(self) -> list[int]:
        return [self.seat, self.left]


def spot(place: int, index: int) -> Action:
    """The action that points at a card lying at a Location."""
    return SPOT + place * SPOTS + index


class Swap(Step[FeintState]):
    """Trojan Bit: a card in play goes under the draw pile, then draw one (rulings 67, 68)."""

    __slots__ = ("kind", "place")
    prompt: ClassVar[str] = "trojan"

    def __init__(self, seat: Seat, kind: int, place: int) -> None:
        super().__init__(seat)
        self.kind: int = kind
        self.place: int = place

    def options(self, s: FeintState) -> list[Action]:
        out: list[Action] = []
        for place in range(s.places):
            cards = s.at(self.seat, place)
            itself = s.find(self.seat, place, self.kind) if place == self.place else -1
            for i in range(len(cards)):
                if s.kinds[cards[i] & KIND].protected or i == itself:
                    continue
                if itself >= 0 or cards.index(cards[i]) == i:  # of equal cards one is offered
                    out.append(spot(place, i))
        return out

    def choose(self, s: FeintState, action: Action) -> None:
        seat = self.seat
        place = (action - SPOT) // SPOTS
        card = s.lift(seat, place, (action - SPOT) % SPOTS) & ~FLAGS | BOTH  # turned up as it leaves (ruling 24)
        s.deck[seat].insert(0, card)
        s.tell(events.RETURNED, seat, card, place)
        s.draw(seat, 1)

    def auto(self, s: FeintState) -> None:
        s.tell(events.NO_EFFECT, self.seat, HIDDEN)

    def key(self) -> list[int]:
        return [self.seat, self.kind, self.place]


class Inspect(Step[FeintState]):
    """Support Tower: of the cards looked at, one may go to the bottom (rulings 36, 74)."""

    __slots__ = ("count",)
    prompt: ClassVar[str] = "support"

    def __init__(self, seat: Seat, count: int) -> None:
        super().__init__(seat)
        self.count: int = count

    def options(self, s: FeintState) -> list[Action]:
        top = s.deck[self.seat][-self.count :]
        out = [DONE]
        for kind in kinds(top):
            # The second of equal cards leaves another order behind: slot 1 means it, slot 2 the third.
            out += [CARD + kind * SLOTS + slot for slot in range(copies(top, kind))]
        return out

    def choose(self, s: FeintState, action: Action) -> None:
        seat = self.seat
        if action == DONE:
            s.tell(events.KEPT, seat, HIDDEN)
            return
        deck = s.deck[seat]
        kind, above = divmod(action - CARD, SLOTS)
        at = len(deck) - 1
        while deck[at] & KIND != kind or above:
            if deck[at] & KIND == kind:
                above -= 1
            at -= 1
        # Which of the cards went, the opponent cannot tell, even of those that he knew.
        unseen = ~SEEN[OPPONENT[seat]]
        for i in range(len(deck) - self.count, len(deck)):
            deck[i] &= unseen
        card = deck.pop(at)
        deck.insert(0, card)
        s.tell(events.BOTTOMED, seat, card)

    def key(self) -> list[int]:
        return [self.seat, self.count]


class Bomb(Step[FeintState]):
    """Bomb Tower: an enemy card here goes, then the tower itself (rulings 75, 76)."""

    __slots__ = ("kind", "place")
    prompt: ClassVar[str] = "bomb"

    def __init__(self, seat: Seat, kind: int, place: int) -> None:
        super().__init__(seat)
        self.kind: int = kind
        self.place: int = place

    def options(self, s: FeintState) -> list[Action]:
        cards = s.at(OPPONENT[self.seat], self.place)
        out: list[Action] = []
        for i in range(len(cards)):
            card = cards[i]
            # Face-down cards may differ and are never Protected; of equal open cards one is offered.
            if card & DOWN or (cards.index(card) == i and not s.kinds[card & KIND].protected):
                out.append(spot(self.place, i))
        return out

    def choose(self, s: FeintState, action: Action) -> None:
        foe = OPPONENT[self.seat]
        card = s.bury(foe, s.lift(foe, self.place, (action - SPOT) % SPOTS))
        s.tell(events.BOMBED, foe, card, self.place)
        self.auto(s)

    def auto(self, s: FeintState) -> None:
        card = s.bury(self.seat, s.lift(self.seat, self.place, s.find(self.seat, self.place, self.kind)))
        s.tell(events.SPENT, self.seat, card, self.place)

    def key(self) -> list[int]:
        return [self.seat, self.kind, self.place]


class Assassinate(Step[FeintState]):
    """Assassin: chance picks a card of the opponent's hand (rulings 35, 71)."""

    __slots__ = ("victim",)
    prompt: ClassVar[str] = "assassinate"

    def __init__(self, victim: Seat) -> None:
        super().__init__(CHANCE)
        self.victim: Seat = victim

    def options(self, s: FeintState) -> list[Action]:
        return [CARD + kind * SLOTS for kind in kinds(s.hand[self.victim])]

    def weights(self, s: FeintState) -> list[int]:
        hand = s.hand[self.victim]
        return [copies(hand, kind) for kind in kinds(hand)]

    def choose(self, s: FeintState, action: Action) -> None:
        victim = self.victim
        hand = s.hand[victim]
        card = take(hand, (action - CARD) // SLOTS)
        if s.kinds[card & KIND].protected:
            hand.append(card | BOTH)
            s.tell(events.SHIELDED, victim, card | BOTH)
        else:
            s.tell(events.STRUCK, victim, s.bury(victim, card))

    def auto(self, s: FeintState) -> None:
        s.tell(events.NO_EFFECT, OPPONENT[self.victim], HIDDEN)

    def key(self) -> list[int]:
        return [self.victim]


class Peek(Step[FeintState]):
    """Explorer: look at the top of the own Location Draw Pile (rulings 7, 53)."""

    __slots__ = ("player",)

    def __init__(self, player: Seat) -> None:
        super().__init__(NOBODY)
        self.player: Seat = player

    def auto(self, s: FeintState) -> None:
        seat = self.player
        if not s.pile[seat]:
            if s.used[seat]:
                s.stack.append(PEEK[seat])
                refill(s, seat)
            return
        s.pile[seat][-1] |= SEEN[seat]
        s.tell(events.PEEKED, seat, s.pile[seat][-1])

    def key(self) -> list[int]:
        return [self.player]


PLAY_ONE: Final[list[Step[Any]]] = [PlayOne(0), PlayOne(1)]
CONJURE: Final[list[Step[Any]]] = [Conjure(0), Conjure(1)]
HEAL: Final[list[list[Step[Any]]]] = [[Heal(seat, n) for n in range(4)] for seat in (0, 1)]
PEEK: Final[list[Step[Any]]] = [Peek(0), Peek(1)]
ASSASSINATE: Final[list[Step[Any]]] = [Assassinate(0), Assassinate(1)]

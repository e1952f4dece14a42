"""How many Counters the other hand may hold, by all that the view shows. A few dealt worlds would say it less well, and
call sure what they happen not to have shown."""

from __future__ import annotations

from math import comb
from typing import Final

from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.rules.state import Seat
from gonfalon.games.generals.rules.beliefs import Posterior
from gonfalon.games.generals.rules.state import GeneralsState

CASES: Final = ("none", "one", "two or more")
ANYHOW: Final = 0.08
"""How much goes to all cases that are possible, all alike: somebody may bring any deck, hold Counters back or pay with
them."""


class Hand:
    """What a view shows of the other seat's hand, and of the cards that may be in it."""

    def __init__(self, view: GeneralsState, foe: Seat) -> None:
        seen = SEEN[1 - foe]
        self.counters: list[int] = view.setup.counters[foe]
        hand = view.hand[foe]
        self.shown: int = self.count([card & KIND for card in hand if card & seen])
        self.hidden: int = sum(not card & seen for card in hand)
        zones = view.pools()[foe][1]
        self.open: list[int] = [card & KIND for zone in zones for card in zone if card & seen]
        self.unseen: int = sum(not card & seen for zone in zones for card in zone)

    def count(self, kinds: list[int]) -> int:
        """How many of these are Counters."""
        return sum(kind in self.counters for kind in kinds)

    def of_list(self, deck: list[int]) -> list[float]:
        """How likely each number of Counters is among the unseen cards of the hand, if this is the list."""
        left = self.count(deck) - self.count(self.open)
        return drawn(self.unseen, left, self.hidden)

    def of_any(self, thought: Posterior) -> list[float]:
        """The same for any legal list with what was seen in it. Some of that may be in the hand, the rest of it is a
        draw from all copies that the list may hold besides."""
        prior = thought.prior
        known = thought.seen[:]
        for kind in self.open:
            if kind in known:
                known.remove(kind)
        sure = self.count(known)
        loose = sum(prior.copies - thought.seen.count(kind) for kind in prior.kinds if kind in self.counters)
        found = [0.0] * (self.hidden + 1)
        for back, share in enumerate(drawn(self.unseen, len(known), self.hidden)):
            if share > 0.0:
                one = drawn(len(known), sure, back)
                other = drawn(thought.left, loose, self.hidden - back)
                for i, p in enumerate(one):
                    for j, q in enumerate(other):
                        found[i + j] += share * p * q
        return found


def drawn(cards: int, good: int, hand: int) -> list[float]:
    """How likely each number of good cards is in a hand of so many, drawn from all."""
    every = comb(cards, hand)
    return [comb(good, number) * comb(cards - good, hand - number) / every for number in range(hand + 1)]


def chances(view: GeneralsState, foe: Seat) -> list[float]:
    """How likely each of the cases is; 0 only for what cannot be."""
    hand = Hand(view, foe)
    deck = view.lists[foe]
    if deck:
        ways = [(1.0, hand.of_list(deck))]
    else:
        thought = Posterior(view.setup.priors[foe], view.seen[foe])
        ready = zip(thought.shares[:-1], thought.prior.ready, strict=True)
        ways = [(share, hand.of_list(deck)) for share, deck in ready if share > 0.0]
        ways.append((thought.shares[-1], hand.of_any(thought)))
    found = [0.0] * len(CASES)
    possible = [0] * len(CASES)
    for share, numbers in ways:
        for number, chance in enumerate(numbers):
            case = min(2, hand.shown + number)
            found[case] += share * chance
            if chance > 0.0:
                possible[case] = 1
    total, each = sum(found), ANYHOW / sum(possible)
    return [(1.0 - ANYHOW) * chance / total + each * can for chance, can in zip(found, possible, strict=True)]

"""The number of Counters in the other hand, as a distribution computed from the view.

A few sampled worlds would estimate it less well, and would exclude cases that they happen not to show.
"""

from __future__ import annotations

from math import comb
from typing import Final

from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.rules.state import Seat
from gonfalon.games.generals.rules.beliefs import Posterior
from gonfalon.games.generals.rules.state import GeneralsState

CASES: Final = ("none", "one", "two or more")
UNIFORM_SHARE: Final = 0.08
"""The probability shared equally by all possible cases: players bring any deck, hold Counters back or pay with them."""


class Hand:
    """The knowledge of a view about the other seat's hand and the cards that may be in it."""

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
        """Return the number of Counters among these kinds."""
        return sum(kind in self.counters for kind in kinds)

    def compute_from_list(self, deck: list[int]) -> list[float]:
        """Return the probability of each number of Counters among the unseen cards of the hand, given the deck list."""
        left = self.count(deck) - self.count(self.open)
        return compute_draw_chances(self.unseen, left, self.hidden)

    def compute_without_list(self, thought: Posterior) -> list[float]:
        """Return the probability of each number of Counters among the unseen cards of the hand, given no list.

        Cards seen before may be in the hand. The other cards are drawn from all copies that the list may also hold.
        """
        prior = thought.prior
        known = thought.seen[:]
        for kind in self.open:
            if kind in known:
                known.remove(kind)
        sure = self.count(known)
        loose = sum(prior.copies - thought.seen.count(kind) for kind in prior.kinds if kind in self.counters)
        found = [0.0] * (self.hidden + 1)
        for back, share in enumerate(compute_draw_chances(self.unseen, len(known), self.hidden)):
            if share > 0.0:
                one = compute_draw_chances(len(known), sure, back)
                other = compute_draw_chances(thought.left, loose, self.hidden - back)
                for i, p in enumerate(one):
                    for j, q in enumerate(other):
                        found[i + j] += share * p * q
        return found


def compute_draw_chances(cards: int, good: int, hand: int) -> list[float]:
    """Return the probability of each number of good cards in a hand drawn from `cards` (hypergeometric)."""
    every = comb(cards, hand)
    return [comb(good, number) * comb(cards - good, hand - number) / every for number in range(hand + 1)]


def compute_case_chances(view: GeneralsState, foe: Seat) -> list[float]:
    """Return the probability of each case; 0 only for impossible ones."""
    hand = Hand(view, foe)
    # With open lists the deck is known; otherwise the belief weighs ready-made decks and an unknown list.
    deck = view.lists[foe]
    if deck:
        ways = [(1.0, hand.compute_from_list(deck))]
    else:
        thought = Posterior(view.setup.priors[foe], view.seen[foe])
        ready = zip(thought.shares[:-1], thought.prior.ready, strict=True)
        ways = [(share, hand.compute_from_list(deck)) for share, deck in ready if share > 0.0]
        ways.append((thought.shares[-1], hand.compute_without_list(thought)))
    found = [0.0] * len(CASES)
    possible = [0] * len(CASES)
    for share, numbers in ways:
        for number, chance in enumerate(numbers):
            case = min(2, hand.shown + number)
            found[case] += share * chance
            if chance > 0.0:
                possible[case] = 1
    # Impossible cases keep the probability 0, so the search never deals a world for them.
    total, each = sum(found), UNIFORM_SHARE / sum(possible)
    return [(1.0 - UNIFORM_SHARE) * chance / total + each * can for chance, can in zip(found, possible, strict=True)]

"""What to expect of somebody who chooses in secret: nobody knows who sits there, so they are taken for a mixture of
several kinds of players. How many choose a formation in which way was fitted to what the levels and the rule of thumb,
each as often, really choose. Somebody may always do anything, so nothing of it is ever sure."""

from __future__ import annotations

from math import comb
from typing import Final

from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.games.jinkei.bots.placement import Ground
from gonfalon.games.jinkei.bots.precomputed import Case
from gonfalon.games.jinkei.face.thoughts import VANGUARDS
from gonfalon.games.jinkei.rules.setup import REARGUARD

KINDS: Final = {
    "any": 0.15,
    "sight": 0.6,  # those who choose the formation on which their cards are worth most
    "ranks": 0.12,  # those who look at the ranks of their cards alone
    "own": 0.13,  # those who think as the level does that asks
}
"""How much there is of each kind of players who choose a formation; 1 in all."""
ANYHOW: Final = 0.15
"""How many lay their cards anyhow."""
FEW: Final = 4.0
"""So many sampled ways to lay cards count as much as to know no more than which cards may be there."""
STRONG: Final = 8


def ground_of(case: Case, form: int, by_rank: bool = False) -> Ground:
    """A formation of the round on which nothing was laid yet."""
    free = [space for space in case.tables.spots[form] if space != case.setup.formations[form].reveal]
    return case.tables.ground(form, free, not case.last, -1, by_rank)


class Choosers:
    """Which of its formations the other chooses, by the hands that it may hold."""

    def __init__(self, case: Case, forms: list[int]) -> None:
        self.case = case
        self.hands = 0
        self.grounds = {kind: [ground_of(case, form, kind == "ranks") for form in forms] for kind in ("sight", "ranks")}
        self.count = {kind: [0] * len(forms) for kind in self.grounds}

    def look(self, hand: list[int]) -> None:
        """Take in a hand that the other may hold."""
        self.hands += 1
        for kind, grounds in self.grounds.items():
            worths = [ground.value(ground.arrange(hand, self.case.rng, 0.0)) for ground in grounds]
            self.count[kind][worths.index(max(worths))] += 1

    def chances(self, own: list[float]) -> list[float]:
        """How likely it chooses each formation. `own` is what the level that asks would do there."""
        kinds = {kind: [count / self.hands for count in counts] for kind, counts in self.count.items()}
        kinds |= {"any": [1.0 / len(own)] * len(own), "own": own}
        return [sum(share * kinds[kind][i] for kind, share in KINDS.items()) for i in range(len(own))]


class Vanguard:
    """How high the highest card of the other's Vanguard is, by the ways in which it may be laid."""

    def __init__(self, case: Case, places: int) -> None:
        self.rank = case.setup.rank
        deck, zones = case.view.pools()[case.foe]
        known = {card & KIND for zone in zones for card in zone if card & SEEN[case.me]}
        open_ = [card & KIND for cards in case.view.spaces[case.foe][:REARGUARD] for card in cards]
        self.free = places - len(open_)
        self.anyhow = self.at_random(open_, [kind for kind in deck if kind not in known])
        self.count = [0] * len(VANGUARDS)
        self.ways = 0

    def look(self, cards: list[int]) -> None:
        """Take in a way to lay it."""
        self.count[self.sort(cards)] += 1
        self.ways += 1

    def likely(self) -> list[tuple[str, float]]:
        """How likely each sort is."""
        laid = (1.0 - ANYHOW) / (self.ways + FEW)
        rest = 1.0 - laid * self.ways
        return [
            (name, laid * count + rest * anyhow)
            for name, count, anyhow in zip(VANGUARDS, self.count, self.anyhow, strict=True)
        ]

    def at_random(self, open_: list[int], hidden: list[int]) -> list[float]:
        """How likely each sort is if any of the hidden cards come to the free places."""
        none = [1.0, 0.0, 0.0, 0.0]  # by sort: that there is no better one
        for sort in range(1, 1 + self.sort(open_)):
            worse = sum(self.sort([kind]) >= sort for kind in hidden)
            none[sort] = comb(worse, self.free) / comb(len(hidden), self.free)
        return [none[sort] - none[sort + 1] for sort in range(len(VANGUARDS))]

    def sort(self, kinds: list[int]) -> int:
        """Which of the sorts the highest of these cards makes; the last one where there are none."""
        high = max((self.rank[kind] for kind in kinds), default=0)
        return 0 if high == max(self.rank) else 1 if high >= STRONG else 2

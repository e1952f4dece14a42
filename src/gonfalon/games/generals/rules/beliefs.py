"""The belief about a secret deck list.

The announced factions of a deck, its number of cards and its Commandment are public. Among all decks with these
properties, three quarters of the probability go to the preset decks in equal parts, and one quarter to any legal deck:
cards drawn at random from all legal copies, with at least one card of each announced faction. The cards that were seen
count as a random part of the list, so a deck with more copies of them is likelier.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.beliefs import Beliefs
from gonfalon.core.basics.rng import Rng

PRESET_SHARE: Final = 0.75
"""The total probability of the preset decks that fit the announcement, before a card is seen."""
MAX_DRAWS: Final = 1000
"""The most attempts to draw a deck with a card of each announced faction. Nearly all decks have one."""


class Prior:
    """The public knowledge of a deck list before a card of it is seen."""

    def __init__(
        self, kinds: list[int], copies: int, size: int, command: int, marks: list[list[int]], ready: list[list[int]]
    ) -> None:
        self.kinds: list[int] = kinds  # the kinds that it may hold, ascending
        self.copies: int = copies  # the most copies of a kind
        self.size: int = size
        self.command: int = command
        self.marks: list[list[int]] = marks  # the kinds of each announced faction; the list has one of each
        self.ready: list[list[int]] = ready  # the preset decks that fit, each ascending
        self.whole: list[list[int]] = [[*deck, command] for deck in ready]  # those decks with the Commandment
        self.covered: float = chance_to_cover(marks, copies, len(kinds) * copies, size)


class Posterior:
    """The distribution over deck lists after cards were seen. `seen` has a kind once for each copy that is certain."""

    def __init__(self, prior: Prior, seen: list[int]) -> None:
        self.prior: Prior = prior
        self.seen: list[int] = seen
        self.left: int = len(prior.kinds) * prior.copies - len(seen)  # unseen copies that a legal deck may hold
        self.missing: list[list[int]] = [mark for mark in prior.marks if not any(kind in seen for kind in mark)]
        # The probabilities of the preset decks, and last that of all others together.
        self.shares: list[float] = self._compute_shares()

    def _compute_shares(self) -> list[float]:
        """Return the probabilities of the preset decks, and last that of all other decks together, by Bayes' rule."""
        prior, seen = self.prior, self.seen
        all_copies = len(prior.kinds) * prior.copies
        # How much likelier it is to see a certain copy if it is in the deck than if any legal copy may be in it.
        rarer = 1.0
        for i in range(len(seen)):
            rarer *= (all_copies - i) / max(1, prior.size - i)
        each = PRESET_SHARE / max(1, len(prior.ready)) * rarer
        found: list[float] = [each] * len(prior.ready)
        others = 1.0 - PRESET_SHARE if prior.ready else 1.0
        if prior.marks:
            others *= chance_to_cover(self.missing, prior.copies, self.left, prior.size - len(seen)) / prior.covered
        found.append(others)
        for kind in sorted(set(seen)):
            count = seen.count(kind)
            for i, deck in enumerate(prior.ready):
                found[i] *= count_ways(deck.count(kind), count)
            found[-1] *= count_ways(prior.copies, count)
        total = sum(found)
        if total <= 0.0:  # a position that no legal deck can lead to, as in some tests
            return [0.0] * len(prior.ready) + [1.0]
        return [weight / total for weight in found]

    def draw(self, rng: Rng) -> list[int]:
        """Return a complete list, ascending, with the Commandment last."""
        # The shares add up to 1; the remainder beyond the preset decks is the share of all others.
        mark = rng.random()
        for i, deck in enumerate(self.prior.whole):
            mark -= self.shares[i]
            if mark < 0.0:
                return deck
        return self.draw_other(rng)

    def draw_any(self, rng: Rng) -> list[int]:
        """Return a preset deck that is still possible, or another list, each with equal probability."""
        fit = [deck for i, deck in enumerate(self.prior.whole) if self.shares[i] > 0.0]
        at = int(rng.below(len(fit) + 1))
        return fit[at] if at < len(fit) else self.draw_other(rng)

    def draw_other(self, rng: Rng) -> list[int]:
        """Return a random legal list that holds the seen cards."""
        prior = self.prior
        wanted = prior.size - len(self.seen)
        rest: list[int] = []
        for kind in prior.kinds:
            rest += [kind] * (prior.copies - self.seen.count(kind))
        drawn: list[int] = []
        # Rejection keeps the draw uniform among legal decks. After the limit the last draw is taken.
        for _ in range(MAX_DRAWS):
            rng.shuffle(rest)
            drawn = rest[:wanted]
            if self.has_all(drawn):
                break
        found = self.seen + drawn
        found.sort()
        found.append(prior.command)
        return found

    def has_all(self, drawn: list[int]) -> bool:
        """Return whether each announced faction that was not seen yet is among these kinds."""
        return all(any(kind in mark for kind in drawn) for mark in self.missing)

    def expected(self, count: int) -> list[float]:
        """Return the expected number of copies of each of `count` kinds. Announced factions that were not seen yet are
        not weighted."""
        found = [0.0] * count
        for i, deck in enumerate(self.prior.ready):
            share = self.shares[i]
            if share > 0.0:
                for kind in deck:
                    found[kind] += share
        share = self.shares[len(self.prior.ready)]
        if share > 0.0:
            each = share * (self.prior.size - len(self.seen)) / max(1, self.left)
            for kind in self.prior.kinds:
                found[kind] += each * (self.prior.copies - self.seen.count(kind))
            for kind in self.seen:
                found[kind] += share
        return found


def chance_to_cover(marks: list[list[int]], each: int, copies: int, wanted: int) -> float:
    """Return the probability that random copies include a card of each mark, by inclusion and exclusion.

    Args:
        marks: The kinds of each mark.
        each: The number of copies of a kind.
        copies: The number of all copies.
        wanted: The number of copies drawn.
    """
    total = 0.0
    # Decks announce few factions, so there are few sets.
    for left_out in range(1 << len(marks)):
        without = copies
        chance = 1.0
        for i, mark in enumerate(marks):
            if left_out >> i & 1:
                without -= len(mark) * each
                chance = -chance
        for i in range(wanted):
            chance *= max(0, without - i) / max(1, copies - i)
        total += chance
    return total


def count_ways(of: int, some: int) -> float:
    """Return the number of ways to choose `some` of `of` things."""
    found = 1.0
    for i in range(some):
        found *= (of - i) / (i + 1)
    return found


class ListBeliefs(Beliefs):
    """The belief about both deck lists, each with its Commandment: the list if the viewer knows it, else a
    distribution."""

    def __init__(self, lists: list[list[int]], priors: list[Prior], seen: list[list[int]]) -> None:
        # For each seat the known list, or else the belief about it.
        self.known: list[list[int]] = [[*lists[seat], priors[seat].command] for seat in (0, 1)]
        self.thought: list[Posterior | None] = [
            None if lists[seat] else Posterior(priors[seat], seen[seat]) for seat in (0, 1)
        ]

    def draw(self, rng: Rng) -> list[list[int]]:
        return [self.known[i] if one is None else one.draw(rng) for i, one in enumerate(self.thought)]

    def draw_any(self, rng: Rng) -> list[list[int]]:
        return [self.known[i] if one is None else one.draw_any(rng) for i, one in enumerate(self.thought)]

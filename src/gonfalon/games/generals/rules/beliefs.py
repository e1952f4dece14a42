"""What is thought of a deck list that its owner keeps to themselves.

Everybody knows the announced factions of a deck, how many cards it has, and its Commandment. Among all decks of which
this is so, three parts in four go to the ready-made ones, all alike, and one to any legal deck: so many cards at random
out of all copies that may be in it, at least one of each announced faction among them. What has been seen of the list
is taken for a random part of it, so a deck that has more copies of what was seen is likelier.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.beliefs import Beliefs
from gonfalon.core.basics.rng import Rng

PRESET_SHARE: Final = 0.75
"""What the ready-made decks of which all that is known would be true have together, before a card is seen."""
MAX_DRAWS: Final = 1000
"""Decks drawn until one has a card of each announced faction, which nearly all have."""


class Prior:
    """What is known of a deck list before a card of it is seen."""

    def __init__(
        self, kinds: list[int], copies: int, size: int, command: int, marks: list[list[int]], ready: list[list[int]]
    ) -> None:
        self.kinds: list[int] = kinds  # that may be in it, ascending
        self.copies: int = copies  # of each, at most
        self.size: int = size
        self.command: int = command
        self.marks: list[list[int]] = marks  # for each announced faction its kinds: one of them is there
        self.ready: list[list[int]] = ready  # the ready-made decks that it may be, each ascending
        self.whole: list[list[int]] = [[*deck, command] for deck in ready]  # these with the Commandment
        self.covered: float = chance_to_cover(marks, copies, len(kinds) * copies, size)


class Posterior:
    """What is thought of it once these kinds have been seen, each as often as for certain."""

    def __init__(self, prior: Prior, seen: list[int]) -> None:
        self.prior: Prior = prior
        self.seen: list[int] = seen
        self.left: int = len(prior.kinds) * prior.copies - len(seen)  # copies that a legal deck may hold besides
        self.missing: list[list[int]] = [mark for mark in prior.marks if not any(kind in seen for kind in mark)]
        # The chances of the ready-made decks, and last of all others together.
        self.shares: list[float] = self._compute_shares()

    def _compute_shares(self) -> list[float]:
        """The shares: what each was before, times how likely it shows just these cards."""
        prior, seen = self.prior, self.seen
        all_copies = len(prior.kinds) * prior.copies
        # By how much likelier a given copy is among those seen if it is in a deck than if it may be any copy.
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
        if total <= 0.0:  # a table that no legal deck leads to
            return [0.0] * len(prior.ready) + [1.0]
        return [weight / total for weight in found]

    def draw(self, rng: Rng) -> list[int]:
        """A complete list, ascending, and last the Commandment."""
        mark = rng.random()
        for i, deck in enumerate(self.prior.whole):
            mark -= self.shares[i]
            if mark < 0.0:
                return deck
        return self.draw_other(rng)

    def draw_any(self, rng: Rng) -> list[int]:
        """One of the ready-made decks that it may still be, or any other, all alike."""
        fit = [deck for i, deck in enumerate(self.prior.whole) if self.shares[i] > 0.0]
        at = int(rng.below(len(fit) + 1))
        return fit[at] if at < len(fit) else self.draw_other(rng)

    def draw_other(self, rng: Rng) -> list[int]:
        """Any legal list with what was seen in it."""
        prior = self.prior
        wanted = prior.size - len(self.seen)
        rest: list[int] = []
        for kind in prior.kinds:
            rest += [kind] * (prior.copies - self.seen.count(kind))
        drawn: list[int] = []
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
        """Whether each faction that is still missing is among these."""
        return all(any(kind in mark for kind in drawn) for mark in self.missing)

    def expected(self, count: int) -> list[float]:
        """How many copies of each of `count` kinds the list holds on average; announced factions that have not shown
        yet are not counted apart."""
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
    """How likely so many of all copies, of which each kind has `each`, hold a card of each mark: by all sets of marks
    that could be missing, added and taken away in turn."""
    total = 0.0
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
    """In how many ways so many of a number can be chosen."""
    found = 1.0
    for i in range(some):
        found *= (of - i) / (i + 1)
    return found


class ListBeliefs(Beliefs):
    """Of both seats: a list that the viewer knows, or what they think of it. A list comes with its Commandment."""

    def __init__(self, lists: list[list[int]], priors: list[Prior], seen: list[list[int]]) -> None:
        # Of each seat the list, where it is known, or else what is thought of it.
        self.known: list[list[int]] = [[*lists[seat], priors[seat].command] for seat in (0, 1)]
        self.thought: list[Posterior | None] = [
            None if lists[seat] else Posterior(priors[seat], seen[seat]) for seat in (0, 1)
        ]

    def draw(self, rng: Rng) -> list[list[int]]:
        return [self.known[i] if one is None else one.draw(rng) for i, one in enumerate(self.thought)]

    def draw_any(self, rng: Rng) -> list[list[int]]:
        return [self.known[i] if one is None else one.draw_any(rng) for i, one in enumerate(self.thought)]

"""Matches the cards of a game with the cards that a network was trained with, by their features."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

TRAIT_WEIGHT: Final = 2.0
FACTION_WEIGHT: Final = 4.0
"""The distance that each differing trait and a differing faction add; one point of a number adds 1."""


@dataclass(frozen=True, slots=True)
class CardFeatures:
    """The features of a card: two cards with equal features are played alike."""

    slug: str
    role: str
    """Only cards with the same role can stand for each other."""
    faction: int
    traits: frozenset[str]
    """Its abilities, flags and subtypes."""
    numbers: tuple[float, ...]
    """Its numbers, such as strength and cost."""

    def distance(self, other: CardFeatures) -> float:
        """Return how different two cards of one role are."""
        numbers = sum(abs(a - b) for a, b in zip(self.numbers, other.numbers, strict=True))
        return (
            numbers + TRAIT_WEIGHT * len(self.traits ^ other.traits) + FACTION_WEIGHT * (self.faction != other.faction)
        )


class CardMatch:
    """For each card of a game the trained card that stands for it in the rows of a network.

    A card with the slug of a trained card keeps its place, even if its numbers were changed. Any other card takes the
    place of the nearest trained card of its role. Cards may share a place.
    """

    def __init__(self, cards: Sequence[CardFeatures], trained: Sequence[CardFeatures]) -> None:
        """Match cards.

        Raises:
            LookupError: A card has a role that no trained card has.
        """
        self.cards = cards
        self.trained = trained
        self.by_slug: dict[str, int] = {card.slug: number for number, card in enumerate(trained)}
        self.factions: dict[int, int] = self._match_factions()
        self.places: list[int] = [self._find(replace(card, faction=self.factions[card.faction])) for card in cards]

    def changed_share(self, numbers: Iterable[int]) -> float:
        """Return the share of these cards that are new or differ from the trained card of their slug."""
        changed = [self.cards[number] != self._counterpart(number) for number in numbers]
        return sum(changed) / max(1, len(changed))

    def _counterpart(self, number: int) -> CardFeatures | None:
        """Return the trained card of the same slug, with the number that its faction has here."""
        card = self.cards[number]
        at = self.by_slug.get(card.slug)
        if at is None or self.trained[at].faction != self.factions[card.faction]:
            return None
        return replace(self.trained[at], faction=card.faction)

    def _match_factions(self) -> dict[int, int]:
        """Return for each faction the trained faction that most of its cards belong to or resemble."""
        votes: dict[int, Counter[int]] = {}
        for card in self.cards:
            votes.setdefault(card.faction, Counter())[self.trained[self._find(card)].faction] += 1
        return {faction: found.most_common(1)[0][0] for faction, found in votes.items()}

    def _find(self, card: CardFeatures) -> int:
        at = self.by_slug.get(card.slug, -1)
        if at >= 0 and self.trained[at].role == card.role:
            return at
        near = [(card.distance(other), at) for at, other in enumerate(self.trained) if other.role == card.role]
        if not near:
            raise LookupError(f"The network was trained with no card of the role {card.role!r}.")
        # Of equally near cards the first one counts, so that the match is the same on every machine.
        return min(near)[1]

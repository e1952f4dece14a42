"""The layout of a row or of the outputs of a network: which of its numbers belong to which card."""

from __future__ import annotations

from collections.abc import Sequence

from gonfalon.bots.networks.card_match import CardMatch


class Layout:
    """Numbers in parts. Each number belongs to a kind of card, to a faction, or to neither."""

    def __init__(self) -> None:
        self.factors: list[float] = []
        """The factor of each number."""
        self.keys: list[tuple[int, int, int | None, int | None]] = []
        """The part of each number, its index, its card and its faction."""
        self.parts = 0

    @property
    def size(self) -> int:
        """The number of numbers."""
        return len(self.factors)

    def add(self, factors: Sequence[float]) -> int:
        """Add a part of plain numbers with these factors. Return the index of its first number."""
        return self._add(factors, [(i, None, None) for i in range(len(factors))])

    def add_cards(self, cards: Sequence[int], factor: float = 1.0, each: int = 1) -> int:
        """Add a part with `each` numbers for each of some kinds. Return the index of its first number."""
        keys = [(i, card, None) for card in cards for i in range(each)]
        return self._add([factor] * len(keys), keys)

    def add_factions(self, count: int) -> int:
        """Add a part with a number for each faction. Return the index of its first number."""
        return self._add([1.0] * count, [(0, None, faction) for faction in range(count)])

    def _add(self, factors: Sequence[float], keys: Sequence[tuple[int, int | None, int | None]]) -> int:
        at = self.size
        self.factors += factors
        self.keys += [(self.parts, *key) for key in keys]
        self.parts += 1
        return at

    def gather(self, trained: Layout, match: CardMatch) -> list[int]:
        """Return for each number its index in the layout that a network was trained with.

        Raises:
            LookupError: The layouts have different parts.
        """
        plain, trained_plain = ([key for key in keys if key[2:] == (None, None)] for keys in (self.keys, trained.keys))
        if plain != trained_plain:
            raise LookupError("The plain numbers differ.")
        index = {key: i for i, key in enumerate(trained.keys)}
        return [
            index[
                part,
                i,
                None if card is None else match.places[card],
                None if faction is None else match.factions[faction],
            ]
            for part, i, card, faction in self.keys
        ]

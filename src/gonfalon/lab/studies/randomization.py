"""Random replacement of cards in decks, and the regression that separates the effects of the cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Final

import numpy as np

from gonfalon.bots.players.choice import Z
from gonfalon.core.basics.rng import Rng
from gonfalon.lab.run.match import SEED_FACTOR, WORD_MASK
from gonfalon.lab.run.sequential import SMALL_SAMPLE_VARIANCE
from gonfalon.lab.studies.swaps import Slot

MEAN_REPLACED_SHARE: Final = 0.12
"""Average share of a deck that is replaced. A larger share would measure the cards of another deck."""
MAX_REPLACED_SHARE: Final = 0.5
"""Maximum share of the games in which a card is replaced."""
BLOCKS_PER_CARD: Final = 3
"""Number of blocks for each card before the regression is reported."""
UNKNOWN_HALF_WIDTH: Final = 1.0
"""Half the width of an interval without information."""
SEED_OFFSET: Final = 0x1077
"""Constant that separates the random replacements from the chance of the games."""


class CardDraws:
    """Random replacements of a study, one for each block of games.

    A card with few copies is drawn more often, so that about the same number of copies of each card is replaced.
    Otherwise
    it would need many times as many games.
    """

    def __init__(self, known: Mapping[str, Sequence[Slot]], seed: int) -> None:
        self.known = known
        self.seed = seed
        self.taken: dict[str, list[list[int]]] = {side: [] for side in known}
        """Replaced copies of each card, for each side and block."""

    @property
    def draw_count(self) -> int:
        """Number of blocks drawn so far."""
        return len(next(iter(self.taken.values())))

    @property
    def least(self) -> int:
        """Number of blocks needed before anything is reported."""
        return BLOCKS_PER_CARD * (1 + max(map(len, self.known.values())))

    def draw(self) -> dict[str, dict[str, int]]:
        """Draw the next block: the number of replaced copies of each card, for each side."""
        rng = Rng(((self.seed ^ SEED_OFFSET) + (self.draw_count + 1) * SEED_FACTOR) & WORD_MASK)
        found: dict[str, dict[str, int]] = {}
        for side, own in self.known.items():
            row = [slot.replaced_copies if rng.random() < replacement_chance(slot, own) else 0 for slot in own]
            self.taken[side].append(row)
            found[side] = {slot.word: n for slot, n in zip(own, row, strict=True) if n}
        return found

    def regress(self, side: str, shares: Sequence[float], grain: float) -> list[tuple[float, float]]:
        """Return the worth of a copy of each card, with half of its 95 % interval.

        The interval is the widest possible if the draws do not separate the cards.

        Args:
            side: The side.
            shares: Its share of victories in each block.
            grain: The distance that one game can move a share.
        """
        taken = np.array(self.taken[side], dtype=float)
        rows, cards = taken.shape
        design = np.hstack([np.ones((rows, 1)), taken])
        # Degrees of freedom of the residuals.
        free = rows - cards - 1
        # Without full rank some cards were always replaced together.
        if free < 1 or np.linalg.matrix_rank(design) <= cards:
            return [(0.0, UNKNOWN_HALF_WIDTH)] * cards
        inverse = np.linalg.inv(design.T @ design)
        found = inverse @ design.T @ np.array(shares)
        left = np.array(shares) - design @ found
        variance = (
            float(left @ left) / free + SMALL_SAMPLE_VARIANCE * grain**2 / rows
        )  # The same correction as in `Track`.
        # Peiser's approximation of Student's distribution, as in `RunningMean`.
        student = Z + (Z**3 + Z) / (4 * free)
        halves = [student * sqrt(variance * float(inverse[at, at])) for at in range(1, cards + 1)]
        return [(round(-float(w), 5), round(h, 5)) for w, h in zip(found[1:], halves, strict=True)]


def replacement_chance(slot: Slot, own: Sequence[Slot]) -> float:
    """Return the probability that a card is replaced."""
    deck = sum(other.copies for other in own)
    return min(MAX_REPLACED_SHARE, MEAN_REPLACED_SHARE * deck / len(own) / slot.replaced_copies)

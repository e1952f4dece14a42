"""Lots that decide which cards of which decks are replaced, and the regression that tells the cards apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Final

import numpy as np

from gonfalon.bots.players.choice import Z
from gonfalon.core.basics.rng import Rng
from gonfalon.lab.run.match import MIX, WORD
from gonfalon.lab.run.sequential import ADDED
from gonfalon.lab.studies.swaps import Slot

SHARE: Final = 0.12
"""So much of a deck is replaced, on the average. More would value the cards of another deck."""
OFTEN: Final = 0.5
"""No card is replaced more often than in this share of the games."""
SPARE: Final = 3
"""So many blocks for each card before a regression tells anything."""
UNKNOWN: Final = 1.0
APART: Final = 0x1077
"""The lots are no part of the chance by which the games are dealt."""


class Lots:
    """The lots of a study, one for each block of games. A card of few copies is drawn more often, so that about as many
    copies of each card are replaced: else it would take many times as many games to know it."""

    def __init__(self, known: Mapping[str, Sequence[Slot]], seed: int) -> None:
        self.known = known
        self.seed = seed
        self.taken: dict[str, list[list[int]]] = {side: [] for side in known}
        """For each side and block, how many copies of each card are replaced."""

    @property
    def drawn(self) -> int:
        """How many lots were drawn."""
        return len(next(iter(self.taken.values())))

    @property
    def least(self) -> int:
        """How many it takes before anything is told."""
        return SPARE * (1 + max(map(len, self.known.values())))

    def draw(self) -> dict[str, dict[str, int]]:
        """The next lot: how many copies of which cards are replaced on each side."""
        rng = Rng(((self.seed ^ APART) + (self.drawn + 1) * MIX) & WORD)
        found: dict[str, dict[str, int]] = {}
        for side, own in self.known.items():
            row = [slot.together if rng.random() < chance(slot, own) else 0 for slot in own]
            self.taken[side].append(row)
            found[side] = {slot.word: n for slot, n in zip(own, row, strict=True) if n}
        return found

    def regress(self, side: str, shares: Sequence[float], grain: float) -> list[tuple[float, float]]:
        """What a copy of each card is worth to a side that had these shares of victories, block by block, with half of
        the 95 % interval, which is everything where the lots do not tell the cards apart. `grain` is how far one game
        can move a share."""
        taken = np.array(self.taken[side], dtype=float)
        rows, cards = taken.shape
        design = np.hstack([np.ones((rows, 1)), taken])
        free = rows - cards - 1
        if free < 1 or np.linalg.matrix_rank(design) <= cards:
            return [(0.0, UNKNOWN)] * cards
        inverse = np.linalg.inv(design.T @ design)
        found = inverse @ design.T @ np.array(shares)
        left = np.array(shares) - design @ found
        variance = float(left @ left) / free + ADDED * grain**2 / rows  # as `Track` adds it
        student = Z + (Z**3 + Z) / (4 * free)
        halves = [student * sqrt(variance * float(inverse[at, at])) for at in range(1, cards + 1)]
        return [(round(-float(w), 5), round(h, 5)) for w, h in zip(found[1:], halves, strict=True)]


def chance(slot: Slot, own: Sequence[Slot]) -> float:
    """How often a card is replaced."""
    deck = sum(other.copies for other in own)
    return min(OFTEN, SHARE * deck / len(own) / slot.together)

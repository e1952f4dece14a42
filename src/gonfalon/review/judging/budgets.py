"""The numbers of worlds for a review."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

DECISION_MULTIPLIER: Final = 0x9E3779B97F4A7C15
"""Odd multiplier that spreads the numbers of decisions over all bits."""
WORD_MASK: Final = 0xFFFFFFFFFFFFFFFF
"""Mask of 64 bits."""


@dataclass(frozen=True)
class Budgets:
    """Numbers of worlds. Time is no budget, so that the same record and seed have the same review on any machine."""

    proposals: int = 6
    """Number of the likeliest actions that are tried, without the chosen one."""
    first: int = 32
    """Number of worlds in the search for the best action."""
    lot: int = 8
    """Step in which other numbers of worlds are rounded."""
    again: int = 32
    """Number of fresh worlds in each comparison of the best action with the chosen one."""
    most: int = 512
    """Maximum number of fresh worlds."""
    doubted: float = 0.02
    """Lower end of a loss from which the second judge is asked."""
    referee: int = 256
    """Number of worlds that the second judge plays to the end at a time."""
    referee_most: int = 2048
    """Maximum number of worlds for the second judge, which stops earlier if its answer is clear."""
    deals: int = 24
    """Number of deals of unseen cards for each line of luck."""

    def scale_worlds(self, share: float) -> Budgets:
        """Return the budgets with a share of the worlds, in whole lots."""
        first, again, most, referee, referee_most = (
            max(self.lot, round(worlds * share / self.lot) * self.lot)
            for worlds in (self.first, self.again, self.most, self.referee, self.referee_most)
        )
        return replace(self, first=first, again=again, most=most, referee=referee, referee_most=referee_most)


def derive_seed(seed: int, at: int, use: int) -> int:
    """Return the seed for one purpose of one decision. It depends on no card.

    Args:
        seed: The seed of the review.
        at: The number of the decision.
        use: The purpose.
    """
    # Odd multipliers keep the streams of different decisions and purposes apart.
    return (seed + (at + 1) * DECISION_MULTIPLIER + use * 0x5851F42D4C957F2D) & WORD_MASK

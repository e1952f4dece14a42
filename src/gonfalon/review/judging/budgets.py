"""How much is tried for a review."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

MIX: Final = 0x9E3779B97F4A7C15
WORD: Final = 0xFFFFFFFFFFFFFFFF


@dataclass(frozen=True)
class Budgets:
    """Counted in worlds, never in seconds, so that the same record and seed give the same review everywhere."""

    proposals: int = 6
    """So many of the likeliest actions are tried beside the chosen one."""
    first: int = 32
    """Worlds in which the best of them is looked for."""
    lot: int = 8
    """All other numbers of worlds are multiples of this."""
    again: int = 32
    """Fresh worlds, so many at a time, in which the best one is set against the chosen one."""
    most: int = 512
    """So many of these at most."""
    doubted: float = 0.02
    """From this lower end of a loss on the second referee is asked: for every mark, as `tools.reviews` has found
    that too many of the small ones do not keep their sign."""
    referee: int = 64
    """Worlds that the second referee plays to the end, so many at a time."""
    referee_most: int = 256
    """So many of these at most; fewer where it is clear whether anything was lost."""
    hindsight: int = 16
    """Deals of what nobody had seen, with all hands open."""
    deals: int = 24
    """The same for each line of luck."""
    par: int = 16
    """How often the same cards are played by whoever plays worlds on."""

    def times(self, share: float) -> Budgets:
        """So large a part of the worlds, in whole lots."""
        first, again, most, referee, referee_most, hindsight = (
            max(self.lot, round(worlds * share / self.lot) * self.lot)
            for worlds in (self.first, self.again, self.most, self.referee, self.referee_most, self.hindsight)
        )
        return replace(
            self, first=first, again=again, most=most, referee=referee, referee_most=referee_most, hindsight=hindsight
        )


def stream(seed: int, at: int, use: int) -> int:
    """The seed of what is asked of one decision: it follows from its number, from nothing in the cards."""
    return (seed + (at + 1) * MIX + use * 0x5851F42D4C957F2D) & WORD

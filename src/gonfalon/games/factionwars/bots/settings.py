"""What each level thinks of, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Settings:
    """The ideas of a level that tries rounds out. An iteration is one round tried."""

    iterations: int
    worlds: int = 64
    """At most so many different ones."""
    trust: float = 0.5
    """How far it counts on the others doing what they would at first sight."""
    sharp: float = 0.35
    """By how many points they are then thought to miss their best. With 0 the first sight is its own: how
    the cards look to it, not how a rule of thumb weighs them."""
    heat: float = 1.0
    """By how many points those are thought to miss their best who think further."""
    rare: float = 0.08
    """What it would do more rarely than that it does not do at all."""
    ahead: float = 1.0
    """How much it sees of what an army promises for the rounds to come."""
    infers: bool = True
    """Whether it concludes from armies what goals the others have."""


STRONG: Final = Settings(40, trust=0.0, sharp=0.0, ahead=0.0, infers=False)
STRONG_AMONG_MORE: Final = Settings(16, trust=0.0, sharp=0.0, ahead=0.0, infers=False)
EXPERT: Final = Settings(900, trust=0.8)
EXPERT_AMONG_MORE: Final = Settings(600, trust=0.6)

WEIGHTS: Final = {
    2: [1.0, 0.556, 0.263, 2.601, 1.416, 0.402, -0.053, 4.344, 2.952],
    3: [1.0, 0.911, 0.332, 2.071, 2.201, 0.579, 0.029, 1.981, 6.097],
    4: [1.0, 1.157, 0.403, 2.699, 2.142, 1.875, 0.329, 1.066, 7.928],
    5: [1.0, 1.862, 0.426, 2.167, 3.405, 2.038, 0.584, 2.261, 10.614],
}
"""By the number of seats: what a `Valuer` makes of an army."""

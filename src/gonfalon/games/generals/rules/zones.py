"""The battlefield: one line of four zones that both armies share (rulings 1 to 3).

A zone is a number counted from the first seat's FORTRESS. A place is a zone from the point of view of a seat.
"""

from __future__ import annotations

from typing import Final

FORTRESS: Final = 0
BORDER: Final = 1
ENEMY_BORDER: Final = 2
ENEMY_FORTRESS: Final = 3
AWAY: Final = -1  # not on the battlefield
DEAD: Final = -2  # in CASUALTY

PLACES: Final = ["FORTRESS", "BORDER", "ENEMY'S BORDER", "ENEMY'S FORTRESS"]
WORDS: Final = ["fortress", "border", "enemy-border", "enemy-fortress"]
"""The places in the notation."""

ZONE_OF: Final[list[list[int]]] = [[0, 1, 2, 3], [3, 2, 1, 0]]
"""The zone for each seat and place. It is also the place for each seat and zone."""
HOME: Final[list[int]] = [0, 3]
"""The FORTRESS of each seat."""
NEAR: Final[list[int]] = [1, 2]
"""The BORDER of each seat."""
FAR: Final[list[int]] = [2, 1]
"""The ENEMY'S BORDER of each seat."""
ANYWHERE: Final = 15
ADJACENT: Final[list[int]] = [0b0011, 0b0111, 0b1110, 0b1100]
"""For each zone, the zones at most one step away, as a bitmask."""

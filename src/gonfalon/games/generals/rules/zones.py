"""The battlefield: one line of four zones that both armies share (rulings 1 to 3).

A zone is a number from the first seat's FORTRESS on; a place is what a seat calls a zone.
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
"""In the notation."""

ZONE_OF: Final[list[list[int]]] = [[0, 1, 2, 3], [3, 2, 1, 0]]
"""By seat and place the zone, by seat and zone the place."""
HOME: Final[list[int]] = [0, 3]
"""A seat's FORTRESS."""
NEAR: Final[list[int]] = [1, 2]
"""A seat's BORDER."""
FAR: Final[list[int]] = [2, 1]
"""A seat's ENEMY'S BORDER."""
ANYWHERE: Final = 15
ADJACENT: Final[list[int]] = [0b0011, 0b0111, 0b1110, 0b1100]
"""The zones at most one step away, as bitmasks."""

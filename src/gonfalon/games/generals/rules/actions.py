"""The action numbers of Generals. They name public things or kinds of cards, never an index in a hand.

Zones are named from the acting seat's side. A unit is a general of a deck list, of either seat, and keeps its number
for the whole game.
"""

from __future__ import annotations

from typing import Final

END: Final = 0  # the turn is over
PASS: Final = 1  # no Counter; no replacement
DONE: Final = 2  # no further target, card or general
YES: Final = 3
NO: Final = 4
SIEGE: Final = 5
FIRST: Final = 6  # + seat: chance names the first player
ZONE: Final = 8  # + zone: move there, place there, aim there
ACTIVE: Final = 12  # + number of the general's active effect
ACTIVES: Final = 4
ORDER: Final = 16  # + number of a waiting trigger, which comes next
ORDERS: Final = 48
UNIT: Final = 64  # + unit
CARD: Final = 1024  # + kind

"""The action numbers of Generals. They name public things or kinds of cards, never an index in a hand.

Zones are named from the acting seat's side. A unit is a general of a deck list, of either seat, and keeps its number
for the whole game.
"""

from __future__ import annotations

from typing import Final

END: Final = 0  # end the turn
PASS: Final = 1  # play no Counter, or use no replacement
DONE: Final = 2  # choose no further target, card or general
YES: Final = 3
NO: Final = 4
SIEGE: Final = 5
FIRST: Final = 6  # + seat: chance names the first player
ZONE: Final = 8  # + place: move, place or aim there
ACTIVE: Final = 12  # + number of the general's active effect
ACTIVES: Final = 4
ORDER: Final = 16  # + number of the waiting trigger that comes next
ORDERS: Final = 48
# Cards begin far above the units, so their numbers do not depend on the deck lists.
UNIT: Final = 64  # + unit
CARD: Final = 1024  # + kind

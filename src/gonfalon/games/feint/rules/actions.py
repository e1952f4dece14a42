"""The action numbers of Feint: kind and place, never an index in a hand, so they are the same in all worlds."""

from __future__ import annotations

from typing import Final

PASS: Final = 0
DONE: Final = 1
OWN: Final = 2  # of several triggers, the played card's own ability is next
SCRAMBLER: Final = 3  # of several triggers, the Scrambler's is next
FIRST: Final = 4  # + seat: chance draws the start player of a mirror match
PLACE: Final = 6  # + place index: a Location
LOWER: Final = 11  # the lower of two equal cards on a draw pile with another card between them
SPOT: Final = 12  # + place * SPOTS + index: a card lying at a Location
SPOTS: Final = 40
CARD: Final = 216  # + kind * SLOTS: a card; + 1 + place: that card, played there
SLOTS: Final = 6

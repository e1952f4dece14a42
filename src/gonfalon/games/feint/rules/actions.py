"""The action numbers of Feint: kind and place, never a place in a hand."""

from __future__ import annotations

from typing import Final

PASS: Final = 0
DONE: Final = 1
OWN: Final = 2  # of several triggers, the played card's own text goes next
SCRAMBLER: Final = 3  # ... or the Scrambler's
FIRST: Final = 4  # + seat: chance names the start player of a mirror match
PLACE: Final = 6  # + place index: a Location
LOWER: Final = 11  # of two equal cards on a draw pile with another one between them, the lower one
SPOT: Final = 12  # + place * SPOTS + index: a card lying at a Location
SPOTS: Final = 40
CARD: Final = 216  # + kind * SLOTS: a card; + 1 + place: that card, played there
SLOTS: Final = 6

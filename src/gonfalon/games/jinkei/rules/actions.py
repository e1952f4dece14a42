"""The action numbers of Jinkei: kind and space, never a place in a hand."""

from __future__ import annotations

from typing import Final

TYPE: Final = 0  # + type: sword, shield, bow
FORMATION: Final = 3  # + 0 or 1: which of the round's two
FIRST: Final = 6  # + seat: chance names the first player
KINDS: Final = 64  # most kinds a deck may have
PUT: Final = KINDS  # + space * KINDS + kind: lay a card of the hand on a space
PLAY: Final = PUT + 9 * KINDS  # + space * 2 + colour: play the card of a space, called that colour
ADVANCE: Final = PLAY + KINDS  # + kind: which of two cards advances
DEAL: Final = ADVANCE + KINDS  # + kind: chance deals a card of the deck
LAST: Final = DEAL + KINDS

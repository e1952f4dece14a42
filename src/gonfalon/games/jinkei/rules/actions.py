"""The action numbers of Jinkei: kind and space, never an index in a hand, so they are the same in all worlds."""

from __future__ import annotations

from typing import Final

TYPE: Final = 0  # + type: sword, shield, bow
FORMATION: Final = 3  # + 0 or 1: one of the round's two formations
FIRST: Final = 6  # + seat: chance draws the first player
KINDS: Final = 64  # most kinds of a deck
PUT: Final = KINDS  # + space * KINDS + kind: lay a card of the hand on a space
PLAY: Final = PUT + 9 * KINDS  # + space * 2 + color: play the card of a space, called that color
ADVANCE: Final = PLAY + KINDS  # + kind: the one of two cards that advances
DEAL: Final = ADVANCE + KINDS  # + kind: chance deals a card of the deck
LAST: Final = DEAL + KINDS

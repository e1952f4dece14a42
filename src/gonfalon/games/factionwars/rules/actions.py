"""The action numbers of Faction Wars: a place, a seat or a kind of card, never an index of a pile."""

from __future__ import annotations

from typing import Final

MAX_KINDS: Final = 512  # more kinds than any card file may have
MAX_PLACES: Final = 8  # most places of a line-up
MAX_SEATS: Final = 5
TAKE: Final = 0  # + place: select a card of the line-up
TO: Final = MAX_PLACES  # + seat: name a player
CARD: Final = 16  # + kind: choose a card
STEAL: Final = CARD + MAX_KINDS  # + kind: chance picks a recruit (out of the battle deck, where that matters)
STEAL_OPEN: Final = STEAL + MAX_KINDS  # + kind: the same out of the discard pile, where that matters
DEAL: Final = STEAL_OPEN + MAX_KINDS  # + kind: chance deals a card of a shuffled deck
ACTION_LIMIT: Final = DEAL + MAX_KINDS

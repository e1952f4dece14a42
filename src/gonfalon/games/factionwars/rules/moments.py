"""The moments of a round that are shown to all viewers (`State.note_moment`), by their names."""

from __future__ import annotations

from typing import Final

FLAGS: Final = "flags"  # all selectors are revealed
CLAIMED: Final = "claimed"  # who was alone at a place has its card
BATTLE: Final = "battle"  # several begin to fight for a card
CARDS: Final = "cards"  # each of them has revealed a card
WON: Final = "won"  # one of them has the card
LOST: Final = "lost"  # none of them has
EFFECT: Final = "effect"  # what a claimed card does is done
ROUND: Final = "round"  # all places are resolved

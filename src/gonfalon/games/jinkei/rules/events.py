"""The codes of the events of Jinkei: (code, audience, seat, card, a, b)."""

from __future__ import annotations

from typing import Final

GAME: Final = 0  # seat: first player; a: number of the game in the match
TYPE: Final = 1  # a: type
ROUND: Final = 2  # seat: leads the round; a: round
DREW: Final = 3  # a: number of cards; the cards follow as DREW_CARD for their owner
DREW_CARD: Final = 4
FORMATION: Final = 5  # a: formation
REVEALED: Final = 6  # the top card of the deck; a: space
PLACED: Final = 7  # a: space; a Reinforcement for its owner only
PLACED_DOWN: Final = 8  # a: number of Reinforcements
LED: Final = 9  # a: space; b: color * CALLED + effective rank, FORGOTTEN once the card is taken away
ANSWERED: Final = 10  # a, b: as for LED
TOOK: Final = 11  # seat took both cards; a: BY_RANK, BY_COLOUR or BY_ZERO, FORGOTTEN once they are taken away
TIED: Final = 12  # each took its own
ADVANCED: Final = 13  # a: from space; b: to space
SCORED: Final = 14  # a: round; b: points
TOTAL: Final = 15  # a: points of the game
OVER: Final = 16  # seat: winner, -1 for both; a: BY_POINTS, BY_SECOND or SHARED

CALLED: Final = 64
FORGOTTEN: Final = -1

BY_RANK: Final = 0
BY_COLOUR: Final = 1
BY_ZERO: Final = 2

BY_POINTS: Final = 0
BY_SECOND: Final = 1
SHARED: Final = 2

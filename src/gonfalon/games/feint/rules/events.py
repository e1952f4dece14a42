"""The codes of the events of Feint: (code, audience, seat, card, a, b)."""

from __future__ import annotations

from typing import Final

ROUND: Final = 0  # seat: start player; a: round
DISCARDED: Final = 1  # in the Reinforcement phase
DREW: Final = 2  # a: number of cards; the cards follow as DREW_CARD for the owner
DREW_CARD: Final = 3
SCOUTED: Final = 4  # card: a Location Card
PLAYED: Final = 5  # a: place
ANNOUNCED: Final = 6  # the other seat chooses the Location
PASSED: Final = 7
STAY: Final = 8  # a: place; b: Stay tokens beyond the first
PEEKED: Final = 9  # card: the next Location Card
BARED: Final = 10  # card: the own Location Card, by a Patriot
MORALE: Final = 11  # a: change; b: Morale after it
MOVED: Final = 12  # a: from; b: to
HEALED: Final = 13  # from the discard pile to the bottom of the draw pile
RETURNED: Final = 14  # a: place; from play to the bottom of the draw pile
MILLED: Final = 15  # seat: owner of the draw pile
SPARED: Final = 16  # Protected, back on top
STRUCK: Final = 17  # seat: owner of the hand
SHIELDED: Final = 18  # Protected, shown, stays in the hand
LOOKED: Final = 19  # a: number of cards; the cards follow as LOOKED_CARD for the owner
LOOKED_CARD: Final = 20
BOTTOMED: Final = 21
KEPT: Final = 22
BOMBED: Final = 23  # a: place
SPENT: Final = 24  # a: place; a Bomb Tower discards itself
LOCATION: Final = 25  # card: a Location Card, revealed in the Resolution phase
TURNED: Final = 26  # a: place; a face-down card turned up
ADDED: Final = 27  # a: place that becomes a Battle Location
BARRED: Final = 28  # a: place that is no Battle Location
EARTH: Final = 29  # a: place; b: spare Capacity
BATTLE: Final = 30  # a: place
RATING: Final = 31  # a: place; b: Strength there
TOTAL: Final = 32  # a: Strategy Rating
WON: Final = 33  # a: 1 when the start player wins a tie
COST: Final = 34  # a: Morale of the loser's cards
STAYED: Final = 35  # a: place
SHUFFLED: Final = 36  # the Location discard pile becomes the draw pile
OVER: Final = 37  # seat: winner; a: one of HOW
NO_EFFECT: Final = 38  # card: an ability that found nothing to do
END: Final = 39  # a: number of rounds of the game after the change

BY_MORALE: Final = 0
BY_ROUNDS: Final = 1
BY_FINAL_ROUND: Final = 2

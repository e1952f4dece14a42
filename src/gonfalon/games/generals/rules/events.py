"""The codes of the events of Generals: (code, audience, seat, card, a, b).

A card on the table, or in a hand that a player has seen, is recorded as a card. An openly declared card is recorded as
a kind, in `a`: the card itself soon lies face down, and no player may look it up. Two turns later the log forgets the
kind too (FORGOTTEN).
"""

from __future__ import annotations

from typing import Final

COMMANDMENT: Final = 0  # card, a: kind
FACTIONS: Final = 1  # a: how many; b: hand limit
TURN: Final = 2  # a: number of the turn
DREW: Final = 3  # a: how many; the cards follow as DREW_CARD for the owner
DREW_CARD: Final = 4
SKIPPED_DRAW: Final = 5
DECLARED: Final = 6  # card, a: kind; a card is played, whatever its type
PAID: Final = 7  # a: how many cards of the hand, face down
PAID_RESOURCE: Final = 8  # a: how many
SACRIFICED: Final = 9  # card
RECRUITED: Final = 10  # card, a: zone; b: -1 when an effect did it
MOVED: Final = 11  # card, a: from; b: to
SHIFTED: Final = 12  # card, a: from; b: to; by a card's effect (ruling 11)
ATTACKED: Final = 13  # card, a: the attacked unit
BESIEGED: Final = 14  # card
STRUCK: Final = 15  # a: kind of the Tactics; b: the unit that executes them
ACTIVATED: Final = 16  # card, a: number of the active effect
EQUIPPED: Final = 17  # card: the Equipment; a: the bearer
NEGATED: Final = 19  # seat: whose action; a: one of ACTS
FOUGHT: Final = 20  # card: the winner, HIDDEN in a tie; a: Might of the first; b: of the second
PLOTTED: Final = 21  # card: the target; a: Wits of the plotter; b: of the target
FELL: Final = 22  # card; to CASUALTY
DEPLETED: Final = 23  # a: how many cards of RESOURCE
DISCARDED: Final = 24  # a: how many cards of the hand; b: one of HOW_CHOSEN
FULL: Final = 25  # a: how many cards over the hand limit
UPKEEP: Final = 26  # a: how many
CHANGED: Final = 27  # card: the unit (HIDDEN: the seat); a: stat; b: by how much
BARRED: Final = 28  # card: the unit (HIDDEN: a card or a player); a: what is forbidden or allowed
READIED: Final = 30  # card
RETURNED: Final = 31  # card; to the hand
EXILED: Final = 32  # card; Out of game
MARKED: Final = 33  # card: what bears the mark; a: how many marks now
SOUGHT: Final = 34  # a search of RESOURCE begins, a: how many fit, for the owner alone
SOUGHT_CARD: Final = 35  # card, for the owner alone
FOUND: Final = 36  # card, open or face down; HIDDEN with a = 0: nothing
SHUFFLED: Final = 37
LOOKED: Final = 38  # seat: whose cards; a: how many; b: zone (0 hand, 1 RESOURCE)
LOOKED_CARD: Final = 39  # card
RECOVERED: Final = 40  # a: how many
SPARED: Final = 41  # card: the general that stays; a: unit whose effect it is
DECLINED: Final = 42  # a card's offer is not taken
LASTING: Final = 43  # card: source; a temporary ability begins, a: kind
EXPIRED: Final = 44  # effects of the turn end
MULLIGAN: Final = 45  # a: 1 when the hand is taken back
LOST_GEAR: Final = 46  # card; to DISCARD with its bearer
FIZZLED: Final = 47  # nothing left to act on (ruling 47)
USED: Final = 48  # a: kind; a card has done its work and goes to DISCARD face down
LOST_CARD: Final = 49  # a: kind; a card of the hand that was discarded, for those who saw which
OVER: Final = 50  # seat: winner; a: one of HOW; b: kind of the card for a special victory

FORGOTTEN: Final = -1
TELL_KIND: Final = (DECLARED, STRUCK, USED, LOST_GEAR, LASTING, LOST_CARD)
"""Events whose `a` is the kind of a card that may be in DISCARD."""
TELL_CARD: Final = (DREW_CARD, SOUGHT_CARD, FOUND, LOOKED_CARD, RETURNED)
"""Events about a card that was in a player's hand or sight."""

BY_OWNER: Final = 0
BY_CHANCE: Final = 1
BY_ENEMY: Final = 2

BY_DRAW: Final = 0
BY_UPKEEP: Final = 1
BY_DAMAGE: Final = 2
BY_CARD: Final = 3
HOW: Final = ["draw", "upkeep", "damage", "card"]

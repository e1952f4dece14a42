"""The events of Faction Wars: their codes and the meaning of their numbers.

A "mask" is a bitmask of seats; "pool" is the number of recruits out of which chance picked one.
"""

from __future__ import annotations

from typing import Final

ROUND: Final = 0  # a: round
LINED_UP: Final = 1  # card; a: place
DEPLETED: Final = 2  # the recruit deck is empty; a: for the how-manieth time; b: of how many
RENEWED: Final = 3  # its discard pile is the new recruit deck; a: cards
LAST_ROUND: Final = 4  # this round is the last; a: BY_DECK, BY_CARD, BY_NOTHING_LEFT
GOAL: Final = 5  # card, for its owner only
OPEN_BONUS: Final = 6  # card: a public Bonus Card (later revision)
CHOSE: Final = 7  # seat's selector; card: what lies there; a: place
CLAIMED: Final = 8  # seat takes card; a: place; b: SOLE, FOUGHT
BATTLE: Final = 9  # card fought for; a: place; b: mask
SHOWN: Final = 10  # seat reveals card; a: which reveal of this battle, from 1; b: its value
OUT: Final = 11  # seat is out of the battle; a: LOWER, SYMBOL, NO_CARD, HARMLESS
TIED: Final = 12  # a: mask of those who go on; b: SAME_VALUE, SAME_SYMBOL
LOST: Final = 13  # nobody gets card; a: place; b: ALL_OUT, NO_CLEAR_WINNER, TIE_ENDED
CLEARED: Final = 14  # an unclaimed card leaves the line-up; a: place
DREW: Final = 15  # seat draws the top card of the recruit deck (Gambler)
NOTHING: Final = 16  # seat's card finds nothing to do; a: NO_TARGET, NO_DECK, ...; b: BUCCANEER, KUNOICHI, ...
TARGET: Final = 17  # seat's card is aimed; a: at seat; b: BUCCANEER, KUNOICHI or PARLEY
STOLE: Final = 18  # seat takes card at random; a: from seat; b: pool
REMOVED: Final = 19  # card of seat goes to the recruit discard pile; a: by seat; b: pool
DESERTED: Final = 20  # the same by seat's own choice
GAVE: Final = 21  # seat gives card; a: to seat
HANDED: Final = 22  # seat passes a Bystander; a: to seat
ACTION: Final = 23  # seat performs an Action card
ACTION_DONE: Final = 24  # ... which is then discarded
CALLED: Final = 25  # seat draws card (Call to Arms)
KEPT: Final = 26  # seat collects card of those
DISMISSED: Final = 27  # seat discards card of those
FREED: Final = 28  # seat collects card out of the recruit discard pile (Prisoner Exchange)
SHUFFLED: Final = 29  # seat's battle deck is made anew; a: cards in it; b: RAN_OUT, LOST_ONE
WAR_OVER: Final = 30  # card: War is Over is turned up (later revision)
WAR_IN: Final = 31  # War is Over is shuffled into the recruit deck (later revision)
ENDED: Final = 32  # the game is over at once (the stricter reading of ruling 24)
GOAL_SHOWN: Final = 33  # seat, card; a: 1 when it is met; b: bonus
SCORED: Final = 34  # seat; a: part (see scoring.py); b: points
TOTAL: Final = 35  # seat; a: points
OVER: Final = 36  # seat: winner, -1 for several; a: mask of winners; b: HOW
WORTHLESS: Final = 37  # seat collects card, whose ability does nothing any more (ruling 21)
TAKEN_UP: Final = 38  # seat collects the card it drew, after the new recruit deck was shuffled

SOLE: Final = 0
FOUGHT: Final = 1

LOWER: Final = 0
SYMBOL: Final = 1
NO_CARD: Final = 2
HARMLESS: Final = 3

SAME_VALUE: Final = 0
SAME_SYMBOL: Final = 1

ALL_OUT: Final = 0
NO_CLEAR_WINNER: Final = 1
TIE_ENDED: Final = 2

NO_TARGET: Final = 0
NO_DECK: Final = 1
NOTHING_TO_GIVE: Final = 2
NO_CARDS: Final = 3

RAN_OUT: Final = 0
LOST_ONE: Final = 1

BY_DECK: Final = 0
BY_CARD: Final = 1
BY_NOTHING_LEFT: Final = 2

BUCCANEER: Final = 0
KUNOICHI: Final = 1
PARLEY: Final = 2
GAMBLER: Final = 3
CALL: Final = 4
EXCHANGE: Final = 5

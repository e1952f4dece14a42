"""Messages of Feint to people, ready for translation: `NAME.format(...)` with the named parameters.

`place` is the number of a Location, `card` the name of a card, and `name` the player whose message it is.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.text.templates import ByPerson

# ---- prompts ------------------------------------------------------------------------------------

DISCARD_AND_DRAW: Final = "Discard any cards, then draw up to {hand}"
PLAY_OR_PASS: Final = "Play a card or pass"
PLAY_ONE_MORE: Final = "Play one more card from your hand"
PLAY_A_DISCARD: Final = "Play a card from your discard pile"
WHICH_FIRST: Final = "Which ability goes first?"
WHERE_TO: Final = "Where does {name}'s {card} go?"
MOVE_WHERE: Final = "Move {card} from {place}. Where to?"
BOMB_WHAT: Final = "Bomb Tower: discard an enemy card here"
RETURN_A_CARD: Final = "Put one of your cards under your deck"
RETURN_DISCARDS: Final = "Put discards under your deck, or stop"
RETURN_ONE: Final = "Put one card under your deck, or none"
WAITING: Final = "Done. Waiting for {other}"
BOTH_DISCARD: Final = "Both players discard and draw"
SHUFFLING: Final = "Cards are being shuffled"
THEIR_TURN: Final = "{name}'s turn"
THEY_PLAY_ONE_MORE: Final = "{name} is playing one more card"
THEY_PLAY_A_DISCARD: Final = "{name} is playing a discarded card"
THEY_CHOOSE_ORDER: Final = "{name} is choosing which ability goes first"
THEY_PLACE: Final = "{name} is placing {card}"
THEY_MOVE: Final = "{name} is moving {card}"
THEY_BOMB: Final = "{name} is choosing a card to bomb"
THEY_RETURN: Final = "{name} is putting cards under the deck"
WINS_GAME: Final = ByPerson("{name} [win] the game")

# ---- tips ---------------------------------------------------------------------------------------

TIP_DISCARD: Final = "Discard freely. You draw back up to 7."
TIP_PLAY: Final = "Two battles: one at your Location, one at theirs."

# ---- names --------------------------------------------------------------------------------------

A_CARD: Final = "a card"
ONE_OF_THEM: Final = "one of them"
FACE_DOWN_CARD: Final = "face-down card"
THE_FACE_DOWN_CARD: Final = "the face-down card"
FACE_DOWN_NAMED: Final = "face-down {card}"
FACE_DOWN_NUMBERED: Final = "face-down card {number}"
LOCATION: Final = "Location {place}"
THEIR_LOCATION_CARD: Final = "their Location Card"
SEVERAL_OF: Final = "{card} ×{count}"
CARD_AT: Final = "{card} at {place}"

# ---- actions ------------------------------------------------------------------------------------

PASS: Final = "Pass for the rest of this round."
DISCARD_MARKED: Final = "Discard {cards} and draw to {hand}."
DRAW_TO: Final = "Draw to {hand}."
STOP: Final = "Stop here."
LEAVE: Final = "Leave the cards as they are."
ABILITY_FIRST: Final = "{card} goes first."
SCRAMBLER_FIRST: Final = "The Scrambler moves first."
SEND: Final = "Send it to {place}."
MOVE: Final = "Move it to {place}."
PLAY: Final = "Play {card} to {place}."
PLAY_FACE_DOWN: Final = "Play {card} face down to {place}."
ANNOUNCE: Final = "Announce {card}. Your opponent chooses where it goes."
DISCARD: Final = "Discard {card}."
DISCARD_AT: Final = "Discard {card} at {place}."
RETURN_FROM: Final = "Put {card} from {place} under your deck."
RETURN: Final = "Put {card} under your deck."
RETURN_UPPER: Final = "Put the upper {card} under your deck."
RETURN_LOWER: Final = "Put the lower {card} under your deck."
PASS_LOSES: Final = "If you lose this round, it costs your last {left} Morale and the game."

# ---- the log: cards -----------------------------------------------------------------------------

ROUND: Final = ByPerson("Round {number}. {name} [start].")
DISCARDS: Final = ByPerson("{name} [discard] {cards}.")
DRAWS: Final = ByPerson("{name} [draw] {cards}.")
SCOUTS: Final = ByPerson("{name} [draw] a Location Card.")
SCOUTS_NUMBER: Final = ByPerson("{name} [draw] Location Card {place}.")
BOTH_SCOUT: Final = "Both players draw a Location Card."
BOTH_SCOUT_OWN: Final = "Both players draw a Location Card. Yours is {place}."
PLAYS: Final = ByPerson("{name} [play] {card} to {place}.")
PLAYS_DOWN: Final = ByPerson("{name} [play] {card} face down to {place}.")
ANNOUNCES: Final = ByPerson("{name} [announce] {card}.")
PASSES: Final = ByPerson("{name} [pass].")
STAY_TOKEN: Final = "{card} gets a Stay token."
STAY_TOKENS: Final = "{card} gets {count} Stay tokens."
PEEKS: Final = ByPerson("{name} [look] at [your] next Location Card.")
PEEKS_NUMBER: Final = ByPerson("{name} [look] at [your] next Location Card: {place}.")
BARES: Final = ByPerson("{name} [reveal] [your] Location Card: {place}.")
LOSES_MORALE: Final = ByPerson("{name} [lose] {size} Morale ({left} left).")
GAINS_MORALE: Final = ByPerson("{name} [gain] {size} Morale (now {left}).")
MOVES: Final = ByPerson("{name's} {card} moves from {place} to {goal}.")
HEALS: Final = ByPerson("{name} [put] {card} from [your] discard pile under [your] deck.")
RETURNS: Final = ByPerson("{name} [put] {card} from {place} under [your] deck.")
DECK_LOSES: Final = ByPerson("{name's} deck loses {cards}.")
SPARED: Final = ByPerson("{card} is Protected and returns to the top of {name's} deck.")
STRUCK: Final = ByPerson("{card} is discarded from {name's} hand.")
SHIELDED: Final = ByPerson("{card} in {name's} hand is Protected and stays.")
LOOKS: Final = ByPerson("{name} [look] at the top {cards} of [your] deck.")
SEES: Final = ByPerson("{name} [see] {cards} on top of [your] deck.")
PUTS_UNDER: Final = ByPerson("{name} [put] {card} under [your] deck.")
KEEPS: Final = ByPerson("{name} [leave] them as they are.")
BOMBED: Final = ByPerson("{name's} {card} at {place} is bombed and discarded.")
SPENT: Final = "{card} discards itself."
RESHUFFLES: Final = ByPerson("{name} [shuffle] [your] used Location Cards.")
NO_EFFECT: Final = "No effect."
MOVES_END: Final = ByPerson("{name's} {card} moves the end marker: the game lasts {rounds}.")

# ---- the log: the Resolution --------------------------------------------------------------------

LOCATION_CARD: Final = ByPerson("{name's} Location Card is {place}.")
LOCATION_CARDS: Final = "Location Cards: {first} {place}, {second} {other}."
TURNS_UP: Final = ByPerson("{name} [turn] up {cards}.")
ADDS_BATTLE: Final = ByPerson("{name's} {card} adds a battle at {place}.")
BARS_BATTLE: Final = ByPerson("{name's} {card} prevents a battle at {place}.")
EARTH: Final = ByPerson("{name's} {card} finds {spare} spare Capacity at {place}.")
BATTLE: Final = "Battle at {place}."
BATTLE_SUMS: Final = "Battle at {place}: {sums}."
SUM: Final = "{name} {strength} × {place} = {sum}"
SUM_ALONE: Final = "{sum}."
TOTAL: Final = ByPerson("{name} [reach] {total}.")
WINS_ROUND: Final = ByPerson("{name} [win] the round.")
WINS_ROUND_BY: Final = ByPerson("{name} [win] the round, {won} to {lost}.")
WINS_TIE: Final = ByPerson("{name} [win] the tie as the start player.")
WINS_TIE_BY: Final = ByPerson("Tied at {won}. {name} [win] the round as the start player.")
COST: Final = ByPerson("{name's} cards on the board cost {morale} Morale.")
COST_LEAVES: Final = ByPerson("{name's} cards on the board cost {morale} Morale ({left} left).")
STAYS: Final = ByPerson("{name's} {card} stays at {place}.")
WINS: Final = ByPerson("{name} [win] the game.")

# ---- results ------------------------------------------------------------------------------------

WIN_BY_MORALE: Final = "Victory. {other} has no Morale left."
LOSS_BY_MORALE: Final = "Defeat. You have no Morale left."
END_BY_MORALE: Final = "{name} wins. {other} has no Morale left."
WIN_BY_ROUNDS: Final = "Victory. You win {won} rounds to {other}'s {lost}."
LOSS_BY_ROUNDS: Final = "Defeat. {name} wins {won} rounds to your {lost}."
END_BY_ROUNDS: Final = "{name} wins. {won} rounds to {other}'s {lost}."
WIN_BY_LAST: Final = "Victory. {won} rounds each, and you won the last one."
LOSS_BY_LAST: Final = "Defeat. {won} rounds each, and {name} won the last one."
END_BY_LAST: Final = "{name} wins. {won} rounds each, and {name} won the last one."

# ---- moments and stills -------------------------------------------------------------------------

ROUND_WON: Final = ByPerson("{name} [win] round {number}, {won} to {lost}.")
NO_BATTLE: Final = "There was no Battle Location."
ROUND_TIED: Final = "A tie: the start player wins."
MORALE_LOST: Final = ByPerson("{name} [lose] {morale} Morale.")
ROUND_OVER: Final = "The round is over. The Location Cards are turned up."
ALL_TURNED_UP: Final = "All cards are turned up."
STILL_SUMS: Final = "{first}; {second}."
STILL_SUM: Final = "{name} {parts} = {total}"
STILL_TOTAL: Final = "{name} {total}"

# ---- refusals: a sentence and its tag -----------------------------------------------------------

MARK_CARDS: Final = "Discard cards from your hand in the order of the card list, then finish."
PLAY_A_CARD: Final = "Play a card from your hand, or pass."
MUST_PLAY: Final = "You must play one more card if you can."
MUST_PLAY_DISCARD: Final = "You must play a card from your discard pile if you can."
CHOOSE_FIRST: Final = "Choose which ability goes first."
CHOOSE_ROOM: Final = "Choose a Location with room for the Storm Prodigy."
MUST_MOVE: Final = "The Scrambler must move to another Location."
MUST_MOVE_PLAYED: Final = "The card that was played must move to another Location."
BOMB_UNPROTECTED: Final = "Choose an enemy card here that is not Protected."
RETURN_UNPROTECTED: Final = "Choose another of your cards on the board that is not Protected."
RETURN_A_DISCARD: Final = "Choose a card from your discard pile that is not Protected, or stop."
RETURN_SEEN: Final = "Choose one of the cards you looked at, or leave them."
CHANCE_SHUFFLES: Final = "A shuffle needs a seed."
CHANCE_DEALS: Final = "Chance can deal only a card that is left."
CHANCE_PICKS: Final = "Chance picks a card from the hand."
CHANCE_STARTS: Final = "Chance draws the start player."
NOT_IN_HAND: Final = "{card} is not in your hand."
NOT_IN_DISCARDS: Final = "{card} is not in your discard pile."
NO_LOCATION: Final = "There is no such Location."
NO_ROOM_ANYWHERE: Final = "No Location has room for {card}."
NAME_A_LOCATION: Final = "Choose the Location of {card} yourself."
OPPONENT_CHOOSES: Final = "Your opponent chooses where {card} goes."
NEEDS_ENGINEER: Final = "{card} needs more Engineers than Towers here."
ONLY_AT: Final = "{card} can only be played at Location {place}."
ONLY_ELSEWHERE: Final = "{card} can only be played at a Location of another box."
NEEDS_EMPTY: Final = "{card} needs an empty Location."
ENGINEER_LIMIT: Final = "{card} would bring Location {place} to {after}. An Engineer's limit is 4."
CARD_TEXT: Final = "{card} cannot go to Location {place}: {text}."
FULL: Final = "Location {place} is full."
NO_ROOM: Final = "Location {place} has room for {room}. {card} needs {needs}."
NO_ROOM_DOWN: Final = "Location {place} has room for {room}. {card} needs {needs} face down."
TAG_MUST_PLAY: Final = "Must play"
TAG_MUST_MOVE: Final = "Must move"
TAG_PROTECTED: Final = "Not this card"
TAG_NOT_THERE: Final = "Not there"
TAG_NO_ROOM: Final = "No room"
TAG_FULL: Final = "Full"
TAG_WHERE: Final = "Where to?"
TAG_OPPONENT: Final = "Not your choice"
TAG_ENGINEER: Final = "Needs an Engineer"
TAG_ONLY_AT: Final = "Only at {place}"
TAG_NOT_HERE: Final = "Not here"
TAG_EMPTY: Final = "Must be empty"
TAG_LIMIT: Final = "Limit 4"

# ---- reasons of bots ----------------------------------------------------------------------------

PASS_SHORT: Final = "Pass"
PLAY_SHORT: Final = "{card} to {place}"
WINS_OFTEN: Final = "{move}. It wins this round {chance} of the time."
AS_OFTEN: Final = "{move}. {other} wins the game as often ({chance})."
SAVES_CARDS: Final = "{move}. It wins about as often and saves cards for later."
LATER_ROUNDS: Final = "{move}. {other} wins this round more often, but this is better for the rounds to come."
WHY_DISCARD: Final = "Discard {card}. A new card is better on average."
WHY_RETURN: Final = "Put {card} back. I most want to draw it again."
WHY_BOTTOM: Final = "Put {card} under the deck. I would rather draw another card."
WHY_KEEP: Final = "Keep these. New cards would be no better."
WHY_STOP: Final = "Stop here. No other card is worth drawing again."
WHY_LEAVE: Final = "Leave them. I want to draw all of these cards."
WHY_ORDER: Final = "My own card goes first, before a Scrambler moves."

# ---- reviews ------------------------------------------------------------------------------------

GIVES_ROUND_AWAY: Final = "It wins this round {won} of the time. The chosen move gives the round away."
WINS_MORE: Final = "It wins this round {won} of the time, not {other}."
WINS_LESS: Final = "It wins this round less often ({won}, not {other}), but saves more for the next rounds."
WINS_ALIKE: Final = "It wins this round about as often ({won}) and saves more for the next rounds."

# ---- the signs of cards -------------------------------------------------------------------------

SIGN_RESTRICT: Final = "limits how it is played"
SIGN_PLAY: Final = "happens when it is played"
SIGN_TRIGGER: Final = "happens when its condition is met"
SIGN_RESOLVE: Final = "happens in the Resolution phase"
SIGN_PROTECTED: Final = "Protected: other cards' effects do not change it"

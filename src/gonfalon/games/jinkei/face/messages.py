"""Messages of Jinkei to people, ready for translation: `NAME.format(...)` with the named parameters.

`card` is the name of a card, `space` that of a space, and `name` the player whose message it is.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.text.templates import ByPerson

# ---- prompts ------------------------------------------------------------------------------------

CHOOSE_TYPE: Final = "Choose the type of your formations"
CHOOSE_FORMATION: Final = "Choose your formation for this round"
LAY_FRONT: Final = "Lay {cards} in Vanguard and Rearguard"
LAY_BACK: Final = "Lay {cards} in your Reinforcements"
ATTACK: Final = "Attack with a card of your {row}"
ANSWER: Final = "Answer with a card of your {row}"
WHICH_ADVANCES: Final = "Which card steps forward?"
WAITING: Final = "Done. Waiting for {other}"
BOTH_CHOOSE: Final = "Both players are choosing"
SHUFFLING: Final = "Cards are being shuffled"
THEIR_TURN: Final = "{name}'s turn"
THEY_CHOOSE_TYPE: Final = "{name} is choosing a type of formations"
THEY_ATTACK: Final = "{name} is attacking"
THEY_ANSWER: Final = "{name} is answering"
THEY_ADVANCE: Final = "{name} is choosing which card steps forward"
WINS_GAME: Final = ByPerson("{name} [win] the game")
BOTH_WIN: Final = "Both players win"

# ---- tips ---------------------------------------------------------------------------------------

TIP_TYPE: Final = "The type decides your formations in all rounds."
TIP_FORMATION: Final = "Any card on +1 fights one rank higher."
TIP_FRONT: Final = "Have both colors in your Rearguard."
TIP_BACK: Final = "Reinforcements step forward and fight later."
TIP_LEAD: Final = "Lead a color that their Rearguard lacks."
TIP_ANSWER: Final = "If you must lose, lose a cheap card."
TIP_ADVANCE: Final = "The other card waits for its turn."

# ---- names --------------------------------------------------------------------------------------

VANGUARD: Final = "Vanguard"
REARGUARD: Final = "Rearguard"
REINFORCEMENT: Final = "Reinforcement"
SPACE: Final = "{row} {number}"
CARD: Final = "{colour} {rank}"
A_CARD: Final = "a card"
CARD_ON: Final = "{card} on {space}"
CARD_WITH_SUM: Final = "{card} ({sum})"
CARD_FROM: Final = "{card} from {space}"
CARD_AS: Final = "{card}, as {colour}"
CARD_CALLED: Final = "{card} as {colour}"
ADVANCE_WAY: Final = "{card} from {space} to {goal}"
FORMATION: Final = "{type} {round} {letter}"
THEIR_CARD: Final = "their {space}"
RANK_0: Final = "a 0"
RANKS_1_TO_4: Final = "1 to 4"
RANKS_5_TO_7: Final = "5 to 7"
RANKS_8_AND_9: Final = "8 or 9"
RANK_12: Final = "a 12"

# ---- actions ------------------------------------------------------------------------------------

TAKE_TYPE: Final = "Take the {type} formations."
USE_FORMATION: Final = "Use formation {formation}."
LAY: Final = "Lay {card} on {space}."
PLAY: Final = "Play {card}."
PLAY_UNKNOWN: Final = "Play the card of {space}."
ADVANCE: Final = "Advance {card}."

# ---- the log ------------------------------------------------------------------------------------

FIRST_PLAYER: Final = ByPerson("{name} [are] the first player.")
FIRST_PLAYER_OF: Final = ByPerson("Game {number}. {name} [are] the first player.")
CHOOSES_TYPE: Final = ByPerson("{name} [choose] the {type} formations.")
ROUND: Final = ByPerson("Round {number}. {name} [lead].")
DRAWS: Final = ByPerson("{name} [draw] {cards}.")
REVEALS_FORMATION: Final = ByPerson("{name} [reveal] formation {formation}.")
FORMATIONS: Final = "Formations: {first} {formation}, {second} {other}."
TURNS_UP: Final = ByPerson("{name} [turn] up {card} on {space}.")
LAYS: Final = ByPerson("{name} [lay] {cards}.")
LAYS_DOWN: Final = ByPerson("{name} [lay] {cards} face down.")
ATTACKS: Final = ByPerson("{name} [attack] with {card}.")
ANSWERS: Final = ByPerson("{name} [answer] with {card}.")
WINS_BATTLE: Final = ByPerson("{name} [win] the battle.")
WINS_BY_RANK: Final = ByPerson("{name} [win] the battle with the higher rank.")
WINS_BY_COLOUR: Final = ByPerson("{name} [win] the battle: {other} could not follow the color.")
WINS_BY_ZERO: Final = ByPerson("{name} [win] the battle: 0 beats 12.")
TIED: Final = "Tie. Each player keeps their own card."
ADVANCES: Final = ByPerson("{name} [advance] {cards}.")
SCORES: Final = ByPerson("{name} [score] {points} in round {number}.")
ROUND_SCORES: Final = "Round {number}: {first} {points}, {second} {other}."
TOTAL: Final = ByPerson("{name} [have] {points} points in this game.")
TOTALS: Final = "In all: {first} {points}, {second} {other}."
WINS: Final = ByPerson("{name} [win].")
WINS_TIE: Final = ByPerson("{name} [win] the tie as the second player.")
SHARED: Final = "Equal scores over two games: both players win."

# ---- results ------------------------------------------------------------------------------------

WIN: Final = "Victory. You score {won} to {other}'s {lost}."
LOSS: Final = "Defeat. {name} scores {won} to your {lost}."
END: Final = "{name} wins. {won} to {other}'s {lost}."
WIN_BY_SECOND: Final = "Victory. {won} each, and the tie goes to you as the second player."
LOSS_BY_SECOND: Final = "Defeat. {won} each, and the tie goes to {name} as the second player."
END_BY_SECOND: Final = "{name} wins. {won} each, and the tie goes to the second player."
SHARED_RESULT: Final = "Both win. {won} to {lost} over two games."

# ---- moments and stills -------------------------------------------------------------------------

ROUND_OVER: Final = "Round {number} is over: {first} {points}, {second} {other}."
CARDS_MEET: Final = "The cards meet."
STILL_RANK: Final = "{name} {sum}"
STILL_RANKS: Final = "{first}, {second}."
BATTLE_WON: Final = ByPerson("{battle}. {name} [take] both cards.")
BATTLE_TIED: Final = "{battle}. Each player keeps their own card."
BEATS: Final = "beats"
MEETS: Final = "meets"
BATTLE: Final = "{one} beats {two}, {why}"
BATTLE_TIE: Final = "{one} meets {two}: {why}"
A_TIE: Final = "a tie"
SAME_COLOUR: Final = "same color"
COLOUR_LED: Final = "{colour} was led"
ANY_COLOUR: Final = "in any color"

# ---- refusals: a sentence and its tag -----------------------------------------------------------

NO_ACTION: Final = "Jinkei has no such action."
OTHER_TYPE: Final = "Choose a type that your opponent has not taken."
ONE_OF_TWO: Final = "Choose one of your two formations for this round."
FRONT_IN_ORDER: Final = "Lay cards on the open spaces of Vanguard and Rearguard, in their order."
BACK_IN_ORDER: Final = "Lay cards on the open spaces of the Reinforcements, in their order."
WHO_ADVANCES: Final = "Choose one of the two cards that can step forward."
CHANCE_SHUFFLES: Final = "A shuffle needs a seed."
CHANCE_DEALS: Final = "Chance can deal only a card that is still in the deck."
CHANCE_STARTS: Final = "Chance draws the first player."
ATTACK_FROM: Final = "Attack from your {row} first."
ANSWER_FROM: Final = "Answer from your {row} first."
ATTACK_ROW: Final = "Attack with a card of your Vanguard, or of your Rearguard when that is empty."
ANSWER_ROW: Final = "Answer with a card of your Rearguard, or of your Vanguard when that is empty."
BLANK: Final = "A blank space holds no card."
REVEALED: Final = "This space has the card from the top of your deck."
NOT_IN_HAND: Final = "That card is not in your hand."
LAID_ALREADY: Final = "You have laid that card on another space."
LOWER_FIRST: Final = "Two cards share this space: lay the lower one first."
EMPTY_SPACE: Final = "There is no card on this space."
NO_REINFORCEMENT: Final = "Reinforcements cannot fight until they step forward."
NOT_WILD: Final = "Only a card on a Wild space can be called the other color."
FOLLOW: Final = "You have {colour} here, so you must answer with {colour}."
FOLLOW_WILD: Final = "You have {colour} here, so the Wild card must be {colour} too."
WILD_FOLLOWS: Final = "Another card can follow, so the Wild card must be {colour}."
TAG_TAKEN: Final = "Taken"
TAG_ROW_FIRST: Final = "{row} first"
TAG_BLANK: Final = "Blank"
TAG_OPEN_CARD: Final = "Has its card"
TAG_NOT_THERE: Final = "Not there"
TAG_LAID: Final = "Already laid"
TAG_LOWER_FIRST: Final = "Lower one first"
TAG_NEXT_SPACE: Final = "Not this space"
TAG_EMPTY: Final = "Empty"
TAG_LATER: Final = "Fights later"
TAG_NOT_WILD: Final = "Not Wild"
TAG_FOLLOW: Final = "Follow {colour}"

# ---- reasons of bots ----------------------------------------------------------------------------

WHY_TYPE: Final = "{type}. It is at least as strong as the other types."
WHY_FORMATION: Final = "{formation}. My cards fit it well."
WHY_ADVANCE: Final = "{card} steps forward. It is more useful in front."
WHY_SURPRISE: Final = "{card} here. It can step forward later as a surprise."
WHY_CATCH: Final = "{card} here. It can catch their 12."
WHY_WILD: Final = "{card} on the Wild space. It can answer either color."
WHY_ANSWERS: Final = "{card} here. I want to answer with it."
WHY_GIVE_UP_LATER: Final = "{card} here. I give it up when I cannot win."
WHY_BONUS: Final = "{card} here. As {sum} it is hard to beat."
WHY_SMALL_BONUS: Final = "{card} here. With the bonus it fights as {sum}."
WHY_ATTACKS: Final = "{card} here. I want to attack with it."
WHY_CHEAP: Final = "{card} here. In an attack it is a cheap loss."
WHY_MIDDLE: Final = "{card} here. If its attack fails, it costs {points}."
WHY_SAFE: Final = "Lead {card}. No legal answer beats it."
WHY_CHEAP_LEAD: Final = "Lead {card}. If it loses, it costs little."
WHY_LEAD: Final = "Lead {card}. It may lose, but the battles after it suit me best."
WHY_WINS: Final = "Answer with {card}. It wins {points}."
WHY_SAVE: Final = "Give up {card}. The winner is worth more later."
WHY_GIVE_UP: Final = "Give up {card}. No answer wins this battle."

# ---- cards --------------------------------------------------------------------------------------

TEXT_0: Final = "0 beats 12 in any color."
TEXT_12: Final = "12 loses to 0 in any color."

"""Messages of Jinkei to people, ready for translation: `NAME.format(...)` with the named parameters.

`card` is the name of a card, `space` that of a space, and `name` the player whose message it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gonfalon.core.text.citations import Reason
from gonfalon.core.text.templates import ByPerson
from gonfalon.games.jinkei.rules import events as ev

# ---- prompts ------------------------------------------------------------------------------------

WAITING: Final = "Done. Waiting for {other}"
BOTH_CHOOSE: Final = "Both players are choosing"
SHUFFLING: Final = "Cards are being shuffled"
THEIR_TURN: Final = "{name}'s turn"
PROMPTS: Final = {
    "type": ("Choose the type of your formations", "{name} is choosing a type of formations"),
    "formation": ("Choose your formation for this round", THEIR_TURN),
    "front": ("Lay {cards} in Vanguard and Rearguard", THEIR_TURN),
    "back": ("Lay {cards} in your Reinforcements", THEIR_TURN),
    "lead": ("Attack with a card of your {row}", "{name} is attacking"),
    "answer": ("Answer with a card of your {row}", "{name} is answering"),
    "advance": ("Which card steps forward?", "{name} is choosing which card steps forward"),
}
"""The prompts for the seat that is asked and for all other viewers."""
WINS_GAME: Final = ByPerson("{name} [win] the game")
BOTH_WIN: Final = "Both players win"

# ---- tips ---------------------------------------------------------------------------------------

TIPS: Final = {
    "type": "The type decides your formations in all rounds.",
    "formation": "Any card on +1 fights one rank higher.",
    "front": "Have both colors in your Rearguard.",
    "back": "Reinforcements step forward and fight later.",
    "lead": "Lead a color that their Rearguard lacks.",
    "answer": "If you must lose, lose a cheap card.",
    "advance": "The other card waits for its turn.",
}
"""Tips for new players, by prompt."""

# ---- names --------------------------------------------------------------------------------------

SHORT: Final = ["Vanguard", "Rearguard", "Reinforcement"]
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

FIRST_PLAYER_OF: Final = ByPerson("Game {number}. {name} [are] the first player.")
DRAWS: Final = ByPerson("{name} [draw] {cards}.")
SENTENCES: Final[Mapping[int, str | ByPerson]] = {
    ev.GAME: ByPerson("{name} [are] the first player."),
    ev.TYPE: ByPerson("{name} [choose] the {type} formations."),
    ev.ROUND: ByPerson("Round {number}. {name} [lead]."),
    ev.DREW: DRAWS,
    ev.DREW_CARD: DRAWS,
    ev.FORMATION: ByPerson("{name} [reveal] formation {formation}."),
    ev.REVEALED: ByPerson("{name} [turn] up {card} on {space}."),
    ev.PLACED: ByPerson("{name} [lay] {cards}."),
    ev.PLACED_DOWN: ByPerson("{name} [lay] {cards} face down."),
    ev.LED: ByPerson("{name} [attack] with {card}."),
    ev.ANSWERED: ByPerson("{name} [answer] with {card}."),
    ev.TIED: "Tie. Each player keeps their own card.",
    ev.ADVANCED: ByPerson("{name} [advance] {cards}."),
    ev.SCORED: ByPerson("{name} [score] {points} in round {number}."),
    ev.TOTAL: ByPerson("{name} [have] {points} points in this game."),
    ev.OVER: ByPerson("{name} [win]."),
}
"""The sentence of each event; `choose_sentence` has the special ones, `fill_sentence` the values."""
FORMATIONS: Final = "Formations: {first} {formation}, {second} {other}."
TAKEN: Final = {
    ev.BY_RANK: ByPerson("{name} [win] the battle with the higher rank."),
    ev.BY_COLOUR: ByPerson("{name} [win] the battle: {other} could not follow the color."),
    ev.BY_ZERO: ByPerson("{name} [win] the battle: 0 beats 12."),
    ev.FORGOTTEN: ByPerson("{name} [win] the battle."),
}
"""The sentence of a won battle, by its reason."""
ROUND_SCORES: Final = "Round {number}: {first} {points}, {second} {other}."
TOTALS: Final = "In all: {first} {points}, {second} {other}."
WINS_TIE: Final = ByPerson("{name} [win] the tie as the second player.")
SHARED: Final = "Equal scores over two games: both players win."

# ---- results ------------------------------------------------------------------------------------

ENDINGS: Final = (
    (
        "Victory. You score {won} to {other}'s {lost}.",
        "Defeat. {name} scores {won} to your {lost}.",
        "{name} wins. {won} to {other}'s {lost}.",
    ),
    (
        "Victory. {won} each, and the tie goes to you as the second player.",
        "Defeat. {won} each, and the tie goes to {name} as the second player.",
        "{name} wins. {won} each, and the tie goes to the second player.",
    ),
)
"""The result for the winner, the loser and all other viewers, by points and by a tie."""
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
BECAUSE: Final = ["same color", "{colour} was led", "in any color"]
"""Reasons of a victory beside the battle on the table, indexed by BY_RANK, BY_COLOUR, BY_ZERO."""

# ---- refusals: a sentence and its tag -----------------------------------------------------------

NO_ACTION: Final = "Jinkei has no such action."
ATTACK_FROM: Final = "Attack from your {row} first."
ANSWER_FROM: Final = "Answer from your {row} first."
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
TAG_ROW_FIRST: Final = "{row} first"
TAG_BLANK: Final = "Blank"
TAG_OPEN_CARD: Final = "Has its card"
TAG_NOT_THERE: Final = "Not there"
TAG_LAID: Final = "Already laid"
TAG_LOWER_FIRST: Final = "Lower one first"
TAG_NEXT_SPACE: Final = "Not this space"
PLAIN: Final = {
    "type": Reason("Choose a type that your opponent has not taken.", "Taken", "ruling 1"),
    "formation": Reason("Choose one of your two formations for this round.", rule="6-1"),
    "front": Reason("Lay cards on the open spaces of Vanguard and Rearguard, in their order.", TAG_NEXT_SPACE, "6-2"),
    "back": Reason("Lay cards on the open spaces of the Reinforcements, in their order.", TAG_NEXT_SPACE, "6-4"),
    "advance": Reason("Choose one of the two cards that can step forward.", rule="ruling 26"),
    "shuffle": "A shuffle needs a seed.",
    "deal": "Chance can deal only a card that is still in the deck.",
    "toss": "Chance draws the first player.",
    "lead": Reason("Attack with a card of your Vanguard, or of your Rearguard when that is empty.", rule="7-1"),
    "answer": Reason("Answer with a card of your Rearguard, or of your Vanguard when that is empty.", rule="7-2"),
}
"""The reason that names the legal actions, by prompt."""
TAG_EMPTY: Final = "Empty"
TAG_LATER: Final = "Fights later"
TAG_NOT_WILD: Final = "Not Wild"
TAG_FOLLOW: Final = "Follow {colour}"

# ---- reasons of bots ----------------------------------------------------------------------------

WHY_POINTS: Final = "points"
WHY_COUNTED: Final = ("cards that it can beat", "cards that beat it")
"""Of a card elsewhere, and of one in the Vanguard."""
WHY_EVEN: Final = ("about equally good", "too close to tell which is better")
WHY_ALIKE: Final = "{actions} are {even}."
WHY_TRADE: Final = "{card} is stronger here, but {other} costs less if it loses; they are {even}."
WHY_WILD: Final = (
    "On the space with Wild, {card} can be either color; {other} has no Wild.",
    "The revealed card gets Wild and can be either color; {other} has no Wild.",
)
WHY_BONUS: Final = "You choose the card for the bonus; in {other} the revealed card gets it."
WHY_SAME_COST: Final = ("", ", at the same cost")
WHY_AHEAD: Final = (
    "Here {0.subject} can beat {0.value} of their cards out of sight, {0.other} only {0.than}{cost}.",
    "Here {0.value} of their cards out of sight can beat {0.subject}, and {0.than} can beat {0.other}{cost}.",
)
WHY_WILD_HERE: Final = "As an answer with Wild, {card} can beat cards of both colors, without it only {colour} ones."
WHY_KEPT: Final = (
    "{other} is stronger than {card}, and stays in your hand for the next round.",
    "{card} is stronger than {other}, and the card that stays in your hand is never played.",
)
WHY_CATCHES: Final = "{card} can catch their {cards} in any color, and costs nothing if it loses."
WHY_AS: Final = "{card} as {colour}"
WHY_SAFE: Final = "No legal answer beats {0.subject}, and both cards bring {0.amount}{more}."
WHY_OR_MORE: Final = ("", " or more")
WHY_TIED: Final = "No legal answer beats {0.subject}, but one may tie."
WHY_COLOUR: Final = ("As {colour}, it could be beaten.", "As {colour}, every legal answer would beat it.")
WHY_LOST: Final = "Every legal answer beats {0.subject}, which costs {0.amount}."
WHY_LEAD: Final = "Of the legal answers, {cards} can beat your {0.subject}, which then costs {0.amount}."
WHY_AT_RISK: Final = "Their {cards} {can} beat your {0.subject}, which would cost {0.amount}."
WHY_CAN: Final = ("could", "would")
WHY_COSTLIER: Final = "Your {0.subject} {can} be beaten too, and costs {0.amount}."
WHY_LESS: Final = "{0.subject} would be safe too, but for {0.amount}{more}."
WHY_BEHIND: Final = "{card} stays in the Rearguard to answer; after {other} it would step forward."
WHY_MARGIN: Final = "With best play, your margin this round is {least}{0.amount} better than with {0.subject}{hidden}."
WHY_LEAST: Final = ("", "at least ")
WHY_HIDDEN: Final = ("", ", whatever the face-down card is")
WHY_WINS: Final = "{card} beats their {0.subject}, and both cards bring {0.amount}."
WHY_ALSO_WINS: Final = "{0.subject} would win {0.amount} too, but is stronger and stays for later."
WHY_WINS_LESS: Final = "{0.subject} would win too, but only {0.amount}."
WHY_ONLY: Final = "No other answer wins."
WHY_LOSES: Final = "As {colour} it would lose."
WHY_TIES: Final = "{card} ties with their {lead}, and each player keeps their own card."
WHY_EITHER: Final = "{card} loses in either color, so both answers are equally good."
WHY_REST_LOSE: Final = "Every other answer loses."
WHY_SAVE: Final = "It gives up {0.subject} ({0.amount}) and keeps {1.subject}, which would win {1.amount} now."
WHY_GIVE_UP: Final = "No legal answer beats their {lead}, and none costs less than {0.subject} ({0.amount})."
WHY_STRONGER: Final = "{other} costs as much, but is stronger and stays for later."

# ---- cards --------------------------------------------------------------------------------------

TEXT_0: Final = "0 beats 12 in any color."
TEXT_12: Final = "12 loses to 0 in any color."

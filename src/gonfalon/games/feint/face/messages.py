"""Messages of Feint to people, ready for translation: `NAME.format(...)` with the named parameters.

`place` is the number of a Location, `card` the name of a card, and `name` the player whose message it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gonfalon.core.text.citations import Reason
from gonfalon.core.text.templates import ByPerson
from gonfalon.games.feint.rules import events as ev

# ---- prompts ------------------------------------------------------------------------------------

WAITING: Final = "Done. Waiting for {other}"
SHUFFLING: Final = "Cards are being shuffled"
THEY_RETURN: Final = "{name} is putting cards under the deck"
PROMPTS: Final = {
    "reinforce": ("Discard any cards, then draw up to {hand}", "Both players discard and draw"),
    "deploy": ("Play a card or pass", "{name}'s turn"),
    "play-one": ("Play one more card from your hand", "{name} is playing one more card"),
    "conjure": ("Play a card from your discard pile", "{name} is playing a discarded card"),
    "order": ("Which ability goes first?", "{name} is choosing which ability goes first"),
    "storm": ("Where does {name}'s {card} go?", "{name} is placing {card}"),
    "scramble": ("Move {card} from {place}. Where to?", "{name} is moving {card}"),
    "bomb": ("Bomb Tower: discard an enemy card here", "{name} is choosing a card to bomb"),
    "trojan": ("Put one of your cards under your deck", THEY_RETURN),
    "medic": ("Put discards under your deck, or stop", THEY_RETURN),
    "support": ("Put one card under your deck, or none", THEY_RETURN),
}
"""The prompts for the seat that is asked and for all other viewers."""
WINS_GAME: Final = ByPerson("{name} [win] the game")

# ---- tips ---------------------------------------------------------------------------------------

TIPS: Final = {
    "reinforce": "Discard freely. You draw back up to 7.",
    "deploy": "Two battles: one at your Location, one at theirs.",
}
"""Tips for new players, by prompt."""

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

DRAWS: Final = ByPerson("{name} [draw] {cards}.")
SCOUTS_NUMBER: Final = ByPerson("{name} [draw] Location Card {place}.")
BOTH_SCOUT: Final = "Both players draw a Location Card."
BOTH_SCOUT_OWN: Final = "Both players draw a Location Card. Yours is {place}."
PLAYS_DOWN: Final = ByPerson("{name} [play] {card} face down to {place}.")
STAY_TOKENS: Final = "{card} gets {count} Stay tokens."
PEEKS_NUMBER: Final = ByPerson("{name} [look] at [your] next Location Card: {place}.")
GAINS_MORALE: Final = ByPerson("{name} [gain] {size} Morale (now {left}).")
SEES: Final = ByPerson("{name} [see] {cards} on top of [your] deck.")

# ---- the log: the Resolution --------------------------------------------------------------------

LOCATION_CARDS: Final = "Location Cards: {first} {place}, {second} {other}."
TURNS_UP: Final = ByPerson("{name} [turn] up {cards}.")
SENTENCES: Final[Mapping[int, str | ByPerson]] = {
    ev.ROUND: ByPerson("Round {number}. {name} [start]."),
    ev.DISCARDED: ByPerson("{name} [discard] {cards}."),
    ev.DREW: DRAWS,
    ev.DREW_CARD: DRAWS,
    ev.SCOUTED: ByPerson("{name} [draw] a Location Card."),
    ev.PLAYED: ByPerson("{name} [play] {card} to {place}."),
    ev.ANNOUNCED: ByPerson("{name} [announce] {card}."),
    ev.PASSED: ByPerson("{name} [pass]."),
    ev.STAY: "{card} gets a Stay token.",
    ev.PEEKED: ByPerson("{name} [look] at [your] next Location Card."),
    ev.BARED: ByPerson("{name} [reveal] [your] Location Card: {place}."),
    ev.MORALE: ByPerson("{name} [lose] {size} Morale ({left} left)."),
    ev.MOVED: ByPerson("{name's} {card} moves from {place} to {goal}."),
    ev.HEALED: ByPerson("{name} [put] {card} from [your] discard pile under [your] deck."),
    ev.RETURNED: ByPerson("{name} [put] {card} from {place} under [your] deck."),
    ev.MILLED: ByPerson("{name's} deck loses {cards}."),
    ev.SPARED: ByPerson("{card} is Protected and returns to the top of {name's} deck."),
    ev.STRUCK: ByPerson("{card} is discarded from {name's} hand."),
    ev.SHIELDED: ByPerson("{card} in {name's} hand is Protected and stays."),
    ev.LOOKED: ByPerson("{name} [look] at the top {cards} of [your] deck."),
    ev.LOOKED_CARD: SEES,
    ev.BOTTOMED: ByPerson("{name} [put] {card} under [your] deck."),
    ev.KEPT: ByPerson("{name} [leave] them as they are."),
    ev.BOMBED: ByPerson("{name's} {card} at {place} is bombed and discarded."),
    ev.SPENT: "{card} discards itself.",
    ev.LOCATION: ByPerson("{name's} Location Card is {place}."),
    ev.TURNED: TURNS_UP,
    ev.ADDED: ByPerson("{name's} {card} adds a battle at {place}."),
    ev.BARRED: ByPerson("{name's} {card} prevents a battle at {place}."),
    ev.EARTH: ByPerson("{name's} {card} finds {spare} spare Capacity at {place}."),
    ev.BATTLE: "Battle at {place}.",
    ev.RATING: "{sum}.",
    ev.TOTAL: ByPerson("{name} [reach] {total}."),
    ev.WON: ByPerson("{name} [win] the round."),
    ev.COST: ByPerson("{name's} cards on the board cost {morale} Morale."),
    ev.STAYED: ByPerson("{name's} {card} stays at {place}."),
    ev.SHUFFLED: ByPerson("{name} [shuffle] [your] used Location Cards."),
    ev.NO_EFFECT: "No effect.",
    ev.END: ByPerson("{name's} {card} moves the end marker: the game lasts {rounds}."),
    ev.OVER: ByPerson("{name} [win] the game."),
}
"""The sentence of each event; `choose_sentence` has the special ones, `fill_sentence` the values."""
BATTLE_SUMS: Final = "Battle at {place}: {sums}."
SUM: Final = "{name} {strength} × {place} = {sum}"
WINS_ROUND_BY: Final = ByPerson("{name} [win] the round, {won} to {lost}.")
WINS_TIE: Final = ByPerson("{name} [win] the tie as the start player.")
WINS_TIE_BY: Final = ByPerson("Tied at {won}. {name} [win] the round as the start player.")
COST_LEAVES: Final = ByPerson("{name's} cards on the board cost {morale} Morale ({left} left).")

# ---- results ------------------------------------------------------------------------------------

ENDINGS: Final = {
    ev.BY_MORALE: (
        "Victory. {other} has no Morale left.",
        "Defeat. You have no Morale left.",
        "{name} wins. {other} has no Morale left.",
    ),
    ev.BY_ROUNDS: (
        "Victory. You win {won} rounds to {other}'s {lost}.",
        "Defeat. {name} wins {won} rounds to your {lost}.",
        "{name} wins. {won} rounds to {other}'s {lost}.",
    ),
    ev.BY_FINAL_ROUND: (
        "Victory. {won} rounds each, and you won the last one.",
        "Defeat. {won} rounds each, and {name} won the last one.",
        "{name} wins. {won} rounds each, and {name} won the last one.",
    ),
}
"""The result for the winner, the loser and all other viewers."""

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

MUST_MOVE_PLAYED: Final = "The card that was played must move to another Location."
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
REASONS: Final[dict[str, Reason]] = {
    "reinforce": Reason("Discard cards from your hand in the order of the card list, then finish.", rule="ruling 3"),
    "deploy": Reason("Play a card from your hand, or pass.", rule="Deployment phase"),
    "play-one": Reason("You must play one more card if you can.", TAG_MUST_PLAY, "ruling 61"),
    "conjure": Reason("You must play a card from your discard pile if you can.", TAG_MUST_PLAY, "ruling 59"),
    "order": Reason("Choose which ability goes first.", rule="ruling 38"),
    "storm": Reason("Choose a Location with room for the Storm Prodigy.", TAG_NO_ROOM, "ruling 60"),
    "scramble": Reason("The Scrambler must move to another Location.", TAG_MUST_MOVE, "ruling 64"),
    "bomb": Reason("Choose an enemy card here that is not Protected.", TAG_PROTECTED, "rulings 37, 75"),
    "trojan": Reason(
        "Choose another of your cards on the board that is not Protected.", TAG_PROTECTED, "rulings 37, 67"
    ),
    "medic": Reason("Choose a card from your discard pile that is not Protected, or stop.", TAG_PROTECTED, "ruling 63"),
    "support": Reason("Choose one of the cards you looked at, or leave them.", rule="ruling 74"),
    "shuffle": Reason("A shuffle needs a seed.", rule="Setup"),
    "deal": Reason("Chance can deal only a card that is left.", rule="Setup"),
    "assassinate": Reason("Chance picks a card from the hand.", rule="ruling 71"),
    "toss": Reason("Chance draws the start player.", rule="ruling 1"),
}
"""The reason that names the legal actions, by prompt."""
TAG_FULL: Final = "Full"
TAG_WHERE: Final = "Where to?"
TAG_OPPONENT: Final = "Not your choice"
TAG_ENGINEER: Final = "Needs an Engineer"
TAG_ONLY_AT: Final = "Only at {place}"
TAG_NOT_HERE: Final = "Not here"
TAG_EMPTY: Final = "Must be empty"
TAG_LIMIT: Final = "Limit 4"

# ---- reasons of bots ----------------------------------------------------------------------------

WHY_RATING: Final = "Strategy Rating"
WHY_HIDDEN_STRENGTH: Final = "Strength of a face-down card"
WHY_STRENGTH: Final = "Strength"
THE_ROUND: Final = "round"
THE_MORALE: Final = "Morale"
THE_HAND: Final = "hand"
THE_DECK: Final = "deck"
WHY_AT_RISK: Final = "lost with the round"
WHY_LEFT: Final = "left"
WHY_CARDS: Final = "cards"
WHY_ROUNDS: Final = "rounds"
WHY_THEIR_LOCATION: Final = "% that it is their Location Card"
WHY_PROBABLE: Final = "{place} ({chance} %)"
WHY_ONLY_IF: Final = "{place} (only if the other player has it)"
WHY_SURE: Final = "{place} (a battle so far)"
WHY_IF: Final = " if the other player has {places}"
WHY_UNLESS_THEY: Final = " unless the other player has {places}"
WHY_OR: Final = " or "
WHY_FACE_DOWN: Final = ", with {strength} Strength for each face-down card"
WHY_TAKES_LEAD: Final = "It takes the lead{when}: {0.value} to {1.value} instead of {2.value} to {3.value}."
WHY_ALWAYS: Final = (
    "It leads whatever their Location Card is; without it, the round is at {0.value} to {1.value}{when}."
)
WHY_UNLESS: Final = "It takes the lead, but not{when}: {0.value} to {1.value}."
WHY_LEADS: Final = "It takes the lead by {0.value}{more}, whatever Location Card the other player has."
WHY_WINS: Final = "The other player has passed, and this card wins the round by {0.value}{more}."
WHY_OR_MORE: Final = " or more"
WHY_HOLDS: Final = "No single card of the other player can then take the lead; now one at {place} could."
WHY_LETHAL: Final = "A lost round costs the other player {0.value} Morale, and {1.value} is left: that wins the game."
WHY_DECIDED: Final = "The other player has passed, and the round is won with or without this card."
WHY_NARROW: Final = "It can go only to {place}, and {other} stays free for other Locations."
WHY_MEAN: Final = "{0.subject} counts {0.value} at {here}, on average more than {1.subject} with {1.value} at {there}."
WHY_LEAST: Final = "{0.subject} counts {0.value} at {here}, on average less than with {1.value} at {there}."
WHY_ALIKE: Final = "{card} at {place} is about equally good."
WHY_PASS_ALIKE: Final = "To pass is about equally good."
WHY_ASSASSIN: Final = "The other player's hand of {0.amount} loses one, unless that one is Protected."
WHY_SABOTEUR: Final = "The other player's deck of {0.amount} must last {1.amount} more, and loses up to two."
WHY_GAIN: Final = "Morale gained"
WHY_GAINS: Final = "{0.subject} gains {0.value} Morale there if no more cards come."
WHY_CAPACITY: Final = "Capacity left"
WHY_ROOM: Final = "It leads at {0.subject}, with room for {0.value} more Strength."
WHY_FULL: Final = "It leads at {0.subject}, which is full."
WHY_SAFE: Final = "The round is won by {0.value}{more}, and the other player adds no more cards."
WHY_NO_CHANGE: Final = "No card of the hand changes a likely battle."
WHY_STANDS: Final = "The round is at {0.value} to {1.value}{when}, and no card of the hand changes that."
WHY_RISKS: Final = "Each further card adds to the {0.value} Morale that a lost round costs."
WHY_WON: Final = "rounds won"
WHY_SCORE: Final = "With {0.amount} already, only Morale can still lose the game."
WHY_BETTER: Final = "better cards"
WHY_CHEAPER: Final = ", or as much for less Morale"
WHY_DISCARDS: Final = "{0.value} of {1.value} cards in the deck have more than {2.value} Strength{cheaper}."
WHY_KEEPS: Final = (
    "{2.subject} is the weakest one kept; {0.value} of {1.value} in the deck have more Strength{cheaper}."
)
WHY_NO_ENGINEER: Final = "{card} needs an Engineer, and the hand keeps none."
WHY_FEW: Final = "With {0.amount} in the deck for {1.amount}, few can be replaced."

# ---- the signs of cards -------------------------------------------------------------------------

SIGN_RESTRICT: Final = "limits how it is played"
SIGN_PLAY: Final = "happens when it is played"
SIGN_TRIGGER: Final = "happens when its condition is met"
SIGN_RESOLVE: Final = "happens in the Resolution phase"
SIGN_PROTECTED: Final = "Protected: other cards' effects do not change it"

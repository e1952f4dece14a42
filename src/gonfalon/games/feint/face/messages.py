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
WHY_BEFORE: Final = "Strategy Rating before"
WHY_STRENGTH: Final = "Strength"
THE_ROUND: Final = "round"
THE_MORALE: Final = "Morale"
THE_HAND: Final = "hand"
THE_DECK: Final = "deck"
WHY_AT_RISK: Final = "lost with the round"
WHY_CARDS: Final = "cards"
WHY_ROUNDS: Final = "rounds to play"
WHY_THEIR_LOCATION: Final = "% that it is their Location Card"
WHY_PROBABLE: Final = "{place} ({chance} %)"
WHY_AND_AT: Final = " and at "
WHY_FACE_DOWN: Final = ", apart from face-down cards,"
WHY_STANDS: Final = "With a battle at {places} the round stands at {0.value} to {1.value}."
WHY_CHANGES: Final = (
    "With a battle at {places} the round stands at {0.value} to {1.value} instead of {2.value} to {3.value}."
)
WHY_TAKES_LEAD: Final = (
    "With a battle at {places} it takes the lead, {0.value} to {1.value} instead of {2.value} to {3.value}."
)
WHY_TIE: Final = "With a battle at {places} the round is tied at {0.value}, and the start player wins ties."
WHY_NO_BATTLE: Final = "No battle can happen, so the round is a tie, which the start player wins."
WHY_DECIDED: Final = "The other player has passed, and the same player wins the round with or without this card."
WHY_WINS: Final = "The other player has passed, and this card wins the round in every case, by {0.value} or more."
WHY_NEW_CARD: Final = "It makes room in the hand for a new card."
WHY_CHANCE: Final = "The chance of a battle at {0.subject} is {0.value} %."
WHY_BLUFF: Final = "A bluff: it hides that the sure battle is at {place}."
WHY_NO_USE: Final = "{1.subject} is of no use at {place}, and counts with a battle at {0.subject} ({0.value} %)."
WHY_LURE: Final = "A lure: cards that answer it at {0.subject} count only with a battle there ({0.value} %)."
WHY_CHEAP: Final = "No card of the hand risks less than its {0.value} Morale."
WHY_FREE: Final = "{card} risks no Morale."
WHY_GAIN: Final = "Morale gained"
WHY_GAINS: Final = "{0.subject} gains {0.value} Morale there if no more cards come."
WHY_CAPACITY: Final = "Capacity left"
WHY_ROOM: Final = "No card with more than {0.value} Strength fits at {0.subject} then."
WHY_FULL: Final = "No more Strength fits at {place} then."
WHY_OPENS: Final = "{card} can follow at {place}."
WHY_ANSWERS: Final = "The other player still has {0.amount} to answer with."
WHY_FOLLOWS: Final = "{0.subject} at {place} could take the lead next."
WHY_MISSING: Final = "It still lacks {0.value}, and the hand has {1.amount} more to play."
WHY_CANCELS: Final = "{card} cancels any battle at {place}."
WHY_NEXT: Final = "The next card, {0.subject}, has {0.value} Strength."
WHY_SAVES_HAND: Final = "The hand keeps {0.amount} for the next round."
WHY_EMPTY_HAND: Final = "No card is left in the hand."
WHY_RISKS: Final = "Each further card adds to the {0.value} Morale that a lost round costs."
WHY_NO_RISK: Final = "Without cards on the board a lost round costs no Morale."
WHY_WON: Final = "rounds won"
WHY_SCORE: Final = "With {0.amount} already, only Morale can still lose the game."
WHY_THEY_PASSED: Final = "The other player has passed and adds no more cards."
WHY_BETTER: Final = "cards with more Strength"
WHY_PREFERRED: Final = "cards that are preferred"
WHY_DISCARDS: Final = "{0.subject} has {0.value} Strength; {1.value} of {2.value} cards in the deck have more."
WHY_KEEPS: Final = (
    "{0.subject}, the weakest one kept, has {0.value} Strength; {1.value} of {2.value} in the deck have more."
)
WHY_NO_ENGINEER: Final = "{card} needs an Engineer, and the hand keeps none."
WHY_ABILITY: Final = "{card} stays for its ability."
WHY_FEW: Final = "With {0.value} cards in the deck for {1.value} rounds, few can be replaced."
WHY_MANY: Final = "With {0.value} cards in the deck for {1.value} rounds, it can be replaced."
WHY_EXPENSIVE: Final = "{0.value} of {1.value} cards in the deck are stronger than {2.subject} or cost less Morale."
WHY_NO_ABILITY: Final = (
    "{0.value} of {1.value} cards in the deck are stronger than {2.subject} or have an ability to use."
)
WHY_STRONGEST: Final = "{0.subject} with {0.value} Strength is the strongest of these cards, for a later draw."
WHY_PRICES: Final = "{0.subject} has {0.value} Strength for {1.value} Morale, and {0.other} {0.than} for {1.than}."
WHY_RETURNS: Final = "{0.subject} has {0.value} Strength and can be drawn again."
WHY_BURIES: Final = "{0.subject} with {0.value} Strength makes way for {0.other} with {0.than}."
WHY_UNSEEN: Final = "A card that lies face down can be a strong one."
WHY_DESTROYS: Final = "{0.subject} counts {0.value} for the other player at {place}."
WHY_RESCUES: Final = "{0.subject} counts {0.value} at {place} and no longer risks {1.value} Morale."

# ---- the signs of cards -------------------------------------------------------------------------

SIGN_RESTRICT: Final = "limits how it is played"
SIGN_PLAY: Final = "happens when it is played"
SIGN_TRIGGER: Final = "happens when its condition is met"
SIGN_RESOLVE: Final = "happens in the Resolution phase"
SIGN_PROTECTED: Final = "Protected: other cards' effects do not change it"

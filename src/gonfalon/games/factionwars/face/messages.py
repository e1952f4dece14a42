"""Messages of Faction Wars to people, ready for translation: `NAME.format(...)` with the named parameters."""

from __future__ import annotations

from typing import Final

from gonfalon.core.text.citations import Reason
from gonfalon.core.text.templates import ByPerson
from gonfalon.games.factionwars.rules import events as ev

# ---- prompts ------------------------------------------------------------------------------------

PROMPTS: Final = {
    "select": "Pick a card",
    "bystander": "Give the Bystander to a player",
    "victim": "Take a recruit from which player?",
    "keep": "Collect one of the cards you drew",
    "exchange": "Collect a recruit from the discard pile",
    "desert": "Which recruit deserts?",
    "parley": "Parley with which player?",
}
"""The question to the deciding seat, by prompt."""
GIVE_WHICH: Final = "Give {other} one of your recruits"
WAITING_FOR_ONE: Final = "Done. Waiting for {other}"
WAITING_FOR_OTHERS: Final = "Done. Waiting for the other players"
ALL_CHOOSE: Final = "All players are choosing"
THEIR_TURN: Final = "{name}'s turn"
THEIR_PROMPTS: Final = {
    "bystander": "{name} is giving away a Bystander",
    "victim": "{name} is choosing a player",
    "keep": "{name} is choosing a card",
    "exchange": "{name} is choosing a recruit",
    "parley": "{name} is choosing a player",
    "gift": "{name} is choosing a recruit",
}
"""The action of the deciding seat for all other viewers, by prompt."""
CHANCES: Final = {"steal": "A recruit is picked at random", "battle": "Battle cards are being revealed"}
"""The sentence that players are shown at a step of chance, by its prompt."""
CHANCE_SHUFFLES: Final = "Cards are being shuffled"

# ---- tips ---------------------------------------------------------------------------------------

TIP_RECRUIT: Final = "A recruit fights for you and scores at the end."
TIPS: Final = {
    "select": "If another player picks it too, you fight.",
    "bystander": "A Bystander costs points. Give it to the leader.",
    "victim": "The recruit is random. Choose a strong army.",
    "keep": TIP_RECRUIT,
    "exchange": TIP_RECRUIT,
    "desert": "Lose your lowest score, but keep a fighter.",
    "parley": "You get a random recruit. Choose a strong army.",
    "gift": "Give the card that helps you both least.",
}
"""A tip for newcomers about each decision, by its prompt."""

# ---- actions ------------------------------------------------------------------------------------

PICK: Final = "Pick {card} (place {place})."
HAND_TO: Final = "Give the Bystander to {other}."
PARLEY_WITH: Final = "Parley with {other}."
TAKE_FROM: Final = "Take from {other}."
LET_GO: Final = "Let {card} go."
GIVE: Final = "Give {card}."
COLLECT: Final = "Collect {card}."

# ---- the log: rounds and battles ----------------------------------------------------------------

ROUND: Final = "Round {number}."
OPEN_BONUS: Final = "{card} is open and counts for all players."
GOAL: Final = ByPerson("{name's} goal is {goal}: {text}.")
PICKED: Final = ByPerson("{name} [pick] {card}.")
BATTLE: Final = "{names} fight for {card}."
SHOWN: Final = ByPerson("{name} [reveal] {card}: {value}.")
TIE: Final = "Tie. {names} reveal another card."
SAME_SYMBOL: Final = "Same symbol. {names} reveal another card."
WHY_OUT: Final = {
    ev.LOWER: ByPerson("{name} [are] out: [your] card is lower."),
    ev.SYMBOL: ByPerson("{name} [are] out: [your] symbol loses."),
    ev.NO_CARD: ByPerson("{name} [are] out with no card left."),
    ev.HARMLESS: ByPerson("{name} [are] out: a Bystander does not fight."),
}
"""The sentence on a fighter that is out of a battle, by the reason."""
WON: Final = ByPerson("{name} [win] {card}.")
TAKEN: Final = ByPerson("{name} [take] {card}.")
NO_WINNER: Final = "No winner. {card} is discarded."

# ---- the log: abilities and Actions -------------------------------------------------------------

DREW: Final = ByPerson("{name} [draw] {card} from the recruit deck.")
DREW_CARD: Final = ByPerson("{name} [draw] {card}.")
COLLECTED: Final = ByPerson("{name} [collect] {card}.")
FREED: Final = ByPerson("{name} [collect] {card} from the discard pile.")
DISCARDED: Final = ByPerson("{name} [discard] {card}.")
PLAYED: Final = ByPerson("{name} [play] {card}.")
AIMED: Final = ByPerson("{name} [use] {ability} on {other}.")
PARLEYED: Final = ByPerson("{name} [parley] with {other}.")
STOLE: Final = ByPerson("{name} [take] {card} from {other} at random.")
REMOVED: Final = ByPerson("{name} [lose] {card} to {other} at random.")
DESERTED: Final = ByPerson("{name's} {card} deserts.")
GAVE: Final = ByPerson("{name} [give] {card} to {other}.")
SHUFFLED: Final = ByPerson("{name} [shuffle] [your] battle deck ({cards}).")
NO_EFFECT: Final = ByPerson("{name's} {ability} has no effect: {reason}.")
WHY_NOTHING: Final = [
    "no other player has a recruit",
    "the recruit deck is used up",
    "there is no recruit to give",
    "the discard pile has no recruit",
]
CHAIN_TOO_LONG: Final = ByPerson("{name's} {card} has no effect: the chain is too long.")

# ---- the log: the end ---------------------------------------------------------------------------

RUN_OUT: Final = "The recruit deck has run out. One more time and the game ends."
RUN_OUT_EARLY: Final = "The recruit deck has run out. {left} more times and the game ends."
RUN_OUT_FOR_GOOD: Final = "The recruit deck has run out for the last time."
RENEWED: Final = "The discard pile becomes the new recruit deck ({cards})."
LAST_ROUND: Final = "This is the last round: {reason}."
ENDED: Final = "The game ends at once: {reason}."
WHY_LAST: Final = ["the recruit deck has run out", "War is Over has appeared", "no cards are left to shuffle"]
WAR_IN: Final = "War is Over is shuffled into the recruit deck."
WAR_OVER: Final = "{card} appears and is set aside."
SCORED: Final = ByPerson("{name's} {part}: {points}.")
PARTS: Final = ["recruits", "Berserkers", "Bonus Cards", "Bystanders", "goal", "open Bonus Cards"]
"""The names of the parts of a score, in the order of `scoring.PARTS`."""
GOAL_MET: Final = ByPerson("{name} met [your] goal {goal}: {points}.")
GOAL_MISSED: Final = ByPerson("{name} missed [your] goal {goal}.")
TOTAL: Final = ByPerson("{name} [have] {points}.")

# ---- results ------------------------------------------------------------------------------------

WINS: Final = ByPerson("{name} [win].")
WINS_BY_BYSTANDERS: Final = ByPerson("{name} [win]: equal points, but fewer Bystanders.")
WINS_BY_RECRUITS: Final = ByPerson("{name} [win]: equal points, but more recruits.")
SHARED: Final = "{names} share the win."
SHARED_WITH: Final = "{names} share the win with {points}."
WINS_WITH: Final = ByPerson("{name} [win] with {points}. {rest}")
YOU_HAVE: Final = "You have {points}."
THE_NEXT_HAS: Final = "The next has {points}."
TIED_ON_BYSTANDERS: Final = "The tie is broken by the fewest Bystanders."
TIED_ON_RECRUITS: Final = "The tie is broken by the most recruits."
VICTORY: Final = "Victory. {text}"
DEFEAT: Final = "Defeat. {text}"

# ---- moments ------------------------------------------------------------------------------------

ROUND_OVER: Final = "Round {number} is over."
ROUND_OVER_LEFT: Final = "Round {number} is over. Not picked: {cards}."
ALONE: Final = ByPerson("{name} [take] {card}, alone at place {place}.")
TAKEN_ALONE: Final = ByPerson("{name} [take] {card} alone.")
WON_BY: Final = ByPerson("{name} [win] {card}, {value} against {best}.")
WON_BY_AFTER_TIE: Final = ByPerson("{name} [win] {card}, {value} against {best} after a tie.")
WON_AGAINST: Final = ByPerson("{name} [win] {card} with {cards}, against {fighters}.")
FIGHTER: Final = "{name} with {cards}"
NO_CARD: Final = "no card"
NO_WINNER_AMONG: Final = "No winner: {fighters}. {card} is discarded."
FLAGS: Final = "All picks are shown. {picks}."
FLAG: Final = "{card}: {names}"
REVEALED: Final = "{cards}."
REVEALED_TIE: Final = "{cards}: {names} reveal another card."
NO_CARD_LEFT: Final = "No card is left"
NOTHING_HAPPENS: Final = "No effect."
ALL_HAVE_CHOSEN: Final = "All players have picked."

# ---- short notes on the table -------------------------------------------------------------------

NOTE_LOWER: Final = "lower card"
NOTE_SYMBOL: Final = "symbol loses"
NOTE_BYSTANDER: Final = "a Bystander does not fight"
NOTE_NO_CARD: Final = "no card left"
NOTE_SAME_SYMBOL: Final = "same symbol"
NOTE_TIED: Final = "tied"
NOTE_TIED_AT: Final = "tied at {value}"
NOTE_OUT: Final = "{value}: out"
NOTE_ALL_OUT: Final = "all are out"
NOTE_NO_WINNER: Final = "no clear winner"
NOTE_TIE_ENDED: Final = "the tie ends without a winner"

# ---- refusals: sentences and tags ---------------------------------------------------------------

NO_ACTION: Final = "There is no such action in Faction Wars."
MUST_GIVE_BYSTANDER: Final = "Give the Bystander to another player."
PLAIN: Final = {
    "select": Reason("Pick a card of the line-up. You cannot pass.", rule="ruling 32"),
    "bystander": Reason(MUST_GIVE_BYSTANDER, rule="ruling 13"),
    "victim": Reason("Choose a player who has a recruit.", rule="rulings 16, 18"),
    "keep": Reason("Collect one of the cards you drew.", rule="ruling 22"),
    "exchange": Reason("Collect a recruit from the discard pile.", rule="ruling 22"),
    "desert": Reason("Choose one of your recruits. Conscripts and Bystanders are not recruits.", rule="ruling 17"),
    "parley": Reason("Choose another player who has a recruit.", rule="ruling 18"),
    "gift": Reason("Give one of your recruits. Conscripts and Bystanders are not recruits.", rule="ruling 17"),
    "steal": Reason("Chance picks one of that army's recruits.", rule="ruling 17"),
    "shuffle": Reason("A shuffle requires a seed."),
    "battle": Reason("Chance can draw only cards that are left in the fighters' battle decks."),
    "deal": Reason("Chance can deal only a card that has not been dealt yet."),
}
"""The default reason for an illegal answer, by prompt. Most draws of chance have no rule."""
NO_PLACE: Final = "The line-up has no such place."
EMPTY_PLACE: Final = "Nothing left here. Pick a card."
NO_PLAYER: Final = "There is no such player."
NOT_YOURSELF: Final = "Choose another player."
NO_RECRUITS: Final = "This player has no recruits."
NOT_DRAWN: Final = "You did not draw this card."
NOT_DISCARDED: Final = "This card is not in the discard pile."
NOT_A_RECRUIT: Final = "This card is not a recruit."
NOT_YOUR_RECRUIT: Final = "You have no such recruit."
TAG_EMPTY: Final = "Empty"
TAG_NOT_YOU: Final = "Not yourself"
TAG_NO_RECRUITS: Final = "No recruits"
TAG_NOT_DRAWN: Final = "Not drawn"
TAG_NOT_DISCARDED: Final = "Not discarded"
TAG_NOT_A_RECRUIT: Final = "Not a recruit"
TAG_NOT_YOURS: Final = "Not yours"

# ---- reasons of bots ----------------------------------------------------------------------------

WHY_POINTS: Final = "points"
WHY_MOST: Final = "{lead}, more than {others}."
WHY_WITH: Final = "{card} with {points}{its}"
WHY_AND: Final = " and "
WHY_ADDS: Final = ("{0.subject}", "{0.subject} adds {0.amount} now")
WHY_BY_GOAL: Final = " ({1.value} by {goal})"
WHY_DEEDS: Final = {
    "gambler": ", and draws a card, worth about {2.value} with ability and goal",
    "buccaneer": ", and takes a rival's recruit, a swing of about {2.value} with ability and goal",
    "kunoichi": ", and costs a rival a recruit, worth about {2.value} with the goal",
    "call": " collects the best of up to three cards, worth about {2.value} with ability and goal",
    "exchange": " collects {whom} from the discard pile, worth about {2.value} in all",
    "desertion": " costs each rival a recruit worth about {2.value}",
    "parley": " trades {me}'s {whom} for a rival's recruit, a swing of about {2.value} with ability and goal",
}
"""By ability, the clause about it."""
WHY_IN_ALL: Final = " ({3.value} in all)"
WHY_INCLUDED: Final = " (ability included)"
WHY_SWING: Final = " (the swing if the rival got it)"
WHY_ALIKE: Final = "{card} and {other} are about equally good here."
WHY_DECIDED: Final = "{0.subject} leads by {0.amount}, which this choice hardly changes."
WHY_BYSTANDER: Final = (
    "{0.subject} takes {4.amount} from {rival}; if {rival} got it, {5.subject} would lose {5.value}: "
    "a swing of {3.value}"
)
CARD_AT: Final = "{card} (place {place})"
WHY_COSTS: Final = "Without {0.subject} the army loses {0.amount}, and without {1.subject} {1.value}{also}."
WHY_GAINS: Final = "; {player} gains {2.value}, and with {3.subject} {3.value}"
WHY_LEADER: Final = "{0.subject} is the strongest rival with {0.amount}, ahead of {0.other} with {0.than}."
GOAL_OF: Final = "{player}'s goal"

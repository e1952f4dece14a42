"""Messages of Generals to people, ready for translation: `NAME.format(...)` with the named parameters."""

from __future__ import annotations

from typing import Final

from gonfalon.core.rules.state import Action
from gonfalon.core.text.citations import Reason
from gonfalon.core.text.templates import ByPerson
from gonfalon.games.generals.rules import actions
from gonfalon.games.generals.rules import events as ev

# ---- prompts ------------------------------------------------------------------------------------

PROMPTS: Final = {
    "main": "Play a card or move a general",
    "act": "What does {general} do?",
    "answer": "{act} Counter?",
    "pay": "Pay {cards} from your hand",
    "excess": "Discard {cards}: your limit is {limit}",
    "discard": "Discard a card from your hand",
    "take-away": "Which card is discarded?",
    "target": "{target}",
    "executor": "Which general executes {card}?",
    "bearer": "Which general bears {card}?",
    "place": "Where does {card} take the field?",
    "sacrifice": "Sacrifice one of your generals",
    "replace": "Save {general}?",
    "order": "Which effect goes first?",
    "may-draw": "Draw a card?",
    "search": "Take a card from RESOURCE, or none",
    "recruit": "Recruit a general, or stop",
    "mulligan": "Keep your hand, or draw a new one",
}
"""The question to the deciding seat, by prompt."""
TARGET: Final = "Choose a target"
NEXT_TARGET: Final = "Choose the next target"
TARGET_ZONE: Final = "Choose a zone"
CHOOSE: Final = "Choose one"
CHANCE: Final = "Cards are being shuffled"

THEIR_PROMPTS: Final = {
    "main": "{name}'s turn",
    "act": "{name} is moving {general}",
    "answer": "{name} may play a Counter",
    "pay": "{name} is paying {cards}",
    "excess": "{name} is discarding cards",
    "discard": "{name} is discarding cards",
    "target": "{name} is choosing a target",
    "executor": "{name} is choosing who executes {card}",
    "bearer": "{name} is choosing who bears {card}",
    "place": "{name} is placing {card}",
    "sacrifice": "{name} is choosing a sacrifice",
    "replace": "{name} can save {general}",
    "order": "{name} is ordering effects",
    "may-draw": "{name} may draw a card",
    "search": "{name} is searching RESOURCE",
    "recruit": "{name} may recruit a general",
    "mulligan": "{name} may draw a new hand",
}
"""The action of the deciding seat for all other viewers, by prompt."""
THEY_CHOOSE: Final = "{name} is choosing"

A_CARD: Final = "a card"
THE_CARD: Final = "the card"
THE_GENERAL: Final = "the general"

# ---- tips ---------------------------------------------------------------------------------------

TIPS: Final = {
    "main": "Generals cost Upkeep. Two or three are enough.",
    "act": "Most generals move or attack in a turn, not both.",
    "answer": "Save Counters for moves that would hurt.",
    "pay": "Pay with cards you will not need next turn.",
    "excess": "Fewer factions in your deck allow more cards.",
    "executor": "Tactics use the Wits of the general you choose.",
    "mulligan": "Keep a general and the cards to pay for it.",
}
"""The tip for a newcomer, by prompt."""

# ---- acts that can be answered ------------------------------------------------------------------

ATTACKS: Final = ByPerson("{name's} {general} attacks {owner} {enemy}.")
LAYS_SIEGE: Final = ByPerson("{name's} {general} lays siege.")
USES_EFFECT: Final = ByPerson("{name} [use] the effect of {general}.")
EXECUTES: Final = ByPerson("{name's} {general} executes {card}.")
EQUIPS: Final = ByPerson("{name} [give] {card} to {general}.")
PLAYS: Final = ByPerson("{name} [play] {card}.")
THE_ATTACK: Final = "{general} attacks {enemy}"
THE_SIEGE: Final = "{general} lays siege"
THE_EFFECT: Final = "the effect of {general}"
THE_TACTICS: Final = "{general} executes {card}"
THE_EQUIPMENT: Final = "{card} for {general}"

# ---- the log ------------------------------------------------------------------------------------

COMMANDMENT: Final = ByPerson("{name's} Commandment is {card}.")
FACTIONS: Final = ByPerson("{name} [lead] {factions} (hand limit {limit}).")
NO_FACTION: Final = "no faction"
TURN: Final = ByPerson("Turn {number}. {name's} turn.")
DREW: Final = ByPerson("{name} [draw] {cards}.")
NO_FIRST_DRAW: Final = "The first player does not draw on turn 1."
RECRUITS: Final = ByPerson("{name} [recruit] {general}.")
PAID: Final = ByPerson("{name} [pay] {cards}.")
PAID_RESOURCE: Final = ByPerson("{name} [pay] {cards} of RESOURCE.")
SACRIFICED: Final = ByPerson("{name} [sacrifice] {general}.")
TAKES_FIELD: Final = ByPerson("{name's} {general} takes the field at {zone}.")
MOVES: Final = ByPerson("{name's} {general} moves to {zone}.")
SHIFTED: Final = ByPerson("{name's} {general} is moved to {zone}.")
BEARS: Final = ByPerson("{name's} {general} bears {card}.")
NEGATED_WORDS: Final = [
    "The Strategy is negated.",
    "The Tactical Strike is negated.",
    "The effect is negated.",
    "The Equipment is negated.",
    "The attack is negated.",
    "The Siege is negated.",
    "The Counter is negated.",
]
"""The sentences of acts that are negated, in the order of `ACTS`."""
MELEE_TIED: Final = "{attacker} against {defender}: both generals fall."
MELEE_WON: Final = ByPerson("{attacker} against {defender}: {name's} {general} wins.")
PLOT_SUCCEEDS: Final = ByPerson("Wits {attacker} against {defender}: the plot against {name's} {general} succeeds.")
PLOT_FAILS: Final = ByPerson("Wits {attacker} against {defender}: the plot against {name's} {general} fails.")
STILL_MELEE: Final = "{attacker} attacks {defender}: {might} against {other}."
STILL_WON: Final = "{attacker} against {defender}: {general} wins."
FALLS: Final = ByPerson("{name's} {general} falls.")
DEPLETED: Final = ByPerson("{name} [lose] {cards} of RESOURCE.")
DISCARDED: Final = ByPerson("{name} [discard] {cards}.")
DISCARDED_AT_RANDOM: Final = ByPerson("{name} [discard] {cards} at random.")
DISCARDED_BY_ENEMY: Final = ByPerson("{name} [discard] {cards}, chosen by {enemy}.")
LOST_CARD: Final = ByPerson("{name} [lose] {card}.")
OVER_LIMIT: Final = ByPerson("{name} [discard] {cards} (limit {limit}).")
UPKEEP: Final = ByPerson("{name's} Upkeep is {number}.")
PAYS_UPKEEP: Final = ByPerson("{name} [pay] {cards} of RESOURCE as Upkeep.")
CHANGED: Final = ByPerson("{name's} {general}: {stat} {change}.")
CHANGED_SIDE: Final = ByPerson("{name's} side: {stat} {change}.")
RULED: Final = ByPerson("{name's} {card}: {rule}.")
NEXT_CARD: Final = "next card"
READIED: Final = ByPerson("{name's} {general} can act again.")
READIED_TO_ATTACK: Final = ByPerson("{name's} {general} can attack again.")
RETURNED: Final = ByPerson("{card} returns to {name's} hand.")
EXILED: Final = ByPerson("{name's} {card} goes Out of game.")
MARKED: Final = ByPerson("{name's} {card} has {marks}.")
FOUND: Final = ByPerson("{name} [take] {card} from RESOURCE.")
FOUND_NOTHING: Final = ByPerson("{name} [take] no card.")
SHUFFLED: Final = ByPerson("{name} [shuffle] [your] RESOURCE.")
LOOKED: Final = ByPerson("{name} [look] at {owner} hand ({cards}).")
LOOKED_CARD: Final = ByPerson("In {name's} hand: {card}.")
RECOVERED: Final = ByPerson("{name} [put] {cards} from DISCARD under [your] RESOURCE at random.")
SAVES: Final = ByPerson("{name's} {saver} saves {general}.")
ESCAPES: Final = ByPerson("{name's} {general} escapes.")
PASSES: Final = ByPerson("{name} [pass].")
IN_FORCE: Final = "{card} takes effect."
NEW_HAND: Final = ByPerson("{name} [draw] a new hand.")
KEEPS_HAND: Final = ByPerson("{name} [keep] [your] hand.")
LOST_GEAR: Final = ByPerson("{name's} {card} is lost with {general}.")
NO_EFFECT: Final = "No effect."

# ---- numbers and rules that effects change ------------------------------------------------------

STAT_WORDS: Final = [
    "Might",
    "Wits",
    "Siege",
    "Wits in the next plot",
    "Upkeep",
    "number of targets",
    "cost of the next card",
    "cost of the next general",
    "total Upkeep",
]
"""The names of numbers that effects change, in the order of `STATS`."""
BARS: Final[dict[str, str]] = {
    "tactical_strike": "cannot make Tactical Strikes",
    "move_or_attack": "cannot move or attack",
    "targeted_by_tactics": "cannot be a target of Tactics",
    "targeted_by_active": "cannot be a target of active effects",
    "countered": "cannot be countered",
    "melee_after_move": "can attack in melee after moving",
    "ignore_block": "can pass without blockers",
    "recruit_to_border": "can recruit to BORDER",
}
"""The rules that effects set, in words."""

# ---- results ------------------------------------------------------------------------------------

WINS: Final = ByPerson("{name} [win].")
WINS_BECAUSE: Final = ByPerson("{name} [win]: {reason}")
VICTORY: Final = "Victory. {reason}"
DEFEAT: Final = "Defeat. {reason}"
DEFEATS: Final = {
    ev.BY_DRAW: ByPerson("{name} [have] no card left to draw."),
    ev.BY_UPKEEP: ByPerson("{name} cannot pay [your] Upkeep."),
    ev.BY_DAMAGE: ByPerson("{name's} RESOURCE is empty."),
}
"""Why a player has lost, by the kind of ending."""
SPECIAL_VICTORY: Final = ByPerson("{card} wins {name} the game.")

# ---- actions ------------------------------------------------------------------------------------

PLAIN_WORDS: Final[dict[Action, str]] = {
    actions.END: "End your turn.",
    actions.PASS: "Pass.",
    actions.DONE: "Done.",
    actions.YES: "Yes.",
    actions.NO: "No.",
    actions.SIEGE: "Lay siege.",
}
LET_IT_HAPPEN: Final = "Let it happen."
ANSWER_WORDS: Final[dict[tuple[str, Action], str]] = {
    ("target", actions.DONE): "No further target.",
    ("discard", actions.DONE): "No further card.",
    ("search", actions.DONE): "Take nothing more and shuffle.",
    ("recruit", actions.DONE): "Recruit no other general.",
    ("answer", actions.PASS): LET_IT_HAPPEN,
    ("replace", actions.PASS): LET_IT_HAPPEN,
    ("may-draw", actions.YES): "Draw a card.",
    ("may-draw", actions.NO): "Draw nothing.",
    ("mulligan", actions.YES): "Draw a new hand.",
    ("mulligan", actions.NO): "Keep this hand.",
}
"""The words of plain actions where a prompt has its own."""
MOVE: Final = "Move {general} to {zone}."
CHOOSE_ZONE: Final = "Choose {zone}."
PLACE_AT: Final = "Place the general at {zone}."
USE_EFFECT: Final = "Use the effect of {general}."
USE_EFFECT_NUMBER: Final = "Use effect {number} of {general}."
IDLE: Final = "{text} It would do nothing now."
IDLE_NOTE: Final = "would do nothing now"
FIRST_EFFECT: Final = "First the effect of {card}."
ATTACK: Final = "Attack {enemy} with {general}."
ACT_WITH: Final = "Act with {general} at {zone}."
EXECUTE: Final = "Have {general} execute {card}."
EQUIP: Final = "Give {card} to {general}."
SACRIFICE_GENERAL: Final = "Sacrifice {general}."
CHOOSE_GENERAL: Final = "Choose {general}."
CHOOSE_GENERAL_AT: Final = "Choose {general} at {zone}."
RECRUIT_GENERAL: Final = "Recruit {general}."
PLAY_CARD: Final = "Play {card}."
CARD_WORDS: Final = {
    "answer": "Answer with {card}.",
    "pay": "Pay with {card}.",
    "excess": "Discard {card}.",
    "discard": "Discard {card}.",
    "take-away": "Have {card} discarded.",
    "search": "Take {card}.",
    "recruit": "Recruit {card}.",
}
"""The action of a card, by prompt."""
CHOOSE_CARD: Final = "Choose {card}."

# ---- refusals: default sentences ----------------------------------------------------------------

NO_ACTION: Final = "There is no such action in Generals."
CHOICES_GONE: Final = "Some of these choices are no longer possible. Choose again."
NOT_LEGAL: Final = "This action is not legal now."
MUST_DISCARD: Final = "Discard cards from your hand, in the order of the card list."
PLAIN: Final = {
    "main": Reason("Play a card, act with a general, or end your turn.", rule="Main Phase"),
    "act": Reason("Choose a move, an attack, a Siege or the effect of this general.", rule="rulings 9, 44"),
    "answer": Reason("Play a Counter from your hand, or pass.", rule="ruling 41"),
    # A set of cards is one payment, so it is paid in one order only (ruling 27).
    "pay": Reason("Pay with cards from your hand, in the order of the card list.", rule="ruling 27"),
    "excess": Reason(MUST_DISCARD, rule="ruling 56"),
    "discard": Reason(MUST_DISCARD, rule="ruling 49"),
    "take-away": Reason("Choose one of the cards you looked at.", rule="ruling 26"),
    "target": Reason("Choose one of the possible targets, in the order of the list.", rule="ruling 26"),
    "executor": Reason("Choose one of your generals that can execute these Tactics.", rule="ruling 18"),
    "bearer": Reason("Choose one of your generals that can bear this Equipment.", rule="ruling 37"),
    "place": Reason("Place the general at your FORTRESS or your BORDER.", rule="Main Phase"),
    "sacrifice": Reason("Choose one of your generals as the cost.", rule="ruling 36"),
    "replace": Reason("Choose the effect that happens instead, or pass.", rule="ruling 48"),
    "order": Reason("Choose the next of your effects.", rule="ruling 48"),
    "may-draw": Reason("Draw a card, or do not draw.", rule="ruling 53"),
    "search": Reason("Take a card that fits, or none.", rule="ruling 66"),
    "recruit": Reason("Recruit a general from your hand that fits, or stop.", rule="ruling 32"),
    "mulligan": Reason("Keep your hand, or draw a new one.", rule="ruling 51"),
    "shuffle": Reason("A shuffle needs a seed."),
    "deal": Reason("Chance can deal only a card that has not been dealt yet."),
    "toss": Reason("Chance names the first player."),
    "random-discard": Reason("Chance picks a card from the hand."),
    "recover": Reason("Chance picks a card from DISCARD."),
}
"""The default reason for an illegal answer, by prompt. Chance has no rule."""
END_WITH_END: Final = "End your turn with END."
GENERAL_FIRST: Final = "Choose the acting general first."
TARGET_FIRST: Final = "Choose a target."

# ---- refusals: cards ----------------------------------------------------------------------------

NOT_IN_HAND: Final = "{card} is not in your hand."
RETURNED_FREE: Final = "{card} returned to your hand this turn and can only be recruited for its cost."
NOT_RECRUITED: Final = "This card cannot recruit {card}. Read its text."
WRONG_ORDER: Final = "Choose cards in the order of the card list: {card} comes before the last one."
TOO_FEW_AFTER: Final = "Too few cards of your hand come after {card} in the card list."
NOT_AMONG: Final = "No {card} that fits is among the cards you see."
HAS_FALLEN: Final = "{general} has fallen and cannot be recruited again."
IN_FIELD: Final = "{general} is already on your side of the field."
NAME_TAKEN: Final = "Another general of this name is in play."
ONLY_ANSWERS: Final = "{card} is a Counter: it answers an act of the enemy."
COSTS: Final = "{card} costs {cards}. You have {left}."
COSTS_AFTER_RETURN: Final = "{card} returned to your hand this turn, so it costs at least 1 card. You have {left}."
COSTS_RESOURCE: Final = "{card} costs {cards} of RESOURCE. You have {left}."
COSTS_GENERALS: Final = "{card} costs {generals}. You have too few."
CONDITION: Final = "{card} cannot be played now. Read its text."
NO_TARGET: Final = "{card} has no possible target."
NO_EXECUTOR: Final = "No general can execute {card} now. It must be ready and have a target."
ARMAMENT_IN_USE: Final = "One of your generals already bears {card}. An Armament is unique."
NO_ARMAMENT_BEARER: Final = "No general is free to bear {card}: each bears one Armament."
NO_TROOP_BEARER: Final = "No general is free to bear {card}: each bears one Troop."
NOT_A_COUNTER: Final = "{card} is not a Counter. In the enemy's turn you can only play Counters."
ANSWERS_OTHERS: Final = "{card} does not answer this."

# ---- refusals: generals -------------------------------------------------------------------------

NOT_YOURS: Final = "Choose one of your own generals first, then an enemy as the target."
NOT_IN_FIELD: Final = "{general} is not on the field."
JUST_RECRUITED: Final = "{general} was recruited this turn and must wait."
HELD: Final = "An effect keeps {general} from moving and attacking."
NO_ACTS: Final = "{general} has nothing to do here."
NO_ACT_LEFT: Final = "{general} has no act left this turn."
NO_ENEMY_HERE: Final = "{general} may still fight in melee, but no enemy is in this zone."
NO_TACTICAL_STRIKE: Final = "{general} cannot make Tactical Strikes."
STRIKE_IS_ATTACK: Final = "{general} has moved or attacked this turn. A Tactical Strike is an attack."
NO_TARGET_IN_REACH: Final = "{general} has no target in reach."
CANNOT_BEAR: Final = "{general} cannot bear this. A general bears one Armament and one Troop."
CANNOT_BE_TARGET: Final = "{general} is out of reach or cannot be a target of this."
SIEGE_FROM_BORDER: Final = "{general} can only lay siege from ENEMY'S BORDER, not from {zone}."
SIEGE_BLOCKED: Final = "No Siege while an enemy general is at this BORDER."
NO_MIGHT: Final = "{general} has Might 0 and cannot lay siege."
OWN_SIDE: Final = "Generals cannot attack their own side."
OTHER_ZONE: Final = "{enemy} is not in the zone of {general}."
HAS_ATTACKED: Final = "{general} has already attacked this turn."
MOVED_NO_ATTACK: Final = "{general} has moved this turn. A general can move or attack, not both."
MOVED_MELEE_ONLY: Final = "{general} has moved this turn. Only a melee is left."
NO_ATTACK: Final = "{general} cannot attack now."
NO_ENTRY: Final = "No general can enter ENEMY'S FORTRESS."
HAS_MOVED: Final = "{general} has already moved this turn."
ATTACKED_NO_MOVE: Final = "{general} has attacked this turn. A general can move or attack, not both."
ALREADY_THERE: Final = "{general} is already at {zone}."
BLOCKED: Final = "An enemy blocks your BORDER. Bring {missing} first."
BLOCKED_BY_MANY: Final = "{count} enemies block your BORDER. Bring {missing} first."
CANNOT_MOVE: Final = "{general} cannot move from {here} to {zone}."
NO_SUCH_EFFECT: Final = "{general} has no such effect."
EFFECT_USED: Final = "{general} has already used an effect this turn."
EFFECT_COSTS: Final = "This costs {cards}. You have {left}."
EFFECT_COSTS_RESOURCE: Final = "This costs {cards} of RESOURCE. You have {left}."
EFFECT_COSTS_GENERALS: Final = "This costs {generals}. You have too few."
EFFECT_IS_ATTACK: Final = "This counts as the attack of {general}, which has none left."
EFFECT_NO_TARGET: Final = "The effect of {general} has no possible target."
EFFECT_CONDITION: Final = "The effect of {general} cannot be used now. Read its text."

# ---- refusals: tags -----------------------------------------------------------------------------

TAG_NOT_IN_HAND: Final = "Not in hand"
TAG_COUNTER: Final = "Counter"
TAG_NO_COUNTER: Final = "No Counter"
TAG_NO_ANSWER: Final = "Does not answer"
TAG_FALLEN: Final = "Has fallen"
TAG_IN_FIELD: Final = "In play"
TAG_COST: Final = "Costs {cost}"
TAG_GENERALS: Final = "Too few generals"
TAG_CONDITION: Final = "Not now"
TAG_NO_TARGET: Final = "No target"
TAG_NO_EXECUTOR: Final = "No general ready"
TAG_NO_BEARER: Final = "No bearer"
TAG_NOT_YOURS: Final = "Not yours"
TAG_NOT_IN_FIELD: Final = "Not in play"
TAG_NEXT_TURN: Final = "Next turn"
TAG_HELD: Final = "Held"
TAG_DONE: Final = "Done"
TAG_HAS_MOVED: Final = "Has moved"
TAG_HAS_ATTACKED: Final = "Has attacked"
TAG_BLOCKED: Final = "Blocked"
TAG_TOO_FAR: Final = "Too far"
TAG_NO_MIGHT: Final = "Might 0"
TAG_CLOSED: Final = "Closed"
TAG_HERE: Final = "Already here"
TAG_ORDER: Final = "Wrong order"
TAG_OWN_SIDE: Final = "Own side"
TAG_USED: Final = "Used"

# ---- reasons of bots ----------------------------------------------------------------------------

WHY_MIGHT: Final = "Might"
WHY_CARDS: Final = "cards"
WHY_DEPLETED: Final = "RESOURCE depleted"
WHY_TURNS: Final = "turns"
THE_ENEMY: Final = "the enemy {general}"
THE_RESOURCE: Final = "RESOURCE"
THEN: Final = "Then"
SIEGES: Final = "After all Sieges of this turn"
NOW: Final = "Now"
NO_ACTIVES: Final = ", without effects that generals can use"
WITH: Final = "With {general} at {place},"

WHY_ORDER: Final = "Afterwards {other} is still possible, so the order matters little."
WHY_ALIKE: Final = "The chances of {action} and {other} are about equal."
WHY_DANGER: Final = (
    "{how} enemy Sieges can deplete {0.value} of {1.value} RESOURCE next turn instead of {2.value}{but}."
)
WHY_LOST: Final = "Otherwise enemy Sieges can deplete {2.value} next turn, but Upkeep leaves only {1.value} RESOURCE."
WHY_ALL_WIN: Final = "All Sieges of this turn can deplete {0.value}, more than the {1.value} RESOURCE left, and win."
WHY_STARVES: Final = "{how} the enemy has {0.value} RESOURCE, and loses: the next draw and Upkeep take {1.value}."
WHY_DOOMED: Final = "Your RESOURCE is not enough for Upkeep and your next draw, which loses the game."
WHY_NEXT: Final = (
    "{how} the enemy's next draw and Upkeep leave {0.value} RESOURCE, and your next Sieges can win with {1.value}."
)
WHY_RACE: Final = "By draws, Upkeep and Sieges as now, the enemy loses in turn {0.value}, you would in turn {1.value}."
WHY_BEATS: Final = "{0.subject} beats {1.subject} in melee, Might {0.value} to {1.value}."
WHY_BOTH_FALL: Final = "{0.subject} and {1.subject} both fall in melee with Might {0.value}."
WHY_FALLS: Final = "{0.subject} falls in melee against {1.subject}, Might {0.value} to {1.value}."
WHY_OPENS: Final = "Then ENEMY'S BORDER is free, and Sieges next turn can deplete {0.value} of {1.value} RESOURCE."
WHY_ATTACKS: Final = "Otherwise {0.subject} can attack {1.subject} next turn with Might {0.value} to {1.value}."
WHY_LEAVES: Final = (
    "At {here} {0.subject} could attack {1.subject}, Might {0.value} to {1.value}; at {place} no enemy can."
)
WHY_AVOIDS: Final = "At {place} {0.subject} could attack {1.subject} in melee with Might {0.value} to {1.value}."
WHY_SIEGE: Final = "{0.subject} depletes {0.value} of {1.value} RESOURCE."
WHY_SIEGE_WINS: Final = "{0.subject} depletes {0.value}, more than the {1.value} RESOURCE left, and wins."
WHY_QUIET: Final = "Next turn no enemy on the battlefield can besiege, or attack {general} there."
WHY_FREE: Final = "{how} Sieges can deplete {0.value} of {2.value} RESOURCE instead of {1.value} unless an enemy comes."
WHY_BETTER: Final = "{0.subject} has Might {0.value} for {2.amount}, {1.subject} {1.value} for {3.amount}."
WHY_EXPELS: Final = "It takes {names} from the battlefield."
WHY_DEAD: Final = "{card} is on the battlefield or fell, and cannot be recruited again."
WHY_COPY: Final = "Another {card} stays in the hand."

"""Messages of Generals to people, ready for translation: `NAME.format(...)` with the named parameters."""

from __future__ import annotations

from typing import Final

from gonfalon.core.text.templates import ByPerson

# ---- prompts ------------------------------------------------------------------------------------

MAIN: Final = "Play a card or move a general"
ACT: Final = "What does {general} do?"
ANSWER: Final = "{act} Counter?"
PAY: Final = "Pay {cards} from your hand"
EXCESS: Final = "Discard {cards}: your limit is {limit}"
DISCARD: Final = "Discard a card from your hand"
TAKE_AWAY: Final = "Which card is discarded?"
TARGET: Final = "Choose a target"
NEXT_TARGET: Final = "Choose the next target"
TARGET_ZONE: Final = "Choose a zone"
EXECUTOR: Final = "Which general executes {card}?"
BEARER: Final = "Which general bears {card}?"
PLACE: Final = "Where does {card} take the field?"
SACRIFICE: Final = "Sacrifice one of your generals"
REPLACE: Final = "Save {general}?"
ORDER: Final = "Which effect goes first?"
MAY_DRAW: Final = "Draw a card?"
SEARCH: Final = "Take a card from RESOURCE, or none"
RECRUIT: Final = "Recruit a general, or stop"
MULLIGAN: Final = "Keep your hand, or draw a new one"
CHOOSE: Final = "Choose one"
CHANCE: Final = "Cards are being shuffled"

THEIR_TURN: Final = "{name}'s turn"
THEY_ACT: Final = "{name} is moving {general}"
THEY_ANSWER: Final = "{name} may play a Counter"
THEY_PAY: Final = "{name} is paying {cards}"
THEY_DISCARD: Final = "{name} is discarding cards"
THEY_TARGET: Final = "{name} is choosing a target"
THEY_EXECUTE: Final = "{name} is choosing who executes {card}"
THEY_EQUIP: Final = "{name} is choosing who bears {card}"
THEY_PLACE: Final = "{name} is placing {card}"
THEY_SACRIFICE: Final = "{name} is choosing a sacrifice"
THEY_REPLACE: Final = "{name} can save {general}"
THEY_ORDER: Final = "{name} is ordering effects"
THEY_MAY_DRAW: Final = "{name} may draw a card"
THEY_SEARCH: Final = "{name} is searching RESOURCE"
THEY_RECRUIT: Final = "{name} may recruit a general"
THEY_MULLIGAN: Final = "{name} may draw a new hand"
THEY_CHOOSE: Final = "{name} is choosing"

A_CARD: Final = "a card"
THE_CARD: Final = "the card"
THE_GENERAL: Final = "the general"

# ---- tips ---------------------------------------------------------------------------------------

TIP_MAIN: Final = "Generals cost Upkeep. Two or three are enough."
TIP_ACT: Final = "Most generals move or attack in a turn, not both."
TIP_ANSWER: Final = "Save Counters for moves that would hurt."
TIP_PAY: Final = "Pay with cards you will not need next turn."
TIP_EXCESS: Final = "Fewer factions in your deck allow more cards."
TIP_EXECUTOR: Final = "Tactics use the Wits of the general you choose."
TIP_MULLIGAN: Final = "Keep a general and the cards to pay for it."

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
STRATEGY_NEGATED: Final = "The Strategy is negated."
TACTICS_NEGATED: Final = "The Tactical Strike is negated."
EFFECT_NEGATED: Final = "The effect is negated."
EQUIPMENT_NEGATED: Final = "The Equipment is negated."
ATTACK_NEGATED: Final = "The attack is negated."
SIEGE_NEGATED: Final = "The Siege is negated."
COUNTER_NEGATED: Final = "The Counter is negated."
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

MIGHT: Final = "Might"
WITS: Final = "Wits"
SIEGE_STRENGTH: Final = "Siege"
PLOT_WITS: Final = "Wits in the next plot"
UPKEEP_COST: Final = "Upkeep"
TARGETS: Final = "number of targets"
CARD_COST: Final = "cost of the next card"
GENERAL_COST: Final = "cost of the next general"
WHOLE_UPKEEP: Final = "total Upkeep"
NO_STRIKE: Final = "cannot make Tactical Strikes"
NO_ACT: Final = "cannot move or attack"
NO_TACTICS_AT: Final = "cannot be a target of Tactics"
NO_ACTIVE_AT: Final = "cannot be a target of active effects"
NO_COUNTER: Final = "cannot be countered"
MELEE_AFTER_MOVE: Final = "can attack in melee after moving"
IGNORES_BLOCK: Final = "can pass without blockers"
RECRUITS_TO_BORDER: Final = "can recruit to BORDER"

# ---- results ------------------------------------------------------------------------------------

WINS: Final = ByPerson("{name} [win].")
WINS_BECAUSE: Final = ByPerson("{name} [win]: {reason}")
VICTORY: Final = "Victory. {reason}"
DEFEAT: Final = "Defeat. {reason}"
NO_DRAW: Final = ByPerson("{name} [have] no card left to draw.")
NO_UPKEEP: Final = ByPerson("{name} cannot pay [your] Upkeep.")
NO_RESOURCE: Final = ByPerson("{name's} RESOURCE is empty.")
SPECIAL_VICTORY: Final = ByPerson("{card} wins {name} the game.")

# ---- actions ------------------------------------------------------------------------------------

END_TURN: Final = "End your turn."
PASS: Final = "Pass."
DONE: Final = "Done."
YES: Final = "Yes."
NO: Final = "No."
LAY_SIEGE: Final = "Lay siege."
NO_MORE_TARGETS: Final = "No further target."
NO_MORE_CARDS: Final = "No further card."
STOP_SEARCH: Final = "Take nothing more and shuffle."
STOP_RECRUITING: Final = "Recruit no other general."
LET_IT_HAPPEN: Final = "Let it happen."
DRAW_A_CARD: Final = "Draw a card."
DRAW_NOTHING: Final = "Draw nothing."
DRAW_NEW_HAND: Final = "Draw a new hand."
KEEP_HAND: Final = "Keep this hand."
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
ANSWER_WITH: Final = "Answer with {card}."
PAY_WITH: Final = "Pay with {card}."
DISCARD_CARD: Final = "Discard {card}."
HAVE_DISCARDED: Final = "Have {card} discarded."
TAKE_CARD: Final = "Take {card}."
CHOOSE_CARD: Final = "Choose {card}."

# ---- refusals: default sentences ----------------------------------------------------------------

NO_ACTION: Final = "There is no such action in Generals."
CHOICES_GONE: Final = "Some of these choices are no longer possible. Choose again."
NOT_LEGAL: Final = "This action is not legal now."
MUST_ACT: Final = "Play a card, act with a general, or end your turn."
MUST_CHOOSE_ACT: Final = "Choose a move, an attack, a Siege or the effect of this general."
MUST_ANSWER: Final = "Play a Counter from your hand, or pass."
MUST_PAY: Final = "Pay with cards from your hand, in the order of the card list."
MUST_DISCARD: Final = "Discard cards from your hand, in the order of the card list."
MUST_TAKE_AWAY: Final = "Choose one of the cards you looked at."
MUST_TARGET: Final = "Choose one of the possible targets, in the order of the list."
MUST_EXECUTE: Final = "Choose one of your generals that can execute these Tactics."
MUST_EQUIP: Final = "Choose one of your generals that can bear this Equipment."
MUST_PLACE: Final = "Place the general at your FORTRESS or your BORDER."
MUST_SACRIFICE: Final = "Choose one of your generals as the cost."
MUST_REPLACE: Final = "Choose the effect that happens instead, or pass."
MUST_ORDER: Final = "Choose the next of your effects."
MUST_SAY_DRAW: Final = "Draw a card, or do not draw."
MUST_SEARCH: Final = "Take a card that fits, or none."
MUST_RECRUIT: Final = "Recruit a general from your hand that fits, or stop."
MUST_SAY_HAND: Final = "Keep your hand, or draw a new one."
CHANCE_SHUFFLE: Final = "A shuffle needs a seed."
CHANCE_DEAL: Final = "Chance can deal only a card that has not been dealt yet."
CHANCE_TOSS: Final = "Chance names the first player."
CHANCE_DISCARD: Final = "Chance picks a card from the hand."
CHANCE_RECOVER: Final = "Chance picks a card from DISCARD."
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

ONLY_OPTION: Final = "Nothing else is legal."
NO_USELESS_CARD: Final = "I need every card of my hand."
LEAST_NEEDED: Final = "{card} is the card I need least."
NEARLY_AS_GOOD: Final = "It looks nearly as good as {other}."
AS_GOOD: Final = "It looks as good as {other}."
NOTHING_BETTER: Final = "Nothing else improves my position."
GAINS: Final = "It leaves me with {gain}, unlike {other}."
GAINS_LATER: Final = "In {turns} turns it leaves me with {gain}. Next best: {other}{chances}."

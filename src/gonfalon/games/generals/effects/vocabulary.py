"""The effect language, as data: every word that an ability may say, and where. effects.md, beside this file, explains
it to people; faults.py says what is wrong with an ability that says anything else."""

from __future__ import annotations

import re
from typing import Final

KINDS: Final[dict[str, tuple[str, ...]]] = {
    "static": ("if", "do"),
    "trigger": ("when", "if", "limit", "do"),
    "active": ("cost", "if", "counts_as", "do"),
    "replace": ("when", "if", "optional", "cost", "limit", "do"),
    "play": ("do",),
    "tactic": ("do",),
    "response": ("to", "do"),
}
"""Kinds of abilities and their entries."""
NEEDED: Final[dict[str, tuple[str, ...]]] = {
    "static": ("do",),
    "trigger": ("when", "do"),
    "active": ("cost", "do"),
    "replace": ("when", "do"),
    "play": ("do",),
    "tactic": ("do",),
    "response": ("to", "do"),
}
OF_TYPE: Final[dict[str, tuple[str, ...]]] = {
    "character": ("static", "trigger", "active", "replace"),
    "strategy": ("play", "tactic"),
    "equipment": ("static", "trigger", "replace"),
    "counter": ("response",),
    "commandment": ("static", "trigger"),
}
"""Which kinds of abilities cards of a type may have."""
COSTS: Final = ("hand", "resource", "sacrifice")
COMPARE: Final = ("==", "!=", "<", "<=", ">", ">=")
PLAYERS: Final = ("you", "enemy")
ZONES: Final = ("FORTRESS", "BORDER", "ENEMY_BORDER", "ENEMY_FORTRESS")
"""From the point of view of the card's controller."""
WIDE: Final = ("any", "same", "same_or_adjacent")
"""Zones that are more than one, or depend on a general."""
DURATIONS: Final = ("turn", "enemy_turn_end")
ANSWERED: Final = ("tactical_strike", "strategy", "active", "equip", "melee", "siege", "counter")
"""What a response may answer (ruling 40)."""
EVENTS: Final[dict[str, tuple[str, ...]]] = {
    "defeats": ("subject",),
    "wins_melee": ("subject", "role"),
    "siege_done": ("subject", "min_depleted"),
    "tactic_done": ("subject", "min_defeated"),
    "to_casualty": ("subject", "cause"),
    "moves": ("subject", "to"),
    "recruited": ("subject",),
    "turn_start": ("whose",),
    "end_phase": ("whose",),
}
ROLES: Final = ("attacker", "defender")
CAUSES: Final = ("enemy", "melee")
CONDITIONS: Final[dict[str, tuple[str, ...]]] = {
    "count": ("generals", "compare", "number"),
    "zone": ("general", "zones"),
    "name": ("general", "a name"),
    "marks": ("a card", "compare", "number"),
    "hand": ("player", "compare", "number"),
    "all_named_in": ("names", "zones"),
    "not_recruited_this_turn": ("general",),
    "executor": (),
}
NUMBER_FIELDS: Final = ("might", "wits", "printed_might", "printed_wits", "printed_cost", "foes_in_zone")
FLAG_FIELDS: Final = ("moved_this_turn",)
PRINTED: Final = ("printed_might", "printed_wits", "printed_cost")
"""The fields of `where` that a card in a hand or a pile has."""
GENERAL_STATS: Final = ("might", "wits", "siege", "upkeep", "tactic_targets")
CARD_STATS: Final = ("plot", "recruit_cost", "execution_cost")
PLAYER_STATS: Final = ("upkeep_total",)
STATS: Final = (*GENERAL_STATS, *CARD_STATS, *PLAYER_STATS)
PREVENTED: Final = ("tactical_strike", "move_or_attack", "targeted_by_tactics", "targeted_by_active", "countered")
PERMITTED: Final = ("melee_after_move", "ignore_block", "recruit_to_border")
OPERATIONS: Final[dict[str, dict[str, str]]] = {
    "draw": {"n": "amount", "who": "player", "optional": "flag?"},
    "discard": {
        "n": "amount",
        "who": "player",
        "choose": "chooser",
        "filter": "cards?",
        "upto": "flag?",
        "store": "name?",
    },
    "deplete": {"n": "amount", "who": "player", "by": "damage"},
    "modify": {
        "stat": "stat",
        "by": "change",
        "target": "stat target",
        "until": "until",
        "context": "context?",
        "opponent": "where?",
        "nth": "count?",
    },
    "move": {"target": "generals", "to": "place", "ignore_block": "flag?"},
    "plot": {"by": "plotter", "target": "generals", "bonus": "number", "success": "success"},
    "kill": {"target": "generals"},
    "duel": {"a": "generals", "b": "generals"},
    "negate": {},
    "search": {"zone": "RESOURCE", "filter": "cards", "n": "count", "to": "hand", "show": "flag"},
    "reveal": {"zone": "hand", "who": "player", "n": "all", "to": "you"},
    "recover": {"n": "count", "choose": "random"},
    "bounce": {"target": "generals"},
    "exile": {"target": "generals or this"},
    "ready": {"target": "generals", "for": "readiness"},
    "prevent": {"what": "prevented", "target": "prevent target", "until": "until"},
    "permit": {"what": "permitted", "target": "permit target", "until": "until"},
    "substitute": {"target": "generals"},
    "recruit": {"zone": "hand", "filter": "cards", "n": "count", "upto": "flag?", "to": "place", "cost": "free"},
    "mark": {"on": "this", "n": "count"},
    "choose": {"target": "generals", "store": "name"},
    "if": {"cond": "conditions", "then": "operations", "else": "operations?"},
    "delayed": {"until": "until", "ability": "trigger"},
    "win": {"who": "player", "reason": "text"},
}
"""The 24 operations with the forms of their entries; `?` marks those that may be left out."""
STATIC: Final = ("modify", "prevent", "permit")
"""What can be always so."""
FILTER: Final = ("side", "zone", "faction", "name", "other", "where")
"""Says which generals."""
CHOICE: Final = ("count", "upto", "store", "other_than", "plot_only")
"""Says how many of them, where an operation chooses."""
CARD_FILTER: Final = ("type", "subtype", "faction", "name", "where")
LIMIT: Final = re.compile(r"[1-9]/turn")
NAME: Final = re.compile(r"[a-z][a-z_]{0,19}")
RESERVED: Final = ("self", "host", "this", "executor", "attacked", "hit", "you", "enemy", "your_cards", "next_card")
"""The references; what an ability stores has another name."""

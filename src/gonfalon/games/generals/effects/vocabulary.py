"""The words of the effect language that are no operations, conditions or events. effects.md explains them to people."""

from __future__ import annotations

from typing import Final

ENTRIES: Final[dict[str, tuple[str, ...]]] = {
    "static": ("if?", "do"),
    "trigger": ("when", "if?", "limit?", "do"),
    "active": ("cost", "if?", "counts_as?", "do"),
    "replace": ("when", "if?", "optional?", "cost?", "limit?", "do"),
    "play": ("do",),
    "tactic": ("do",),
    "response": ("to", "do"),
}
"""Kinds of abilities and their entries. `?` marks optional entries."""
KINDS: Final = {kind: tuple([key.rstrip("?") for key in entries]) for kind, entries in ENTRIES.items()}
NEEDED: Final = {kind: [key for key in entries if not key.endswith("?")] for kind, entries in ENTRIES.items()}
OF_TYPE: Final[dict[str, tuple[str, ...]]] = {
    "character": ("static", "trigger", "active", "replace"),
    "strategy": ("play", "tactic"),
    "equipment": ("static", "trigger", "replace"),
    "counter": ("response",),
    "commandment": ("static", "trigger"),
}
"""The kinds of abilities that cards of a type may have."""
COSTS: Final = ("hand", "resource", "sacrifice")
COMPARE: Final = ("==", "!=", "<", "<=", ">", ">=")
PLAYERS: Final = ("you", "enemy")
ZONES: Final = ("FORTRESS", "BORDER", "ENEMY_BORDER", "ENEMY_FORTRESS")
"""Zones from the point of view of the card's controller."""
WIDE: Final = ("any", "same", "same_or_adjacent")
"""Zones that include several, or depend on a general."""
DURATIONS: Final = ("turn", "enemy_turn_end")
ANSWERED: Final = ("tactical_strike", "strategy", "active", "equip", "melee", "siege", "counter")
"""The acts that a response may answer (ruling 40)."""
ROLES: Final = ("attacker", "defender")
CAUSES: Final = ("enemy", "melee")
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
FILTER: Final = ("side", "zone", "faction", "name", "other", "where")
"""The entries of a filter of generals."""
CHOICE: Final = ("count", "upto", "store", "other_than", "plot_only")
"""The entries of a filter that say how many generals an operation chooses."""
CARD_FILTER: Final = ("type", "subtype", "faction", "name", "where")
RESERVED: Final = ("self", "host", "this", "executor", "attacked", "hit", "you", "enemy", "your_cards", "next_card")
"""The references. Names stored by an ability must differ from them."""

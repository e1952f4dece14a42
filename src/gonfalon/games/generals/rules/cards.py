"""The cards as the rules use them, compiled from the card data once for each game.

Facts are plain numbers, abilities small objects, and static changes are sorted by the number that they change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gonfalon.games.generals.effects.filters import Cards, Cond, Filter, Where, all_hold
from gonfalon.games.generals.effects.frame import Frame

if TYPE_CHECKING:
    from gonfalon.games.generals.effects.run import Op
    from gonfalon.games.generals.effects.targets import Choice
    from gonfalon.games.generals.rules.state import GeneralsState

CHARACTER: Final = 0
STRATEGY: Final = 1
EQUIPMENT: Final = 2
COUNTER: Final = 3
COMMANDMENT: Final = 4
TYPES: Final = ["character", "strategy", "equipment", "counter", "commandment"]

# Subtypes as bits, in the order of SUBTYPES.
TACTICS: Final = 1
FIRE: Final = 2
WATER: Final = 4
ARMAMENT_CARD: Final = 8
SUBTYPES: Final = ["tactics", "fire", "water", "armament", "troop"]

# The numbers that effects can change.
MIGHT: Final = 0
WITS: Final = 1
SIEGE: Final = 2
PLOT: Final = 3
UPKEEP: Final = 4
TARGETS: Final = 5
EXECUTION: Final = 6
RECRUITMENT: Final = 7
UPKEEP_TOTAL: Final = 8
STATS: Final = [
    "might",
    "wits",
    "siege",
    "plot",
    "upkeep",
    "tactic_targets",
    "execution_cost",
    "recruit_cost",
    "upkeep_total",
]

# The rules that effects can add, as bits: prohibitions and permissions.
NO_STRIKE: Final = 1
NO_ACT: Final = 2
NO_TACTICS_AT: Final = 4
NO_ACTIVE_AT: Final = 8
NO_COUNTER: Final = 16
MELEE_AFTER_MOVE: Final = 32
IGNORE_BLOCK: Final = 64
RECRUIT_TO_BORDER: Final = 128
RULES: Final = [
    "tactical_strike",
    "move_or_attack",
    "targeted_by_tactics",
    "targeted_by_active",
    "countered",
    "melee_after_move",
    "ignore_block",
    "recruit_to_border",
]
PREVENTED: Final = 5
"""The number of rules that forbid something, the first ones in RULES. The others allow something."""

# The acts that a Counter can answer.
BY_STRATEGY: Final = 0
BY_STRIKE: Final = 1
BY_ACTIVE: Final = 2
BY_EQUIP: Final = 3
BY_MELEE: Final = 4
BY_SIEGE: Final = 5
BY_COUNTER: Final = 6
ACTS: Final = ["strategy", "tactical_strike", "active", "equip", "melee", "siege", "counter"]

# The events that set off triggers.
DEFEATS: Final = 0
WINS_MELEE: Final = 1
SIEGE_DONE: Final = 2
TACTIC_DONE: Final = 3
TO_CASUALTY: Final = 4
MOVES: Final = 5
RECRUITED: Final = 6
TURN_START: Final = 7
END_PHASE: Final = 8
EVENTS: Final = [
    "defeats",
    "wins_melee",
    "siege_done",
    "tactic_done",
    "to_casualty",
    "moves",
    "recruited",
    "turn_start",
    "end_phase",
]

NO_CONTEXT: Final = 0
ATTACKER: Final = 1
DEFENDER: Final = 2

# The durations of effects, in the order of UNTIL.
FOR_TURN: Final = 0
FOR_ENEMY_TURN: Final = 1
UNTIL: Final = ["turn", "enemy_turn_end", "while"]

# The targets of a change or a rule.
ON_OWN: Final = 0  # the general itself or the bearer
ON_UNITS: Final = 1  # generals of a filter
ON_CARDS: Final = 2  # cards of the owner
ON_NEXT: Final = 3  # the owner's next card that fits
ON_YOU: Final = 4
ON_ENEMY: Final = 5


class Mod:
    """A change of a number.

    A static change is computed whenever the number is read. A temporary one is stored in `state.lasting` with the
    amount it had when it began.
    """

    def __init__(
        self,
        stat: int,
        by: int,
        sets: bool,
        count: Filter | None,
        on: int,
        filter: Filter | None,
        cards: Cards | None,
        conds: list[Cond],
        context: int,
        foes: list[Where],
        nth: int,
        until: int,
    ) -> None:
        self.index: int = -1
        self.stat: int = stat
        self.by: int = by
        self.sets: bool = sets
        self.count: Filter | None = count
        self.on: int = on
        self.filter: Filter | None = filter
        self.cards: Cards | None = cards
        self.conds: list[Cond] = conds
        self.context: int = context
        self.foes: list[Where] = foes
        self.nth: int = nth
        self.until: int = until

    @property
    def plain(self) -> bool:
        """Whether the change is always the same number."""
        return not (self.sets or self.count or self.conds or self.context or self.foes or self.nth)

    def amount(self, s: GeneralsState, f: Frame) -> int:
        """Return the amount of the change now."""
        return self.by if self.count is None else self.by * self.count.count(s, f)

    def fits(self, s: GeneralsState, seat: int, context: int, foe: int) -> bool:
        """Return whether the change applies in this context, against this opponent and to this Siege."""
        if self.context and self.context != context:
            return False
        if self.nth and s.sieges != self.nth:
            return False
        if self.foes:
            if foe < 0:
                return False
            for where in self.foes:
                if not where.unit(s, foe):
                    return False
        return True

    def applies(self, s: GeneralsState, f: Frame, context: int, foe: int) -> bool:
        """Return whether a static change applies now, conditions included."""
        return self.fits(s, f.seat, context, foe) and (not self.conds or all_hold(self.conds, s, f))


class Rule:
    """A rule that forbids or allows something, a bit of `RULES`."""

    def __init__(
        self, bit: int, on: int, filter: Filter | None, cards: Cards | None, conds: list[Cond], until: int
    ) -> None:
        self.index: int = -1
        self.bit: int = bit
        self.on: int = on
        self.filter: Filter | None = filter
        self.cards: Cards | None = cards
        self.conds: list[Cond] = conds
        self.until: int = until


class Script:
    """The operations of an ability in order, and the choices made before it is paid for."""

    def __init__(self, ops: list[Op], choices: list[Choice], size: int) -> None:
        self.ops: list[Op] = ops
        self.choices: list[Choice] = choices
        self.size: int = size  # the number of variables

    def possible(self, s: GeneralsState, f: Frame) -> bool:
        """Return whether all choices can be made."""
        return all(choice.possible(s, f) for choice in self.choices)


class Trigger:
    """An ability that an event sets off."""

    def __init__(
        self,
        number: int,
        event: int,
        own: bool,
        subject: Filter | None,
        role: int,
        place: int,
        cause: int,
        least: int,
        whose: int,
        conds: list[Cond],
        limit: int,
        script: Script,
    ) -> None:
        self.index: int = -1
        self.number: int = number  # among the abilities of its card
        self.event: int = event
        self.own: bool = own  # the general itself or the bearer is the subject
        self.subject: Filter | None = subject
        self.role: int = role  # ATTACKER, DEFENDER, or 0 for any
        self.place: int = place  # the place to which a move must go; -1 for any
        self.cause: int = cause
        self.least: int = least  # the smallest number of depleted cards or defeated generals
        self.whose: int = whose
        self.conds: list[Cond] = conds
        self.limit: int = limit  # uses per turn; 0 for no limit
        self.script: Script = script


BY_THE_ENEMY: Final = 1
BY_A_MELEE: Final = 2
CAUSES: Final = ["any", "enemy", "melee"]

ANYBODY: Final = 0
YOURS: Final = 1
THEIRS: Final = 2


class Replace:
    """An ability that acts instead of a general going to CASUALTY."""

    def __init__(
        self,
        number: int,
        own: bool,
        subject: Filter | None,
        cause: int,
        conds: list[Cond],
        optional: bool,
        hand: int,
        resource: int,
        limit: int,
        script: Script,
        dies: bool,
    ) -> None:
        self.number: int = number
        self.own: bool = own
        self.subject: Filter | None = subject
        self.cause: int = cause
        self.conds: list[Cond] = conds
        self.optional: bool = optional
        self.hand: int = hand
        self.resource: int = resource
        self.limit: int = limit
        self.script: Script = script
        self.dies: bool = dies  # whether the ability's own general falls instead


class Active:
    """An active effect of a general."""

    def __init__(
        self, number: int, hand: int, resource: int, sacrifice: int, conds: list[Cond], attack: bool, script: Script
    ) -> None:
        self.number: int = number
        self.hand: int = hand
        self.resource: int = resource
        self.sacrifice: int = sacrifice
        self.conds: list[Cond] = conds
        self.attack: bool = attack
        self.script: Script = script


class Kind:
    """A printed card.

    The static changes are sorted by number: `flat` sums up the plain ones on its own general, `own` has the others on
    that general, `auras` those on generals, `cards` those on cards, `seats` those on a player.
    """

    __slots__ = (
        *("id", "slug", "name", "name_number", "type", "subtypes", "faction", "cost", "hand", "resource"),
        *("sacrifice", "might", "wits", "upkeep", "flat", "own", "auras", "cards", "seats", "bits"),
        *("own_rules", "aura_rules", "seat_rules", "card_rules", "triggers", "replaces", "actives", "script"),
        *("requires", "host_factions", "host_names", "answers", "armament"),
    )

    def __init__(
        self,
        id: int,
        slug: str,
        name: str,
        name_number: int,
        type: int,
        subtypes: int,
        faction: int,
        cost: int,
        hand: int,
        resource: int,
        sacrifice: int,
        might: int,
        wits: int,
        upkeep: int,
    ) -> None:
        self.id: int = id
        self.slug: str = slug
        self.name: str = name
        self.name_number: int = name_number
        self.type: int = type
        self.subtypes: int = subtypes
        self.faction: int = faction  # 0 for none
        self.cost: int = cost  # the printed number
        self.hand: int = hand
        self.resource: int = resource
        self.sacrifice: int = sacrifice
        self.might: int = might
        self.wits: int = wits
        self.upkeep: int = upkeep
        # Sorted by number when the card is compiled, because numbers are read far more often than they change.
        self.flat: list[int] = [0] * len(STATS)
        self.own: list[list[Mod]] = [[] for _ in STATS]
        self.auras: list[list[Mod]] = [[] for _ in STATS]
        self.cards: list[list[Mod]] = [[] for _ in STATS]
        self.seats: list[list[Mod]] = [[] for _ in STATS]
        self.bits: int = 0
        self.own_rules: list[Rule] = []
        self.aura_rules: list[Rule] = []
        self.seat_rules: list[Rule] = []
        self.card_rules: list[Rule] = []
        self.triggers: list[list[Trigger]] = [[] for _ in EVENTS]
        self.replaces: list[Replace] = []
        self.actives: list[Active] = []
        self.script: Script | None = None
        self.requires: list[Cond] = []
        self.host_factions: int = 0  # a bitmask; 0 for any
        self.host_names: list[int] = []
        self.answers: int = 0  # a bitmask of ACTS
        self.armament: bool = bool(subtypes & ARMAMENT_CARD)

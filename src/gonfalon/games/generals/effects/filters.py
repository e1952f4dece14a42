"""The filters, conditions and references of the effect language as typed objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gonfalon.games.generals.effects.frame import Frame
from gonfalon.games.generals.rules.zones import ADJACENT, DEAD, ZONE_OF

if TYPE_CHECKING:
    from gonfalon.games.generals.rules.cards import Kind
    from gonfalon.games.generals.rules.state import GeneralsState

FRIEND: Final = 0
ENEMY: Final = 1
EITHER: Final = 2

EQ: Final = 0
NE: Final = 1
LT: Final = 2
LE: Final = 3
GT: Final = 4
GE: Final = 5
SIGNS: Final = ["==", "!=", "<", "<=", ">", ">="]

MIGHT: Final = 0
WITS: Final = 1
PRINTED_MIGHT: Final = 2
PRINTED_WITS: Final = 3
PRINTED_COST: Final = 4
MOVED: Final = 5
FOES: Final = 6
ATTRIBUTES: Final = [
    "might",
    "wits",
    "printed_might",
    "printed_wits",
    "printed_cost",
    "moved_this_turn",
    "foes_in_zone",
]

SAME: Final = 1
NEXT: Final = 2

ME: Final = 0
SUBJECT: Final = 1
VICTIM: Final = 2
VARIABLE: Final = 3


def compare_numbers(a: int, sign: int, b: int) -> bool:
    """Return whether two numbers compare as one of the six signs demands."""
    if sign == EQ:
        return a == b
    if sign == NE:
        return a != b
    if sign == LT:
        return a < b
    if sign == LE:
        return a <= b
    return a > b if sign == GT else a >= b


class Where:
    """A comparison that a general, or a card of its kind, must pass."""

    def __init__(self, attribute: int, sign: int, value: int) -> None:
        self.attribute: int = attribute
        self.sign: int = sign
        self.value: int = value

    def unit(self, s: GeneralsState, u: int) -> bool:
        """Return whether a general on the battlefield passes."""
        attribute = self.attribute
        if attribute == MIGHT:
            have = s.might(u)
        elif attribute == WITS:
            have = s.wits(u)
        elif attribute == MOVED:
            have = 1 if s.has_moved(u) else 0
        elif attribute == FOES:
            have = s.count_foes(u)
        else:
            return self.card(s.setup.kinds[s.setup.kind[u]])
        return compare_numbers(have, self.sign, self.value)

    def card(self, kind: Kind) -> bool:
        """Return whether a card in any zone passes by its printed numbers."""
        attribute = self.attribute
        if attribute in (MIGHT, PRINTED_MIGHT):
            have = kind.might
        elif attribute in (WITS, PRINTED_WITS):
            have = kind.wits
        elif attribute == PRINTED_COST:
            have = kind.cost
        else:
            return False
        return compare_numbers(have, self.sign, self.value)


class Cards:
    """A filter of cards by printed properties: types, subtypes and factions as bitmasks (0 for any)."""

    def __init__(self, types: int, subtypes: int, factions: int, names: list[int], where: list[Where]) -> None:
        self.types: int = types
        self.subtypes: int = subtypes
        self.factions: int = factions
        self.names: list[int] = names
        self.where: list[Where] = where

    def admits(self, kind: Kind) -> bool:
        """Return whether a card of this kind fits."""
        if self.types and not self.types >> kind.type & 1:
            return False
        if self.subtypes and not self.subtypes & kind.subtypes:
            return False
        if self.factions and not self.factions >> kind.faction & 1:
            return False
        if self.names and kind.name_number not in self.names:
            return False
        return not self.where or all(where.card(kind) for where in self.where)

    def key(self) -> list[int]:
        """Return the numbers of the filter, for comparisons and dumps."""
        out = [self.types, self.subtypes, self.factions, len(self.names), *self.names]
        for where in self.where:
            out += [where.attribute, where.sign, where.value]
        return out


class Filter:
    """A filter of generals, seen from the side of the ability's owner.

    `mask` has the places. `distance` adds the zone of the general itself (SAME), or also the adjacent zones (NEXT).
    """

    def __init__(
        self,
        side: int,
        mask: int,
        distance: int,
        dead: bool,
        factions: int,
        names: list[int],
        other: bool,
        where: list[Where],
    ) -> None:
        self.side: int = side
        # One mask of zones for each seat: the second seat counts the same line from its other end.
        self.masks: list[int] = [mask, sum(1 << ZONE_OF[1][place] for place in range(4) if mask >> place & 1)]
        self.distance: int = distance
        self.dead: bool = dead
        self.factions: int = factions  # a bitmask; 0 for any
        self.names: list[int] = names
        self.other: bool = other
        self.where: list[Where] = where

    def admits(self, s: GeneralsState, f: Frame, u: int) -> bool:
        """Return whether a general fits."""
        setup = s.setup
        side = self.side
        if side != EITHER and (setup.owner[u] == f.seat) != (side == FRIEND):
            return False
        zone = s.zone[u]
        if self.dead:
            if zone != DEAD:
                return False
        else:
            if zone < 0:
                return False
            if not self.masks[f.seat] >> zone & 1:
                here = s.zone[f.me] if self.distance and f.me >= 0 else -1
                if here < 0:
                    return False
                if here != zone and (self.distance == SAME or not ADJACENT[here] >> zone & 1):
                    return False
        if self.other and u == f.me:
            return False
        if self.factions and not self.factions >> setup.faction[u] & 1:
            return False
        if self.names and setup.name[u] not in self.names:
            return False
        return not self.where or all(where.unit(s, u) for where in self.where)

    def units(self, s: GeneralsState, f: Frame) -> list[int]:
        """Return all generals that fit, ascending."""
        found: list[int] = []
        if self.dead:
            # Armies list generals in play only, so the fallen are found among all units.
            return [u for u in range(len(s.zone)) if self.admits(s, f, u)]
        if self.side != ENEMY:
            found = [u for u in s.army[f.seat] if self.admits(s, f, u)]
        if self.side != FRIEND:
            found += [u for u in s.army[1 - f.seat] if self.admits(s, f, u)]
        found.sort()
        return found

    def count(self, s: GeneralsState, f: Frame) -> int:
        """Return how many generals fit."""
        return len(self.units(s, f))


class Ref:
    """A reference to a general by its role in the event or the ability."""

    def __init__(self, role: int, variable: int = -1) -> None:
        self.role: int = role
        self.variable: int = variable

    def unit(self, f: Frame) -> int:
        """Return the general, or -1 if there is none."""
        if self.role == ME:
            return f.me
        if self.role == SUBJECT:
            return f.subject
        if self.role == VICTIM:
            return f.other
        value = f.vars[self.variable]
        return value[0] if value else -1


class Amount:
    """A fixed number, or a variable that stores one."""

    def __init__(self, fixed: int, variable: int = -1) -> None:
        self.fixed: int = fixed
        self.variable: int = variable

    def of(self, f: Frame) -> int:
        """Return the number now."""
        if self.variable < 0:
            return self.fixed
        value = f.vars[self.variable]
        # A variable that is not set yet holds -1.
        return max(0, value[0]) if value else 0


class Cond:
    """A condition; conditions.py has the kinds."""

    def holds(self, s: GeneralsState, f: Frame) -> bool:
        """Return whether the condition holds now."""
        raise NotImplementedError


def all_hold(conditions: list[Cond], s: GeneralsState, f: Frame) -> bool:
    """Return whether every condition holds. An empty list always holds."""
    return all(condition.holds(s, f) for condition in conditions)

"""The legal acts of a seat in its Main Phase and the reasons against others: for cards of the hand (`find_hindrance`)
and for generals (`list_acts`)."""

from __future__ import annotations

from typing import Final

from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.generals.effects.filters import all_hold
from gonfalon.games.generals.effects.frame import ACTIVE as ACTIVE_MODE
from gonfalon.games.generals.effects.frame import NO_SOURCE, PARTS, PLAIN, TACTIC, Frame
from gonfalon.games.generals.effects.run import add_variables
from gonfalon.games.generals.rules import stats
from gonfalon.games.generals.rules.actions import ACTIVE, SIEGE, UNIT, ZONE
from gonfalon.games.generals.rules.cards import (
    CHARACTER,
    EQUIPMENT,
    IGNORE_BLOCK,
    MELEE_AFTER_MOVE,
    NO_ACT,
    NO_CONTEXT,
    NO_STRIKE,
    STRATEGY,
    TACTICS,
    Active,
    Kind,
)
from gonfalon.games.generals.rules.cards import SIEGE as SIEGE_STAT
from gonfalon.games.generals.rules.state import ACTIVE_USED, AGAIN, ATTACK_USED, MOVE_USED, NEW, OPPONENT, GeneralsState
from gonfalon.games.generals.rules.zones import BORDER, ENEMY_BORDER, FAR, FORTRESS, NEAR, ZONE_OF


def is_held(s: GeneralsState, u: int) -> bool:
    """Return whether an effect forbids a general to move and attack."""
    # Most games have no such rule, and this runs for every general in every decision.
    if s.lasting or s.setup.static_bits & NO_ACT:
        return bool(stats.find_rule_bits(s, u) & NO_ACT)
    return False


def can_move(s: GeneralsState, u: int) -> bool:
    """Return whether a general may make its move of the turn (rulings 9, 10)."""
    return not s.flags[u] & (NEW | MOVE_USED | ATTACK_USED) and not is_held(s, u)


def can_attack(s: GeneralsState, u: int, in_melee: bool) -> bool:
    """Return whether a general may make its attack of the turn."""
    flags = s.flags[u]
    if flags & NEW:
        return False
    if not flags & AGAIN:
        if flags & ATTACK_USED:
            return False
        # A general either moves or attacks (ruling 9), unless a card allows a melee after the move.
        if flags & MOVE_USED and not (in_melee and stats.find_rule_bits(s, u) & MELEE_AFTER_MOVE):
            return False
    return not is_held(s, u)


def can_enter(s: GeneralsState, u: int) -> bool:
    """Return whether the blocking rule lets a general move to ENEMY'S BORDER (rulings 4 to 6)."""
    return s.missing_blockers(u) == 0 or bool(stats.find_rule_bits(s, u) & IGNORE_BLOCK)


def siege_amount(s: GeneralsState, u: int) -> int:
    """Return how many cards a Siege by a general depletes: its Might and additions to it (ruling 23)."""
    amount = s.might(u) + stats.compute_stat(s, SIEGE_STAT, u, NO_CONTEXT, -1)
    return amount if amount > 0 else 0


def can_siege(s: GeneralsState, u: int) -> bool:
    """Return whether a general is at ENEMY'S BORDER, alone there and with Might for a Siege (rulings 22, 23)."""
    seat = s.setup.owner[u]
    far = FAR[seat]
    return s.zone[u] == far and s.count_standing(OPPONENT[seat], far) == 0 and s.might(u) > 0


def list_foes(s: GeneralsState, u: int) -> list[int]:
    """Return the generals that a general can attack in melee: the enemies in its zone (rulings 12, 13), ascending."""
    zone = s.zone[u]
    # Enemies can meet only in the two BORDERs (ruling 12).
    if zone != NEAR[0] and zone != NEAR[1]:
        return []
    at = s.zone
    found = [v for v in s.army[OPPONENT[s.setup.owner[u]]] if at[v] == zone]
    found.sort()
    return found


def active_frame(s: GeneralsState, u: int) -> Frame:
    """Return the frame of a general's active effect."""
    return Frame(s.setup.owner[u], u * PARTS, s.setup.kind[u], u, u, -1, 0, ACTIVE_MODE)


# Reasons why an act is not possible. face/refusals.py has their sentences.
FINE: Final = 0
NOT_PLAYED: Final = 1  # a Counter in the player's own turn
NAME_TAKEN: Final = 2
COST: Final = 3
RESOURCE_COST: Final = 4
SACRIFICE_COST: Final = 5
REQUIRES: Final = 6
NO_TARGET: Final = 7
NO_EXECUTOR: Final = 8
NO_BEARER: Final = 9
USED_ALREADY: Final = 10
NO_ATTACK: Final = 11


def find_active_hindrance(s: GeneralsState, u: int, active: Active) -> int:
    """Return why a general cannot use an active effect, FINE if it can."""
    seat = s.setup.owner[u]
    if s.flags[u] & ACTIVE_USED:
        return USED_ALREADY
    if active.hand > len(s.hand[seat]):
        return COST
    if active.resource > len(s.deck[seat]):
        return RESOURCE_COST
    # The general that uses the effect cannot be its price.
    if active.sacrifice > len(s.army[seat]) - 1:
        return SACRIFICE_COST
    if active.attack and not can_attack(s, u, False):
        return NO_ATTACK
    if active.conds or active.script.choices:
        f = add_variables(active.script, active_frame(s, u))
        if active.conds and not all_hold(active.conds, s, f):
            return REQUIRES
        if not active.script.possible(s, f):
            return NO_TARGET
    return FINE


def has_act(s: GeneralsState, u: int) -> bool:
    """Return whether a general can do anything now."""
    flags = s.flags[u]
    if not flags & NEW and (not flags & (MOVE_USED | ATTACK_USED) or flags & (AGAIN | MOVE_USED)):
        if can_move(s, u):
            return True
        if can_attack(s, u, True) and list_foes(s, u):
            return True
        if can_siege(s, u) and can_attack(s, u, False):
            return True
    if not flags & ACTIVE_USED:
        for active in s.setup.kinds[s.setup.kind[u]].actives:
            if find_active_hindrance(s, u, active) == FINE:
                return True
    return False


def list_acts(s: GeneralsState, u: int) -> list[Action]:
    """Return a general's legal acts: a Siege, a zone to move to, an active effect, an enemy to attack."""
    out: list[Action] = []
    seat = s.setup.owner[u]
    if can_siege(s, u) and can_attack(s, u, False):
        out.append(SIEGE)
    if can_move(s, u):
        here = ZONE_OF[seat][s.zone[u]]
        if here != FORTRESS:
            out.append(ZONE + FORTRESS)
        if here != BORDER:
            out.append(ZONE + BORDER)
        if here != ENEMY_BORDER and can_enter(s, u):
            out.append(ZONE + ENEMY_BORDER)
    if not s.flags[u] & ACTIVE_USED:
        actives = s.setup.kinds[s.setup.kind[u]].actives
        out += [ACTIVE + i for i in range(len(actives)) if find_active_hindrance(s, u, actives[i]) == FINE]
    if can_attack(s, u, True):
        out += [UNIT + v for v in list_foes(s, u)]
    return out


def list_bearers(s: GeneralsState, seat: Seat, kind: Kind) -> list[int]:
    """Return the generals that can be equipped with a card (rulings 37, 38), ascending."""
    setup = s.setup
    armament = kind.armament
    if armament:
        for u in s.army[seat]:
            worn = s.armament[u]
            # An Armament is unique on its side (ruling 38).
            if worn >= 0 and setup.kinds[worn].name_number == kind.name_number:
                return []
    found: list[int] = []
    for u in s.army[seat]:
        if (s.armament[u] if armament else s.troop[u]) < 0:
            if kind.host_factions and not kind.host_factions >> setup.faction[u] & 1:
                continue
            if kind.host_names and setup.name[u] not in kind.host_names:
                continue
            found.append(u)
    found.sort()
    return found


def strike_frame(s: GeneralsState, seat: Seat, kind: Kind, u: int) -> Frame:
    """Return the frame of Tactics with their executor."""
    f = Frame(seat, NO_SOURCE, kind.id, u, u, -1, 0, TACTIC)
    assert kind.script is not None
    return add_variables(kind.script, f)


def can_execute(s: GeneralsState, seat: Seat, kind: Kind, u: int) -> bool:
    """Return whether a general can execute Tactics (rulings 17 to 19)."""
    if s.flags[u] & (NEW | ATTACK_USED | MOVE_USED) and not can_attack(s, u, False):
        return False
    if stats.find_rule_bits(s, u) & (NO_STRIKE | NO_ACT):
        return False
    f = strike_frame(s, seat, kind, u)
    assert kind.script is not None
    return (not kind.requires or all_hold(kind.requires, s, f)) and kind.script.possible(s, f)


def list_executors(s: GeneralsState, seat: Seat, kind: Kind) -> list[int]:
    """Return the generals that can execute Tactics, ascending."""
    if not s.army[OPPONENT[seat]]:
        return []
    found = [u for u in s.army[seat] if can_execute(s, seat, kind, u)]
    found.sort()
    return found


def strategy_frame(seat: Seat, kind: Kind) -> Frame:
    """Return the frame of a Strategy."""
    assert kind.script is not None
    return add_variables(kind.script, Frame(seat, NO_SOURCE, kind.id, -1, -1, -1, 0, PLAIN))


def find_hindrance(s: GeneralsState, seat: Seat, kind: Kind) -> int:
    """Return why a card of the hand cannot be played in the Main Phase, FINE if it can."""
    # The card itself cannot pay for itself (ruling 27).
    left = len(s.hand[seat]) - 1
    type = kind.type
    if type == CHARACTER:
        u = s.setup.unit_of[seat][kind.id]
        if s.name_taken(u):
            return NAME_TAKEN
        return FINE if stats.compute_cost(s, seat, kind) <= left else COST
    if type in (STRATEGY, EQUIPMENT):
        if stats.compute_cost(s, seat, kind) > left:
            return COST
        if kind.resource > len(s.deck[seat]):
            return RESOURCE_COST
        # The general that bears or executes the card cannot be its price.
        kept = 1 if type == EQUIPMENT or kind.subtypes & TACTICS else 0
        if kind.sacrifice and kind.sacrifice > len(s.army[seat]) - kept:
            return SACRIFICE_COST
        if type == EQUIPMENT:
            return FINE if list_bearers(s, seat, kind) else NO_BEARER
        if kind.subtypes & TACTICS:
            return FINE if list_executors(s, seat, kind) else NO_EXECUTOR
        assert kind.script is not None
        if kind.requires or kind.script.choices:
            f = strategy_frame(seat, kind)
            if kind.requires and not all_hold(kind.requires, s, f):
                return REQUIRES
            if not kind.script.possible(s, f):
                return NO_TARGET
        return FINE
    return NOT_PLAYED

"""The numbers in force: the printed numbers and everything that changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gonfalon.games.generals.effects.frame import ARMAMENT, GENERAL, PARTS, TROOP
from gonfalon.games.generals.rules.cards import (
    CHARACTER,
    EXECUTION,
    NO_CONTEXT,
    NO_COUNTER,
    ON_ENEMY,
    ON_NEXT,
    RECRUITMENT,
    UPKEEP,
    UPKEEP_TOTAL,
    Kind,
    Mod,
)
from gonfalon.games.generals.rules.lasting import (
    AMOUNT,
    LAST_MOD,
    LAST_RULE,
    LAST_TRIGGER,
    WHAT,
    WHICH,
    WHOM,
    WHOSE,
    Entry,
)

if TYPE_CHECKING:
    from gonfalon.games.generals.rules.state import GeneralsState


def compute_stat(s: GeneralsState, stat: int, u: int, context: int, foe: int) -> int:
    """Return a number of a general on the battlefield, such as MIGHT. It may be negative (ruling 16).

    `context` is ATTACKER, DEFENDER or NO_CONTEXT, `foe` the opponent in the melee or -1.
    """
    setup = s.setup
    kinds = setup.kinds
    kind = kinds[setup.kind[u]]
    total = setup.base[stat][u] + kind.flat[stat]
    own = kind.own[stat]
    if own:
        total += sum_own(s, own, u, GENERAL, context, foe)
    worn = s.armament[u]
    if worn >= 0:
        total += sum_equipment(s, kinds[worn], stat, u, ARMAMENT, context, foe)
    worn = s.troop[u]
    if worn >= 0:
        total += sum_equipment(s, kinds[worn], stat, u, TROOP, context, foe)
    # `Setup` has indexed the generals with such an aura; all others are skipped.
    for bearer in setup.aura_units[stat]:
        if s.zone[bearer] >= 0:
            total += sum_auras(s, kinds[setup.kind[bearer]].auras[stat], bearer * PARTS, u, context, foe)
    for seat in range(2):
        auras = kinds[setup.commands[seat]].auras[stat]
        if auras:
            total += sum_auras(s, auras, (setup.units + seat) * PARTS, u, context, foe)
    if setup.aura_gear[stat]:
        for source, gear in list_equipment(s):
            auras = gear.auras[stat]
            if auras:
                total += sum_auras(s, auras, source, u, context, foe)
    if s.lasting:
        total += sum_temporary(s, stat, u, context, foe)
    # Skipped in games without an effect that sets this number.
    return apply_sets(s, stat, u, context, foe, total) if setup.any_set[stat] else total


def sum_temporary(s: GeneralsState, stat: int, u: int, context: int, foe: int) -> int:
    """Return the sum of temporary changes to a general's number."""
    total = 0
    for entry in s.lasting:
        if entry[WHOM] == u and entry[WHAT] == LAST_MOD:
            mod = s.setup.mods[entry[WHICH]]
            if mod.stat == stat and not mod.sets and mod.fits(s, entry[WHOSE], context, foe):
                total += entry[AMOUNT]
    return total


def sum_own(s: GeneralsState, mods: list[Mod], u: int, part: int, context: int, foe: int) -> int:
    """Return the sum of conditional static changes by a card to its own general or bearer."""
    frame = s.setup.frames[u * PARTS + part]
    total = 0
    for mod in mods:
        if not mod.sets and mod.applies(s, frame, context, foe):
            total += mod.amount(s, frame)
    return total


def sum_equipment(s: GeneralsState, kind: Kind, stat: int, u: int, part: int, context: int, foe: int) -> int:
    """Return the sum of static changes by a card of Equipment to its bearer."""
    own = kind.own[stat]
    total = kind.flat[stat]
    if own:
        total += sum_own(s, own, u, part, context, foe)
    return total


def sum_auras(s: GeneralsState, mods: list[Mod], source: int, u: int, context: int, foe: int) -> int:
    """Return the sum of static changes by a source to another general."""
    frame = s.setup.frames[source]
    total = 0
    for mod in mods:
        assert mod.filter is not None
        if not mod.sets and mod.filter.admits(s, frame, u) and mod.applies(s, frame, context, foe):
            total += mod.amount(s, frame)
    return total


def apply_sets(s: GeneralsState, stat: int, u: int, context: int, foe: int, total: int) -> int:
    """Return the number that effects set, which overrides all additions, or `total` if none does."""
    setup = s.setup
    kinds = setup.kinds
    own = kinds[setup.kind[u]].own[stat]
    if own:
        total = apply_own_sets(s, own, u * PARTS + GENERAL, context, foe, total)
    if s.armament[u] >= 0:
        own = kinds[s.armament[u]].own[stat]
        if own:
            total = apply_own_sets(s, own, u * PARTS + ARMAMENT, context, foe, total)
    if s.troop[u] >= 0:
        own = kinds[s.troop[u]].own[stat]
        if own:
            total = apply_own_sets(s, own, u * PARTS + TROOP, context, foe, total)
    if setup.aura_set[stat]:
        for source, kind in list_sources(s):
            frame = setup.frames[source]
            for mod in kind.auras[stat]:
                assert mod.filter is not None
                if mod.sets and mod.filter.admits(s, frame, u) and mod.applies(s, frame, context, foe):
                    total = mod.by
    for entry in s.lasting:
        if entry[WHOM] == u and entry[WHAT] == LAST_MOD:
            mod = setup.mods[entry[WHICH]]
            if mod.stat == stat and mod.sets and mod.fits(s, entry[WHOSE], context, foe):
                total = entry[AMOUNT]
    return total


def apply_own_sets(s: GeneralsState, own: list[Mod], source: int, context: int, foe: int, total: int) -> int:
    """Return the number that a card's static abilities set for its own general or bearer, or `total` if none does."""
    frame = s.setup.frames[source]
    for mod in own:
        if mod.sets and mod.applies(s, frame, context, foe):
            total = mod.by
    return total


def list_equipment(s: GeneralsState) -> list[tuple[int, Kind]]:
    """Return all Equipment in play with its sources."""
    kinds = s.setup.kinds
    found: list[tuple[int, Kind]] = []
    for seat in range(2):
        for u in s.army[seat]:
            if s.armament[u] >= 0:
                found.append((u * PARTS + ARMAMENT, kinds[s.armament[u]]))
            if s.troop[u] >= 0:
                found.append((u * PARTS + TROOP, kinds[s.troop[u]]))
    return found


def list_sources(s: GeneralsState) -> list[tuple[int, Kind]]:
    """Return all cards in play with their sources: generals, Equipment, Commandments."""
    setup = s.setup
    found = [(u * PARTS, setup.kinds[setup.kind[u]]) for seat in range(2) for u in s.army[seat]]
    found += list_equipment(s)
    found += [((setup.units + seat) * PARTS, setup.kinds[setup.commands[seat]]) for seat in range(2)]
    return found


def sum_card_changes(s: GeneralsState, stat: int, seat: int, kind: Kind) -> int:
    """Return the sum of changes by a seat's cards and temporary effects to a card that it plays."""
    setup = s.setup
    total = 0
    for u in setup.card_units[stat]:
        if s.zone[u] >= 0 and setup.owner[u] == seat:
            total += sum_changes_from(s, setup.kinds[setup.kind[u]].cards[stat], u * PARTS, kind)
    mods = setup.kinds[setup.commands[seat]].cards[stat]
    if mods:
        total += sum_changes_from(s, mods, (setup.units + seat) * PARTS, kind)
    if setup.card_gear[stat]:
        for source, gear in list_equipment(s):
            if gear.cards[stat] and setup.frames[source].seat == seat:
                total += sum_changes_from(s, gear.cards[stat], source, kind)
    for entry in s.lasting:
        if entry[WHAT] == LAST_MOD and entry[WHOSE] == seat:
            mod = setup.mods[entry[WHICH]]
            if mod.stat == stat and mod.cards is not None and mod.cards.admits(kind):
                total += entry[AMOUNT]
    return total


def sum_changes_from(s: GeneralsState, mods: list[Mod], source: int, kind: Kind) -> int:
    """Return the sum of changes by one source to a card that is played."""
    frame = s.setup.frames[source]
    total = 0
    for mod in mods:
        if mod.cards is not None and mod.cards.admits(kind) and mod.applies(s, frame, NO_CONTEXT, -1):
            total += mod.amount(s, frame)
    return total


def count_affiliation(s: GeneralsState, seat: int, kind: Kind) -> int:
    """Return how many generals of the card's faction a seat has on the battlefield (ruling 30)."""
    if kind.faction == 0:
        return 0
    faction = s.setup.faction
    count = 0
    for u in s.army[seat]:
        if faction[u] == kind.faction:
            count += 1
    return count


def compute_cost(s: GeneralsState, seat: int, kind: Kind) -> int:
    """Return how many cards of the hand a card costs now (rulings 27 to 31, 68)."""
    least = 0
    if kind.type == CHARACTER:
        paid = kind.hand - count_affiliation(s, seat, kind) + sum_card_changes(s, RECRUITMENT, seat, kind)
        # A free general that returns to the hand could be recruited without end (ruling 68).
        if paid <= 0 and s.has_returned(s.setup.unit_of[seat][kind.id]):
            least = 1
    else:
        paid = kind.hand + sum_card_changes(s, EXECUTION, seat, kind)
    return paid if paid > least else least


def compute_upkeep(s: GeneralsState, u: int) -> int:
    """Return a general's Upkeep, at least 0."""
    due = compute_stat(s, UPKEEP, u, NO_CONTEXT, -1)
    return due if due > 0 else 0


def sum_upkeep_changes(s: GeneralsState, seat: int) -> int:
    """Return the sum of changes to a seat's whole Upkeep."""
    setup = s.setup
    total = 0
    for u in setup.seat_units[UPKEEP_TOTAL]:
        if s.zone[u] >= 0:
            total += _sum_seat_changes(s, setup.kinds[setup.kind[u]].seats[UPKEEP_TOTAL], u * PARTS, seat)
    for owner in (0, 1):
        mods = setup.kinds[setup.commands[owner]].seats[UPKEEP_TOTAL]
        if mods:
            total += _sum_seat_changes(s, mods, (setup.units + owner) * PARTS, seat)
    if setup.seat_gear[UPKEEP_TOTAL]:
        for source, gear in list_equipment(s):
            total += _sum_seat_changes(s, gear.seats[UPKEEP_TOTAL], source, seat)
    for entry in s.lasting:
        if entry[WHAT] == LAST_MOD and entry[WHOM] < 0:
            mod = setup.mods[entry[WHICH]]
            if mod.stat == UPKEEP_TOTAL and mod.cards is None and entry[WHOSE] == seat:
                total += entry[AMOUNT]
    return total


def _sum_seat_changes(s: GeneralsState, mods: list[Mod], source: int, seat: int) -> int:
    frame = s.setup.frames[source]
    total = 0
    for mod in mods:
        if (frame.seat == seat) != (mod.on == ON_ENEMY) and mod.applies(s, frame, NO_CONTEXT, -1):
            total += mod.amount(s, frame)
    return total


def compute_upkeep_total(s: GeneralsState, seat: int) -> int:
    """Return a seat's payment at the end of its turn (ruling 54)."""
    total = sum_upkeep_changes(s, seat)
    for u in s.army[seat]:
        total += compute_upkeep(s, u)
    return total if total > 0 else 0


def find_rule_bits(s: GeneralsState, u: int) -> int:
    """Return the rules that forbid or allow acts of a general now, as bits of RULES."""
    setup = s.setup
    kinds = setup.kinds
    kind = kinds[setup.kind[u]]
    found = kind.bits
    if kind.own_rules:
        found |= _own_bits(s, kind, u * PARTS)
    if s.armament[u] >= 0:
        kind = kinds[s.armament[u]]
        found |= kind.bits
        if kind.own_rules:
            found |= _own_bits(s, kind, u * PARTS + ARMAMENT)
    if s.troop[u] >= 0:
        kind = kinds[s.troop[u]]
        found |= kind.bits
        if kind.own_rules:
            found |= _own_bits(s, kind, u * PARTS + TROOP)
    for bearer in setup.rule_units:
        if s.zone[bearer] >= 0:
            found |= _aura_bits(s, kinds[setup.kind[bearer]], bearer * PARTS, u)
    for seat in range(2):
        kind = kinds[setup.commands[seat]]
        if kind.aura_rules:
            found |= _aura_bits(s, kind, (setup.units + seat) * PARTS, u)
    if setup.rule_gear:
        for source, gear in list_equipment(s):
            found |= _aura_bits(s, gear, source, u)
    for entry in s.lasting:
        if entry[WHOM] == u and entry[WHAT] == LAST_RULE:
            found |= setup.rules[entry[WHICH]].bit
    return found


def _own_bits(s: GeneralsState, kind: Kind, source: int) -> int:
    found = 0
    for rule in kind.own_rules:
        if all(cond.holds(s, s.setup.frames[source]) for cond in rule.conds):
            found |= rule.bit
    return found


def _aura_bits(s: GeneralsState, kind: Kind, source: int, u: int) -> int:
    frame = s.setup.frames[source]
    found = 0
    for rule in kind.aura_rules:
        assert rule.filter is not None
        if rule.filter.admits(s, frame, u) and all(cond.holds(s, frame) for cond in rule.conds):
            found |= rule.bit
    return found


def find_seat_bits(s: GeneralsState, seat: int) -> int:
    """Return the rules in force for a player now, as bits of RULES."""
    setup = s.setup
    found = 0
    for owner in (0, 1):
        for rule in setup.kinds[setup.commands[owner]].seat_rules:
            meant = (owner == seat) != (rule.on == ON_ENEMY)
            if meant and all(cond.holds(s, setup.command_frame(owner)) for cond in rule.conds):
                found |= rule.bit
    if setup.rule_units or setup.rule_gear:
        for source, kind in list_sources(s):
            frame = setup.frames[source]
            for rule in kind.seat_rules:
                if (frame.seat == seat) != (rule.on == ON_ENEMY) and all(cond.holds(s, frame) for cond in rule.conds):
                    found |= rule.bit
    for entry in s.lasting:
        if (
            entry[WHAT] == LAST_RULE
            and entry[WHOM] < 0
            and entry[WHOSE] == seat
            and setup.rules[entry[WHICH]].cards is None
        ):
            found |= setup.rules[entry[WHICH]].bit
    return found


def find_card_bits(s: GeneralsState, seat: int, kind: Kind) -> int:
    """Return the rules in force for a card that a seat is playing, as bits of RULES."""
    found = 0
    if s.setup.static_bits & NO_COUNTER:
        for source, giver in list_sources(s):
            frame = s.setup.frames[source]
            for rule in giver.card_rules:
                meant = frame.seat == seat and rule.cards is not None and rule.cards.admits(kind)
                if meant and all(cond.holds(s, frame) for cond in rule.conds):
                    found |= rule.bit
    for entry in s.lasting:
        if entry[WHAT] == LAST_RULE and entry[WHOSE] == seat:
            rule = s.setup.rules[entry[WHICH]]
            if rule.cards is not None and rule.cards.admits(kind):
                found |= rule.bit
    return found


def end_next_card_effects(s: GeneralsState, seat: int, kind: Kind) -> None:
    """End the effects on the next card of a sort, because this card was played."""
    kept: list[Entry] = []
    for entry in s.lasting:
        if entry[WHOSE] == seat and entry[WHAT] != LAST_TRIGGER:
            if entry[WHAT] == LAST_MOD:
                mod = s.setup.mods[entry[WHICH]]
                if mod.on == ON_NEXT and mod.cards is not None and mod.cards.admits(kind):
                    continue
            else:
                rule = s.setup.rules[entry[WHICH]]
                if rule.on == ON_NEXT and rule.cards is not None and rule.cards.admits(kind):
                    continue
        kept.append(entry)
    if len(kept) != len(s.lasting):
        s.lasting = kept

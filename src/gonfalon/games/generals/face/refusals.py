"""Reasons why an action is illegal, each in one sentence with the rule behind it.

A reason is computed from the knowledge of the seat: its own hand and all open cards.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action, Seat
from gonfalon.core.text.citations import Reason
from gonfalon.core.text.english import many
from gonfalon.games.generals.face import messages
from gonfalon.games.generals.rules import actions, cards, stats, zones
from gonfalon.games.generals.rules.acts import legal
from gonfalon.games.generals.rules.acts.counters import Answer, find_counter_hindrance
from gonfalon.games.generals.rules.acts.questions import Pick
from gonfalon.games.generals.rules.state import ACTIVE_USED, AGAIN, ATTACK_USED, MOVE_USED, NEW, OPPONENT, GeneralsState
from gonfalon.games.generals.rules.turn import ChooseAct

FROM_HAND: Final = ("main", "answer", "pay", "excess", "discard", "recruit")
"""The prompts that are answered with cards from the seat's own hand."""
IN_ORDER: Final = ("pay", "excess", "discard")
"""The prompts that are answered with several cards in the order of the card list."""


def explain_prompt(asked: str) -> Reason:
    """Return the default reason for an illegal answer to a prompt."""
    return messages.PLAIN.get(asked, Reason(messages.NOT_LEGAL))


def explain_refusal(s: GeneralsState, seat: Seat, action: Action) -> str:
    """Return why an action of the deciding seat is illegal."""
    setup = s.setup
    step = s.stack[-1]
    asked = step.prompt
    general = explain_prompt(asked)
    if action < 0 or action >= actions.CARD + len(setup.kinds) or actions.UNIT + setup.units <= action < actions.CARD:
        return messages.NO_ACTION
    if seat < 0:
        return general
    if action >= actions.CARD:
        return why_not_card(s, seat, setup.kinds[action - actions.CARD], asked, general)
    if asked == "main":
        if action >= actions.UNIT:
            return why_not_general(s, seat, action - actions.UNIT)
        sentence = messages.END_WITH_END if action in (actions.PASS, actions.DONE) else messages.GENERAL_FIRST
        return Reason(sentence, rule="Main Phase")
    if isinstance(step, ChooseAct):
        return why_not_act(s, step.unit, action)
    if action >= actions.UNIT:
        return why_not_unit(s, seat, action - actions.UNIT, asked, general)
    if isinstance(step, Pick) and action == actions.DONE and len(step.picked) < step.choice.least:
        return Reason(messages.TARGET_FIRST, rule="ruling 26")
    return general


def has_card(s: GeneralsState, seat: Seat, kind: cards.Kind) -> bool:
    """Return whether a seat has a card of a kind in hand."""
    return any(card & KIND == kind.id for card in s.hand[seat])


def unit_name(s: GeneralsState, u: int) -> str:
    """Return the name of a general."""
    return s.setup.kinds[s.setup.kind[u]].name


def place_name(s: GeneralsState, u: int) -> str:
    """Return the zone of a general, from the side of its owner."""
    return zones.PLACES[zones.ZONE_OF[s.setup.owner[u]][s.zone[u]]]


def why_not_card(s: GeneralsState, seat: Seat, kind: cards.Kind, asked: str, general: Reason) -> Reason:
    """Return why a card cannot be played, paid or taken. `general` is the reason if there is no particular one."""
    if asked in FROM_HAND and not has_card(s, seat, kind):
        return Reason(messages.NOT_IN_HAND.format(card=kind.name), messages.TAG_NOT_IN_HAND, messages.PLAIN[asked].rule)
    if asked == "main":
        return why_no_play(s, seat, kind) or general
    if asked == "answer":
        step = s.stack[-1]
        assert isinstance(step, Answer)
        return why_no_counter(s, seat, kind, step) or general
    if asked == "recruit":
        u = s.setup.unit_of[seat][kind.id]
        if u >= 0 and s.name_taken(u):
            return why_name_taken(s, u)
        # Otherwise a general could return and be recruited for nothing without end (ruling 68).
        if u >= 0 and s.has_returned(u):
            return Reason(messages.RETURNED_FREE.format(card=kind.name), messages.TAG_NEXT_TURN, "ruling 68")
        return Reason(messages.NOT_RECRUITED.format(card=kind.name), messages.TAG_CONDITION, "card text")
    if asked in IN_ORDER and kind.id < s.floor[seat]:
        return Reason(messages.WRONG_ORDER.format(card=kind.name), messages.TAG_ORDER, "ruling 27")
    if asked in IN_ORDER:
        return Reason(messages.TOO_FEW_AFTER.format(card=kind.name), messages.TAG_ORDER, "ruling 27")
    if asked in ("search", "take-away"):
        return Reason(messages.NOT_AMONG.format(card=kind.name), rule="rulings 26, 66")
    return general


def why_no_counter(s: GeneralsState, seat: Seat, kind: cards.Kind, step: Answer) -> Reason | None:
    """Return why a card of the hand cannot answer an act, or None if it can."""
    why = find_counter_hindrance(s, seat, kind, step.act)
    if why == legal.NOT_PLAYED:
        return Reason(messages.NOT_A_COUNTER.format(card=kind.name), messages.TAG_NO_COUNTER, "ruling 43")
    if why == legal.NO_TARGET:
        return Reason(messages.ANSWERS_OTHERS.format(card=kind.name), messages.TAG_NO_ANSWER, "ruling 40")
    return why_no_cost(s, seat, kind, why)


def why_name_taken(s: GeneralsState, u: int) -> Reason:
    """Return why a general's name is not free."""
    # A name is free unless its general is in play or in CASUALTY (ruling 32).
    for v in s.setup.alike[u]:
        name = unit_name(s, v)
        if s.zone[v] == zones.DEAD:
            return Reason(messages.HAS_FALLEN.format(general=name), messages.TAG_FALLEN, "ruling 32")
        if s.zone[v] != zones.AWAY:
            return Reason(messages.IN_FIELD.format(general=name), messages.TAG_IN_FIELD, "ruling 32")
    return Reason(messages.NAME_TAKEN, messages.TAG_IN_FIELD, "ruling 32")


def why_no_play(s: GeneralsState, seat: Seat, kind: cards.Kind) -> Reason | None:
    """Return why a card of the hand cannot be played in the Main Phase, or None if it can."""
    why = legal.find_hindrance(s, seat, kind)
    if why == legal.NOT_PLAYED:
        return Reason(messages.ONLY_ANSWERS.format(card=kind.name), messages.TAG_COUNTER, "ruling 43")
    if why == legal.NAME_TAKEN:
        return why_name_taken(s, s.setup.unit_of[seat][kind.id])
    if why == legal.NO_TARGET:
        return Reason(messages.NO_TARGET.format(card=kind.name), messages.TAG_NO_TARGET, "ruling 26")
    if why == legal.NO_EXECUTOR:
        return Reason(messages.NO_EXECUTOR.format(card=kind.name), messages.TAG_NO_EXECUTOR, "rulings 17, 18")
    return why_no_bearer(s, seat, kind) if why == legal.NO_BEARER else why_no_cost(s, seat, kind, why)


def why_no_cost(s: GeneralsState, seat: Seat, kind: cards.Kind, why: int) -> Reason | None:
    """Return why the cost or the condition of a card is not met, or None for any other hindrance."""
    name, left = kind.name, len(s.hand[seat]) - 1
    if why == legal.COST:
        cost = stats.compute_cost(s, seat, kind)
        tag = messages.TAG_COST.format(cost=cost)
        # After a return to the hand recruiting costs a card, whatever lowers the cost (ruling 68).
        if cost == 1 and kind.type == cards.CHARACTER and s.has_returned(s.setup.unit_of[seat][kind.id]):
            return Reason(messages.COSTS_AFTER_RETURN.format(card=name, left=left), tag, "rulings 27, 68")
        return Reason(messages.COSTS.format(card=name, cards=many(cost, "card"), left=left), tag, "ruling 27")
    if why == legal.RESOURCE_COST:
        price = many(kind.resource, "card")
        sentence = messages.COSTS_RESOURCE.format(card=name, cards=price, left=len(s.deck[seat]))
        return Reason(sentence, messages.TAG_COST.format(cost=kind.resource), "ruling 28")
    if why == legal.SACRIFICE_COST:
        # The general that bears or executes the card cannot be its price.
        keeps = kind.type == cards.EQUIPMENT or kind.subtypes & cards.TACTICS
        price = many(kind.sacrifice, "other general" if keeps else "general")
        sentence = messages.COSTS_GENERALS.format(card=name, generals=price)
        return Reason(sentence, messages.TAG_GENERALS, "ruling 28")
    if why == legal.REQUIRES:
        return Reason(messages.CONDITION.format(card=name), messages.TAG_CONDITION, "card text")
    return None


def why_no_bearer(s: GeneralsState, seat: Seat, kind: cards.Kind) -> Reason:
    """Return why no general can bear a card of Equipment."""
    if not kind.subtypes & cards.ARMAMENT_CARD:
        return Reason(messages.NO_TROOP_BEARER.format(card=kind.name), messages.TAG_NO_BEARER, "ruling 37")
    # An Armament is unique on a side by its name, a Troop is not (ruling 38).
    for u in s.army[seat]:
        worn = s.armament[u]
        if worn >= 0 and s.setup.kinds[worn].name_number == kind.name_number:
            return Reason(messages.ARMAMENT_IN_USE.format(card=kind.name), messages.TAG_IN_FIELD, "ruling 38")
    return Reason(messages.NO_ARMAMENT_BEARER.format(card=kind.name), messages.TAG_NO_BEARER, "ruling 37")


def why_not_general(s: GeneralsState, seat: Seat, u: int) -> Reason:
    """Return why a general cannot act at all."""
    name = unit_name(s, u)
    if s.setup.owner[u] != seat:
        return Reason(messages.NOT_YOURS, messages.TAG_NOT_YOURS, "Main Phase")
    if s.zone[u] < 0:
        return Reason(messages.NOT_IN_FIELD.format(general=name), messages.TAG_NOT_IN_FIELD, "Main Phase")
    if s.flags[u] & NEW:
        return Reason(messages.JUST_RECRUITED.format(general=name), messages.TAG_NEXT_TURN, "ruling 10")
    if legal.is_held(s, u):
        return Reason(messages.HELD.format(general=name), messages.TAG_HELD, "ruling 45")
    if not s.flags[u] & (MOVE_USED | ATTACK_USED):
        return Reason(messages.NO_ACTS.format(general=name), rule="rulings 9, 44")
    # Some generals may fight after a move, but only where an enemy stands.
    if legal.can_attack(s, u, True):
        return Reason(messages.NO_ENEMY_HERE.format(general=name), messages.TAG_NO_TARGET, "rulings 9, 12")
    return Reason(messages.NO_ACT_LEFT.format(general=name), messages.TAG_DONE, "ruling 9")


def why_not_unit(s: GeneralsState, seat: Seat, u: int, asked: str, general: Reason) -> Reason:
    """Return why a general cannot be chosen. `general` is the reason if there is no particular one."""
    name, foreign = unit_name(s, u), s.setup.owner[u] != seat
    if s.zone[u] < 0:
        return Reason(messages.NOT_IN_FIELD.format(general=name), messages.TAG_NOT_IN_FIELD, "Main Phase")
    if asked in ("executor", "bearer", "sacrifice") and foreign:
        return general
    if asked == "executor":
        return why_no_strike(s, u)
    if asked == "bearer":
        return Reason(messages.CANNOT_BEAR.format(general=name), messages.TAG_NO_BEARER, "ruling 37")
    if asked == "target" and foreign and stats.find_rule_bits(s, u) & (cards.NO_TACTICS_AT | cards.NO_ACTIVE_AT):
        return Reason(messages.CANNOT_BE_TARGET.format(general=name), messages.TAG_NO_TARGET, "rulings 19, 26")
    return general


def why_no_strike(s: GeneralsState, u: int) -> Reason:
    """Return why a general cannot execute Tactics."""
    name = unit_name(s, u)
    if s.flags[u] & NEW:
        return Reason(messages.JUST_RECRUITED.format(general=name), messages.TAG_NEXT_TURN, "rulings 10, 17")
    if stats.find_rule_bits(s, u) & cards.NO_STRIKE:
        return Reason(messages.NO_TACTICAL_STRIKE.format(general=name), messages.TAG_HELD, "ruling 17")
    # A Tactical Strike counts as the attack of the turn, so it excludes a move and another attack (rulings 9, 17).
    if not legal.can_attack(s, u, False):
        return Reason(messages.STRIKE_IS_ATTACK.format(general=name), messages.TAG_DONE, "rulings 9, 17")
    return Reason(messages.NO_TARGET_IN_REACH.format(general=name), messages.TAG_NO_TARGET, "rulings 19, 26")


def why_not_act(s: GeneralsState, u: int, action: Action) -> str:
    """Return why a general cannot do a particular act."""
    if actions.ACTIVE <= action < actions.ACTIVE + actions.ACTIVES:
        return why_not_active(s, u, action - actions.ACTIVE)
    moves = actions.ZONE <= action <= actions.ZONE + zones.ENEMY_FORTRESS
    if not moves and action != actions.SIEGE and action < actions.UNIT:
        return explain_prompt("act")
    name = unit_name(s, u)
    if s.flags[u] & NEW:
        return Reason(messages.JUST_RECRUITED.format(general=name), messages.TAG_NEXT_TURN, "ruling 10")
    if legal.is_held(s, u) and stats.find_rule_bits(s, u) & cards.NO_ACT:
        return Reason(messages.HELD.format(general=name), messages.TAG_HELD, "ruling 45")
    if moves:
        return why_not_move(s, u, action - actions.ZONE)
    return why_no_siege(s, u) if action == actions.SIEGE else why_no_melee(s, u, action - actions.UNIT)


def why_no_siege(s: GeneralsState, u: int) -> Reason:
    """Return why a general cannot lay siege."""
    name, seat = unit_name(s, u), s.setup.owner[u]
    if not legal.can_attack(s, u, False):
        return why_no_attack(s, u)
    if s.zone[u] != zones.FAR[seat]:
        sentence = messages.SIEGE_FROM_BORDER.format(general=name, zone=place_name(s, u))
        return Reason(sentence, messages.TAG_TOO_FAR, "ruling 22")
    if s.count_standing(OPPONENT[seat], zones.FAR[seat]):
        return Reason(messages.SIEGE_BLOCKED, messages.TAG_BLOCKED, "ruling 22")
    return Reason(messages.NO_MIGHT.format(general=name), messages.TAG_NO_MIGHT, "ruling 23")


def why_no_melee(s: GeneralsState, u: int, v: int) -> Reason:
    """Return why a general cannot attack another one in melee."""
    name, enemy = unit_name(s, u), unit_name(s, v)
    if s.setup.owner[v] == s.setup.owner[u]:
        return Reason(messages.OWN_SIDE, messages.TAG_OWN_SIDE, "ruling 26")
    if s.zone[v] < 0:
        return Reason(messages.NOT_IN_FIELD.format(general=enemy), messages.TAG_NOT_IN_FIELD, "ruling 12")
    if not legal.can_attack(s, u, True):
        return why_no_attack(s, u)
    return Reason(messages.OTHER_ZONE.format(general=name, enemy=enemy), messages.TAG_TOO_FAR, "ruling 12")


def why_no_attack(s: GeneralsState, u: int) -> Reason:
    """Return why a general has no attack."""
    name = unit_name(s, u)
    flags = s.flags[u]
    # An effect can allow a second attack in the turn.
    if flags & ATTACK_USED and not flags & AGAIN:
        return Reason(messages.HAS_ATTACKED.format(general=name), messages.TAG_HAS_ATTACKED, "ruling 9")
    if not flags & MOVE_USED:
        return Reason(messages.NO_ATTACK.format(general=name), messages.TAG_HELD, "ruling 9")
    if stats.find_rule_bits(s, u) & cards.MELEE_AFTER_MOVE:
        return Reason(messages.MOVED_MELEE_ONLY.format(general=name), messages.TAG_HAS_MOVED, "ruling 9")
    return Reason(messages.MOVED_NO_ATTACK.format(general=name), messages.TAG_HAS_MOVED, "ruling 9")


def why_not_move(s: GeneralsState, u: int, place: int) -> Reason:
    """Return why a general cannot move to a place."""
    name = unit_name(s, u)
    seat = s.setup.owner[u]
    if place == zones.ENEMY_FORTRESS:
        return Reason(messages.NO_ENTRY, messages.TAG_CLOSED, "ruling 3")
    if not legal.can_move(s, u):
        if s.flags[u] & MOVE_USED:
            return Reason(messages.HAS_MOVED.format(general=name), messages.TAG_HAS_MOVED, "ruling 9")
        return Reason(messages.ATTACKED_NO_MOVE.format(general=name), messages.TAG_HAS_ATTACKED, "ruling 9")
    if zones.ZONE_OF[seat][s.zone[u]] == place:
        sentence = messages.ALREADY_THERE.format(general=name, zone=zones.PLACES[place])
        return Reason(sentence, messages.TAG_HERE, "ruling 2")
    missing = s.missing_blockers(u)
    # To pass, as many own generals as enemies must block them (ruling 4).
    if place == zones.ENEMY_BORDER and missing:
        there = s.count_standing(OPPONENT[seat], zones.ZONE_OF[seat][zones.BORDER])
        more = many(missing, "more general")
        sentence = messages.BLOCKED_BY_MANY.format(count=there, missing=more)
        if there == 1:
            sentence = messages.BLOCKED.format(missing=more)
        return Reason(sentence, messages.TAG_BLOCKED, "ruling 4")
    goal = zones.PLACES[max(place, zones.FORTRESS)]
    sentence = messages.CANNOT_MOVE.format(general=name, here=place_name(s, u), zone=goal)
    return Reason(sentence, messages.TAG_TOO_FAR, "ruling 2")


def why_not_active(s: GeneralsState, u: int, number: int) -> Reason:
    """Return why a general cannot use an active effect."""
    kind = s.setup.kinds[s.setup.kind[u]]
    if number >= len(kind.actives):
        return Reason(messages.NO_SUCH_EFFECT.format(general=kind.name), rule="ruling 44")
    if s.flags[u] & ACTIVE_USED:
        return Reason(messages.EFFECT_USED.format(general=kind.name), messages.TAG_USED, "ruling 44")
    active = kind.actives[number]
    why = legal.find_active_hindrance(s, u, active)
    if why == legal.NO_ATTACK:
        return Reason(messages.EFFECT_IS_ATTACK.format(general=kind.name), messages.TAG_HAS_ATTACKED, "ruling 9")
    if why == legal.NO_TARGET:
        return Reason(messages.EFFECT_NO_TARGET.format(general=kind.name), messages.TAG_NO_TARGET, "ruling 26")
    if why not in (legal.COST, legal.RESOURCE_COST, legal.SACRIFICE_COST):
        return Reason(messages.EFFECT_CONDITION.format(general=kind.name), messages.TAG_CONDITION, "card text")
    return why_effect_costs(s, s.setup.owner[u], active, why)


def why_effect_costs(s: GeneralsState, seat: Seat, active: cards.Active, why: int) -> Reason:
    """Return the cost of an active effect that a seat cannot pay."""
    if why == legal.COST:
        cost, price = active.hand, many(active.hand, "card")
        sentence = messages.EFFECT_COSTS.format(cards=price, left=len(s.hand[seat]))
    elif why == legal.RESOURCE_COST:
        cost, price = active.resource, many(active.resource, "card")
        sentence = messages.EFFECT_COSTS_RESOURCE.format(cards=price, left=len(s.deck[seat]))
    else:
        sentence = messages.EFFECT_COSTS_GENERALS.format(generals=many(active.sacrifice, "general"))
        return Reason(sentence, messages.TAG_GENERALS, "ruling 28")
    return Reason(sentence, messages.TAG_COST.format(cost=cost), "ruling 28")

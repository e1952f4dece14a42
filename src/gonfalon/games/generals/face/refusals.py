"""Why an action is not legal, in one sentence with the ruling that forbids it. Computed from what the
asked seat knows: its own hand, and what lies open."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.generals.rules import actions, cards, stats, zones
from gonfalon.games.generals.rules.acts import legal
from gonfalon.games.generals.rules.acts.counters import Answer, why_no_counter
from gonfalon.games.generals.rules.acts.questions import Pick
from gonfalon.games.generals.rules.state import ACTIVE_USED, AGAIN, ATTACK_USED, MOVE_USED, NEW, OPPONENT, GeneralsState
from gonfalon.games.generals.rules.turn import ChooseAct

PLAIN: Final = {
    "main": "In your Main Phase you play a card of your hand, act with a general, or end your turn (Main Phase).",
    "act": "Choose what this general does: move, attack, besiege, or use its active effect (rulings 9, 44).",
    "answer": "You answer with a Counter from your hand, or pass (ruling 41).",
    "pay": "You pay with cards of your hand, in the order of the card list, so that a set is one payment (ruling 27).",
    "excess": "You put the cards over your hand limit away, in the order of the card list (ruling 56).",
    "discard": "You discard cards of your hand, in the order of the card list (ruling 49).",
    "take-away": "Choose one of the cards you have looked at that fits (ruling 26).",
    "target": "Choose among the generals or zones that fit, in the order of the list (ruling 26).",
    "executor": "Choose a general of yours that can execute these Tactics (ruling 18).",
    "bearer": "Choose a general of yours that can bear this Equipment (ruling 37).",
    "place": "A recruited general is placed at your FORTRESS or your BORDER (Main Phase).",
    "sacrifice": "Choose one of your generals as the cost (ruling 36).",
    "replace": "Choose whose effect happens instead, or pass (ruling 48).",
    "order": "Choose which of your effects comes next (ruling 48).",
    "may-draw": "You may draw or not (ruling 53).",
    "search": "Take a card that fits, or none (ruling 66).",
    "recruit": "Choose a general of your hand that fits and whose name is free, or stop (ruling 32).",
    "mulligan": "Keep your hand or draw a new one (ruling 51).",
    "shuffle": "A shuffle takes a seed.",
    "deal": "Chance deals a card that is still to be dealt.",
    "toss": "Chance names the first player.",
    "random-discard": "Chance picks a card of the hand.",
    "recover": "Chance picks a card of DISCARD.",
}

FROM_HAND: Final = {
    "main": "Main Phase",
    "answer": "ruling 41",
    "pay": "ruling 27",
    "excess": "ruling 56",
    "discard": "ruling 49",
    "recruit": "ruling 32",
}
"""Where cards of the own hand are asked for, and by which rule."""


def reason(s: GeneralsState, seat: Seat, action: Action) -> str:
    """The rule that forbids an action to a seat that is asked."""
    setup = s.setup
    step = s.stack[-1]
    asked = step.prompt
    general = PLAIN.get(asked, "This is not among the legal actions now.")
    if action < 0 or action >= actions.CARD + len(setup.kinds) or actions.UNIT + setup.units <= action < actions.CARD:
        return "There is no such action in Generals."
    if seat < 0:
        return general
    if action >= actions.CARD:
        return why_not_card(s, seat, setup.kinds[action - actions.CARD], asked, general)
    if asked == "main":
        if action >= actions.UNIT:
            return why_not_general(s, seat, action - actions.UNIT)
        if action in (actions.PASS, actions.DONE):
            return "You end your turn by END (Main Phase)."
        return "First choose the general that does it (Main Phase)."
    if isinstance(step, ChooseAct):
        return why_not_act(s, step.unit, action)
    if action >= actions.UNIT:
        return why_not_unit(s, seat, action - actions.UNIT, asked, general)
    if isinstance(step, Pick) and action == actions.DONE and len(step.picked) < step.choice.least:
        return "A target must be named (ruling 26)."
    return general


def holds(s: GeneralsState, seat: Seat, kind: cards.Kind) -> bool:
    """Whether a seat has a card of a kind in hand."""
    return any(card & KIND == kind.id for card in s.hand[seat])


def why_not_card(s: GeneralsState, seat: Seat, kind: cards.Kind, asked: str, general: str) -> str:
    """Why a card cannot be played, paid or taken."""
    if asked in FROM_HAND and not holds(s, seat, kind):
        return f"There is no {kind.name} in your hand ({FROM_HAND[asked]})."
    if asked == "main":
        return why_no_play(s, seat, kind) or general
    if asked == "answer":
        step = s.stack[-1]
        assert isinstance(step, Answer)
        return why_no_counter(s, seat, kind, step.act) or general
    if asked == "recruit":
        u = s.setup.unit_of[seat][kind.id]
        if u >= 0 and s.name_taken(u):
            return name_taken(s, u)
        if u >= 0 and s.has_returned(u):
            return f"{kind.name} returned to your hand this turn, so it comes back for payment only (ruling 68)."
        return f"{kind.name} is not what this card recruits: see its text."
    if asked in ("pay", "excess", "discard") and actions.CARD + kind.id < actions.CARD + s.floor[seat]:
        return f"Cards go in the order of the card list: {kind.name} would have come before the last one (ruling 27)."
    if asked in ("pay", "excess", "discard"):
        return f"After {kind.name} there would be too few cards left in the order of the card list (ruling 27)."
    if asked in ("search", "take-away"):
        return f"There is no {kind.name} that fits among the cards you see (rulings 26, 66)."
    return general


def name_taken(s: GeneralsState, u: int) -> str:
    """Why a name is not free."""
    for v in s.setup.alike[u]:
        name = s.setup.kinds[s.setup.kind[v]].name
        if s.zone[v] == zones.DEAD:
            return f"{name} lies in your CASUALTY, so no general of that name can be recruited again (ruling 32)."
        if s.zone[v] != zones.AWAY:
            return f"{name} is on your side of the BATTLEFIELD already (ruling 32)."
    return "The name is taken (ruling 32)."


def why_no_play(s: GeneralsState, seat: Seat, kind: cards.Kind) -> str | None:
    """Why a card of the hand cannot be played in the Main Phase; None when it can."""
    why = legal.find_hindrance(s, seat, kind)
    left = len(s.hand[seat]) - 1
    if why == legal.FINE:
        return None
    if why == legal.NOT_PLAYED:
        return f"{kind.name} is a Counter: it answers what the other player does (ruling 43)."
    if why == legal.NAME_TAKEN:
        return name_taken(s, s.setup.unit_of[seat][kind.id])
    if why == legal.COST:
        cost = stats.compute_cost(s, seat, kind)
        if cost == 1 and kind.type == cards.CHARACTER and s.has_returned(s.setup.unit_of[seat][kind.id]):
            return (
                f"{kind.name} returned to your hand this turn, so it costs at least 1 other card of it, and you have "
                f"{left} (rulings 27, 68)."
            )
        return f"{kind.name} costs {cost} other cards of your hand, and you have {left} (ruling 27)."
    if why == legal.RESOURCE_COST:
        return f"{kind.name} costs {kind.resource} of your RESOURCE, and you have {len(s.deck[seat])} (ruling 28)."
    if why == legal.SACRIFICE_COST:
        other = "other " if kind.type == cards.EQUIPMENT or kind.subtypes & cards.TACTICS else ""
        return f"{kind.name} costs {kind.sacrifice} of your {other}generals (ruling 28)."
    if why == legal.REQUIRES:
        return f"What {kind.name} requires is not so now: see its text."
    if why == legal.NO_TARGET:
        return f"There is no general that {kind.name} could be aimed at (ruling 26)."
    if why == legal.NO_EXECUTOR:
        return (
            f"None of your generals can execute {kind.name} now: it takes one that has neither moved nor attacked "
            "and is not new, with a target that fits (rulings 17, 18)."
        )
    return why_no_bearer(s, seat, kind)


def why_no_bearer(s: GeneralsState, seat: Seat, kind: cards.Kind) -> str:
    """Why nobody can bear a card of Equipment."""
    if kind.subtypes & cards.ARMAMENT_CARD:
        for u in s.army[seat]:
            worn = s.armament[u]
            if worn >= 0 and s.setup.kinds[worn].name_number == kind.name_number:
                return f"One of your generals bears {kind.name} already, and an Armament is unique (ruling 38)."
        return f"None of your generals without an Armament can bear {kind.name} (ruling 37)."
    return f"None of your generals without a Troop can bear {kind.name} (ruling 37)."


def why_not_general(s: GeneralsState, seat: Seat, u: int) -> str:
    """Why a general cannot do anything."""
    name = s.setup.kinds[s.setup.kind[u]].name
    if s.setup.owner[u] != seat:
        return "You act with your own generals; an enemy is chosen as a target after that (Main Phase)."
    if s.zone[u] < 0:
        return f"{name} is not on the BATTLEFIELD (Main Phase)."
    if s.flags[u] & NEW:
        return f"{name} was recruited this turn and can neither move nor attack (ruling 10)."
    if legal.is_held(s, u):
        return f"An effect keeps {name} from moving and attacking (ruling 45)."
    if not s.flags[u] & (MOVE_USED | ATTACK_USED):
        return f"There is nothing for {name} to do (rulings 9, 44)."
    return f"{name} has nothing left to do this turn (ruling 9)."


def why_not_unit(s: GeneralsState, seat: Seat, u: int, asked: str, general: str) -> str:
    """Why a general cannot be chosen."""
    setup = s.setup
    name = setup.kinds[setup.kind[u]].name
    if s.zone[u] < 0:
        return f"{name} is not on the BATTLEFIELD (Main Phase)."
    if asked in ("executor", "bearer", "sacrifice") and setup.owner[u] != seat:
        return general
    if asked == "executor":
        if s.flags[u] & NEW:
            return f"{name} was recruited this turn and cannot attack (rulings 10, 17)."
        if stats.find_rule_bits(s, u) & cards.NO_STRIKE:
            return f"{name} cannot make Tactical Strikes (ruling 17)."
        if not legal.can_attack(s, u, False):
            return f"{name} has moved or attacked this turn, and a Tactical Strike is an attack (rulings 9, 17)."
        return f"{name} finds no target there (rulings 19, 26)."
    if asked == "bearer":
        return f"{name} cannot bear this: one Armament and one Troop each, and only who is named on it (ruling 37)."
    if (
        asked == "target"
        and setup.owner[u] != seat
        and stats.find_rule_bits(s, u) & (cards.NO_TACTICS_AT | cards.NO_ACTIVE_AT)
    ):
        return f"{name} cannot be a target of this, or is not where it reaches (rulings 19, 26)."
    return general


def why_not_act(s: GeneralsState, u: int, action: Action) -> str:
    """Why a general cannot do this."""
    setup = s.setup
    seat = setup.owner[u]
    name = setup.kinds[setup.kind[u]].name
    if actions.ACTIVE <= action < actions.ACTIVE + actions.ACTIVES:
        return why_not_active(s, u, action - actions.ACTIVE)
    if actions.ORDER <= action < actions.ORDER + actions.ORDERS or action in (actions.END, actions.PASS, actions.DONE):
        return PLAIN["act"]
    if (
        action != actions.SIEGE
        and action < actions.UNIT
        and not actions.ZONE <= action <= actions.ZONE + zones.ENEMY_FORTRESS
    ):
        return PLAIN["act"]
    if s.flags[u] & NEW:
        return f"{name} was recruited this turn and can neither move nor attack (ruling 10)."
    if legal.is_held(s, u) and stats.find_rule_bits(s, u) & cards.NO_ACT:
        return f"An effect keeps {name} from moving and attacking (ruling 45)."
    if actions.ZONE <= action <= actions.ZONE + zones.ENEMY_FORTRESS:
        return why_not_move(s, u, action - actions.ZONE)
    if action == actions.SIEGE:
        if not legal.can_attack(s, u, False):
            return why_no_attack(s, u)
        if s.zone[u] != zones.FAR[seat]:
            here = zones.PLACES[zones.ZONE_OF[seat][s.zone[u]]]
            return f"A Siege is made from ENEMY'S BORDER; {name} is at {here} (ruling 22)."
        if s.count_standing(OPPONENT[seat], zones.FAR[seat]):
            return "An enemy general at ENEMY'S BORDER stops every Siege (ruling 22)."
        return f"{name} has Might 0 and cannot besiege (ruling 23)."
    v = action - actions.UNIT
    foe = setup.kinds[setup.kind[v]].name
    if setup.owner[v] == seat:
        return "Generals do not attack their own side (ruling 26)."
    if s.zone[v] < 0:
        return f"{foe} is not on the BATTLEFIELD (ruling 12)."
    if not legal.can_attack(s, u, True):
        return why_no_attack(s, u)
    return f"{foe} is not in the zone of {name}: a melee is fought within one BORDER (ruling 12)."


def why_no_attack(s: GeneralsState, u: int) -> str:
    """Why a general has no attack."""
    name = s.setup.kinds[s.setup.kind[u]].name
    flags = s.flags[u]
    if flags & ATTACK_USED and not flags & AGAIN:
        return f"{name} has attacked this turn (ruling 9)."
    if flags & MOVE_USED:
        only = ": only a melee is left" if stats.find_rule_bits(s, u) & cards.MELEE_AFTER_MOVE else ""
        return f"{name} has moved this turn, and a general either moves or attacks{only} (ruling 9)."
    return f"{name} cannot attack now (ruling 9)."


def why_not_move(s: GeneralsState, u: int, place: int) -> str:
    """Why a general cannot move to a place."""
    name = s.setup.kinds[s.setup.kind[u]].name
    seat = s.setup.owner[u]
    if place == zones.ENEMY_FORTRESS:
        return "No general enters ENEMY'S FORTRESS (ruling 3)."
    if not legal.can_move(s, u):
        if s.flags[u] & MOVE_USED:
            return f"{name} has moved this turn (ruling 9)."
        return f"{name} has attacked this turn, and a general either moves or attacks (ruling 9)."
    if zones.ZONE_OF[seat][s.zone[u]] == place:
        return f"{name} is at {zones.PLACES[place]} already (ruling 2)."
    missing = s.missing_blockers(u)
    there = s.count_standing(OPPONENT[seat], zones.ZONE_OF[seat][zones.BORDER])
    if place == zones.ENEMY_BORDER and missing:
        who = "enemies are" if there > 1 else "enemy is"
        return (
            f"{there} {who} at your BORDER: {missing} more of your generals must stand there before {name} may pass "
            "(ruling 4)."
        )
    here, goal = zones.PLACES[zones.ZONE_OF[seat][s.zone[u]]], zones.PLACES[max(place, zones.FORTRESS)]
    return f"{name} cannot move from {here} to {goal} (ruling 2)."


def why_not_active(s: GeneralsState, u: int, number: int) -> str:
    """Why a general cannot use an active effect."""
    kind = s.setup.kinds[s.setup.kind[u]]
    seat = s.setup.owner[u]
    if number >= len(kind.actives):
        return f"{kind.name} has no such active effect (ruling 44)."
    active = kind.actives[number]
    why = legal.find_active_hindrance(s, u, active)
    if s.flags[u] & ACTIVE_USED:
        return f"{kind.name} has used an active effect this turn (ruling 44)."
    if why == legal.COST:
        return f"This costs {active.hand} cards of your hand, and you have {len(s.hand[seat])} (ruling 28)."
    if why == legal.RESOURCE_COST:
        return f"This costs {active.resource} of your RESOURCE, and you have {len(s.deck[seat])} (ruling 28)."
    if why == legal.SACRIFICE_COST:
        return f"This costs {active.sacrifice} of your other generals (ruling 28)."
    if why == legal.NO_ATTACK:
        return f"This counts as the attack of {kind.name}, which has none left (ruling 9)."
    if why == legal.NO_TARGET:
        return f"There is no general that {kind.name} could aim this at (ruling 26)."
    return f"What the effect of {kind.name} requires is not so now: see its text."

"""Reasons why an action is illegal, each in one sentence with the rule behind it.

A reason is computed from the knowledge of the seat: its own hand and all open cards.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action, Seat
from gonfalon.core.text.citations import Reason
from gonfalon.core.text.english import many
from gonfalon.games.generals.rules import actions, cards, stats, zones
from gonfalon.games.generals.rules.acts import legal
from gonfalon.games.generals.rules.acts.counters import Answer, why_no_counter
from gonfalon.games.generals.rules.acts.questions import Pick
from gonfalon.games.generals.rules.state import ACTIVE_USED, AGAIN, ATTACK_USED, MOVE_USED, NEW, OPPONENT, GeneralsState
from gonfalon.games.generals.rules.turn import ChooseAct

PLAIN: Final = {
    "main": "Play a card from your hand, act with a general, or end your turn.",
    "act": "Choose a move, an attack, a Siege or the active effect of this general.",
    "answer": "Play a Counter from your hand, or pass.",
    # A set of cards is one payment, so it is paid in one order only (ruling 27).
    "pay": "Pay with cards from your hand, in the order of the card list.",
    "excess": "Discard cards from your hand, in the order of the card list.",
    "discard": "Discard cards from your hand, in the order of the card list.",
    "take-away": "Choose one of the cards that you have looked at and that fit.",
    "target": "Choose one of the generals or zones that fit, in the order of the list.",
    "executor": "Choose one of your generals that can execute these Tactics.",
    "bearer": "Choose one of your generals that can bear this Equipment.",
    "place": "Place a recruited general at your FORTRESS or your BORDER.",
    "sacrifice": "Choose one of your generals as the cost.",
    "replace": "Choose the effect that happens instead, or pass.",
    "order": "Choose the next of your effects.",
    "may-draw": "Draw a card, or do not draw.",
    "search": "Take a card that fits, or none.",
    "recruit": "Choose a general from your hand that fits and whose name is free, or stop.",
    "mulligan": "Keep your hand, or draw a new one.",
    "shuffle": "A shuffle needs a seed.",
    "deal": "Chance can deal only a card that has not been dealt yet.",
    "toss": "Chance names the first player.",
    "random-discard": "Chance picks a card from the hand.",
    "recover": "Chance picks a card from DISCARD.",
}
"""The default reason for an illegal answer, by prompt."""

RULES: Final = {
    "main": "Main Phase",
    "act": "rulings 9, 44",
    "answer": "ruling 41",
    "pay": "ruling 27",
    "excess": "ruling 56",
    "discard": "ruling 49",
    "take-away": "ruling 26",
    "target": "ruling 26",
    "executor": "ruling 18",
    "bearer": "ruling 37",
    "place": "Main Phase",
    "sacrifice": "ruling 36",
    "replace": "ruling 48",
    "order": "ruling 48",
    "may-draw": "ruling 53",
    "search": "ruling 66",
    "recruit": "ruling 32",
    "mulligan": "ruling 51",
}
"""The rule behind each default reason, by prompt. Chance has none."""
FROM_HAND: Final = ("main", "answer", "pay", "excess", "discard", "recruit")
"""The prompts that are answered with cards from the seat's own hand."""
IN_ORDER: Final = ("pay", "excess", "discard")
"""The prompts that are answered with several cards in the order of the card list."""


def explain_prompt(asked: str) -> str:
    """Return the default reason for an illegal answer to a prompt."""
    sentence = PLAIN.get(asked, "This action is not legal now.")
    return Reason(sentence, rule=RULES[asked]) if asked in RULES else sentence


def explain_refusal(s: GeneralsState, seat: Seat, action: Action) -> str:
    """Return why an action of the deciding seat is illegal."""
    setup = s.setup
    step = s.stack[-1]
    asked = step.prompt
    general = explain_prompt(asked)
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
            return Reason("End your turn with END.", rule="Main Phase")
        return Reason("Choose the acting general first.", rule="Main Phase")
    if isinstance(step, ChooseAct):
        return why_not_act(s, step.unit, action)
    if action >= actions.UNIT:
        return why_not_unit(s, seat, action - actions.UNIT, asked, general)
    if isinstance(step, Pick) and action == actions.DONE and len(step.picked) < step.choice.least:
        return Reason("Choose a target.", rule="ruling 26")
    return general


def has_card(s: GeneralsState, seat: Seat, kind: cards.Kind) -> bool:
    """Return whether a seat has a card of a kind in hand."""
    return any(card & KIND == kind.id for card in s.hand[seat])


def why_not_card(s: GeneralsState, seat: Seat, kind: cards.Kind, asked: str, general: str) -> str:
    """Return why a card cannot be played, paid or taken. `general` is the reason if there is no particular one."""
    if asked in FROM_HAND and not has_card(s, seat, kind):
        return Reason(f"{kind.name} is not in your hand.", rule=RULES[asked])
    if asked == "main":
        return why_no_play(s, seat, kind) or general
    if asked == "answer":
        step = s.stack[-1]
        assert isinstance(step, Answer)
        return why_no_counter(s, seat, kind, step.act) or general
    if asked == "recruit":
        u = s.setup.unit_of[seat][kind.id]
        if u >= 0 and s.name_taken(u):
            return why_name_taken(s, u)
        # Otherwise a general could return and be recruited for nothing without end (ruling 68).
        if u >= 0 and s.has_returned(u):
            return Reason(
                f"{kind.name} returned to your hand this turn and can only be recruited for its cost.", rule="ruling 68"
            )
        return Reason(f"The card does not recruit {kind.name}.", rule="card text")
    if asked in IN_ORDER and actions.CARD + kind.id < actions.CARD + s.floor[seat]:
        return Reason(
            f"Choose cards in the order of the card list: {kind.name} comes before the last one.", rule="ruling 27"
        )
    if asked in IN_ORDER:
        return Reason(f"Too few cards of your hand come after {kind.name} in the card list.", rule="ruling 27")
    if asked in ("search", "take-away"):
        return Reason(f"No {kind.name} that fits is among the cards that you see.", rule="rulings 26, 66")
    return general


def why_name_taken(s: GeneralsState, u: int) -> str:
    """Return why a general's name is not free."""
    # A name is free unless its general is in play or in CASUALTY (ruling 32).
    for v in s.setup.alike[u]:
        name = s.setup.kinds[s.setup.kind[v]].name
        if s.zone[v] == zones.DEAD:
            return Reason(
                f"{name} is in your CASUALTY, so no general of that name can be recruited again.", rule="ruling 32"
            )
        if s.zone[v] != zones.AWAY:
            return Reason(f"{name} is already on your side of the BATTLEFIELD.", rule="ruling 32")
    return Reason("The name is taken.", rule="ruling 32")


def why_no_play(s: GeneralsState, seat: Seat, kind: cards.Kind) -> str | None:
    """Return why a card of the hand cannot be played in the Main Phase, or None if it can."""
    why = legal.find_hindrance(s, seat, kind)
    left = len(s.hand[seat]) - 1
    if why == legal.FINE:
        return None
    if why == legal.NOT_PLAYED:
        return Reason(f"{kind.name} is a Counter: it answers an act of the other player.", rule="ruling 43")
    if why == legal.NAME_TAKEN:
        return why_name_taken(s, s.setup.unit_of[seat][kind.id])
    if why == legal.COST:
        cost = stats.compute_cost(s, seat, kind)
        # After a return to the hand recruiting costs a card, whatever lowers the cost (ruling 68).
        if cost == 1 and kind.type == cards.CHARACTER and s.has_returned(s.setup.unit_of[seat][kind.id]):
            return Reason(
                f"{kind.name} returned to your hand this turn, so it costs at least 1 other card, and you have {left}.",
                rule="rulings 27, 68",
            )
        return Reason(
            f"{kind.name} costs {many(cost, 'other card')} of your hand, and you have {left}.", rule="ruling 27"
        )
    if why == legal.RESOURCE_COST:
        return Reason(
            f"{kind.name} costs {kind.resource} of your RESOURCE, and you have {len(s.deck[seat])}.", rule="ruling 28"
        )
    if why == legal.SACRIFICE_COST:
        other = "other " if kind.type == cards.EQUIPMENT or kind.subtypes & cards.TACTICS else ""
        return Reason(f"{kind.name} costs {kind.sacrifice} of your {other}generals.", rule="ruling 28")
    if why == legal.REQUIRES:
        return Reason(f"The condition of {kind.name} is not met.", rule="card text")
    if why == legal.NO_TARGET:
        return Reason(f"{kind.name} has no possible target.", rule="ruling 26")
    if why == legal.NO_EXECUTOR:
        return Reason(
            f"None of your generals can execute {kind.name} now: the general must not be new, must not have moved or "
            "attacked, and must have a target.",
            rule="rulings 17, 18",
        )
    return why_no_bearer(s, seat, kind)


def why_no_bearer(s: GeneralsState, seat: Seat, kind: cards.Kind) -> str:
    """Return why no general can bear a card of Equipment."""
    # An Armament is unique on a side by its name, a Troop is not (ruling 38).
    if kind.subtypes & cards.ARMAMENT_CARD:
        for u in s.army[seat]:
            worn = s.armament[u]
            if worn >= 0 and s.setup.kinds[worn].name_number == kind.name_number:
                return Reason(
                    f"One of your generals already bears {kind.name}, and an Armament is unique.", rule="ruling 38"
                )
        return Reason(f"None of your generals without an Armament can bear {kind.name}.", rule="ruling 37")
    return Reason(f"None of your generals without a Troop can bear {kind.name}.", rule="ruling 37")


def why_not_general(s: GeneralsState, seat: Seat, u: int) -> str:
    """Return why a general cannot act at all."""
    name = s.setup.kinds[s.setup.kind[u]].name
    if s.setup.owner[u] != seat:
        return Reason("Choose one of your own generals first, then an enemy as the target.", rule="Main Phase")
    if s.zone[u] < 0:
        return Reason(f"{name} is not on the BATTLEFIELD.", rule="Main Phase")
    if s.flags[u] & NEW:
        return Reason(f"{name} was recruited this turn and can neither move nor attack.", rule="ruling 10")
    if legal.is_held(s, u):
        return Reason(f"An effect keeps {name} from moving and attacking.", rule="ruling 45")
    if not s.flags[u] & (MOVE_USED | ATTACK_USED):
        return Reason(f"{name} has no legal act.", rule="rulings 9, 44")
    return Reason(f"{name} has no act left this turn.", rule="ruling 9")


def why_not_unit(s: GeneralsState, seat: Seat, u: int, asked: str, general: str) -> str:
    """Return why a general cannot be chosen. `general` is the reason if there is no particular one."""
    setup = s.setup
    name = setup.kinds[setup.kind[u]].name
    if s.zone[u] < 0:
        return Reason(f"{name} is not on the BATTLEFIELD.", rule="Main Phase")
    if asked in ("executor", "bearer", "sacrifice") and setup.owner[u] != seat:
        return general
    if asked == "executor":
        if s.flags[u] & NEW:
            return Reason(f"{name} was recruited this turn and cannot attack.", rule="rulings 10, 17")
        if stats.find_rule_bits(s, u) & cards.NO_STRIKE:
            return Reason(f"{name} cannot make Tactical Strikes.", rule="ruling 17")
        # A Tactical Strike counts as the attack of the turn, so it excludes a move and another attack (rulings 9, 17).
        if not legal.can_attack(s, u, False):
            return Reason(
                f"{name} has moved or attacked this turn, and a Tactical Strike is an attack.", rule="rulings 9, 17"
            )
        return Reason(f"{name} has no target in reach.", rule="rulings 19, 26")
    if asked == "bearer":
        return Reason(
            f"{name} cannot bear this: a general bears one Armament and one Troop, and some cards name their bearers.",
            rule="ruling 37",
        )
    if (
        asked == "target"
        and setup.owner[u] != seat
        and stats.find_rule_bits(s, u) & (cards.NO_TACTICS_AT | cards.NO_ACTIVE_AT)
    ):
        return Reason(f"{name} is out of reach or cannot be a target of this.", rule="rulings 19, 26")
    return general


def why_not_act(s: GeneralsState, u: int, action: Action) -> str:
    """Return why a general cannot do a particular act."""
    setup = s.setup
    seat = setup.owner[u]
    name = setup.kinds[setup.kind[u]].name
    if actions.ACTIVE <= action < actions.ACTIVE + actions.ACTIVES:
        return why_not_active(s, u, action - actions.ACTIVE)
    if actions.ORDER <= action < actions.ORDER + actions.ORDERS or action in (actions.END, actions.PASS, actions.DONE):
        return explain_prompt("act")
    if (
        action != actions.SIEGE
        and action < actions.UNIT
        and not actions.ZONE <= action <= actions.ZONE + zones.ENEMY_FORTRESS
    ):
        return explain_prompt("act")
    if s.flags[u] & NEW:
        return Reason(f"{name} was recruited this turn and can neither move nor attack.", rule="ruling 10")
    if legal.is_held(s, u) and stats.find_rule_bits(s, u) & cards.NO_ACT:
        return Reason(f"An effect keeps {name} from moving and attacking.", rule="ruling 45")
    if actions.ZONE <= action <= actions.ZONE + zones.ENEMY_FORTRESS:
        return why_not_move(s, u, action - actions.ZONE)
    if action == actions.SIEGE:
        if not legal.can_attack(s, u, False):
            return why_no_attack(s, u)
        if s.zone[u] != zones.FAR[seat]:
            here = zones.PLACES[zones.ZONE_OF[seat][s.zone[u]]]
            return Reason(f"{name} can only besiege from ENEMY'S BORDER, but is at {here}.", rule="ruling 22")
        if s.count_standing(OPPONENT[seat], zones.FAR[seat]):
            return Reason("An enemy general at ENEMY'S BORDER stops every Siege.", rule="ruling 22")
        return Reason(f"{name} has Might 0 and cannot besiege.", rule="ruling 23")
    v = action - actions.UNIT
    foe = setup.kinds[setup.kind[v]].name
    if setup.owner[v] == seat:
        return Reason("Generals cannot attack their own side.", rule="ruling 26")
    if s.zone[v] < 0:
        return Reason(f"{foe} is not on the BATTLEFIELD.", rule="ruling 12")
    if not legal.can_attack(s, u, True):
        return why_no_attack(s, u)
    return Reason(f"{foe} is not in the zone of {name}: a melee is fought within one BORDER.", rule="ruling 12")


def why_no_attack(s: GeneralsState, u: int) -> str:
    """Return why a general has no attack."""
    name = s.setup.kinds[s.setup.kind[u]].name
    flags = s.flags[u]
    # An effect can allow a second attack in the turn.
    if flags & ATTACK_USED and not flags & AGAIN:
        return Reason(f"{name} has attacked this turn.", rule="ruling 9")
    if flags & MOVE_USED:
        only = ": only a melee is left" if stats.find_rule_bits(s, u) & cards.MELEE_AFTER_MOVE else ""
        return Reason(f"{name} has moved this turn, and a general either moves or attacks{only}.", rule="ruling 9")
    return Reason(f"{name} cannot attack now.", rule="ruling 9")


def why_not_move(s: GeneralsState, u: int, place: int) -> str:
    """Return why a general cannot move to a place."""
    name = s.setup.kinds[s.setup.kind[u]].name
    seat = s.setup.owner[u]
    if place == zones.ENEMY_FORTRESS:
        return Reason("No general can enter ENEMY'S FORTRESS.", rule="ruling 3")
    if not legal.can_move(s, u):
        if s.flags[u] & MOVE_USED:
            return Reason(f"{name} has moved this turn.", rule="ruling 9")
        return Reason(f"{name} has attacked this turn, and a general either moves or attacks.", rule="ruling 9")
    if zones.ZONE_OF[seat][s.zone[u]] == place:
        return Reason(f"{name} is already at {zones.PLACES[place]}.", rule="ruling 2")
    missing = s.missing_blockers(u)
    there = s.count_standing(OPPONENT[seat], zones.ZONE_OF[seat][zones.BORDER])
    # To pass, as many own generals as enemies must block them (ruling 4).
    if place == zones.ENEMY_BORDER and missing:
        enemies = f"{there} enemies are" if there > 1 else "1 enemy is"
        return Reason(
            f"{enemies} at your BORDER: {missing} more of your generals must block there before {name} can pass.",
            rule="ruling 4",
        )
    here, goal = zones.PLACES[zones.ZONE_OF[seat][s.zone[u]]], zones.PLACES[max(place, zones.FORTRESS)]
    return Reason(f"{name} cannot move from {here} to {goal}.", rule="ruling 2")


def why_not_active(s: GeneralsState, u: int, number: int) -> str:
    """Return why a general cannot use an active effect."""
    kind = s.setup.kinds[s.setup.kind[u]]
    seat = s.setup.owner[u]
    if number >= len(kind.actives):
        return Reason(f"{kind.name} has no such active effect.", rule="ruling 44")
    active = kind.actives[number]
    why = legal.find_active_hindrance(s, u, active)
    if s.flags[u] & ACTIVE_USED:
        return Reason(f"{kind.name} has used an active effect this turn.", rule="ruling 44")
    if why == legal.COST:
        return Reason(
            f"This costs {many(active.hand, 'card')} of your hand, and you have {len(s.hand[seat])}.", rule="ruling 28"
        )
    if why == legal.RESOURCE_COST:
        return Reason(
            f"This costs {active.resource} of your RESOURCE, and you have {len(s.deck[seat])}.", rule="ruling 28"
        )
    if why == legal.SACRIFICE_COST:
        return Reason(f"This costs {active.sacrifice} of your other generals.", rule="ruling 28")
    if why == legal.NO_ATTACK:
        return Reason(f"This counts as the attack of {kind.name}, which has none left.", rule="ruling 9")
    if why == legal.NO_TARGET:
        return Reason(f"The effect of {kind.name} has no possible target.", rule="ruling 26")
    return Reason(f"The condition of the effect of {kind.name} is not met.", rule="card text")

"""Reasons for the moves of the bots of Generals, made of the numbers on the board."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gonfalon.bots.players.choice import Fact
from gonfalon.bots.players.reasons import Reason, tell
from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action
from gonfalon.games.generals.face import messages
from gonfalon.games.generals.face.preview import is_dead_weight, is_idle_card, preview_melee, preview_siege
from gonfalon.games.generals.face.words import unit_name
from gonfalon.games.generals.rules import actions, cards, stats
from gonfalon.games.generals.rules.acts import legal
from gonfalon.games.generals.rules.acts.counters import Answer
from gonfalon.games.generals.rules.acts.declarations import Act
from gonfalon.games.generals.rules.state import OPPONENT, GeneralsState
from gonfalon.games.generals.rules.turn import ChooseAct
from gonfalon.games.generals.rules.zones import BORDER, ENEMY_BORDER, ENEMY_FORTRESS, PLACES, ZONE_OF
from gonfalon.games.generals.ruleset import GeneralsRules

SPENT: Final = ("pay", "excess", "discard")
"""Prompts that ask for a card of the own hand to give away."""


def list_reasons(game: GeneralsRules, view: GeneralsState, action: Action) -> list[Reason]:
    """Return the reasons for an action of the viewer."""
    step = view.stack[-1]
    if isinstance(step, Answer):
        found = explain_act(game, view, step.act)
        if action != actions.PASS:
            return [*found, *explain_card(game, view, action - actions.CARD)]
        kinds = [view.setup.kinds[one - actions.CARD] for one in view.actions if one != actions.PASS]
        answers = [explain_cost(view, kind) for kind in kinds]
        return [*found, *(answers or [tell(messages.WHY_NO_COUNTER)])]
    if action == actions.END:
        return explain_end(game, view)
    if isinstance(step, ChooseAct):
        return explain_general(game, view, step.unit, action)
    if actions.UNIT <= action < actions.CARD:
        return show_general(game, view, action - actions.UNIT)
    if action < actions.CARD:
        return []
    if step.prompt in SPENT:
        return explain_payment(game, view, action - actions.CARD)
    return explain_card(game, view, action - actions.CARD)


def explain_end(game: GeneralsRules, view: GeneralsState) -> list[Reason]:
    """Return the reasons to do no more: stronger enemies ahead, generals that have acted, costs, cards that stay."""
    seat = view.viewer
    ready = sort_by_might(view, [one - actions.UNIT for one in view.actions if actions.UNIT <= one < actions.CARD])
    fronts = [(u, *find_front(view, u)) for u in ready]
    barred = [(u, place) for u, place, foes in fronts if foes and view.might(foes[0]) >= view.might(u)]
    found = [explain_move(game, view, *one) for one in barred[:1]]
    if not ready and view.army[seat]:
        found = [tell(messages.WHY_ACTED)]
    plays = [one - actions.CARD for one in view.actions if one >= actions.CARD]
    idle = [one for one in plays if is_idle_card(view, seat, view.setup.kinds[one])]
    if plays:
        kind = view.setup.kinds[plays[0]]
        found.append(tell(messages.WHY_IDLE, card=kind.name) if idle == plays else explain_cost(view, kind))
    hand = len(view.hand[seat])
    if not hand:
        return [*found, tell(messages.WHY_NO_HAND)]
    return [*found, tell(messages.WHY_SAVES, Fact(messages.THE_HAND, messages.WHY_CARDS, hand))]


def find_front(view: GeneralsState, u: int) -> tuple[int, list[int]]:
    """Return the place of a general if enemies are there, or else the next one ahead, with its enemies, the strongest
    first."""
    seat, enemies = view.setup.owner[u], list[int]()
    here = ZONE_OF[seat][view.zone[u]]
    for place in (here, min(ENEMY_BORDER, here + 1)):
        enemies = [v for v in view.army[OPPONENT[seat]] if view.zone[v] == ZONE_OF[seat][place]]
        if enemies:
            break
    return place, sort_by_might(view, enemies)


def explain_act(game: GeneralsRules, view: GeneralsState, act: Act) -> list[Reason]:
    """Return the result of an act if it is not answered."""
    if act.code == cards.BY_MELEE:
        return [explain_melee(game, view, act.unit, act.other)]
    if act.code == cards.BY_SIEGE:
        return [explain_siege(game, view, act.unit)]
    return []


def explain_general(game: GeneralsRules, view: GeneralsState, u: int, action: Action) -> list[Reason]:
    """Return the reasons for the act of a general."""
    if action == actions.SIEGE:
        return [explain_siege(game, view, u)]
    if actions.UNIT <= action < actions.CARD:
        return [explain_melee(game, view, u, action - actions.UNIT)]
    if actions.ZONE <= action <= actions.ZONE + ENEMY_FORTRESS:
        others = [one - actions.ZONE for one in view.actions if actions.ZONE <= one < actions.ACTIVE and one != action]
        barred = [one for one in (explain_move(game, view, u, place) for place in others) if is_bad(one)]
        return [explain_move(game, view, u, action - actions.ZONE), *barred]
    return show_general(game, view, u)


def is_bad(reason: Reason) -> bool:
    """Return whether a reason names an enemy that is stronger."""
    fact = reason.facts[0]
    return fact.than is not None and fact.than > fact.value


def explain_siege(game: GeneralsRules, view: GeneralsState, u: int) -> Reason:
    """Return the RESOURCE that a Siege depletes."""
    seen = preview_siege(view, u)
    amount, left = seen.get("amount", 0), seen.get("resource", 0)
    # Some cards add to a Siege, and the board shows the Might.
    fact = Fact(unit_name(game, u), messages.WHY_DEPLETED, amount, is_counted=amount != view.might(u))
    if amount == left:
        return tell(messages.WHY_SIEGE_ALL, fact)
    pattern = messages.WHY_SIEGE_WINS if amount > left else messages.WHY_SIEGE
    return tell(pattern, replace(fact, other=messages.THE_RESOURCE, than=left))


def explain_melee(game: GeneralsRules, view: GeneralsState, u: int, v: int) -> Reason:
    """Return the result of a melee by the Might of both generals in it."""
    seen = preview_melee(view, u, v)
    mine, theirs = seen.get("attacker", 0), seen.get("defender", 0)
    one, two = unit_name(game, u), unit_name(game, v)
    if one == two:
        two = messages.THE_ENEMY.format(general=two)
    # Some Might counts only in a melee, and the board does not show it.
    is_counted = one in two or mine != view.might(u) or theirs != view.might(v)
    if mine == theirs:
        return tell(messages.WHY_BOTH_FALL, Fact(one, messages.WHY_MIGHT, mine, is_counted=is_counted), other=two)
    fact = Fact(one, messages.WHY_MIGHT, mine, two, theirs, is_counted)
    return tell(messages.WHY_BEATS if mine > theirs else messages.WHY_FALLS, fact)


def explain_move(game: GeneralsRules, view: GeneralsState, u: int, place: int) -> Reason:
    """Return the Might of a general that moves, and that of the strongest enemy at its new place."""
    seat = view.setup.owner[u]
    zone, name, might = ZONE_OF[seat][place], unit_name(game, u), view.might(u)
    enemies = sort_by_might(view, [v for v in view.army[OPPONENT[seat]] if view.zone[v] == zone])
    other = unit_name(game, enemies[0]) if enemies else ""
    fact = Fact(name, messages.WHY_MIGHT, might)
    if not enemies:
        is_guard = place == BORDER and not view.count_standing(seat, zone)
        goes = messages.WHY_GUARDS if is_guard else messages.WHY_GOES
        pattern = messages.WHY_FREE if place == ENEMY_BORDER else goes
    else:
        pattern = messages.WHY_EVEN if view.might(enemies[0]) == might else messages.WHY_MEETS
    if enemies and view.might(enemies[0]) != might:
        fact = Fact(name, messages.WHY_MIGHT, might, other, view.might(enemies[0]))
    return tell(pattern, fact, zone=PLACES[place], other=other)


def sort_by_might(view: GeneralsState, units: list[int]) -> list[int]:
    """Return generals on the battlefield, the strongest first."""
    return sorted(units, key=lambda u: -view.might(u))


def show_general(game: GeneralsRules, view: GeneralsState, u: int) -> list[Reason]:
    """Return the present numbers of a general, or the best act of an own one that is about to act."""
    name, seat, kind = unit_name(game, u), view.setup.owner[u], view.setup.kinds[view.setup.kind[u]]
    here = view.zone[u] >= 0
    might, wits = (view.might(u), view.wits(u)) if here else (kind.might, kind.wits)
    if seat != view.viewer or not here or view.stack[-1].prompt != "main":
        mine = Fact(name, messages.WHY_MIGHT, might)
        units = [v - actions.UNIT for v in view.actions if actions.UNIT <= v < actions.CARD]
        rest = [v for v in sort_by_might(view, units) if view.zone[v] >= 0 and unit_name(game, v) != name]
        if rest and here and view.might(rest[0]) != might:
            than = replace(mine, other=unit_name(game, rest[0]), than=view.might(rest[0]))
            return [tell(messages.WHY_COMPARED, than)]
        return [tell(messages.WHY_STATS, mine, Fact(name, messages.WHY_WITS, wits))]
    if legal.can_siege(view, u):
        return [explain_siege(game, view, u)]
    beaten = [v for v in legal.list_foes(view, u) if preview_melee(view, u, v).get("result") == "win"]
    if beaten:
        return [explain_melee(game, view, u, sort_by_might(view, beaten)[0])]
    return [explain_move(game, view, u, find_front(view, u)[0])]


def explain_card(game: GeneralsRules, view: GeneralsState, number: int) -> list[Reason]:
    """Return the numbers of a card that is played, taken or recruited."""
    kind, seat = view.setup.kinds[number], view.viewer
    cost = Fact(kind.name, messages.WHY_COST, stats.compute_cost(view, seat, kind))
    amount = cost.amount if cost.value else messages.WHY_NOTHING
    if kind.type == cards.CHARACTER:
        shown = [Fact(kind.name, messages.WHY_MIGHT, kind.might), Fact(kind.name, messages.WHY_WITS, kind.wits)]
        return [tell(messages.WHY_RECRUITS, cost, *shown, amount=amount), compare_recruits(game, view, kind)]
    if kind.type == cards.EQUIPMENT and kind.flat[cards.MIGHT]:
        might = Fact(kind.name, messages.WHY_MIGHT, kind.flat[cards.MIGHT], is_counted=True)
        return [tell(messages.WHY_EQUIPS, cost, might, amount=amount), find_strongest(game, view)]
    return [explain_cost(view, kind)]


def explain_cost(view: GeneralsState, kind: cards.Kind) -> Reason:
    """Return the cost of a card of the hand, and the cards that it leaves there."""
    cost = Fact(kind.name, messages.WHY_COST, stats.compute_cost(view, view.viewer, kind))
    if not cost.value:
        return tell(messages.WHY_NO_COST, cost)
    left = len(view.hand[view.viewer]) - 1 - cost.value
    return tell(messages.WHY_COSTS, cost, Fact(messages.THE_HAND, messages.WHY_COST, left, is_counted=True))


def compare_recruits(game: GeneralsRules, view: GeneralsState, kind: cards.Kind) -> Reason:
    """Return a number in which a general is better than the best other one that could be chosen, or else the strongest
    enemy."""
    kinds = [view.setup.kinds[one - actions.CARD] for one in view.actions if one >= actions.CARD]
    rivals = [one for one in kinds if one.type == cards.CHARACTER and one.name != kind.name]
    if rivals:
        best = max(rivals, key=lambda one: (one.might + one.wits, one.name))
        cost, than = [stats.compute_cost(view, view.viewer, one) for one in (kind, best)]
        if kind.might > best.might:
            return tell(messages.WHY_ONLY, Fact(best.name, messages.WHY_MIGHT, best.might))
        if cost < than:
            return tell(messages.WHY_DEARER, Fact(best.name, messages.WHY_COST, than, is_counted=True))
        if kind.wits > best.wits:
            return tell(messages.WHY_ONLY, Fact(best.name, messages.WHY_WITS, best.wits))
    return find_strongest(game, view)


def find_strongest(game: GeneralsRules, view: GeneralsState) -> Reason:
    """Return the enemy with the highest Might on the battlefield."""
    enemies = sort_by_might(view, view.army[OPPONENT[view.viewer]])
    if not enemies:
        return tell(messages.WHY_ALONE)
    return tell(messages.WHY_STRONGEST, Fact(unit_name(game, enemies[0]), messages.WHY_MIGHT, view.might(enemies[0])))


def explain_payment(game: GeneralsRules, view: GeneralsState, number: int) -> list[Reason]:
    """Return the reasons to give a card of the hand away: it is useless, a better one stays, or its cost."""
    kind, seat = view.setup.kinds[number], view.viewer
    hand = [card & KIND for card in view.hand[seat]]
    if is_dead_weight(view, seat, number):
        return [tell(messages.WHY_DEAD, card=kind.name)]
    if hand.count(number) > 1:
        return [tell(messages.WHY_COPY, card=kind.name)]
    kept = [view.setup.kinds[one] for one in hand if one != number and not is_dead_weight(view, seat, one)]
    generals = [one for one in kept if one.type == cards.CHARACTER]
    if generals:
        best = max(generals, key=lambda one: max(one.might, one.wits))
        value, quantity = max((best.might, messages.WHY_MIGHT), (best.wits, messages.WHY_WITS))
        return [tell(messages.WHY_STAYS, Fact(best.name, quantity, value), card=kind.name)]
    cost = Fact(kind.name, messages.WHY_COST, stats.compute_cost(view, seat, kind))
    if not cost.value:
        return []
    return [tell(messages.WHY_PAYS, cost, Fact(messages.THE_HAND, messages.WHY_OTHERS, len(hand) - 1, is_counted=True))]

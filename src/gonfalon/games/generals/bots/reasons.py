"""Reasons for the moves of the bots of Generals, made of the numbers on the board."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.players.choice import Fact
from gonfalon.bots.players.reasons import Reason, tell
from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.generals.face import messages
from gonfalon.games.generals.face.preview import is_dead_weight, preview_melee, preview_siege
from gonfalon.games.generals.face.words import unit_name
from gonfalon.games.generals.rules import actions, cards, stats
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
    step, seat = view.stack[-1], view.viewer
    if isinstance(step, Answer):
        found = explain_act(game, view, step.act)
        return found if action == actions.PASS else [*found, *explain_card(game, view, action - actions.CARD)]
    if action == actions.END:
        return [explain_end(view, seat)]
    if isinstance(step, ChooseAct):
        return explain_general(game, view, step.unit, action)
    if actions.UNIT <= action < actions.CARD:
        return show_general(game, view, action - actions.UNIT)
    if action < actions.CARD:
        return []
    if step.prompt in SPENT:
        return explain_payment(game, view, action - actions.CARD)
    return explain_card(game, view, action - actions.CARD)


def explain_end(view: GeneralsState, seat: Seat) -> Reason:
    """Return the Upkeep that is due, and the RESOURCE that pays it."""
    due = stats.compute_upkeep_total(view, seat)
    left = Fact(messages.THE_RESOURCE, messages.WHY_CARDS, len(view.deck[seat]))
    if not due:
        return tell(messages.WHY_NO_UPKEEP, left)
    return tell(messages.WHY_ENDS, Fact(messages.THE_UPKEEP, messages.WHY_CARDS, due), left)


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
        return [explain_move(game, view, u, action - actions.ZONE)]
    return show_general(game, view, u)


def explain_siege(game: GeneralsRules, view: GeneralsState, u: int) -> Reason:
    """Return the RESOURCE that a Siege depletes."""
    seen = preview_siege(view, u)
    amount, left, name = seen.get("amount", 0), seen.get("resource", 0), unit_name(game, u)
    if amount == left:
        return tell(messages.WHY_SIEGE_ALL, Fact(name, messages.WHY_DEPLETED, amount))
    pattern = messages.WHY_SIEGE_WINS if amount > left else messages.WHY_SIEGE
    return tell(pattern, Fact(name, messages.WHY_DEPLETED, amount, messages.THE_RESOURCE, left))


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
        pattern = messages.WHY_FREE if place == ENEMY_BORDER else messages.WHY_GOES
    else:
        pattern = messages.WHY_EVEN if view.might(enemies[0]) == might else messages.WHY_MEETS
    if enemies and view.might(enemies[0]) != might:
        fact = Fact(name, messages.WHY_MIGHT, might, other, view.might(enemies[0]))
    return tell(pattern, fact, zone=PLACES[place], other=other)


def sort_by_might(view: GeneralsState, units: list[int]) -> list[int]:
    """Return generals on the battlefield, the strongest first."""
    return sorted(units, key=lambda u: -view.might(u))


def show_general(game: GeneralsRules, view: GeneralsState, u: int) -> list[Reason]:
    """Return the present numbers of a general, and the enemy that an own one faces."""
    name, seat, kind = unit_name(game, u), view.setup.owner[u], view.setup.kinds[view.setup.kind[u]]
    here = view.zone[u] >= 0
    might, wits = (view.might(u), view.wits(u)) if here else (kind.might, kind.wits)
    shown = tell(messages.WHY_STATS, Fact(name, messages.WHY_MIGHT, might), Fact(name, messages.WHY_WITS, wits))
    if seat != view.viewer or not here or view.stack[-1].prompt != "main":
        return [shown]
    return [explain_move(game, view, u, max(BORDER, ZONE_OF[seat][view.zone[u]]))]


def explain_card(game: GeneralsRules, view: GeneralsState, number: int) -> list[Reason]:
    """Return the numbers of a card that is played, taken or recruited."""
    kind, seat = view.setup.kinds[number], view.viewer
    cost = Fact(kind.name, messages.WHY_COST, stats.compute_cost(view, seat, kind))
    if kind.type == cards.CHARACTER:
        shown = [Fact(kind.name, messages.WHY_MIGHT, kind.might), Fact(kind.name, messages.WHY_WITS, kind.wits)]
        return [tell(messages.WHY_RECRUITS, cost, *shown), find_strongest(game, view)]
    if kind.type == cards.EQUIPMENT and kind.flat[cards.MIGHT]:
        return [
            tell(
                messages.WHY_EQUIPS, cost, Fact(kind.name, messages.WHY_MIGHT, kind.flat[cards.MIGHT], is_counted=True)
            )
        ]
    if not cost.value:
        return [tell(messages.WHY_NO_COST, cost)]
    others = len([card for card in view.hand[seat] if card & KIND != number])
    return [tell(messages.WHY_COSTS, cost, Fact(messages.THE_HAND, messages.WHY_OTHERS, others, is_counted=True))]


def find_strongest(game: GeneralsRules, view: GeneralsState) -> Reason:
    """Return the enemy with the highest Might on the battlefield."""
    enemies = sort_by_might(view, view.army[OPPONENT[view.viewer]])
    if not enemies:
        return tell(messages.WHY_ALONE)
    return tell(messages.WHY_STRONGEST, Fact(unit_name(game, enemies[0]), messages.WHY_MIGHT, view.might(enemies[0])))


def explain_payment(game: GeneralsRules, view: GeneralsState, number: int) -> list[Reason]:
    """Return the reasons to give a card of the hand away: its cost, or another copy that stays."""
    kind, seat = view.setup.kinds[number], view.viewer
    hand = [card & KIND for card in view.hand[seat]]
    if is_dead_weight(view, seat, number):
        return [tell(messages.WHY_DEAD, card=kind.name)]
    if hand.count(number) > 1:
        return [tell(messages.WHY_COPY, card=kind.name)]
    cost = Fact(kind.name, messages.WHY_COST, stats.compute_cost(view, seat, kind))
    if not cost.value:
        return []
    return [tell(messages.WHY_PAYS, cost, Fact(messages.THE_HAND, messages.WHY_OTHERS, len(hand) - 1, is_counted=True))]

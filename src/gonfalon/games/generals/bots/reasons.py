"""Reasons for the moves of the bots of Generals, made of the numbers on the board."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gonfalon.bots.players.choice import Fact
from gonfalon.bots.players.reasons import Reason, quote, tell
from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action
from gonfalon.games.generals.effects.frame import TACTIC
from gonfalon.games.generals.face import messages
from gonfalon.games.generals.face.preview import is_dead_weight, preview_melee, preview_siege
from gonfalon.games.generals.face.words import unit_name
from gonfalon.games.generals.rules import actions, cards, stats
from gonfalon.games.generals.rules.acts import legal
from gonfalon.games.generals.rules.acts.acts import Bearer, Executor
from gonfalon.games.generals.rules.acts.counters import Answer
from gonfalon.games.generals.rules.acts.declarations import Act
from gonfalon.games.generals.rules.acts.questions import DiscardOwn, MayDraw, Pay, Pick
from gonfalon.games.generals.rules.state import OPPONENT, GeneralsState
from gonfalon.games.generals.rules.turn import ChooseAct
from gonfalon.games.generals.rules.zones import BORDER, ENEMY_BORDER, ENEMY_FORTRESS, PLACES, ZONE_OF
from gonfalon.games.generals.ruleset import GeneralsRules

ZONES: Final = (actions.ZONE, actions.ZONE + ENEMY_FORTRESS)
"""The first and the last action that moves a general."""


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
    if isinstance(step, MayDraw):
        return [tell(messages.WHY_DRAWS, Fact(messages.THE_RESOURCE, messages.WHY_CARDS, len(view.deck[view.viewer])))]
    if actions.UNIT <= action < actions.CARD:
        return explain_choice(game, view, action - actions.UNIT)
    if isinstance(step, Pay | DiscardOwn):
        return explain_payment(game, view, action - actions.CARD, step.left) if action >= actions.CARD else save(view)
    return explain_card(game, view, action - actions.CARD) if action >= actions.CARD else []


def explain_end(game: GeneralsRules, view: GeneralsState) -> list[Reason]:
    """Return the reasons to do no more: stronger enemies, generals that have acted, costs, cards that stay."""
    found = []
    if view.army[view.viewer]:
        is_ready = any(actions.UNIT <= one < actions.CARD for one in view.actions)
        found = [find_strongest(game, view) if is_ready else tell(messages.WHY_ACTED)]
    plays = [one - actions.CARD for one in view.actions if one >= actions.CARD]
    if plays:
        kind = view.setup.kinds[next((one for one in plays if view.setup.kinds[one].upkeep), plays[0])]
        found.append(explain_upkeep(view, kind))
    return found + save(view)


def explain_upkeep(view: GeneralsState, kind: cards.Kind) -> Reason:
    """Return the Upkeep of a general that is not recruited, beside RESOURCE, or the cost of another card."""
    upkeep = Fact(kind.name, messages.WHY_EACH_TURN, kind.upkeep, is_counted=True)
    left = Fact(messages.THE_RESOURCE, messages.WHY_CARDS, len(view.deck[view.viewer]))
    return tell(messages.WHY_UPKEEP, upkeep, left) if kind.upkeep else explain_cost(view, kind)


def save(view: GeneralsState) -> list[Reason]:
    """Return the reason to keep the cards of the hand."""
    hand = len(view.hand[view.viewer])
    fact = Fact(messages.THE_HAND, messages.WHY_CARDS, hand)
    return [tell(messages.WHY_SAVES, fact) if hand else tell(messages.WHY_NO_HAND)]


def explain_act(game: GeneralsRules, view: GeneralsState, act: Act) -> list[Reason]:
    """Return the result of an act if it is not answered, or the text of its card."""
    if act.code == cards.BY_MELEE:
        return [explain_melee(game, view, act.unit, act.other)]
    if act.code == cards.BY_SIEGE:
        return [explain_siege(game, view, act.unit, declared=0)]
    return [quote_card(game, act.kind if act.kind >= 0 else view.setup.kind[act.unit])]


def quote_card(game: GeneralsRules, number: int) -> Reason:
    """Return the text of a card."""
    return quote(game.kinds[number].name, game.card_text(number))


def explain_general(game: GeneralsRules, view: GeneralsState, u: int, action: Action) -> list[Reason]:
    """Return the reasons for the act of a general."""
    if action == actions.SIEGE:
        return [explain_siege(game, view, u)]
    if actions.UNIT <= action < actions.CARD:
        return [explain_melee(game, view, u, action - actions.UNIT)]
    if ZONES[0] <= action <= ZONES[1]:
        return [explain_move(game, view, u, action - actions.ZONE)]
    return [quote_card(game, view.setup.kind[u])]


def explain_siege(game: GeneralsRules, view: GeneralsState, u: int, declared: int = 1) -> Reason:
    """Return the RESOURCE that a Siege depletes; see `preview_siege` for `declared`."""
    seen = preview_siege(view, u, declared)
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
    if place == BORDER and not view.count_standing(seat, zone):
        return tell(messages.WHY_GUARDS, fact)
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


def explain_choice(game: GeneralsRules, view: GeneralsState, u: int) -> list[Reason]:
    """Return the reasons to choose a general: for Tactics its Wits, for Equipment its Might with it."""
    step, name = view.stack[-1], unit_name(game, u)
    if isinstance(step, Bearer):
        kind = view.setup.kinds[step.kind]
        added = 0 if kind.own[cards.MIGHT] else kind.flat[cards.MIGHT]
        might = [Fact(name, messages.WHY_MIGHT, view.might(u) + more, is_counted=True) for more in (0, added)]
        armed = [tell(messages.WHY_ARMED, *might, card=kind.name), compare_enemies(game, view, might[1])]
        return armed if added else [quote_card(game, step.kind)]
    is_plot = isinstance(step, Pick) and step.frame.mode == TACTIC
    if is_plot or isinstance(step, Executor):
        others = [step.frame.me] if isinstance(step, Pick) else list_choices(view, u)
        return [compare_generals(game, view, u, others, messages.WHY_WITS)]
    return show_general(game, view, u)


def list_choices(view: GeneralsState, u: int) -> list[int]:
    """Return the other generals on the battlefield that could be chosen, the strongest first."""
    units = [v - actions.UNIT for v in view.actions if actions.UNIT <= v < actions.CARD and v != actions.UNIT + u]
    return sort_by_might(view, [v for v in units if view.zone[v] >= 0])


def compare_generals(game: GeneralsRules, view: GeneralsState, u: int, others: list[int], quantity: str) -> Reason:
    """Return a number of a general, beside that of the other one with the highest number if it differs."""
    read = view.wits if quantity == messages.WHY_WITS else view.might
    mine = Fact(unit_name(game, u), quantity, read(u))
    rest = [v for v in others if unit_name(game, v) != mine.subject]
    best = max(rest, key=read, default=u)
    if read(best) == mine.value:
        return tell(messages.WHY_NUMBER, mine)
    return tell(messages.WHY_COMPARED, replace(mine, other=unit_name(game, best), than=read(best)))


def show_general(game: GeneralsRules, view: GeneralsState, u: int) -> list[Reason]:
    """Return the present Might of a general, or the best act of an own one that is about to act."""
    name, kind = unit_name(game, u), view.setup.kinds[view.setup.kind[u]]
    if view.zone[u] < 0:
        shown = Fact(name, messages.WHY_MIGHT, kind.might), Fact(name, messages.WHY_WITS, kind.wits)
        return [tell(messages.WHY_STATS, *shown)]
    if view.setup.owner[u] != view.viewer or view.stack[-1].prompt != "main":
        return [compare_generals(game, view, u, list_choices(view, u), messages.WHY_MIGHT)]
    if legal.can_siege(view, u):
        return [explain_siege(game, view, u)]
    beaten = [v for v in legal.list_foes(view, u) if preview_melee(view, u, v).get("result") == "win"]
    if beaten:
        return [explain_melee(game, view, u, sort_by_might(view, beaten)[0])]
    places = [PLACES[one - actions.ZONE] for one in legal.list_acts(view, u) if ZONES[0] <= one <= ZONES[1]]
    can = [tell(messages.WHY_CAN_MOVE, Fact(name, messages.WHY_MIGHT, view.might(u)), zones=" or ".join(places))]
    return [*can, find_strongest(game, view)] if places else [quote_card(game, view.setup.kind[u])]


def explain_card(game: GeneralsRules, view: GeneralsState, number: int) -> list[Reason]:
    """Return the numbers of a card that is played, taken or recruited."""
    kind, seat = view.setup.kinds[number], view.viewer
    cost = Fact(kind.name, messages.WHY_COST, stats.compute_cost(view, seat, kind))
    amount = cost.amount if cost.value else messages.WHY_NOTHING
    if kind.type == cards.CHARACTER:
        shown = [Fact(kind.name, messages.WHY_MIGHT, kind.might), Fact(kind.name, messages.WHY_WITS, kind.wits)]
        return [tell(messages.WHY_RECRUITS, cost, *shown, amount=amount), compare_enemies(game, view, shown[0])]
    if kind.type == cards.EQUIPMENT and kind.flat[cards.MIGHT]:
        might = Fact(kind.name, messages.WHY_MIGHT, kind.flat[cards.MIGHT], is_counted=True)
        return [tell(messages.WHY_EQUIPS, cost, might, amount=amount), find_strongest(game, view)]
    return [quote_card(game, number), explain_cost(view, kind)]


def explain_cost(view: GeneralsState, kind: cards.Kind) -> Reason:
    """Return the cost of a card, and the cards of the hand that it leaves there."""
    cost = Fact(kind.name, messages.WHY_COST, stats.compute_cost(view, view.viewer, kind))
    hand = [card & KIND for card in view.hand[view.viewer]]
    left = len(hand) - 1 - cost.value
    if kind.id not in hand or left < 0 or not cost.value:
        return tell(messages.WHY_PRICE, cost, amount=cost.amount if cost.value else messages.WHY_NOTHING)
    return tell(messages.WHY_COSTS, cost, Fact(messages.THE_HAND, messages.WHY_COST, left, is_counted=True))


def compare_enemies(game: GeneralsRules, view: GeneralsState, might: Fact) -> Reason:
    """Return the strongest enemy that a general is stronger than, or else the strongest one."""
    weaker = [v for v in view.army[OPPONENT[view.viewer]] if view.might(v) < might.value]
    if not weaker:
        return find_strongest(game, view)
    best = sort_by_might(view, weaker)[0]
    return tell(messages.WHY_STRONGER, replace(might, other=unit_name(game, best), than=view.might(best)))


def find_strongest(game: GeneralsRules, view: GeneralsState) -> Reason:
    """Return the enemy with the highest Might on the battlefield."""
    enemies = sort_by_might(view, view.army[OPPONENT[view.viewer]])
    if not enemies:
        return tell(messages.WHY_ALONE)
    return tell(messages.WHY_STRONGEST, Fact(unit_name(game, enemies[0]), messages.WHY_MIGHT, view.might(enemies[0])))


def explain_payment(game: GeneralsRules, view: GeneralsState, number: int, left: int) -> list[Reason]:
    """Return the reasons to give a card of the hand away: it is useless, a better one stays, or its numbers.

    Args:
        game: The game.
        view: The view.
        number: The card.
        left: The number of cards that go, this one included.
    """
    kind, seat = view.setup.kinds[number], view.viewer
    hand = [card & KIND for card in view.hand[seat]]
    if is_dead_weight(view, seat, number):
        return [tell(messages.WHY_DEAD, card=kind.name)]
    if hand.count(number) > left:
        return [tell(messages.WHY_COPY, card=kind.name)]
    # Cards go in ascending order, so those before this one stay.
    rest = [one for one in hand if (one < number or left == 1) and one != number]
    kept = [view.setup.kinds[one] for one in rest if not is_dead_weight(view, seat, one)]
    generals = [one for one in kept if one.type == cards.CHARACTER]
    if generals:
        best = max(generals, key=lambda one: max(one.might, one.wits))
        value, quantity = max((best.might, messages.WHY_MIGHT), (best.wits, messages.WHY_WITS))
        return [tell(messages.WHY_STAYS, Fact(best.name, quantity, value), card=kind.name)]
    if kept:
        return [tell(messages.WHY_RATHER, card=kind.name, other=kept[-1].name)]
    if kind.type == cards.CHARACTER:
        shown = Fact(kind.name, messages.WHY_MIGHT, kind.might), Fact(kind.name, messages.WHY_WITS, kind.wits)
        return [tell(messages.WHY_STATS, *shown)]
    return [explain_cost(view, kind)]

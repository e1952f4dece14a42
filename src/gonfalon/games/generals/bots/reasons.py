"""Reasons for the moves of the bots of Generals, made of the numbers on the board and of the line that follows."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gonfalon.bots.players.choice import Fact
from gonfalon.bots.players.reasons import Reason, quote, tell
from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action
from gonfalon.core.text.english import several
from gonfalon.games.generals.bots.look_ahead import Line
from gonfalon.games.generals.effects.frame import TACTIC
from gonfalon.games.generals.face import messages
from gonfalon.games.generals.face.preview import count_siege_threat, preview_melee, preview_siege
from gonfalon.games.generals.face.words import unit_name
from gonfalon.games.generals.rules import actions, cards, stats
from gonfalon.games.generals.rules.acts import legal
from gonfalon.games.generals.rules.acts.acts import ForCard, Placement
from gonfalon.games.generals.rules.acts.counters import Answer
from gonfalon.games.generals.rules.acts.questions import DiscardOwn, MayDraw, Pay, Pick
from gonfalon.games.generals.rules.state import OPPONENT, GeneralsState
from gonfalon.games.generals.rules.turn import ChooseAct
from gonfalon.games.generals.rules.zones import ENEMY_BORDER, FAR, FORTRESS, NEAR, PLACES, ZONE_OF
from gonfalon.games.generals.ruleset import GeneralsRules

ZONES: Final = range(actions.ZONE, actions.ZONE + len(PLACES))
"""The actions that move a general."""
UNITS: Final = range(actions.UNIT, actions.CARD)
"""The actions that choose a general."""


def list_reasons(game: GeneralsRules, view: GeneralsState, line: Line) -> list[Reason]:
    """Return the reasons for the first action of a line of the viewer."""
    step, action = view.stack[-1], line.actions[0]
    u, number = action - actions.UNIT, action - actions.CARD
    if isinstance(step, Answer):
        return explain_answer(game, view, step, number)
    if action == actions.END:
        return explain_end(game, view)
    if isinstance(step, Pay | DiscardOwn):
        return explain_payment(view, number, step.left) if number >= 0 else []
    if isinstance(step, MayDraw):
        return [tell(messages.WHY_DRAWS, count_resource(view, view.viewer))]
    if isinstance(step, ChooseAct):
        return explain_act(game, view, step.unit, action, line)
    if isinstance(step, Placement):
        return explain_place(game, view, step.unit, action - actions.ZONE)
    if action in UNITS and step.prompt == "main":
        # A line leaves out choices without an alternative.
        acts = legal.list_acts(view, u)
        return explain_act(game, view, u, acts[0] if len(acts) == 1 else line.actions[1], line)
    if action in UNITS:
        return explain_choice(game, view, u, line)
    if number >= 0:
        return explain_card(game, view, number, line)
    return list_effects(game, view, line.end, messages.WHY_IT)


# ---- facts ------------------------------------------------------------------------------------------


def measure_might(game: GeneralsRules, view: GeneralsState, u: int, beside: str = "") -> Fact:
    """Return the Might of a general, named as the enemy if the general `beside` it has the same name."""
    name, kind = unit_name(game, u), view.setup.kinds[view.setup.kind[u]]
    subject = messages.THE_ENEMY.format(general=name) if name == beside else name
    if view.zone[u] < 0:
        return Fact(subject, messages.WHY_MIGHT, kind.might, is_counted=True)
    return Fact(subject, messages.WHY_MIGHT, view.might(u), is_counted=name == beside)


def count_resource(view: GeneralsState, seat: int) -> Fact:
    """Return the cards in the RESOURCE of a seat."""
    return Fact(messages.THE_RESOURCE, messages.WHY_CARDS, len(view.deck[seat]))


def measure_threat(view: GeneralsState, seat: int, amount: int) -> tuple[Fact, Fact]:
    """Return an amount that Sieges deplete, and the RESOURCE of the seat."""
    threat = Fact(messages.THE_RESOURCE, messages.WHY_DEPLETED, amount, is_counted=True)
    return threat, count_resource(view, seat)


def sort_enemies(view: GeneralsState) -> list[int]:
    """Return the enemies on the battlefield, the strongest first."""
    return sort_by_might(view, view.army[OPPONENT[view.viewer]])


def sort_by_might(view: GeneralsState, units: list[int]) -> list[int]:
    """Return generals on the battlefield, the strongest first."""
    return sorted(units, key=lambda u: -view.might(u))


def compare_enemies(game: GeneralsRules, view: GeneralsState, might: Fact, enemies: list[int]) -> list[Reason]:
    """Return the first of some enemies that a general is stronger than; none if there is none."""
    weaker = [measure_might(game, view, v, might.subject) for v in enemies if view.might(v) < might.value]
    return [tell(messages.WHY_STRONGER, might, other) for other in weaker[:1]]


def explain_cost(view: GeneralsState, kind: cards.Kind) -> Reason:
    """Return the cost of a card, and the cards of the hand that it leaves there."""
    cost = Fact(kind.name, messages.WHY_CARDS, stats.compute_cost(view, view.viewer, kind))
    left = Fact(messages.THE_HAND, messages.WHY_CARDS, len(view.hand[view.viewer]) - 1 - cost.value, is_counted=True)
    return tell(messages.WHY_COSTS, cost, left, amount=cost.amount if cost.value else messages.WHY_NOTHING)


def quote_card(game: GeneralsRules, number: int) -> Reason:
    """Return the text of a card."""
    return quote(game.kinds[number].name, game.card_text(number))


# ---- the end of a turn, payments, answers -----------------------------------------------------------


def explain_end(game: GeneralsRules, view: GeneralsState) -> list[Reason]:
    """Return the reasons to do no more: the use of the strongest ready general where it is, and the price of a card."""
    ready = sort_by_might(view, [one - actions.UNIT for one in view.actions if one in UNITS])
    found = [one for u in ready[:1] for one in explain_place(game, view, u, ZONE_OF[view.viewer][view.zone[u]])[:1]]
    if view.army[view.viewer] and not ready:
        found = [tell(messages.WHY_ACTED)]
    plays = [view.setup.kinds[one - actions.CARD] for one in view.actions if one >= actions.CARD]
    generals = sorted([kind for kind in plays if kind.type == cards.CHARACTER], key=lambda kind: -kind.might)
    costs = [explain_upkeep(game, view, kind) for kind in generals] + [explain_cost(view, kind) for kind in plays]
    return found + costs[:1]


def explain_upkeep(game: GeneralsRules, view: GeneralsState, kind: cards.Kind) -> Reason:
    """Return the Upkeep of a general that is not recruited, and whether it is too weak or not needed."""
    upkeep = Fact(kind.name, messages.WHY_EACH_TURN, kind.upkeep, is_counted=True)
    enemies, army = sort_enemies(view), sort_by_might(view, view.army[view.viewer])
    theirs = measure_might(game, view, enemies[0], kind.name) if enemies else None
    if theirs and theirs.value > kind.might:
        return tell(messages.WHY_TOO_WEAK, upkeep, Fact(kind.name, messages.WHY_MIGHT, kind.might), theirs)
    if theirs and army and view.might(army[0]) > theirs.value:
        return tell(messages.WHY_ENOUGH, upkeep, measure_might(game, view, army[0]))
    cost = Fact(kind.name, messages.WHY_CARDS, stats.compute_cost(view, view.viewer, kind))
    amount = cost.amount if cost.value else messages.WHY_NOTHING
    return tell(messages.WHY_UPKEEP, upkeep, count_resource(view, view.viewer), cost, amount=amount)


def explain_payment(view: GeneralsState, number: int, left: int) -> list[Reason]:
    """Return the reason to give a card of the hand away: it is useless, too expensive, or a better one stays.

    Args:
        view: The view.
        number: The card.
        left: The number of cards that go, this one included.
    """
    kind, seat = view.setup.kinds[number], view.viewer
    hand = [card & KIND for card in view.hand[seat]]
    if kind.type == cards.CHARACTER and view.name_taken(view.setup.unit_of[seat][number]):
        return [tell(messages.WHY_DEAD, card=kind.name)]
    if hand.count(number) > left:
        return [tell(messages.WHY_COPY, card=kind.name)]
    kept = [view.setup.kinds[one] for one in hand if one != number]
    cost, rest = Fact(kind.name, messages.WHY_CARDS, stats.compute_cost(view, seat, kind)), len(hand) - left - 1
    if cost.value > rest and any(stats.compute_cost(view, seat, one) <= rest for one in kept):
        return [tell(messages.WHY_TOO_DEAR, cost, Fact(messages.THE_HAND, messages.WHY_CARDS, rest, is_counted=True))]
    generals = [one for one in kept if one.type == cards.CHARACTER]
    best = max(generals, key=lambda one: max(one.might, one.wits), default=kind)
    value, quantity = max((best.might, messages.WHY_MIGHT), (best.wits, messages.WHY_WITS))
    if best is not kind and (kind.type != cards.CHARACTER or value > max(kind.might, kind.wits)):
        return [tell(messages.WHY_STAYS, Fact(best.name, quantity, value), card=kind.name)]
    return [tell(messages.WHY_RATHER, card=kind.name, other=one.name) for one in kept[-1:]]


def explain_answer(game: GeneralsRules, view: GeneralsState, step: Answer, number: int) -> list[Reason]:
    """Return the result of an act if it is not answered, and the text of a Counter or the cost of those not played."""
    act, found = step.act, []
    if act.code == cards.BY_MELEE:
        found = [explain_melee(game, view, act.unit, act.other)]
    elif act.code == cards.BY_SIEGE:
        found = [explain_siege(game, view, act.unit, declared=0)]
    elif act.code == cards.BY_STRIKE:
        found = explain_strike(game, view, act.unit, act.list_aims())
    found = found or [quote_card(game, act.kind if act.kind >= 0 else view.setup.kind[act.unit])]
    if number >= 0:
        return [*found, quote_card(game, number)]
    kinds = [view.setup.kinds[one - actions.CARD] for one in view.actions if one != actions.PASS]
    return [*found, *[explain_cost(view, kind) for kind in kinds]]


# ---- generals ---------------------------------------------------------------------------------------


def explain_act(game: GeneralsRules, view: GeneralsState, u: int, action: Action, line: Line) -> list[Reason]:
    """Return the reasons for an act of a general, with which a line begins."""
    if action == actions.SIEGE:
        return [explain_siege(game, view, u)]
    if action in UNITS:
        return [explain_melee(game, view, u, action - actions.UNIT), *follow_melee(view, u, action - actions.UNIT)]
    if action in ZONES:
        return explain_place(game, view, u, action - actions.ZONE)
    effect = messages.WHY_EFFECT.format(general=unit_name(game, u))
    return list_effects(game, view, line.end, effect) or [quote_card(game, view.setup.kind[u])]


def explain_siege(game: GeneralsRules, view: GeneralsState, u: int, declared: int = 1) -> Reason:
    """Return the RESOURCE that a Siege depletes; see `preview_siege` for `declared`."""
    seen = preview_siege(view, u, declared)
    amount, left = seen.get("amount", 0), count_resource(view, OPPONENT[view.setup.owner[u]])
    # Some cards add to a Siege, and the board shows the Might.
    fact = Fact(unit_name(game, u), messages.WHY_DEPLETED, amount, is_counted=amount != view.might(u))
    return tell(messages.WHY_SIEGE_WINS if amount > left.value else messages.WHY_SIEGE, fact, left)


def explain_melee(game: GeneralsRules, view: GeneralsState, u: int, v: int) -> Reason:
    """Return the result of a melee by the Might of both generals in it."""
    seen, one = preview_melee(view, u, v), measure_might(game, view, u)
    # Some Might counts only in a melee, and the board does not show it.
    mine = replace(one, value=seen.get("attacker", 0), is_counted=True)
    theirs = replace(measure_might(game, view, v, one.subject), value=seen.get("defender", 0), is_counted=True)
    patterns = {"win": messages.WHY_BEATS, "tie": messages.WHY_BOTH_FALL, "loss": messages.WHY_FALLS}
    return tell(patterns[seen.get("result", "")], mine, theirs)


def follow_melee(view: GeneralsState, u: int, v: int) -> list[Reason]:
    """Return the consequence of a melee in which the last enemy of a zone falls."""
    seat, zone = view.setup.owner[u], view.zone[v]
    result = preview_melee(view, u, v).get("result")
    if result == "loss" or view.count_standing(OPPONENT[seat], zone) > 1:
        return []
    if zone == NEAR[seat]:
        return [tell(messages.WHY_CLEARS)]
    threat = count_siege_threat(view, seat) - (legal.siege_amount(view, u) if result == "tie" else 0)
    return [tell(messages.WHY_OPENS, *measure_threat(view, OPPONENT[seat], threat))] if threat else []


def explain_place(game: GeneralsRules, view: GeneralsState, u: int, place: int) -> list[Reason]:
    """Return the use of a general at a place, to which it moves or where it stays."""
    seat, zone = view.viewer, ZONE_OF[view.viewer][place]
    might, every = measure_might(game, view, u), sort_enemies(view)
    if place == FORTRESS:
        strongest = [measure_might(game, view, v, might.subject) for v in every[:1]]
        return [tell(messages.WHY_SAFE, might, one) for one in strongest] or [tell(messages.WHY_ALONE)]
    enemies = [v for v in every if view.zone[v] == zone]
    if place == ENEMY_BORDER:
        found = tell(messages.WHY_BINDS if enemies or not might.value else messages.WHY_FREE, might)
    else:
        facts = measure_threat(view, seat, count_siege_threat(view, OPPONENT[seat]))
        is_second = any(view.zone[v] == zone and v != u for v in view.army[seat])
        pattern = messages.WHY_RESERVE if is_second else messages.WHY_PREVENTS
        found = tell(pattern if facts[0].value else messages.WHY_GUARDS, *facts, general=might.subject)
    return [found, *compare_enemies(game, view, might, (enemies or every)[:1])]


# ---- cards ------------------------------------------------------------------------------------------


def explain_card(game: GeneralsRules, view: GeneralsState, number: int, line: Line) -> list[Reason]:
    """Return the reasons to play, take or recruit a card: its effect in the line that follows, and its cost."""
    kind, units = view.setup.kinds[number], [one - actions.UNIT for one in line.actions if one in UNITS]
    if kind.type == cards.CHARACTER:
        return explain_recruit(game, view, kind)
    found = explain_strike(game, view, units[0], units[1:]) if kind.subtypes & cards.TACTICS and units else []
    found = found or list_effects(game, view, line.end, kind.name) or [quote_card(game, number)]
    return [*found, explain_cost(view, kind)]


def explain_recruit(game: GeneralsRules, view: GeneralsState, kind: cards.Kind) -> list[Reason]:
    """Return the cost of a general and its numbers, and what it is needed for."""
    seat, foe, enemies = view.viewer, OPPONENT[view.viewer], sort_enemies(view)
    cost = Fact(kind.name, messages.WHY_CARDS, stats.compute_cost(view, seat, kind))
    shown = [Fact(kind.name, messages.WHY_MIGHT, kind.might), Fact(kind.name, messages.WHY_WITS, kind.wits)]
    found = tell(messages.WHY_RECRUITS, cost, *shown, amount=cost.amount if cost.value else messages.WHY_NOTHING)
    facts = measure_threat(view, seat, count_siege_threat(view, foe))
    stronger = compare_enemies(game, view, shown[0], enemies)
    if facts[0].value and not view.count_standing(seat, NEAR[seat]):
        return [found, tell(messages.WHY_EXPOSED, *facts)]
    if not stronger and enemies and kind.wits > max(map(view.wits, enemies)):
        return [found, tell(messages.WHY_OUTWITS, shown[1])]
    is_barred = view.count_standing(foe, NEAR[seat]) or view.count_standing(foe, FAR[seat])
    return [found, *stronger] if stronger or is_barred else [found, tell(messages.WHY_REACHES)]


def explain_strike(game: GeneralsRules, view: GeneralsState, u: int, aims: list[int]) -> list[Reason]:
    """Return the targets of Tactics that fall, by the Wits of their executor; none if none falls."""
    wits = Fact(unit_name(game, u), messages.WHY_WITS, view.wits(u))
    fallen = [measure_might(game, view, v, wits.subject).subject for v in aims if view.wits(v) < wits.value]
    return [tell(messages.WHY_REMOVES, wits, names=several(fallen))] if fallen else []


def explain_choice(game: GeneralsRules, view: GeneralsState, u: int, line: Line) -> list[Reason]:
    """Return the reasons to choose a general for a card: its effect, or the numbers of the general."""
    step = view.stack[-1]
    name = game.kinds[step.kind].name if isinstance(step, ForCard) else messages.WHY_IT
    found = list_effects(game, view, line.end, name)
    if isinstance(step, Pick) and step.frame.mode == TACTIC:
        found = explain_strike(game, view, step.frame.me, [u])
    might, kind = measure_might(game, view, u), view.setup.kinds[view.setup.kind[u]]
    wits = Fact(might.subject, messages.WHY_WITS, view.wits(u) if view.zone[u] >= 0 else kind.wits)
    return [*found, tell(messages.WHY_STATS, might, wits)]


def list_effects(game: GeneralsRules, view: GeneralsState, end: GeneralsState, name: str) -> list[Reason]:
    """Return the effect that the end of a line shows: enemies that left, or changes of Might and of RESOURCE."""
    seat, foe, enemies = view.viewer, OPPONENT[view.viewer], sort_enemies(view)
    gone = [unit_name(game, v) for v in enemies if end.zone[v] < 0]
    if gone:
        return [tell(messages.WHY_EXPELS, card=name, names=several(gone))]
    raised = [u for u in sort_by_might(end, view.army[seat]) if end.might(u) > view.might(u)]
    for u in [*raised, *[v for v in enemies if end.might(v) < view.might(v)]][:1]:
        might = replace(measure_might(game, end, u), is_counted=True)
        rivals = [v for v in enemies if view.might(v) >= view.might(u)] if raised else []
        text = tell(messages.WHY_CHANGES, might, measure_might(game, view, u), card=name)
        return [text, *compare_enemies(game, view, might, rivals)]
    for owner, sign, pattern in ((foe, -1, messages.WHY_TAKES), (seat, 1, messages.WHY_GAINS)):
        before, after = count_resource(view, owner), replace(count_resource(end, owner), is_counted=True)
        if (after.value - before.value) * sign > 0:
            return [tell(pattern, before, after, card=name)]
    return []

"""Reasons for the moves of the bots of Generals, made of the numbers on the board and of the line that follows."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gonfalon.bots.players.choice import Fact
from gonfalon.bots.players.reasons import Reason, quote, tell
from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action
from gonfalon.core.text.english import several
from gonfalon.games.generals.bots.look_ahead import Line, rate_usefulness
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
EFFECTS: Final = range(actions.ACTIVE, actions.ACTIVE + actions.ACTIVES)
"""The actions that use the effect of a general."""
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
        return explain_price(game, view, number, step.left, line.end) if number >= 0 else [tell(messages.WHY_KEEPS)]
    if isinstance(step, MayDraw):
        return [tell(messages.WHY_DRAWS, count_resource(view, view.viewer))]
    if isinstance(step, ChooseAct):
        return explain_act(game, view, step.unit, action, line)
    if isinstance(step, Placement):
        return explain_place(game, view, step.unit, action - actions.ZONE, line.end)
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


def measure_might(
    game: GeneralsRules, view: GeneralsState, u: int, beside: str = "", end: GeneralsState | None = None
) -> Fact:
    """Return the Might of a general, named as the enemy if the one `beside` has the same name; see `Line` for `end`."""
    name, kind = unit_name(game, u), view.setup.kinds[view.setup.kind[u]]
    subject = messages.THE_ENEMY.format(general=name) if name == beside else name
    shown = view.might(u) if view.zone[u] >= 0 else kind.might
    might = end.might(u) if end and end.zone[u] >= 0 else shown
    # A general that takes the field is not on the board until it is paid.
    is_counted = name == beside or might != shown or (end is not None and view.zone[u] < 0)
    return Fact(subject, messages.WHY_MIGHT, might, is_counted=is_counted)


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


def compare_enemy(game: GeneralsRules, view: GeneralsState, end: GeneralsState, u: int, v: int) -> list[Reason]:
    """Return that a general is stronger than an enemy; none if it does not win their melee whoever attacks."""
    mine = measure_might(game, view, u, end=end)
    theirs = measure_might(game, view, v, mine.subject)
    is_stronger = mine.value > theirs.value and measure_lead(end, u, v) > 0 > measure_lead(end, v, u)
    return [tell(messages.WHY_STRONGER, mine, theirs)] if is_stronger else []


def measure_lead(view: GeneralsState, u: int, v: int) -> int:
    """Return the lead of a general in Might if it attacks another, of all that counts in a melee."""
    seen = preview_melee(view, u, v)
    return seen.get("attacker", 0) - seen.get("defender", 0)


def count_cost(view: GeneralsState, kind: cards.Kind) -> Fact:
    """Return the cards of the hand that a card costs."""
    return Fact(kind.name, messages.WHY_CARDS, stats.compute_cost(view, view.viewer, kind))


def explain_cost(view: GeneralsState, kind: cards.Kind) -> Reason:
    """Return the cost of a card, and the cards of the hand that it leaves there."""
    cost, hand = count_cost(view, kind), len(view.hand[view.viewer]) - 1
    left = Fact(messages.THE_HAND, messages.WHY_CARDS, hand - cost.value, is_counted=True)
    return tell(messages.WHY_COSTS, cost, left, amount=name_amount(cost))


def name_amount(cost: Fact) -> str:
    """Return a number of cards in words."""
    return cost.amount if cost.value else messages.WHY_NOTHING


def quote_card(game: GeneralsRules, number: int) -> Reason:
    """Return the text of a card."""
    return quote(game.kinds[number].name, game.card_text(number))


# ---- the end of a turn, payments, answers -----------------------------------------------------------


def explain_end(game: GeneralsRules, view: GeneralsState) -> list[Reason]:
    """Return the reasons to do no more: the use of the strongest general that could move, and the price of a card."""
    ready = sort_by_might(view, [one - actions.UNIT for one in view.actions if one in UNITS])
    movers = [u for u in ready if legal.can_move(view, u) and not legal.can_siege(view, u)][:1]
    found = [one for u in movers for one in explain_place(game, view, u, ZONE_OF[view.viewer][view.zone[u]], view)[:1]]
    if view.army[view.viewer] and all(act in EFFECTS for u in ready for act in legal.list_acts(view, u)):
        found = [tell(messages.WHY_ACTED)]
    plays = [view.setup.kinds[one - actions.CARD] for one in view.actions if one >= actions.CARD]
    plays.sort(key=lambda kind: (kind.type != cards.CHARACTER, -kind.might))
    return found + [explain_upkeep(game, view, kind) for kind in plays[:1]]


def explain_upkeep(game: GeneralsRules, view: GeneralsState, kind: cards.Kind) -> Reason:
    """Return the Upkeep of a general that is not recruited, and whether it is too weak, or the cost of another card."""
    due = stats.sum_upkeep_changes(view, view.viewer) + sum(
        stats.compute_upkeep(view, u) for u in view.army[view.viewer]
    )
    more = max(0, due + kind.upkeep) - max(0, due)
    if more <= 0:
        return explain_cost(view, kind)
    upkeep = Fact(kind.name, messages.WHY_EACH_TURN, more, is_counted=True)
    theirs = [measure_might(game, view, v, kind.name) for v in sort_enemies(view)[:1]]
    if theirs and theirs[0].value > kind.might:
        return tell(messages.WHY_TOO_WEAK, upkeep, Fact(kind.name, messages.WHY_MIGHT, kind.might), *theirs)
    cost = count_cost(view, kind)
    return tell(messages.WHY_UPKEEP, upkeep, count_resource(view, view.viewer), cost, amount=name_amount(cost))


def explain_price(game: GeneralsRules, view: GeneralsState, number: int, left: int, end: GeneralsState) -> list[Reason]:
    """Return the reason to give a card away, one of `left`: it is useless, too expensive, or a better one stays."""
    kind, seat, hand = view.setup.kinds[number], view.viewer, [card & KIND for card in view.hand[view.viewer]]
    if kind.type == cards.CHARACTER and view.name_taken(view.setup.unit_of[seat][number]):
        return [tell(messages.WHY_DEAD, card=kind.name)]
    if hand.count(number) > left:
        return [tell(messages.WHY_COPY, card=kind.name)]
    kept = sorted({card & KIND for card in end.hand[seat]} & set(hand) - {number})
    others = [view.setup.kinds[one] for one in sorted(kept, key=lambda one: -rate_usefulness(end, seat, one))]
    if not others:
        return []
    cost, best, rest = count_cost(view, kind), others[0], len(hand) - left - 1
    price, *prices = [stats.compute_cost(end, seat, one) for one in (kind, *others)]
    if price > max(rest, *prices):
        return [tell(messages.WHY_TOO_DEAR, cost, Fact(messages.THE_HAND, messages.WHY_CARDS, rest, is_counted=True))]
    numbers = ((best.might, kind.might, messages.WHY_MIGHT), (best.wits, kind.wits, messages.WHY_WITS))
    for value, given, quantity in sorted(numbers, reverse=True) if best.type == cards.CHARACTER else ():
        if kind.type != cards.CHARACTER or value > given:
            return [tell(messages.WHY_STAYS, Fact(best.name, quantity, value), card=kind.name)]
    if count_cost(view, best).value < cost.value:
        return [tell(messages.WHY_CHEAPER, cost, count_cost(view, best))]
    return [tell(messages.WHY_RATHER, card=kind.name, other=best.name), quote_card(game, best.id)]


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
    counters = [view.setup.kinds[one - actions.CARD] for one in view.actions if one != actions.PASS]
    return found + [explain_cost(view, kind) for kind in counters]


# ---- generals ---------------------------------------------------------------------------------------


def explain_act(game: GeneralsRules, view: GeneralsState, u: int, action: Action, line: Line) -> list[Reason]:
    """Return the reasons for an act of a general, with which a line begins."""
    if action == actions.SIEGE:
        return [explain_siege(game, view, u)]
    if action in UNITS:
        return [explain_melee(game, view, u, action - actions.UNIT), *follow(view, line.end)]
    if action in ZONES:
        return explain_place(game, view, u, action - actions.ZONE, line.end)
    effect = messages.WHY_EFFECT.format(general=unit_name(game, u))
    return list_effects(game, view, line.end, effect) or [quote_card(game, view.setup.kind[u])]


def explain_siege(game: GeneralsRules, view: GeneralsState, u: int, declared: int = 1) -> Reason:
    """Return the RESOURCE that a Siege depletes; see `preview_siege` for `declared`."""
    amount = preview_siege(view, u, declared).get("amount", 0)
    left = count_resource(view, OPPONENT[view.setup.owner[u]])
    fact = Fact(unit_name(game, u), messages.WHY_DEPLETED, amount, is_counted=True)
    return tell(messages.WHY_SIEGE_WINS if amount > left.value else messages.WHY_SIEGE, fact, left)


def explain_melee(game: GeneralsRules, view: GeneralsState, u: int, v: int, pattern: str = "") -> Reason:
    """Return the result of a melee by the Might of both generals in it, in a sentence of its own or after a pattern."""
    seen, one = preview_melee(view, u, v), measure_might(game, view, u)
    # Some Might counts only in a melee, and the board does not show it.
    mine = replace(one, value=seen.get("attacker", 0), is_counted=True)
    theirs = replace(measure_might(game, view, v, one.subject), value=seen.get("defender", 0), is_counted=True)
    patterns = {"win": messages.WHY_BEATS, "tie": messages.WHY_BOTH_FALL, "loss": messages.WHY_FALLS}
    return tell(pattern or patterns[seen.get("result", "")], mine, theirs)


def follow(view: GeneralsState, end: GeneralsState) -> list[Reason]:
    """Return the consequence of a line that leaves a zone without enemies."""
    seat, foe, threat = view.viewer, OPPONENT[view.viewer], count_siege_threat(end, view.viewer)
    near, far = [view.count_standing(foe, z) > 0 == end.count_standing(foe, z) for z in (NEAR[seat], FAR[seat])]
    found = [tell(messages.WHY_CLEARS)] if near else []
    return [*found, tell(messages.WHY_OPENS, *measure_threat(view, foe, threat))] if far and threat else found


def explain_place(game: GeneralsRules, view: GeneralsState, u: int, place: int, end: GeneralsState) -> list[Reason]:
    """Return the use of a general at a place, to which it moves, where it stays or takes the field."""
    seat, zone, here = view.viewer, ZONE_OF[view.viewer][place], view.zone[u]
    name, every = unit_name(game, u), sorted(sort_enemies(view), key=lambda v: -measure_lead(end, v, u))
    might, dangers = measure_might(game, view, u, end=end), [v for v in every if measure_lead(view, v, u) >= 0]
    fled = [v for v in dangers if view.zone[v] == here != zone][:1]
    found = [explain_melee(game, view, v, u, messages.WHY_LEAVES) for v in fled]
    if place == FORTRESS:
        safe = [measure_might(game, view, v, name) for v in every[:1] if view.might(v) > might.value]
        waits = tell(messages.WHY_SAFE, might, *safe) if safe else tell(messages.WHY_WAITS, general=name)
        return found or [waits]
    enemies, comrades = [[v for v in army if end.zone[v] == zone and v != u] for army in (every, view.army[seat])]
    facts = measure_threat(view, seat, count_siege_threat(view, OPPONENT[seat]))
    if place == ENEMY_BORDER:
        needed = Fact(messages.THE_PLACE, messages.WHY_GENERALS, len(comrades) + 1, is_counted=True)
        found = [tell(messages.WHY_BINDS if enemies or not might.value else messages.WHY_FREE, might, needed)]
    elif not comrades or here == zone:
        found = [tell(messages.WHY_PREVENTS if facts[0].value else messages.WHY_GUARDS, *facts, general=name), *found]
    elif not found:
        found = [explain_melee(game, view, v, u, messages.WHY_AVOIDS) for v in dangers if view.zone[v] == FAR[seat]][:1]
        found = found or [tell(messages.WHY_RESERVE, general=unit_name(game, comrades[0]))]
    return [*found, *[one for v in (enemies or every)[:1] for one in compare_enemy(game, view, end, u, v)]]


# ---- cards ------------------------------------------------------------------------------------------


def explain_card(game: GeneralsRules, view: GeneralsState, number: int, line: Line) -> list[Reason]:
    """Return the reasons to play, take or recruit a card: its effect in the line that follows, and the use of it."""
    kind, units = view.setup.kinds[number], [one - actions.UNIT for one in line.actions if one in UNITS]
    if kind.type == cards.CHARACTER:
        return explain_recruit(game, view, kind, line.end)
    found = explain_strike(game, view, units[0], units[1:]) if kind.subtypes & cards.TACTICS and units else []
    found = [*found, *follow(view, line.end)] if found else list_effects(game, view, line.end, kind.name)
    return found or [quote_card(game, number), *use_effect(game, view, line.end)]


def explain_recruit(game: GeneralsRules, view: GeneralsState, kind: cards.Kind, end: GeneralsState) -> list[Reason]:
    """Return the cost of a general and its numbers, and what it is needed for."""
    seat, foe, enemies = view.viewer, OPPONENT[view.viewer], sort_enemies(view)
    u, cost = view.setup.unit_of[seat][kind.id], count_cost(view, kind)
    shown = [Fact(kind.name, messages.WHY_MIGHT, kind.might), Fact(kind.name, messages.WHY_WITS, kind.wits)]
    found = tell(messages.WHY_RECRUITS, cost, *shown, amount=name_amount(cost))
    facts = measure_threat(view, seat, count_siege_threat(view, foe))
    if facts[0].value and not view.count_standing(seat, NEAR[seat]):
        return [found, tell(messages.WHY_EXPOSED, *facts)]
    stronger = [one for v in enemies for one in compare_enemy(game, view, end, u, v)] if end.zone[u] >= 0 else []
    if not stronger and enemies and kind.wits > max(kind.might, *map(view.wits, enemies)):
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
        found = [*explain_strike(game, view, step.frame.me, [u]), *follow(view, line.end)]
    might, kind = measure_might(game, view, u), view.setup.kinds[view.setup.kind[u]]
    wits = Fact(might.subject, messages.WHY_WITS, view.wits(u) if view.zone[u] >= 0 else kind.wits)
    return found or [tell(messages.WHY_STATS, might, wits)]


def list_effects(game: GeneralsRules, view: GeneralsState, end: GeneralsState, name: str) -> list[Reason]:
    """Return the effect that the end of a line shows: enemies that left, or changes of Might, with their use."""
    enemies = sort_enemies(view)
    gone = [unit_name(game, v) for v in enemies if end.zone[v] < 0]
    if gone:
        return [tell(messages.WHY_EXPELS, card=name, names=several(gone)), *follow(view, end)]
    raised = [u for u in sort_by_might(end, view.army[view.viewer]) if end.might(u) > view.might(u)]
    for u in [*raised, *[v for v in enemies if end.might(v) < view.might(v)]][:1]:
        might = replace(measure_might(game, view, u, end=end), is_counted=True)
        changed = tell(messages.WHY_CHANGES, might, measure_might(game, view, u), card=name)
        return [changed, *use_effect(game, view, end)]
    return []


def use_effect(game: GeneralsRules, view: GeneralsState, end: GeneralsState) -> list[Reason]:
    """Return the melee that changes of Might decide: an attack of this turn, or of an enemy later."""
    army, enemies = [sort_by_might(end, end.army[seat]) for seat in (view.viewer, OPPONENT[view.viewer])]
    fights = [(u, v, 1) for u in army if legal.can_attack(end, u, True) for v in legal.list_foes(end, u)]
    # Effects of the turn are over when an enemy attacks.
    later = [(v, u, -1) for v in enemies for u in army] if len(end.lasting) == len(view.lasting) else []
    for one, other, sign in fights + later:
        before, after = [sign * measure_lead(s, one, other) for s in (view, end)]
        if before < 0 <= after or before == 0 < after:
            return [explain_melee(game, end, one, other, messages.WHY_FAILS if sign < 0 < after else "")]
    return []

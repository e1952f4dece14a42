"""Reasons for the moves of the bots of Generals: what the next turns bring with a move, and what without it."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.players.choice import Fact
from gonfalon.bots.players.reasons import Reason, tell
from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action
from gonfalon.core.text.english import several
from gonfalon.games.generals.bots.look_ahead import Line, asks_main, is_dead
from gonfalon.games.generals.effects.on_generals import Ready
from gonfalon.games.generals.face import messages
from gonfalon.games.generals.face.preview import preview_melee, preview_siege
from gonfalon.games.generals.face.words import unit_name
from gonfalon.games.generals.rules import actions, cards, stats
from gonfalon.games.generals.rules.acts import legal
from gonfalon.games.generals.rules.acts.acts import Placement
from gonfalon.games.generals.rules.acts.counters import Answer
from gonfalon.games.generals.rules.acts.questions import DiscardOwn, Pay
from gonfalon.games.generals.rules.lasting import ENDS
from gonfalon.games.generals.rules.state import OPPONENT, GeneralsState
from gonfalon.games.generals.rules.turn import ChooseAct
from gonfalon.games.generals.rules.zones import ENEMY_BORDER, FAR, HOME, NEAR, PLACES, ZONE_OF
from gonfalon.games.generals.ruleset import GeneralsRules

ZONES: Final = range(actions.ZONE, actions.ZONE + len(PLACES))
"""The actions that move a general."""
UNITS: Final = range(actions.UNIT, actions.CARD)
"""The actions that choose a general."""


class Adviser:
    """Finds reasons for the action that begins `line`. The best alternative, if any is known, begins `rival`."""

    def __init__(self, game: GeneralsRules, view: GeneralsState, line: Line, rival: Line | None) -> None:
        self.game: GeneralsRules = game
        self.view: GeneralsState = view
        self.line: Line = line
        self.rival: Line | None = rival
        self.end: GeneralsState = line.end
        self.seat: int = view.viewer
        self.foe: int = OPPONENT[view.viewer]

    def list_reasons(self) -> list[Reason]:
        """Return the reasons for the action, the weightiest first."""
        step, action, act = self.view.stack[-1], self.line.actions[0], find_act(self.view, self.line)
        number = action - actions.CARD
        if isinstance(step, Answer) or (self.end.winner >= 0 and act != actions.SIEGE):
            return []
        if self.is_doomed() or not self.view.deck[self.foe]:
            return self.list_clock(self.view) if act == actions.SIEGE else []
        if isinstance(step, Pay | DiscardOwn):
            return self.explain_price(number, step.left) if number >= 0 else []
        if action == actions.END:
            return self.list_risks(self.rival.actions[0] - actions.UNIT) if self.rival else []
        if isinstance(step, Placement):
            return self.explain_place(step.unit, action - actions.ZONE)
        if isinstance(step, ChooseAct) or (action in UNITS and asks_main(self.view)):
            return self.explain_act(step.unit if isinstance(step, ChooseAct) else action - actions.UNIT, act)
        if number >= 0 and self.view.setup.kinds[number].type == cards.CHARACTER:
            return self.explain_recruit(self.view.setup.kinds[number])
        is_own = action in UNITS and self.view.setup.owner[action - actions.UNIT] == self.seat
        return [] if is_own else self.list_effects()

    def explain_act(self, u: int, act: Action) -> list[Reason]:
        """Return the reasons for an act of a general. A melee that wins nothing more than a weaker enemy has none."""
        view, v = self.view, act - actions.UNIT
        if act == actions.SIEGE:
            return self.explain_siege(u)
        if act in ZONES:
            return self.explain_place(u, act - actions.ZONE)
        if act not in UNITS:
            return self.list_effects()
        lead, found = measure_lead(view, u, v), self.list_gains(messages.THEN)
        other = self.rival.actions[0] - actions.UNIT if self.rival and isinstance(view.stack[-1], ChooseAct) else -1
        if not found and other >= 0 and measure_lead(view, u, other) <= 0:
            found = [self.compare_melee(u, other)]
        foes = [w for w in legal.list_foes(view, u) if measure_lead(view, u, w) > 0 and view.might(w) > view.might(v)]
        is_idle = lead < 0 or (not found and (lead == 0 or foes or other >= 0 or list_attackers(self.end, u, 0)))
        return [] if is_idle else [self.compare_melee(u, v), *found]

    def explain_siege(self, u: int) -> list[Reason]:
        """Return the RESOURCE that a Siege depletes, and when Sieges win; none if those of the enemy are faster."""
        view, left, name = self.view, count(messages.WHY_CARDS, len(self.view.deck[self.foe])), unit_name(self.game, u)
        fact = Fact(name, messages.WHY_DEPLETED, preview_siege(view, u, 1).get("amount", 0), is_counted=True)
        if fact.value > left.value:
            return [tell(messages.WHY_SIEGE_WINS, fact, left)]
        found = self.list_clock(view)
        race = [] if found else self.list_race(view)
        if race and not count_danger(view, self.seat) and not list_attackers(view, u, 0):
            race = race if asks_main(view) else [tell(messages.WHY_QUIET, general=name)]
        return [tell(messages.WHY_SIEGE, fact, left), *found, *race] if found or race else []

    def explain_place(self, u: int, place: int) -> list[Reason]:
        """Return what a general does at a place to which it moves, or where it takes the field."""
        view, end, seat, at = self.view, self.end, self.seat, PLACES[place]
        attackers, name = list_attackers(end, u, 0), unit_name(self.game, u)
        if place == ENEMY_BORDER:
            return [] if attackers else self.explain_advance(name)
        away = end.clone()
        away.zone[u] = HOME[seat]
        found = self.compare_danger(away, messages.WITH.format(general=name, place=at))
        if attackers or count_danger(end, seat) > count_danger(view, seat):
            return found
        # The best alternative may be safe as well.
        is_only = view.zone[u] >= 0 and (self.rival is None or list_attackers(self.rival.end, u))
        for v in list_attackers(view, u)[:1] if is_only else []:
            here = PLACES[ZONE_OF[seat][view.zone[u]]]
            found.append(tell(messages.WHY_LEAVES, *self.measure_melee(view, v, u), here=here, place=at))
        return found or self.list_risks(u)

    def explain_advance(self, name: str) -> list[Reason]:
        """Return what a general does at ENEMY'S BORDER; none if that opens BORDER."""
        end, seat = self.end, self.seat
        if count_danger(end, seat) > count_danger(self.view, seat):
            return self.list_race(end)
        amount, before = foresee_sieges(end, seat)[1], foresee_sieges(self.view, seat)[1]
        how = messages.WITH.format(general=name, place=PLACES[ENEMY_BORDER])
        facts = [count(messages.WHY_CARDS, one) for one in (amount, before, len(self.view.deck[self.foe]))]
        is_useful = amount > before + 1 and not self.list_clock(self.view)
        # The best alternative may bring as much.
        if not is_useful or (self.rival and foresee_sieges(self.rival.end, seat)[1] >= amount):
            return []
        return self.list_clock(end) or [tell(messages.WHY_FREE, *facts, how=how)]

    def list_risks(self, u: int) -> list[Reason]:
        """Return that an enemy could attack a general where the best alternative puts it, and cannot now."""
        if self.rival is None or u + actions.UNIT not in UNITS or list_attackers(self.view, u):
            return []
        s, at = self.rival.end, PLACES[ZONE_OF[self.seat][self.rival.end.zone[u]]]
        return [tell(messages.WHY_AVOIDS, *self.measure_melee(s, v, u), place=at) for v in list_attackers(s, u)[:1]]

    def explain_price(self, number: int, left: int) -> list[Reason]:
        """Return the reason to give a card away, one of `left`: it is of no use, or a better one stays."""
        view, seat, kind = self.view, self.seat, self.view.setup.kinds[number]
        hand, kept = [[card & KIND for card in s.hand[seat]] for s in (view, self.end)]
        if is_dead(view, seat, number):
            return [tell(messages.WHY_DEAD, card=kind.name)]
        if hand.count(number) > left:
            is_only = not any(hand.count(one) > 1 for one in hand if one != number)
            return [tell(messages.WHY_COPY, card=kind.name)] if is_only else []
        others = [view.setup.kinds[one] for one in kept if one != number and actions.CARD + one in view.actions]
        return [one for other in others for one in self.compare_generals(other, kind)][:1]

    def explain_recruit(self, kind: cards.Kind) -> list[Reason]:
        """Return what a general to recruit or take has that others lack."""
        view, end, seat = self.view, self.end, self.seat
        might, found = (
            self.measure_might(end, view.setup.unit_of[seat][kind.id]),
            self.compare_danger(view, messages.THEN),
        )
        offered = [view.setup.kinds[one - actions.CARD] for one in view.actions if one >= actions.CARD]
        others = [one for one in offered if one is not kind and not is_dead(view, seat, one.id)]
        if others and might.value == kind.might:
            found += self.compare_generals(kind, max(others, key=lambda one: one.might))
        return found

    def compare_generals(self, one: cards.Kind, other: cards.Kind) -> list[Reason]:
        """Return that a general of the hand has no less Might than another and costs no more; none if it does not."""
        price, cost = self.count_cost(self.view, one), self.count_cost(self.view, other)
        gains = one.might - other.might, cost.value - price.value, one.might + one.wits - other.might - other.wits
        dead = [kind for kind in (one, other) if kind.type != cards.CHARACTER or is_dead(self.view, self.seat, kind.id)]
        if dead or min(gains) < 0 or max(gains[:2]) == 0:
            return []
        mights = [Fact(kind.name, messages.WHY_MIGHT, kind.might) for kind in (one, other)]
        return [tell(messages.WHY_BETTER, *mights, price, cost)]

    def list_effects(self) -> list[Reason]:
        """Return the enemies that an effect takes away and what that brings, or a melee that it prevents."""
        view, end = self.view, self.end
        stay = self.rival.end.zone if self.rival else view.zone
        gone = [unit_name(self.game, v) for v in view.army[self.foe] if end.zone[v] < 0 <= stay[v]]
        found = [tell(messages.WHY_EXPELS, names=several(gone))] if gone else []
        return [*found, *self.list_gains(messages.THEN)]

    def list_gains(self, how: str) -> list[Reason]:
        """Return what an act brings: fewer Sieges, a free ENEMY'S BORDER, or safety of a general."""
        view, end, seat = self.view, self.end, self.seat
        found, then = self.compare_danger(view, how), foresee_sieges(end, seat)[1]
        rival = foresee_sieges(self.rival.end, seat)[1] if self.rival else 0
        if then > rival and view.count_standing(self.foe, FAR[seat]):
            facts = count(messages.WHY_DEPLETED, then), count(messages.WHY_CARDS, len(view.deck[self.foe]))
            found += self.list_clock(end) or [tell(messages.WHY_OPENS, *facts)]
        for u in view.army[seat]:
            if end.zone[u] == view.zone[u] and not list_attackers(end, u):
                attackers = list_attackers(view, u)[:1]
                found += [tell(messages.WHY_ATTACKS, *self.measure_melee(view, v, u)) for v in attackers]
        return found

    def compare_danger(self, without: GeneralsState, how: str) -> list[Reason]:
        """Return that less RESOURCE is in danger after the action than without it, unless the rest is too much."""
        lost, kept = [count_danger(s, self.seat) for s in (without, self.end)]
        left = len(self.end.deck[self.seat]) - stats.compute_upkeep_total(self.end, self.seat)
        rival = count_danger(self.rival.end, self.seat) if self.rival else lost
        if kept >= min(lost, rival) or kept > left:
            return []
        shown = kept, left if lost > left else len(self.view.deck[self.seat]), lost
        facts = [count(messages.WHY_CARDS, one) for one in shown]
        acts = any(self.view.setup.kinds[self.view.setup.kind[v]].actives for v in self.end.army[self.foe])
        but = messages.NO_ACTIVES if kept and acts else ""
        return [tell(messages.WHY_LOST if lost > left else messages.WHY_DANGER, *facts, how=how, but=but)]

    def is_doomed(self) -> bool:
        """Return whether the seat cannot pay its Upkeep and the next draw after the action, in its own turn."""
        end = self.end
        return end.active == self.seat and len(end.deck[self.seat]) <= stats.compute_upkeep_total(end, self.seat)

    def list_outlook(self) -> list[Reason]:
        """Return how the game ends soon, or at what rate, after the action."""
        s = self.end if self.end.active == self.seat and self.end.winner < 0 else self.view
        return self.list_clock(s) or ([tell(messages.WHY_DOOMED)] if self.is_doomed() else self.list_race(s))

    def list_clock(self, s: GeneralsState) -> list[Reason]:
        """Return that Sieges win soon: this turn, in the next turn of the enemy, or in the next turn of the seat."""
        left, due = count(messages.WHY_CARDS, len(s.deck[self.foe])), 1 + stats.compute_upkeep_total(s, self.foe)
        now, then = foresee_sieges(s, self.seat)
        rest, lasts = left.value - now, len(s.deck[self.seat]) > stats.compute_upkeep_total(s, self.seat)
        if rest < 0:
            return [tell(messages.WHY_ALL_WIN, count(messages.WHY_DEPLETED, now), left)]
        how = messages.SIEGES if now else messages.NOW
        if rest < due:
            return [
                tell(messages.WHY_STARVES, count(messages.WHY_CARDS, rest), count(messages.WHY_CARDS, due), how=how)
            ]
        facts = count(messages.WHY_CARDS, rest - due), count(messages.WHY_DEPLETED, then)
        # Upkeep has to leave a card for the next draw.
        return [tell(messages.WHY_NEXT, *facts, how=how)] if then > rest - due and lasts else []

    def list_race(self, s: GeneralsState) -> list[Reason]:
        """Return in which turns both players lose by Sieges, draws and Upkeep; none if the enemy is not the first."""
        danger, (now, then) = count_danger(s, self.seat), foresee_sieges(s, self.seat)
        mine, theirs = [1 + stats.compute_upkeep_total(s, one) for one in (self.seat, self.foe)]
        first = foresee_end(len(s.deck[self.foe]), now, then, theirs, s.number)
        second = foresee_end(len(s.deck[self.seat]) - mine + 1, danger, danger, mine, s.number + 1)
        turns = [count(messages.WHY_TURNS, one) for one in (first, second)]
        return [tell(messages.WHY_RACE, *turns)] if first < second else []

    def measure_might(self, s: GeneralsState, u: int, beside: str = "", value: int = -1) -> Fact:
        """Return the Might of a general, or its `value` in a melee, named as the enemy beside one of the same name."""
        name, kind = unit_name(self.game, u), s.setup.kinds[s.setup.kind[u]]
        might = value if value >= 0 else s.might(u) if s.zone[u] >= 0 else kind.might
        subject = messages.THE_ENEMY.format(general=name) if name == beside else name
        return Fact(subject, messages.WHY_MIGHT, might, is_counted=True)

    def measure_melee(self, s: GeneralsState, u: int, v: int) -> tuple[Fact, Fact]:
        """Return the Might of an attacker and of a defender in their melee."""
        seen = preview_melee(s, u, v)
        mine = self.measure_might(s, u, "", seen.get("attacker", 0))
        return mine, self.measure_might(s, v, mine.subject, seen.get("defender", 0))

    def compare_melee(self, u: int, v: int) -> Reason:
        """Return the result of a melee."""
        lead, facts = measure_lead(self.view, u, v), self.measure_melee(self.view, u, v)
        won = messages.WHY_BEATS if lead > 0 else messages.WHY_FALLS
        return tell(won if lead else messages.WHY_BOTH_FALL, *facts)

    def count_cost(self, s: GeneralsState, kind: cards.Kind) -> Fact:
        """Return the cards of the hand that a card costs."""
        return Fact(kind.name, messages.WHY_CARDS, stats.compute_cost(s, self.seat, kind), is_counted=True)


def count(quantity: str, value: int) -> Fact:
    """Return a number of RESOURCE, turns or generals."""
    return Fact(messages.THE_RESOURCE, quantity, value, is_counted=True)


def find_act(view: GeneralsState, line: Line) -> Action:
    """Return the act of the general with which a line begins, or else its first action."""
    action = line.actions[0]
    acts = legal.list_acts(view, action - actions.UNIT) if action in UNITS and asks_main(view) else [action]
    # A line leaves out choices without an alternative.
    return acts[0] if len(acts) == 1 else line.actions[1]


def measure_lead(s: GeneralsState, u: int, v: int) -> int:
    """Return the lead of a general in Might if it attacks another, of all that counts in a melee."""
    seen = preview_melee(s, u, v)
    return seen.get("attacker", 0) - seen.get("defender", 0)


def pass_turn(s: GeneralsState, seat: int) -> GeneralsState:
    """Return a copy of a position for the next turn of a seat, in which all generals are ready."""
    twin = s.clone()
    twin.lasting = [entry for entry in s.lasting if entry[ENDS] > s.number]
    twin.flags, twin.active, twin.sieges = [0] * len(s.flags), seat, 0
    return twin


def foresee_end(left: int, siege: int, later: int, due: int, at: int) -> int:
    """Return the turn in which a player loses by Sieges of turn `at`, later ones of each other turn, and what is due
    in turns between them."""
    while left >= siege + due:
        left, siege, at = left - siege - due, later, at + 2
    return at if left < siege else at + 1


def foresee_sieges(s: GeneralsState, seat: int) -> list[int]:
    """Return the RESOURCE that all generals of a seat that can besiege deplete now, and in the next turn."""
    ready = [(t, [u for u in t.army[seat] if legal.can_siege(t, u)]) for t in (s, pass_turn(s, seat))]
    return [sum_sieges(t, [u for u in units if legal.can_attack(t, u, False)]) for t, units in ready]


def sum_sieges(s: GeneralsState, units: list[int]) -> int:
    """Return the RESOURCE that Sieges of generals deplete one after another."""
    return sum(preview_siege(s, units[i], i + 1).get("amount", 0) for i in range(len(units)))


def list_attackers(s: GeneralsState, u: int, least: int = 1) -> list[int]:
    """Return the enemies that can attack a general in their next turn with a lead, the greatest first."""
    foe, zone = OPPONENT[s.setup.owner[u]], s.zone[u]
    twin = pass_turn(s, foe)
    found = [v for v in s.army[foe] if zone in FAR and can_reach(twin, v, zone) and measure_lead(twin, v, u) >= least]
    return sorted(found, key=lambda v: -measure_lead(twin, v, u))


def can_reach(s: GeneralsState, v: int, zone: int) -> bool:
    """Return whether a general can attack in melee in a zone this turn, if need be after its move."""
    if s.zone[v] == zone or not stats.find_rule_bits(s, v) & cards.MELEE_AFTER_MOVE:
        return s.zone[v] == zone and legal.can_attack(s, v, True)
    return legal.can_move(s, v) and (zone == NEAR[s.setup.owner[v]] or legal.can_enter(s, v))


def count_danger(s: GeneralsState, seat: int) -> int:
    """Return the most RESOURCE of a seat that enemies can deplete next turn, after attacks on its guards of BORDER."""
    twin, near = pass_turn(s, OPPONENT[seat]), NEAR[seat]
    ready = [v for v in s.army[OPPONENT[seat]] if can_reach(twin, v, near)]
    for kind, v in [(s.setup.kinds[s.setup.kind[v]], v) for v in ready]:
        # An ability may let it attack again.
        ready += [v] if any(isinstance(op, Ready) for one in kind.triggers for t in one for op in t.script.ops) else []
    used: set[frozenset[int]] = {frozenset()}
    for u in [u for u in s.army[seat] if s.zone[u] == near]:
        leads = [measure_lead(twin, v, u) for v in ready]
        # A general that falls attacks no more.
        spent = [{i} if leads[i] else {j for j in range(len(ready)) if ready[j] == v} for i, v in enumerate(ready)]
        used = {one | spent[i] for one in used for i in range(len(ready)) if leads[i] >= 0 and i not in one}
    left = [sorted({ready[i] for i in range(len(ready)) if i not in one}) for one in used]
    return max([sum_sieges(twin, [v for v in one if s.zone[v] == near and s.might(v)]) for one in left], default=0)

"""The value of a position of Generals in log-odds of winning: a weighted sum of terms, fitted to games between bots.

A position is valued where a turn begins, or where one is about to end (`closing`). In the second case the Upkeep that
is due counts as paid, and the other seat strikes next.
"""

from __future__ import annotations

from math import exp
from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.games.generals.rules import stats
from gonfalon.games.generals.rules.cards import CHARACTER, COUNTER, MIGHT, STRATEGY, TACTICS, WITS, Kind
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.games.generals.rules.zones import FAR, NEAR

MAX_LOG_ODDS: Final = 12.0
"""The log-odds of a game that is over."""

LIFE: Final = 0
CLOCK: Final = 1
LONG_CLOCK: Final = 2
HAND: Final = 3
DEAD: Final = 4
OF_MIGHT: Final = 5
OF_WITS: Final = 6
GENERALS: Final = 7
UPKEEP: Final = 8
SKILLS: Final = 9
GEAR: Final = 10
SIEGE_NOW: Final = 11
SIEGE_LATER: Final = 12
HELD_GATE: Final = 13
GUARDS: Final = 14
ON_GUARD: Final = 15
PREY: Final = 16
PREY_LATER: Final = 17
PEERS: Final = 18
LETHAL: Final = 19
LETHAL_LATER: Final = 20
COUNTERS: Final = 21
RECRUITS: Final = 22
PLOTS: Final = 23
TEMPO: Final = 24
CHAMPION: Final = 25
ALONE: Final = 26
READY: Final = 27
MARCH: Final = 28
TERM_COUNT: Final = 29

HAND_CARD_VALUES: Final = [1.7, 1.6, 1.5, 1.35, 1.2, 1.05, 0.9, 0.75, 0.6, 0.4]
"""The value of the first card of a hand, the second, and so on."""

_TABLE: Final[list[tuple[int, float, float]]] = [
    # WEIGHTS, FITTED
    (LIFE, 0.1177, 0.0966),
    (CLOCK, 0.5298, 0.8148),
    (LONG_CLOCK, 0.103, 0.4056),
    (HAND, 0.117, 0.0717),
    (DEAD, -0.0429, 0.0161),
    (OF_MIGHT, 0.1218, 0.1515),
    (OF_WITS, -0.001, 0.003),
    (GENERALS, 0.224, 0.2325),
    (UPKEEP, 0.0197, -0.186),
    (SKILLS, -0.0611, -0.0627),
    (GEAR, -0.0156, -0.0286),
    (SIEGE_NOW, 0.0228, -0.0452),
    (SIEGE_LATER, 0.0344, -0.0922),
    (HELD_GATE, 0.6462, 0.7674),
    (GUARDS, -0.0483, -0.0425),
    (ON_GUARD, 0.5287, 0.4225),
    (PREY, -0.0609, -0.0866),
    (PREY_LATER, -0.0508, -0.0372),
    (PEERS, -0.0709, -0.0367),
    (LETHAL, -4.0, -4.0),
    (LETHAL_LATER, -0.5, -0.5),
    (COUNTERS, -0.0464, 0.0662),
    (RECRUITS, -0.0043, 0.1383),
    (PLOTS, 0.0818, 0.2819),
    (TEMPO, 0.2, 0.026),
    (CHAMPION, 0.3705, 0.722),
    (ALONE, -0.1506, 0.3093),
    (READY, 0.0465, 0.002),
    (MARCH, 0.0479, 0.0455),
]
"""Each term in the order of its number, with its two weights."""
WEIGHTS: Final[list[float]] = [row[1] for row in _TABLE]
"""The value of each term for the choice of actions.

They were learned from 6,500 games in which the plan of each turn was drawn at random among the best. A term is worth
the difference that it made to the result between the plans that were drawn and the average of the plans, so a mere
correlation with winning does not count. `tools/fitting/generals_weights.py` learns such weights from single actions.
"""
FITTED: Final[list[float]] = [row[2] for row in _TABLE]
"""The weights that predict the winner where a turn begins: a logistic regression on the same games. Correlated terms
share their weight arbitrarily, so a single weight means little."""


class Foes:
    """The enemies at a seat's BORDER (the door) and at ENEMY'S BORDER (the gate)."""

    def __init__(self, s: GeneralsState, seat: int) -> None:
        self.door: int = 0
        self.door_might: int = 0
        self.door_best: int = -1
        self.gate: int = 0
        self.gate_best: int = -1
        self.strongest: int = 0  # the best Might of all
        near: int = NEAR[seat]
        far: int = FAR[seat]
        passing = len(s.lasting) > 0
        for v in s.army[1 - seat]:
            at = s.zone[v]
            might = lasting_might(s, v) if passing else s.might(v)
            self.strongest = max(self.strongest, might)
            if at == near:
                self.door += 1
                self.door_might += might
                self.door_best = max(self.door_best, might)
            elif at == far:
                self.gate += 1
                self.gate_best = max(self.gate_best, might)


def compute_terms(s: GeneralsState, seat: int, mover: int, closing: bool) -> list[float]:
    """Return the terms of one seat; `mover` strikes next."""
    found = [0.0] * TERM_COUNT
    foes = Foes(s, seat)
    put_army(s, seat, mover, foes, found)
    put_clock(s, seat, mover, closing, foes, found)
    put_hand(s, seat, found)
    found[TEMPO] = 1.0 if mover == seat else 0.0
    return found


def put_army(s: GeneralsState, seat: int, mover: int, foes: Foes, found: list[float]) -> None:
    """Set the terms of the generals and their places."""
    setup = s.setup
    kinds = setup.kinds
    near: int = NEAR[seat]
    far: int = FAR[seat]
    # Temporary effects do not last, so the value of generals leaves them out.
    passing = len(s.lasting) > 0
    strength = wisdom = skills = worn = siege = held = guards = marching = champion = 0
    prey = peers = 0.0
    army = s.army[seat]
    for u in army:
        kind = kinds[setup.kind[u]]
        might = lasting_might(s, u) if passing else s.might(u)
        wits = kind.wits
        skill = count_skills(kind)
        for gear in (s.armament[u], s.troop[u]):
            if gear >= 0:
                worn += 1
                wits += kinds[gear].flat[WITS]
        strength += might
        wisdom += wits
        skills += skill
        champion = max(champion, might)
        at = s.zone[u]
        best = -1
        if at == far:
            siege += might if foes.gate == 0 else 0
            held += 0 if foes.gate == 0 else 1
            best = foes.gate_best
        else:
            marching += might if foes.gate == 0 else 0
            if at == near:
                guards += 1
                best = foes.door_best
        if best >= might:
            worth = 1.0 + might + 0.4 * wits + 0.6 * skill
            if best > might:
                prey += worth
            else:
                peers += worth
    found[CHAMPION] = 1.0 if champion > foes.strongest else 0.0
    found[ALONE] = 0.0 if army else 1.0
    found[MARCH] = float(marching) if mover == seat else 0.0
    found[OF_MIGHT] = float(strength)
    found[OF_WITS] = float(wisdom)
    found[GENERALS] = float(len(army))
    found[SKILLS] = float(skills)
    found[GEAR] = float(worn)
    found[SIEGE_NOW if mover == seat else SIEGE_LATER] = float(siege)
    found[HELD_GATE] = float(held)
    found[GUARDS] = float(guards)
    found[ON_GUARD] = float(guards if foes.door else 0)
    found[PREY_LATER if mover == seat else PREY] = prey
    found[PEERS] = peers


def count_skills(kind: Kind) -> int:
    """Return the number of abilities of a general."""
    skill = len(kind.actives) + len(kind.replaces)
    for triggers in kind.triggers:
        if triggers:
            skill += 1
    for auras in kind.auras:
        if auras:
            skill += 1
    for own in kind.own:
        if own:
            skill += 1
    return skill


def put_clock(s: GeneralsState, seat: int, mover: int, closing: bool, foes: Foes, found: list[float]) -> None:
    """Set the terms of RESOURCE and its duration. GUARDS is set already."""
    due = stats.compute_upkeep_total(s, seat)
    left = len(s.deck[seat])
    # The seat whose turn ends pays its Upkeep before the next decision (ruling 54).
    if closing and mover != seat:
        left -= due
    threat = foes.door_might if found[GUARDS] == 0.0 else 0
    clock = left / (1.0 + due + threat)
    found[LIFE] = float(left)
    found[CLOCK] = 3.0 if clock > 3.0 else clock
    found[LONG_CLOCK] = 8.0 if clock > 8.0 else clock
    found[UPKEEP] = float(due)
    if threat > left:
        found[LETHAL_LATER if mover == seat else LETHAL] = 1.0


def put_hand(s: GeneralsState, seat: int, found: list[float]) -> None:
    """Set the terms of the hand, as far as its cards are known."""
    setup = s.setup
    hand = s.hand[seat]
    size = len(hand)
    total = 0.0
    for i in range(size):
        total += HAND_CARD_VALUES[i] if i < 10 else 0.2
    dead = counters = recruits = plots = 0
    promise = ready = 0.0
    for card in hand:
        number = card & KIND
        if number == HIDDEN:
            continue
        kind = setup.kinds[number]
        if kind.type == CHARACTER:
            if s.name_taken(setup.unit_of[seat][number]):  # it cannot be recruited now (ruling 32)
                dead += 1
                continue
            price = stats.compute_cost(s, seat, kind)
            if price < size:
                ready = max(ready, 2.0 + 0.25 * kind.might + 0.12 * kind.wits - 0.4 * price)
            if recruits < 4:
                recruits += 1
                promise += 1.0 + 0.25 * kind.might + 0.12 * kind.wits - 0.4 * kind.cost
        elif kind.type == COUNTER:
            counters = min(2, counters + 1)
        elif kind.type == STRATEGY and kind.subtypes & TACTICS and plots < 2 and s.army[seat]:
            plots += 1
    found[HAND] = total
    found[DEAD] = float(dead)
    found[COUNTERS] = float(counters)
    found[RECRUITS] = promise
    found[PLOTS] = float(plots)
    found[READY] = ready


def lasting_might(s: GeneralsState, u: int) -> int:
    """Return the Might of a general by its card and Equipment, without other effects."""
    setup = s.setup
    kinds = setup.kinds
    might = kinds[setup.kind[u]].might + kinds[setup.kind[u]].flat[MIGHT]
    if s.armament[u] >= 0:
        might += kinds[s.armament[u]].flat[MIGHT]
    if s.troop[u] >= 0:
        might += kinds[s.troop[u]].flat[MIGHT]
    return might if might > 0 else 0


def compute_balance(s: GeneralsState, me: int, closing: bool) -> list[float]:
    """Return the terms of a seat less those of the other."""
    mover = s.active
    if closing:
        mover = 1 - mover
    ours = compute_terms(s, me, mover, closing)
    enemy = compute_terms(s, 1 - me, mover, closing)
    return [ours[i] - enemy[i] for i in range(TERM_COUNT)]


def weigh_terms(found: list[float], weights: list[float]) -> float:
    """Return the weighted sum of the terms, limited to -10 and 10."""
    total = 0.0
    for i in range(TERM_COUNT):
        total += found[i] * weights[i]
    if total > 10.0:
        return 10.0
    return total if total > -10.0 else -10.0


def compute_log_odds(s: GeneralsState, me: int, closing: bool, weights: list[float]) -> float:
    """Return the log-odds that a seat wins."""
    if s.winner >= 0:
        return MAX_LOG_ODDS if s.winner == me else -MAX_LOG_ODDS
    # A seat that cannot pay its Upkeep loses at the end of its turn (ruling 54).
    if closing and stats.compute_upkeep_total(s, s.active) > len(s.deck[s.active]):
        return -MAX_LOG_ODDS if s.active == me else MAX_LOG_ODDS
    return weigh_terms(compute_balance(s, me, closing), weights)


def compute_probability(value: float) -> float:
    """Return log-odds as a probability."""
    if value >= MAX_LOG_ODDS:
        return 1.0
    return 0.0 if value <= -MAX_LOG_ODDS else 1.0 / (1.0 + exp(-value))

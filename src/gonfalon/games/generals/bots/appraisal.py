"""What a position of Generals is worth to a seat, in cards of RESOURCE: a rule of thumb.

RESOURCE is life (a card is 1), a hand is what one can do, an army is what one does it with: generals by
their lasting Might and Wits less the Upkeep they cost, by where they stand, and by what they would lose
or win in the melees and Sieges of the turn to come.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Seat
from gonfalon.games.generals.bots.position_value import skills_of
from gonfalon.games.generals.rules import stats
from gonfalon.games.generals.rules.cards import CHARACTER, MIGHT, WITS
from gonfalon.games.generals.rules.state import OPPONENT, GeneralsState
from gonfalon.games.generals.rules.zones import FAR, NEAR

WON: Final = 1000.0
OF_MIGHT: Final = 1.25
OF_WITS: Final = 0.5
OF_GENERAL: Final = 1.0
OF_UPKEEP: Final = 1.0  # what a card of Upkeep a turn takes away
OF_SKILL: Final = 0.8  # of an ability, whatever it is
OF_GEAR: Final = 0.8  # of Equipment beyond the numbers it adds
IN_HAND: Final = [1.7, 1.6, 1.5, 1.35, 1.2, 1.05, 0.9, 0.75, 0.6, 0.4]
"""The worth of the first card of a hand, of the second, ..."""
DEAD_IN_HAND: Final = 0.5  # less for a general that can never be recruited
AT_GATE: Final = 0.75  # of what a Siege would deplete, for a general at an open ENEMY'S BORDER
AT_HELD_GATE: Final = 0.5  # for a general at ENEMY'S BORDER where somebody stands in the way
ON_GUARD: Final = 0.5  # for a general at the own BORDER
GUARD_AGAINST: Final = 1.0  # more where enemies stand there
STRONGER: Final = 0.4  # of a general's worth, where a stronger enemy may attack it
AS_STRONG: Final = 0.12
SHORT: Final = 2.5  # for each turn that RESOURCE lasts less than ENOUGH
ENOUGH: Final = 4
LETHAL: Final = 60.0  # for Sieges next turn that RESOURCE cannot pay


def appraise(s: GeneralsState, me: Seat) -> float:
    """How much better a position is for a seat than for the other."""
    if s.winner >= 0:
        return WON if s.winner == me else -WON
    enemy = OPPONENT[me]
    return side(s, me) - side(s, enemy)


def side(s: GeneralsState, seat: Seat) -> float:
    """What one seat has."""
    enemy = OPPONENT[seat]
    far, near = FAR[seat], NEAR[seat]
    left = len(s.deck[seat])
    total = float(left)
    due = stats.upkeep_total(s, seat)
    turns = left / (due + 1.0)
    if turns < ENOUGH:
        total -= SHORT * (ENOUGH - turns)
    total += hand(s, seat)
    foes_at_gate = s.standing(enemy, far)
    foes_at_door = s.standing(enemy, near)
    for u in s.army[seat]:
        worth = general(s, u)
        zone = s.zone[u]
        if zone == far:
            if foes_at_gate == 0:
                worth += AT_GATE * s.might(u)
            else:
                worth += AT_HELD_GATE
        elif zone == near:
            worth += ON_GUARD + (GUARD_AGAINST if foes_at_door else 0.0)
        total += worth
        if (zone == far and foes_at_gate) or (zone == near and foes_at_door):
            best = best_might(s, enemy, zone)
            if best > s.might(u):
                total -= STRONGER * worth
            elif best == s.might(u):
                total -= AS_STRONG * worth
    if foes_at_door and s.standing(seat, near) == 0:
        damage = 0
        for v in s.army[enemy]:
            if s.zone[v] == near:
                damage += s.might(v)
        if damage > left:
            total -= LETHAL
    return total


def best_might(s: GeneralsState, seat: Seat, zone: int) -> int:
    """The best Might of a side's generals in a zone; -1 where there are none."""
    best = -1
    for v in s.army[seat]:
        if s.zone[v] == zone:
            best = max(best, s.might(v))
    return best


def general(s: GeneralsState, u: int) -> float:
    """What a general on the battlefield is worth by what lasts: print and Equipment."""
    setup = s.setup
    kind = setup.kinds[setup.kind[u]]
    might, wits, extra = kind.might, kind.wits, 0.0
    for worn in (s.armament[u], s.troop[u]):
        if worn >= 0:
            gear = setup.kinds[worn]
            might += gear.flat[MIGHT]
            wits += gear.flat[WITS]
            extra += OF_GEAR
    return OF_GENERAL + OF_MIGHT * might + OF_WITS * wits + OF_SKILL * skills_of(kind) + extra - OF_UPKEEP * kind.upkeep


def hand(s: GeneralsState, seat: Seat) -> float:
    """What the cards of a hand are worth together."""
    total = 0.0
    for i in range(len(s.hand[seat])):
        total += IN_HAND[i] if i < len(IN_HAND) else 0.2
    for card in s.hand[seat]:
        kind = card & KIND
        if kind != HIDDEN and dead(s, seat, kind):
            total -= DEAD_IN_HAND
    return total


def dead(s: GeneralsState, seat: Seat, kind: int) -> bool:
    """Whether a card of the hand is a general whose name is on the field or in CASUALTY."""
    setup = s.setup
    return setup.kinds[kind].type == CHARACTER and s.name_taken(setup.unit_of[seat][kind])

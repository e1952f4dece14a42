"""Simple rules of play from the guide, for the second judge of reviews.

They compare printed numbers in one zone. No position is valued and no turn is looked ahead, so they share nothing with
the heuristic and the network.
"""

from __future__ import annotations

from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.generals.rules.actions import ACTIVE, ACTIVES, CARD, END, PASS, SIEGE, UNIT, YES, ZONE
from gonfalon.games.generals.rules.acts.legal import list_acts
from gonfalon.games.generals.rules.cards import CHARACTER, EQUIPMENT, TACTICS
from gonfalon.games.generals.rules.state import OPPONENT, GeneralsState
from gonfalon.games.generals.rules.zones import BORDER, ENEMY_BORDER, FAR, NEAR

GOOD_ARMY = 3
"""Generals beyond which Upkeep costs more than another one brings."""


def rate_actions(s: GeneralsState) -> list[float]:
    """Return log-odds for the actions of the seat in turn: siege, win melees, advance, recruit, and answer attacks."""
    step = s.stack[-1]
    prompt = step.prompt
    if prompt == "main":
        return [0.0 if action == END else rate_main(s, s.turn, action) for action in s.actions]
    if prompt == "act":
        unit = step.key()[1]
        return [rate_act(s, unit, action) for action in s.actions]
    if prompt == "target":
        return [float(action >= UNIT and s.setup.owner[action - UNIT] != s.turn) for action in s.actions]
    if prompt in ("pay", "excess"):
        return [-rate_card(s, s.turn, action - CARD) for action in s.actions]
    return [2.0 * (action != PASS) if prompt == "answer" else float(action == YES) for action in s.actions]


def rate_main(s: GeneralsState, seat: Seat, action: Action) -> float:
    """Return log-odds for a card of the hand or a general."""
    if action < CARD:
        return max([rate_act(s, action - UNIT, act) for act in list_acts(s, action - UNIT)], default=-3.0)
    if s.setup.kinds[action - CARD].type == CHARACTER and len(s.army[seat]) >= GOOD_ARMY:
        return -2.0
    return 1.0 + rate_card(s, seat, action - CARD)


def rate_card(s: GeneralsState, seat: Seat, card: int) -> float:
    """Return the worth of a card in hand: the Might of a general, and the same for other cards of a type."""
    kind = s.setup.kinds[card]
    if kind.type == CHARACTER:
        unit = s.setup.unit_of[seat][card]
        return -2.0 if s.name_taken(unit) else 0.7 * kind.might
    return 2.5 if kind.subtypes & TACTICS else 2.0 if kind.type == EQUIPMENT else 1.0


def rate_act(s: GeneralsState, unit: int, action: Action) -> float:
    """Return log-odds for an act of a general."""
    seat = s.setup.owner[unit]
    foes = [v for v in s.army[OPPONENT[seat]] if s.zone[v] == NEAR[seat]]
    if action == SIEGE:
        return 6.0
    if action >= UNIT:
        apart = s.might(unit) - s.might(action - UNIT)
        return 5.0 if apart > 0 else 1.0 if apart == 0 else -3.0
    if action in range(ACTIVE, ACTIVE + ACTIVES):
        return 2.0
    if action == ZONE + BORDER:
        weakest = min([s.might(v) for v in foes], default=99)
        return 3.0 if s.might(unit) >= weakest else -1.0 if s.zone[unit] == FAR[seat] else 1.0
    if action == ZONE + ENEMY_BORDER:
        strongest = max([s.might(v) for v in s.army[OPPONENT[seat]] if s.zone[v] == FAR[seat]], default=-1)
        return 3.0 if s.might(unit) > strongest else -1.0
    return -2.0

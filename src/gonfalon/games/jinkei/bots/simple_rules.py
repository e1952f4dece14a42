"""Simple rules of play from the guide, for the second judge of reviews.

They look one battle ahead, at cards that lie open. The solver and the heuristic of the levels are not used.
"""

from __future__ import annotations

from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.jinkei.rules.setup import LAID, REARGUARD, SPACE_OF
from gonfalon.games.jinkei.rules.state import JinkeiState


def rate_actions(s: JinkeiState) -> list[float]:
    """Return log-odds for the actions of the seat in turn: win battles, lose cheap cards, lay high cards in front."""
    prompt, seat = s.stack[-1].prompt, s.turn
    if prompt == "lead":
        return [1.5 * rate_lead(play(s, action), seat) for action in s.actions]
    if prompt == "answer":
        return [1.5 * count_lead(play(s, action), seat) for action in s.actions]
    if prompt in ("front", "back"):
        bonus = s.forms[seat].bonus
        laid = [(SPACE_OF[action], s.setup.rank[LAID[action]]) for action in s.actions]
        return [(0.6 * (space < REARGUARD) + 0.1 * bonus[space]) * rank for space, rank in laid]
    return [0.0] * len(s.actions)


def rate_lead(led: JinkeiState, seat: Seat) -> float:
    """Return the lead in Achievements after the best answer to a led card."""
    return min([count_lead(play(led, action), seat) for action in led.actions])


def play(s: JinkeiState, action: Action) -> JinkeiState:
    """Return the position after an action."""
    then = s.clone()
    then.apply(s.turn, action)
    return then


def count_lead(s: JinkeiState, seat: Seat) -> float:
    """Return the lead of a seat in the Achievements of the round, the last battle included."""
    return float(s.points_of(seat) - s.points_of(1 - seat))

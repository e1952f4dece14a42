"""Simple rules of play from the guide, for the second judge of reviews.

They count printed points and battle values only. No ability is weighed, and no pick of another seat is predicted.
"""

from __future__ import annotations

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action
from gonfalon.games.factionwars.rules.actions import CARD, STEAL, TAKE
from gonfalon.games.factionwars.rules.state import FactionState


def rate_actions(s: FactionState) -> list[float]:
    """Return log-odds for the actions of the seat in turn: good cards more often, Bystanders for any other player."""
    prompt = s.stack[-1].prompt
    if prompt == "select":
        return [1.2 * rate_card(s, s.lineup[action - TAKE] & KIND) for action in s.actions]
    # Cards that are given away or removed should be poor ones.
    sign = -1.0 if prompt in ("desert", "parley", "gift") else 1.0
    return [sign * rate_choice(s, action) for action in s.actions]


def rate_choice(s: FactionState, action: Action) -> float:
    """Return the worth of the card that an action names, 0 if it names a player."""
    return rate_card(s, action - CARD) if CARD <= action < STEAL else 0.0


def rate_card(s: FactionState, kind: int) -> float:
    """Return the worth of a card to the seat in turn in points."""
    card, setup = s.kinds[kind], s.setup
    if card.bystander:
        return 1.5
    worth = card.points + 0.3 * card.battle + 3.0 * card.acts
    for held in s.goal[s.turn]:
        goal = setup.goals[(held & KIND) - setup.goal_kinds[0]]
        worth += kind in goal.counted or 0 <= goal.faction == card.faction
    return worth

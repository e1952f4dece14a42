"""Computer opponents. A bot receives a view and nothing else; code in the same process is trusted."""

from __future__ import annotations

from gonfalon.bots.levels import (
    Level,
    choose_default_level,
    find_level,
    list_levels,
    list_offered_levels,
    list_playable_levels,
    make,
)
from gonfalon.bots.players.bot import Bot, BotError
from gonfalon.bots.players.budget import Budget
from gonfalon.bots.players.choice import Alternative, Basis, Belief, Choice, Estimate, Reason

__all__ = [
    "Alternative",
    "Basis",
    "Belief",
    "Bot",
    "BotError",
    "Budget",
    "Choice",
    "Estimate",
    "Level",
    "Reason",
    "find_level",
    "list_levels",
    "list_playable_levels",
    "make",
    "list_offered_levels",
    "choose_default_level",
]

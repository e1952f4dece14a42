"""Computer opponents. A bot receives a view and nothing else; programs of others think in processes of their own."""

from __future__ import annotations

from gonfalon.bots.levels import (
    Level,
    choose_default_level,
    find_level,
    list_levels,
    list_offered_levels,
    list_playable_levels,
)
from gonfalon.bots.levels import (
    make as make_level,
)
from gonfalon.bots.outside.notation import make
from gonfalon.bots.players.bot import Bot, BotError, UntrainedError
from gonfalon.bots.players.budget import Budget
from gonfalon.bots.players.choice import Alternative, Belief, Choice, Estimate, Fact, Fault

__all__ = [
    "Alternative",
    "Belief",
    "Bot",
    "BotError",
    "Budget",
    "Choice",
    "Estimate",
    "Fact",
    "Fault",
    "Level",
    "UntrainedError",
    "find_level",
    "list_levels",
    "list_playable_levels",
    "make",
    "make_level",
    "list_offered_levels",
    "choose_default_level",
]

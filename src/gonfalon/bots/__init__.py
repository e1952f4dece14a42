"""Computer opponents. A bot is given a view and nothing else; code in the same process is trusted."""

from __future__ import annotations

from gonfalon.bots.levels import Level, kind, levels, levels_for, make, opponents, usual
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
    "kind",
    "levels",
    "levels_for",
    "make",
    "opponents",
    "usual",
]

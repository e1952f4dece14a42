"""Computer opponents. A bot's only input is a view: it cannot cheat."""

from __future__ import annotations

from gonfalon.bots.bot import Bot, BotError
from gonfalon.bots.budget import Budget
from gonfalon.bots.choice import Alternative, Belief, Choice, Estimate
from gonfalon.bots.levels import Level, kind, levels, levels_for, make, opponents, usual

__all__ = [
    "Alternative",
    "Belief",
    "Bot",
    "BotError",
    "Budget",
    "Choice",
    "Estimate",
    "Level",
    "kind",
    "levels",
    "levels_for",
    "make",
    "opponents",
    "usual",
]

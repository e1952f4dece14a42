"""Faction Wars: Cowboys, Ninjas, Pirates, Vikings (Smoke Rise Games): rules, cards and words."""

from gonfalon.games.factionwars.game import FactionWars

__all__ = ["FactionWars"]

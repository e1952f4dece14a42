"""The seed, deals, levels and options by which all players are measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gonfalon.core.basics.options import Options

SEED: Final = 20261126
PAIRS: Final = 200
"""Deals against each level, each played from all seats."""
LEVELS: Final = ("random", "greedy", "club")
OPTIONS: Final[Mapping[str, Options]] = {"factionwars": {"seats": 2}}
"""Options of the games that are played in full; all others are the default ones, factions and decks in turn."""
PARTS: Final = ("exact", "score")
"""The parts of a measurement, the quickest first."""

"""What is frozen: the numbers that every card of this version is measured by. Whoever changes one raises `VERSION`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gonfalon.core.options import Options

VERSION: Final = 4
SEED: Final = 20261126
PAIRS: Final = 200
"""Deals against each level, and of a trained exploiter against the player, each played from all seats."""
LEVELS: Final = ("random", "greedy", "club")
OPTIONS: Final[Mapping[str, Options]] = {"factionwars": {"seats": 2}}
"""Of the games that are played in full; all other options are the default ones, factions and decks in turn."""
DECISIONS: Final = 200_000
"""So many an exploiter makes while it learns."""
PARTS: Final = ("exact", "score", "tasks", "response")
"""What is measured, the quickest first."""

"""The seed, deals, levels and options of all measurements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gonfalon.core.basics.options import Options

SEED: Final = 20261126
"""Seed of all deals."""
LEVELS: Final = ("random", "greedy", "club")
"""Opponents of a measurement."""
OPTIONS: Final[Mapping[str, Options]] = {"factionwars": {"seats": 2}}
"""Options of the complete games. All others have their defaults, with factions and decks in turn."""
PARTS: Final = ("exact", "score")
"""Parts of a measurement, the fastest first."""

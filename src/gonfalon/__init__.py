"""Gonfalon: a table for war card games.

Example:
    import gonfalon
    game = gonfalon.game("feint", factions=("keion", "agents"))
    state = game.start()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gonfalon.core.basics.errors import (
    DataError,
    GonfalonError,
    NotationError,
    OptionError,
    RecordError,
    Refusal,
)
from gonfalon.core.basics.outcome import Outcome
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record, load
from gonfalon.core.knowledge.worlds import Worlds, worlds
from gonfalon.core.rules.game import Game, Option
from gonfalon.core.rules.state import CHANCE, OPEN, SPECTATOR, Decision, State
from gonfalon.games import game, names

if TYPE_CHECKING:
    from gonfalon.core.files.freeze import freeze, thaw

__version__ = "1.0.0"

__all__ = [
    "CHANCE",
    "DataError",
    "Decision",
    "Game",
    "GonfalonError",
    "NotationError",
    "OPEN",
    "Option",
    "OptionError",
    "Outcome",
    "Record",
    "RecordError",
    "Refusal",
    "Rng",
    "SPECTATOR",
    "State",
    "Worlds",
    "__version__",
    "freeze",
    "game",
    "load",
    "names",
    "thaw",
    "worlds",
]


def __getattr__(name: str) -> object:
    """Load rarely used names on first access."""
    if name in ("freeze", "thaw"):
        from gonfalon.core.files import freeze as found

        return getattr(found, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""The scale of losses: the share that remains when positions are played to the end, and its error.

A judge looks ahead only some way, so the losses that it finds are not final. They are scaled by a factor that was
fitted to decisions of other games, which the second referee played to the end. Every interval is widened by the error
of that scale.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import Final

from gonfalon.bots.players.choice import Z
from gonfalon.core.rules.game import Game
from gonfalon.review.data_files import LOSSES, find_data_file

FILE_VERSION: Final = 1
"""Version of the file."""


@dataclass(frozen=True)
class Loss:
    """A loss of the chance to win, with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Scale:
    """The scale of reported losses."""

    told: float = 0.84
    """Share of a loss that remains at the end. The default was fitted to losses in Feint, Faction Wars and Generals."""
    doubt: float = 0.3
    """Standard error of that share, which widens every interval."""
    floor: float = 0.035
    """Standard error of even the smallest loss, because worlds are evaluated before their end."""

    def of(self, loss: Loss) -> Loss:
        """Return a loss on this scale, with an interval that includes the error of the scale."""
        worlds = self.told * (loss.high - loss.low) / 2.0
        # The errors of the worlds, of the scale and of the evaluation are independent, so their squares add up.
        half = sqrt(worlds**2 + Z**2 * ((self.doubt * loss.value) ** 2 + self.floor**2))
        middle = self.told * loss.value
        return Loss(middle, middle - half, middle + half)


DEFAULT_SCALE: Final = Scale()
"""Scale of games without a fitted one."""


def load_scale(game: Game, network: str) -> Scale:
    """Return the scale of a game, fitted with this network and these rules; else the default."""
    path = find_data_file(game, LOSSES)
    return DEFAULT_SCALE if path is None else read_scale(path, network, game.version)


@lru_cache(16)
def read_scale(path: Path, network: str, rules: str) -> Scale:
    """Return the scale in a file; the default if it was fitted with another network or other rules."""
    held = json.loads(path.read_text("utf-8"))
    about = held["about"]
    if held["version"] != FILE_VERSION or about["network"] != network or about["rules"] != rules:
        return DEFAULT_SCALE
    return Scale(held["told"], held["doubt"], held["floor"])

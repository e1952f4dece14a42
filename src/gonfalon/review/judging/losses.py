"""How much of a loss comes true when such positions are played to the end, and how sure that is.

A judge looks some way ahead, and what it sees there is not what comes of it. So a loss is told at a scale that was
fitted to decisions of other games, each of which the second referee played to the end, and every interval is widened
by what that scale leaves open.
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
from gonfalon.review.held import LOSSES, held_file

VERSION: Final = 1


@dataclass(frozen=True)
class Loss:
    """Chances to win that were given away, with the ends of the 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Scale:
    """How losses are told."""

    told: float = 0.84
    """How much of a loss comes true; what stands here was fitted to losses of Feint, Faction Wars and Generals."""
    doubt: float = 0.3
    """The standard error of that, which widens every interval."""
    floor: float = 0.035
    """What is left of the error of even the smallest loss: worlds are judged before their end."""

    def of(self, loss: Loss) -> Loss:
        """A loss as it is told: so much of it as comes true, with an interval for that as well."""
        worlds = self.told * (loss.high - loss.low) / 2.0
        half = sqrt(worlds**2 + Z**2 * ((self.doubt * loss.value) ** 2 + self.floor**2))
        middle = self.told * loss.value
        return Loss(middle, middle - half, middle + half)


USUAL: Final = Scale()


def scale_of(game: Game, network: str) -> Scale:
    """The scale of a game, fitted with this network and by these rules; the usual one where there is none."""
    path = held_file(game, LOSSES)
    return USUAL if path is None else read(path, network, game.version)


@lru_cache(16)
def read(path: Path, network: str, rules: str) -> Scale:
    """What a file holds; the usual scale where it was fitted with another network or by other rules."""
    held = json.loads(path.read_text("utf-8"))
    about = held["about"]
    if held["version"] != VERSION or about["network"] != network or about["rules"] != rules:
        return USUAL
    return Scale(held["told"], held["doubt"], held["floor"])

"""A level's chances to win, set right by what has come true.

What a search adds up is how well things go in its own model; with what it chooses because it looks best, that
is too hopeful. A scale is two numbers for a level, learned from games by `gonfalon lab calibration --fit` and
kept beside the game's players in `chances.json`, by the number of seats. It changes what is told, never what
is chosen.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from math import exp, log
from pathlib import Path
from typing import Final

from gonfalon.bots.choice import Alternative, Choice, Estimate
from gonfalon.core.game import Game

FILE: Final = "chances.json"
EDGE: Final = 0.001
"""Nothing is told as surer than this: as far as anybody knows a bot may be wrong."""


@dataclass(frozen=True)
class Scale:
    """A chance goes through its log-odds: `slope` (more than 0) spreads or narrows them, `shift` raises them."""

    shift: float = 0.0
    slope: float = 1.0

    def of(self, chance: float) -> float:
        """A chance set right. Keeps the order of chances."""
        return round(1.0 / (1.0 + exp(-self.shift - self.slope * logit(chance))), 4)

    def estimate(self, found: Estimate) -> Estimate:
        """A chance and its interval set right."""
        return Estimate(self.of(found.value), self.of(found.low), self.of(found.high))

    def told(self, choice: Choice) -> Choice:
        """A choice with all its chances set right."""
        if choice.value is None:
            return choice
        others = tuple(
            other if other.value is None else Alternative(other.action, self.estimate(other.value), other.share)
            for other in choice.alternatives
        )
        return replace(choice, value=self.estimate(choice.value), alternatives=others)


def logit(chance: float) -> float:
    """The log-odds of a chance, of a sure one those of one that is nearly sure."""
    held = min(1.0 - EDGE, max(EDGE, chance))
    return log(held / (1.0 - held))


def scale_of(game: Game, level: str) -> Scale | None:
    """What sets a level's chances right in a game with this number of seats; None where nothing was learned."""
    folder = getattr(game, "folder", None)  # a game made for a test may have none
    if folder is None:
        return None
    found = kept(folder / "players" / FILE).get(str(game.seats), {}).get(level)
    return None if found is None else Scale(*found)


@lru_cache(32)
def kept(path: Path) -> dict[str, dict[str, list[float]]]:
    """The scales of a file: by the number of seats, by the level; none where there is no file."""
    try:
        text = path.read_text("utf-8")
    except OSError:
        return {}
    found: dict[str, dict[str, list[float]]] = json.loads(text)["scales"]
    return found

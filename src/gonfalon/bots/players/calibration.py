"""Calibration of the win chances that levels report.

A search is too optimistic about the action that it chooses because it looks best, and too certain if it looks ahead
only a little. A scale is a piecewise linear function for a level, from reported to observed chances, fitted to games by
`tools.fitting.chances` and stored in `chances.json` beside the game's bots, by number of seats. It changes reports,
never choices.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from gonfalon.bots.players.choice import Alternative, Choice, Estimate
from gonfalon.core.rules.game import Game

FILE: Final = "chances.json"


@dataclass(frozen=True)
class Scale:
    """The corners of an increasing function from reported to observed chances."""

    corners: tuple[tuple[float, float], ...]

    def of(self, chance: float) -> float:
        """Return the observed chance for a reported one. A higher chance never becomes lower than a lower one.

        Beyond the outermost corners the correction stays the same, within 0 and 1.
        """
        points = [*self.corners]
        (x, y), (u, v) = points[0], points[-1]
        points = [(0.0, max(0.0, y - x)), *points, (1.0, min(1.0, v + 1.0 - u))]
        # A chance of exactly 0 belongs to the first piece of the function.
        at = max(1, min(len(points) - 1, bisect_left(points, (chance,))))
        (x, y), (u, v) = points[at - 1], points[at]
        return round(y + (v - y) * (chance - x) / (u - x) if u > x else v, 4)

    def estimate(self, found: Estimate) -> Estimate:
        """Return a chance and its interval, corrected."""
        return Estimate(self.of(found.value), self.of(found.low), self.of(found.high))

    def told(self, choice: Choice) -> Choice:
        """Return a choice with all its chances corrected."""
        if choice.value is None:
            return choice
        others = tuple(
            other if other.value is None else Alternative(other.action, self.estimate(other.value), other.share)
            for other in choice.alternatives
        )
        return replace(choice, value=self.estimate(choice.value), alternatives=others)


def scale_of(game: Game, level: str) -> Scale | None:
    """Return the calibration of a level in a game with this number of seats; None if there is none."""
    folder = getattr(game, "folder", None)  # a game made for a test may have none
    if folder is None:
        return None
    found = kept(folder / "bots" / FILE).get(str(game.seats), {}).get(level)
    return None if found is None else Scale(tuple((told, came) for told, came in found))


@lru_cache(32)
def kept(path: Path) -> dict[str, dict[str, list[list[float]]]]:
    """Return the scales in a file, by number of seats and then by level; empty if there is no file."""
    try:
        text = path.read_text("utf-8")
    except OSError:
        return {}
    found: dict[str, dict[str, list[list[float]]]] = json.loads(text)["scales"]
    return found

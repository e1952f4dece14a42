"""Tips at the prompt in the terminal: the game's own (`Words.tips`), over the first games of a kind that begin here.

How many those were, and whether somebody wants tips in every game or in none, is kept in the user's state folder. A
file that cannot be read or written stops nobody: then it is as if nothing had been kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from gonfalon.core.files.folders import noted
from gonfalon.core.files.reading import read_text
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.words import NEWCOMER


@dataclass
class Kept:
    """What is known of the person at this terminal."""

    wish: bool | None = None
    """Tips in every game, in none, or in a newcomer's."""
    begun: dict[str, int] = field(default_factory=dict)
    """How many games of each kind had tips."""


def tips_for(game: Game, wish: bool | None, goes_on: bool) -> Mapping[str, str]:
    """The tips of a game that begins, or goes on, by their prompts. A wish is kept for all games to come."""
    kept = read()
    kept.wish = kept.wish if wish is None else wish
    begun = kept.begun.get(game.name, 0)
    shown = begun <= NEWCOMER if goes_on else begun < NEWCOMER
    if game.tips and not goes_on and begun < NEWCOMER:
        kept.begun[game.name] = begun + 1
    keep(kept)
    return game.tips if (shown if kept.wish is None else kept.wish) else {}


def place() -> Path:
    """The file."""
    return noted("tips.json")


def read() -> Kept:
    """What was kept."""
    body: object = None
    with suppress(OSError, ValueError, RecursionError):
        body = json.loads(read_text(place()))
    if not isinstance(body, dict):
        return Kept()
    wish, begun = body.get("wish"), body.get("begun")
    counts = begun.items() if isinstance(begun, dict) else ()
    return Kept(
        wish if isinstance(wish, bool) else None,
        {str(name): count for name, count in counts if type(count) is int and count > 0},
    )


def keep(kept: Kept) -> None:
    """Write it down, where that has changed something."""
    file = place()
    with suppress(OSError):
        if kept != read():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps({"wish": kept.wish, "begun": kept.begun}) + "\n", "utf-8")

"""Tips at the prompt: the game's own (`Words.tips`), in a user's first games of a kind.

The number of such games and the user's wish are saved in the state folder. A file that cannot be read or written is
ignored.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from gonfalon.core.files.reading import read_text
from gonfalon.core.folders import locate_state
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.words import NEWCOMER_GAMES


@dataclass
class SavedTips:
    """The saved data about the user's tips."""

    wish: bool | None = None
    """Whether to show tips in all games; None for a newcomer's games."""
    begun: dict[str, int] = field(default_factory=dict)
    """Number of games of each kind that had tips."""


def choose_tips(game: Game, wish: bool | None, continues: bool) -> Mapping[str, str]:
    """Return the tips of a game by prompt.

    Args:
        game: The game.
        wish: Whether the user wants tips, which is saved for later games; None to keep the saved wish.
        continues: Whether the game is continued.
    """
    kept = read_saved()
    kept.wish = kept.wish if wish is None else wish
    begun = kept.begun.get(game.name, 0)
    shown = begun <= NEWCOMER_GAMES if continues else begun < NEWCOMER_GAMES
    if game.tips and not continues and begun < NEWCOMER_GAMES:
        kept.begun[game.name] = begun + 1
    save_tips(kept)
    return game.tips if (shown if kept.wish is None else kept.wish) else {}


def get_path() -> Path:
    """Return the path of the file."""
    return locate_state("tips.json")


def read_saved() -> SavedTips:
    """Return the saved data."""
    body: object = None
    with suppress(OSError, ValueError, RecursionError):
        body = json.loads(read_text(get_path()))
    if not isinstance(body, dict):
        return SavedTips()
    wish, begun = body.get("wish"), body.get("begun")
    counts = begun.items() if isinstance(begun, dict) else ()
    return SavedTips(
        wish if isinstance(wish, bool) else None,
        {str(name): count for name, count in counts if type(count) is int and count > 0},
    )


def save_tips(kept: SavedTips) -> None:
    """Save the data, if it has changed."""
    file = get_path()
    with suppress(OSError):
        if kept != read_saved():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps({"wish": kept.wish, "begun": kept.begun}) + "\n", "utf-8")

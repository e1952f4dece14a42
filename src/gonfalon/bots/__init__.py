"""Computer opponents. A bot's only input is a view: it cannot cheat."""

from __future__ import annotations

import difflib
from typing import Final

from gonfalon.bots.bot import Bot, BotError, Choice
from gonfalon.bots.greedy import GreedyBot
from gonfalon.bots.uniform import RandomBot
from gonfalon.core.errors import OptionError
from gonfalon.core.game import Game

_LEVELS: Final[dict[str, type[Bot]]] = {"random": RandomBot, "greedy": GreedyBot}


def levels() -> list[str]:
    """The names of the levels, weakest first."""
    return list(_LEVELS)


def levels_for(game: Game) -> list[str]:
    """The levels that can play this game, weakest first."""
    return [level for level in _LEVELS if level != "greedy" or game.heuristic() is not None]


def kind(level: str) -> type[Bot]:
    """The class of a level. Raises OptionError."""
    found = _LEVELS.get(level)
    if found is None:
        near = difflib.get_close_matches(level, _LEVELS, 1)
        hint = f" Did you mean {near[0]}?" if near else f" The levels are {', '.join(_LEVELS)}."
        raise OptionError(f"There is no level {level!r}.{hint}")
    return found


def make(level: str, game: Game) -> Bot:
    """A bot of a level for a game. Raises OptionError when the level or the game's heuristic is
    missing."""
    return kind(level)(level, game)


__all__ = ["Bot", "BotError", "Choice", "kind", "levels", "levels_for", "make"]

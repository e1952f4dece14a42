"""The installed games, found through the entry-point group `gonfalon.games`."""

from __future__ import annotations

import difflib
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from gonfalon.core.errors import OptionError
from gonfalon.core.game import Game


@cache
def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group="gonfalon.games")}


def names() -> list[str]:
    """The names of all installed games, sorted."""
    return sorted(_entries())


def kind(name: str) -> type[Game]:
    """The class of a game. Raises OptionError when none of that name is installed."""
    entry = _entries().get(name)
    if entry is None:
        near = difflib.get_close_matches(name, names(), 1)
        hint = f" Did you mean {near[0]}?" if near else f" Installed: {', '.join(names())}."
        raise OptionError(f"There is no game {name!r}.{hint}")
    loaded = entry.load()
    if not (isinstance(loaded, type) and issubclass(loaded, Game)):
        raise OptionError(f"The entry point of {name!r} is not a gonfalon Game.")
    return loaded


def game(name: str, **options: Any) -> Game:
    """A game with its options: `game("feint", factions=("keion", "agents"))`. Raises OptionError."""
    return kind(name)(**options)

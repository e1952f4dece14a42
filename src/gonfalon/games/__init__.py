"""The installed games, found through the entry-point group `gonfalon.games`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@cache
def _find_entry_points() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group="gonfalon.games")}


def names() -> list[str]:
    """Return the names of all installed games, sorted."""
    return sorted(_find_entry_points())


def find_game_class(name: str) -> type[Game]:
    """Return the class of a game.

    Raises:
        OptionError: No game of that name is installed.
    """
    entry = _find_entry_points().get(name)
    if entry is None:
        import difflib

        near = difflib.get_close_matches(name, names(), 1)
        hint = f" Did you mean {near[0]}?" if near else f" Installed: {', '.join(names())}."
        raise OptionError(f"There is no game {name!r}.{hint}")
    loaded = entry.load()
    if not (isinstance(loaded, type) and issubclass(loaded, Game)):
        raise OptionError(f"The entry point of {name!r} is not a Gonfalon game.")
    return loaded


def game(name: str, **options: object) -> Game:
    """Return a game with its options.

    Args:
        name: The name of an installed game.
        options: Its options by name. Options that are not given have their defaults.

    Raises:
        OptionError: There is no such game or option, or a value is not allowed.

    Example:
        game("feint", factions=("keion", "agents"))
    """
    return find_game_class(name)(**options)

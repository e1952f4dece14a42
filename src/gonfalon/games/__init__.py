"""The installed games, found through the entry-point group `gonfalon.games`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@cache
def _entries() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group="gonfalon.games")}


def names() -> list[str]:
    """The names of all installed games, sorted."""
    return sorted(_entries())


def kind(name: str) -> type[Game]:
    """The class of a game. Raises OptionError when none of that name is installed."""
    entry = _entries().get(name)
    if entry is None:
        import difflib

        near = difflib.get_close_matches(name, names(), 1)
        hint = f" Did you mean {near[0]}?" if near else f" Installed: {', '.join(names())}."
        raise OptionError(f"There is no game {name!r}.{hint}")
    loaded = entry.load()
    if not (isinstance(loaded, type) and issubclass(loaded, Game)):
        raise OptionError(f"The entry point of {name!r} is not a gonfalon Game.")
    return loaded


def game(name: str, **options: object) -> Game:
    """A game with its options: `game("feint", factions=("keion", "agents"))`. Raises OptionError."""
    return kind(name)(**options)

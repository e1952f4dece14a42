"""The installed games, found through the entry-point group `gonfalon.games`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.metadata import EntryPoint


@cache
def _find_entry_points() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group="gonfalon.games")}


def names() -> list[str]:
    """Return the names of all installed games, sorted."""
    return sorted(_find_entry_points())


def list_packages() -> list[str]:
    """Return the top-level packages of all installed games, sorted."""
    return sorted({entry.module.partition(".")[0] for entry in _find_entry_points().values()})


def list_author_packages() -> list[str]:
    """Return the top-level packages of the installed games of other authors, sorted."""
    return [package for package in list_packages() if package != "gonfalon"]


def find_game_class(name: str) -> type[Game]:
    """Return the class of a game.

    Raises:
        OptionError: No game of that name is installed, or it cannot be loaded.
    """
    entry = _find_entry_points().get(name)
    if entry is None:
        import difflib

        near = difflib.get_close_matches(name, names(), 1)
        known = ", ".join(names()) or "none. Install the package"
        hint = f" Did you mean {near[0]}?" if near else f" Installed: {known}."
        raise OptionError(f"There is no game {name!r}.{hint}")
    try:
        loaded = entry.load()
    except Exception as error:  # the package of another author may fail in any way
        from gonfalon.core.basics.author_faults import describe_exception

        raise OptionError(f"{name} cannot be loaded: {describe_exception(error, list_author_packages())}.") from error
    if not (isinstance(loaded, type) and issubclass(loaded, Game)):
        raise OptionError(f"The entry point of {name!r} is not a Gonfalon game.")
    for cls, missing in loaded.list_missing().items():
        if missing:
            from gonfalon.core.basics.author_faults import find_definition

            raise OptionError(
                f"{name} cannot be loaded: {cls.__name__} must define {' and '.join(missing)} ({find_definition(cls)})."
            )
    return loaded


def load_games(report: Callable[[str], object]) -> dict[str, type[Game]]:
    """Return the classes of all installed games that can be loaded, by name.

    Args:
        report: Called with a sentence about each other game.
    """
    found: dict[str, type[Game]] = {}
    for name in names():
        try:
            found[name] = find_game_class(name)
        except OptionError as error:
            report(str(error))
    return found


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

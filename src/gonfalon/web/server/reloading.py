"""A server that restarts when a game changes, for the game's author."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from watchfiles import Change, run_process

from gonfalon import games
from gonfalon.web import messages

DEBOUNCE_MS = 300
"""Milliseconds in which changes are collected, because an editor may write several files."""


def run_reloading(work: Callable[[], None]) -> None:
    """Serve in a process that is replaced after each change of an installed game, until interrupted.

    A process that cannot start waits for the next change.

    Args:
        work: Serves until stopped. It can be pickled.
    """
    # A process that has ended by itself is no news.
    logging.getLogger("watchfiles").setLevel(logging.ERROR)
    places = list(find_packages())
    print(messages.RELOADING.format(places=", ".join(sorted(set(map(str, places))))), flush=True)
    run_process(*places, target=work, target_type="function", callback=print_changes, debounce=DEBOUNCE_MS)


def print_changes(changes: set[tuple[Change, str]]) -> None:
    """Print the name of a changed file, preferably of one that still exists."""
    place = min((Path(path) for _, path in changes), key=lambda path: (not path.exists(), path))
    print(messages.RESTARTING.format(file=place), flush=True)


def find_packages() -> Iterator[Path]:
    """Return the folders, or files, of the packages with installed games, without importing them."""
    for package in games.list_packages():
        spec = find_spec(package)
        if spec is not None and spec.submodule_search_locations:
            yield from map(Path, spec.submodule_search_locations)
        elif spec is not None and spec.origin:
            yield Path(spec.origin)

"""Shell completion of commands, options, games and levels."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable

ASKED = "_ARGCOMPLETE"
"""The variable by which a shell asks (argcomplete)."""


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer a shell that asks how a command line may go on, and end there; else nothing."""
    if ASKED not in os.environ:
        return
    try:
        import argcomplete
    except ModuleNotFoundError:
        return
    prepare(parser)
    argcomplete.autocomplete(parser)


def prepare(parser: argparse.ArgumentParser) -> None:
    """Attach completers to all arguments that name installed things."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                prepare(sub)
        elif action.dest in ("game", "games") and action.metavar == "GAME":
            action.completer = known_games  # type: ignore[attr-defined]
        elif action.dest in ("bots", "a", "b"):
            action.completer = known_levels  # type: ignore[attr-defined]


def known_games(**_: object) -> Iterable[str]:
    """The installed games."""
    from gonfalon.games import names

    return names()


def known_levels(prefix: str = "", **_: object) -> Iterable[str]:
    """The levels; after a comma one more of them."""
    from gonfalon.bots import list_levels

    before, comma, _rest = prefix.rpartition(",")
    return [f"{before}{comma}{level}" for level in list_levels()]

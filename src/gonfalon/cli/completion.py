"""Shell completion of commands, options, games and levels."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable

COMPLETION_VARIABLE = "_ARGCOMPLETE"
"""The environment variable that is set while a shell completes a command line (argcomplete)."""


def complete_command_line(parser: argparse.ArgumentParser) -> None:
    """Print the completions and exit, if a shell asks for them. Otherwise do nothing."""
    if COMPLETION_VARIABLE not in os.environ:
        return
    try:
        import argcomplete
    except ModuleNotFoundError:
        return
    attach_completers(parser)
    argcomplete.autocomplete(parser)


def attach_completers(parser: argparse.ArgumentParser) -> None:
    """Attach completers to all arguments that name games, levels or laws."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                attach_completers(sub)
        elif action.dest in ("game", "games") and action.metavar == "GAME":
            # argcomplete reads this attribute, which argparse does not declare.
            action.completer = complete_games  # type: ignore[attr-defined]
        elif action.dest in ("bots", "a", "b", "players", "agent"):
            action.completer = complete_levels  # type: ignore[attr-defined]
        elif action.metavar == "LAW":
            action.completer = complete_laws  # type: ignore[attr-defined]


def complete_games(**_: object) -> Iterable[str]:
    """Return the names of the installed games."""
    from gonfalon.games import names

    return names()


def complete_laws(**_: object) -> Iterable[str]:
    """Return the names of the laws."""
    from gonfalon.check import LAWS

    return [law.anchor for law in LAWS]


def complete_levels(prefix: str = "", **_: object) -> Iterable[str]:
    """Return the levels and the networks of this folder, each after the part of a list that is already typed."""
    from pathlib import Path

    from gonfalon.bots import list_levels

    before, comma, _rest = prefix.rpartition(",")
    # The shell replaces the whole word, so the levels before the comma are repeated.
    networks = sorted(path.name for path in Path().glob("*.npz"))
    return [f"{before}{comma}{bot}" for bot in [*list_levels(), *networks]]

"""Named tasks: games with fixed options, so that results of different programs can be compared.

    Vector("gonfalon/feint-small-v1", 64)
    gymnasium.make("gonfalon/feint-small-v1", bots="greedy")

A task has one observation length and one numbering of its actions. Its version changes with its options, its rules, its
cards or its observations.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from gonfalon import games
from gonfalon.core.basics.options import Options
from gonfalon.core.rules.game import Game


class Task(NamedTuple):
    """A game with fixed options.

    Args:
        game: The name of the game.
        options: Its options; all others have their defaults.
        about: The rules in a few sentences, in Markdown.
    """

    game: str
    options: Options
    about: str


def read_tasks(path: Path) -> dict[str, Task]:
    """Return the tasks of a file by their ids."""
    return {f"gonfalon/{name}": Task(**entry) for name, entry in tomllib.loads(path.read_text("utf-8")).items()}


TASKS: Final = read_tasks(Path(__file__).with_suffix(".toml"))
"""All tasks by their ids, such as `gonfalon/feint-small-v1`."""


@cache
def make_task(name: str) -> Game:
    """Return the game of a task. Its environments share it, because a game never changes."""
    return games.game(TASKS[name].game, **TASKS[name].options)

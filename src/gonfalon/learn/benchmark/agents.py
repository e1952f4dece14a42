"""Who can be measured: a level, a network, a bot in Python, one of OpenSpiel's, a program over HTTP.

    club, expert:200, exploiter/club    a level, as `gonfalon lab match` takes it
    feint.npz                           what `gonfalon train` has written
    module:Class                        a class of bots, made of its name and the game
    openspiel:module:function           what makes a bot of OpenSpiel, from the game, the seat and a seed
    http://127.0.0.1:8000/              a program that is sent each view and answers with an action

All of them are bots: they are given the view of their seat, and their chance follows from the seed. Those that are not
ours stand behind `Foreign`, and are handed of the game what everybody may know while it is played. Python code runs in
the process that holds the full state and is trusted not to search for it; only a program over HTTP is kept apart.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from inspect import getsourcefile
from pathlib import Path
from typing import Any, Final

from gonfalon.bots import Bot
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game
from gonfalon.lab.run.match import entrant
from gonfalon.learn.benchmark.foreign import Foreign
from gonfalon.review.data_files import hash_file
from gonfalon.vector.networks import SUFFIX, Unlearnt, policy_of

OPENSPIEL: Final = "openspiel:"
HTTP: Final = ("http://", "https://")


def file_of(text: str) -> str:
    """The hash of the file that a text names, or in which the code of a bot stands; empty where there is none. Raises
    OptionError."""
    if text.startswith(HTTP):
        return ""
    if text.endswith(SUFFIX):
        return hash_file(Path(text))
    module, colon, name = text.removeprefix(OPENSPIEL).partition(":")
    if not colon or name.isdigit():
        return ""
    try:
        source = getsourcefile(found(module, name))
    except (OSError, TypeError):  # built in, or typed into a shell
        source = None
    return hash_file(Path(source)) if source is not None else ""


def agent(text: str, game: Game) -> Bot:
    """The bot that a text names, for a game. Raises OptionError."""
    public = game.without_secrets()
    if text.startswith(HTTP):
        from gonfalon.learn.benchmark.remote import RemoteBot

        return Foreign(RemoteBot(text, public))
    if text.endswith(SUFFIX):
        return policy_of(Path(text), public)
    if text.startswith(OPENSPIEL):
        return Foreign(spiel_bot(text, public))
    module, colon, name = text.partition(":")
    if colon and not name.isdigit():
        return Foreign(own_bot(text, found(module, name), public))
    return entrant(text, game)


def own_bot(text: str, maker: Callable[..., Any], game: Game) -> Bot:
    """A bot that somebody's class makes. Raises OptionError, and Unlearnt where the class does."""
    try:
        bot = maker(text, game)
    except Unlearnt:
        raise
    except Exception as error:  # whatever a stranger's code may do
        raise OptionError(f"{text} makes no bot of {game.title} ({type(error).__name__}: {error}).") from error
    if not isinstance(bot, Bot):
        raise OptionError(f"{text} makes no gonfalon.bots.Bot.")
    return bot


def spiel_bot(text: str, game: Game) -> Bot:
    """A bot of OpenSpiel. Raises OptionError."""
    module, colon, name = text.removeprefix(OPENSPIEL).partition(":")
    if not colon:
        raise OptionError(f"{text!r} should be openspiel:module:function.")
    from gonfalon.learn.benchmark.spiel import SpielBot

    return SpielBot(text, game, found(module, name))


def found(module: str, name: str) -> Callable[..., Any]:
    """What a module calls so. A module beside which the command is given is found too. Raises OptionError."""
    if "" not in sys.path and "." not in sys.path:
        sys.path.insert(0, "")
    try:
        maker = getattr(import_module(module), name)
    except Exception as error:  # whatever a stranger's code may do
        raise OptionError(f"There is no {module}:{name} to play ({error}).") from error
    if not callable(maker):
        raise OptionError(f"{module}:{name} makes no bots.")
    called: Callable[..., Any] = maker
    return called

"""The players that can be measured: levels, networks, Python bots, OpenSpiel bots and programs over HTTP.

    club, expert:200, exploiter/club    a level, as `gonfalon lab match` reads it
    feint.npz                           a file written by `gonfalon train`
    module:Class                        a class of bots, constructed with its name and the game
    openspiel:module:function           a function that makes an OpenSpiel bot from the game, the seat and a seed
    http://127.0.0.1:8000/              a program that receives each view and answers with an action

All of them are bots: they receive the view of their seat, and their chance follows from the seed. Bots from outside are
wrapped in `Foreign` and receive only the public options of the game. Python code runs in the process that holds the
full state and is trusted not to search for it; only a program over HTTP is isolated.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from inspect import getsourcefile
from pathlib import Path
from typing import Final

from gonfalon.bots import Bot
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game
from gonfalon.lab.run.match import make_entrant
from gonfalon.learn.benchmark.foreign import ForeignBot
from gonfalon.review.data_files import hash_file
from gonfalon.vector.networks import SUFFIX, UntrainedError, load_policy

OPENSPIEL_PREFIX: Final = "openspiel:"
"""Prefix of OpenSpiel bots."""
HTTP_PREFIXES: Final = ("http://", "https://")
"""Prefixes of addresses."""


def hash_agent_file(text: str) -> str:
    """Return the hash of a player's file or source file; empty if it has none.

    Raises:
        OptionError: The file cannot be read.
    """
    if text.startswith(HTTP_PREFIXES):
        return ""
    if text.endswith(SUFFIX):
        return hash_file(Path(text))
    module, colon, name = text.removeprefix(OPENSPIEL_PREFIX).partition(":")
    # `expert:200` is a level with its iterations and not a module.
    if not colon or name.isdigit():
        return ""
    try:
        source = getsourcefile(find_callable(module, name))
    except (OSError, TypeError):  # Built-in, or defined in a shell.
        source = None
    return hash_file(Path(source)) if source is not None else ""


def make_agent(text: str, game: Game) -> Bot:
    """Make the bot with a name.

    Raises:
        OptionError: The name or the file is unknown.
    """
    public = game.without_secrets()
    if text.startswith(HTTP_PREFIXES):
        from gonfalon.learn.benchmark.remote import RemoteBot

        return ForeignBot(RemoteBot(text, public))
    if text.endswith(SUFFIX):
        return load_policy(Path(text), public)
    if text.startswith(OPENSPIEL_PREFIX):
        return ForeignBot(make_spiel_bot(text, public))
    module, colon, name = text.partition(":")
    if colon and not name.isdigit():
        return ForeignBot(make_python_bot(text, find_callable(module, name), public))
    return make_entrant(text, game)


def make_python_bot(text: str, maker: Callable[..., object], game: Game) -> Bot:
    """Make a bot by calling a user's class.

    Raises:
        OptionError: The class raises an error, or makes no bot.
        UntrainedError: The class raises it.
    """
    try:
        bot = maker(text, game)
    except UntrainedError:
        raise
    except Exception as error:  # User code may raise anything.
        raise OptionError(f"{text} makes no bot of {game.title} ({type(error).__name__}: {error}).") from error
    if not isinstance(bot, Bot):
        raise OptionError(f"{text} makes no gonfalon.bots.Bot.")
    return bot


def make_spiel_bot(text: str, game: Game) -> Bot:
    """Make a bot of OpenSpiel.

    Raises:
        OptionError: The name is incomplete or unknown.
    """
    module, colon, name = text.removeprefix(OPENSPIEL_PREFIX).partition(":")
    if not colon:
        raise OptionError(f"{text!r} must have the form openspiel:module:function.")
    from gonfalon.learn.benchmark.spiel import SpielBot

    return SpielBot(text, game, find_callable(module, name))


def find_callable(module: str, name: str) -> Callable[..., object]:
    """Return a callable of a module. Modules in the current folder are found too.

    Raises:
        OptionError: There is no such callable.
    """
    if "" not in sys.path and "." not in sys.path:
        sys.path.insert(0, "")
    try:
        maker = getattr(import_module(module), name)
    except Exception as error:  # User code may raise anything.
        raise OptionError(f"Cannot load {module}:{name} ({error}).") from error
    if not callable(maker):
        raise OptionError(f"{module}:{name} makes no bots.")
    called: Callable[..., object] = maker
    return called

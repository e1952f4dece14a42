"""Loading of a program's code, in the program's own process only."""

from __future__ import annotations

import sys
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import getsourcefile
from pathlib import Path
from typing import Final

from gonfalon.bots.outside import messages
from gonfalon.bots.outside.notation import OPENSPIEL_PREFIX
from gonfalon.bots.players.bot import Bot, UntrainedError
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.extras import describe_missing
from gonfalon.core.rules.game import Game

SOURCE_SUFFIX: Final = ".py"
"""Suffix of a program's file."""


def make_bot(text: str, game: Game) -> Bot:
    """Make the bot of a notation.

    Raises:
        OptionError: The code cannot be loaded, or makes no bot.
        UntrainedError: The code raises it.
    """
    maker = find_maker(text)
    try:
        bot = maker(text, game)
    except UntrainedError:
        raise
    except OptionError as error:
        raise OptionError(messages.MAKES_NO_BOT.format(text=text, game=game.title, why=error)) from error
    except Exception as error:  # User code may raise anything.
        why = f"{type(error).__name__}: {error}"
        raise OptionError(messages.MAKES_NO_BOT.format(text=text, game=game.title, why=why)) from error
    if not isinstance(bot, Bot):
        raise OptionError(messages.NOT_A_BOT.format(text=text))
    if type(bot).think is Bot.think:
        raise OptionError(messages.NO_THINK.format(text=text))
    return bot


def find_maker(text: str) -> Callable[[str, Game], object]:
    """Return the function that makes the bot of a notation from its name and the game."""
    if not text.startswith(OPENSPIEL_PREFIX):
        return find_callable(text)
    try:
        from_spiel = import_module("gonfalon.bridges.openspiel.player")
    except ImportError as error:
        raise OptionError(describe_missing(error, text) or str(error)) from error
    rest = text.removeprefix(OPENSPIEL_PREFIX)
    made = find_callable(rest) if ":" in rest else from_spiel.find_registered_bot(rest)

    def make_spiel_bot(name: str, game: Game) -> object:
        return from_spiel.SpielBot(name, game, made)

    return make_spiel_bot


def find_callable(text: str) -> Callable[..., object]:
    """Return a callable of a module or of a file. Modules in the current folder are found too.

    Raises:
        OptionError: There is no such callable.
    """
    module, _, name = text.rpartition(":")
    if "" not in sys.path and "." not in sys.path:
        sys.path.insert(0, "")
    try:
        found = getattr(load_file(Path(module)) if module.endswith(SOURCE_SUFFIX) else import_module(module), name)
    except Exception as error:  # User code may raise anything.
        raise OptionError(messages.NOT_LOADED.format(text=text, why=f"{type(error).__name__}: {error}")) from error
    if not callable(found):
        raise OptionError(messages.NOT_CALLABLE.format(text=text))
    called: Callable[..., object] = found
    return called


def load_file(path: Path) -> object:
    """Return the module of a file. Modules beside it are found too."""
    sys.path.insert(0, str(path.resolve().parent))
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(str(path))
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def hash_source(text: str) -> str:
    """Return the hash of the file in which a program's class or function is defined; empty if there is none."""
    rest = text.removeprefix(OPENSPIEL_PREFIX)
    try:
        source = getsourcefile(find_callable(rest)) if ":" in rest else None
        return "" if source is None else sha256(Path(source).read_bytes()).hexdigest()[:16]
    except (OSError, TypeError):  # Built-in, or defined in a shell.
        return ""

"""The notation of bots: one text for every kind of player, in commands, studies and environments.

    club, expert:200            a level, and a level with its number of iterations
    exploiter/club              a search for the best answer to a level
    feint.npz                   the policy of a network from `gonfalon train`
    module:Class                a class or function that makes a bot from its name and the game
    path/to/file.py:Class       the same, by the path of its file
    openspiel:NAME              a bot that OpenSpiel knows by this name
    openspiel:module:function   a function that makes an OpenSpiel bot from the game, the seat and a seed
    http://127.0.0.1:8000/      a program that receives each view and answers with an action

All of them receive the view of their seat, and their chance follows from the seed. Code of others runs in a process of
its own or behind an address.
"""

from __future__ import annotations

import difflib
from importlib import import_module
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from gonfalon.bots.levels import LEVELS, list_playable_levels
from gonfalon.bots.levels import make as make_level
from gonfalon.bots.outside import messages
from gonfalon.bots.players.bot import Bot
from gonfalon.bots.players.budget import Budget
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game

EXPLOITER_PREFIX: Final = "exploiter/"
"""Prefix of the name of a level, for the search against it."""
OPENSPIEL_PREFIX: Final = "openspiel:"
"""Prefix of OpenSpiel bots."""
HTTP_PREFIXES: Final = ("http://", "https://")
"""Prefixes of addresses."""
NETWORK_SUFFIX: Final = ".npz"
"""Suffix of network files."""
NETWORK_LOADER: Final = "gonfalon.vector.networks"
"""Module that makes the bot of a network's file. It is imported by name, because it needs this package."""
MAX_ITERATIONS: Final = 1_000_000_000
"""Maximum number of iterations in the name of a level."""


def make(name: str, game: Game) -> Bot:
    """Make the bot of a notation.

    Programs and files that the notation names are run and read, so it must come from the owner of this machine. Use
    `make_level` for a name that a client sends.

    Raises:
        OptionError: There is no such bot, or it does not play the game.
    """
    if name.startswith(EXPLOITER_PREFIX):
        from gonfalon.bots.exploiter import Exploiter

        level = name.removeprefix(EXPLOITER_PREFIX)
        return Exploiter(level, game, make_level_with_iterations(level, game))
    if name.startswith(HTTP_PREFIXES):
        from gonfalon.bots.outside.remote import RemoteBot

        bot: Bot = RemoteBot(name, game)
    elif name.endswith(NETWORK_SUFFIX):
        return make_network_bot(name, game)
    elif is_program(name):
        from gonfalon.bots.outside.process_bot import ProcessBot

        bot = ProcessBot(name, game)
    else:
        return make_level_with_iterations(name, game)
    bot.maker = make
    return bot


def is_program(text: str) -> bool:
    """Return whether a notation names code, which runs in a process of its own."""
    _, colon, name = text.rpartition(":")
    return text.startswith(OPENSPIEL_PREFIX) or (bool(colon) and name.isidentifier())


def is_notation(text: str) -> bool:
    """Return whether a text names a bot other than a level."""
    return is_program(text) or text.startswith(HTTP_PREFIXES) or text.endswith(NETWORK_SUFFIX)


def format_bot_name(text: str) -> str:
    """Return the name that people see: that of the level, the class or the file, or the host of an address."""
    if text.startswith(HTTP_PREFIXES):
        return urlsplit(text).hostname or text
    if is_program(text):
        return text.rpartition(":")[2]
    return Path(text).stem if text.endswith(NETWORK_SUFFIX) else text.capitalize()


def make_level_with_iterations(text: str, game: Game) -> Bot:
    """Return the bot of a level, such as `club` or `club:200`.

    Raises:
        OptionError: The level is unknown, or the number is out of range.
    """
    level, colon, iterations = text.partition(":")
    # A word that is no misspelled level may be meant as another notation.
    if level not in LEVELS and not difflib.get_close_matches(level, LEVELS, 1):
        fault, (module, dot, name) = f"There is no level {level[:40]!r}.", level.rpartition(".")
        if dot and module and name.isidentifier():
            raise OptionError(messages.MEANT.format(fault=fault, text=f"{module}:{name}"[:60]))
        levels = ", ".join(list_playable_levels(game))
        raise OptionError(messages.NO_BOT.format(fault=fault, notations=messages.NOTATIONS.format(levels=levels)))
    bot = make_level(level, game)
    if colon:
        if not (iterations.isascii() and iterations.isdigit() and 0 < int(iterations[:12]) <= MAX_ITERATIONS):
            raise OptionError(messages.BAD_ITERATIONS.format(text=repr(text), limit=MAX_ITERATIONS, level=level))
        bot.budget = Budget(iterations=int(iterations))
    return bot


def make_network_bot(text: str, game: Game) -> Bot:
    """Return the bot of a network's file.

    Raises:
        OptionError: The file cannot be read, or does not fit the game.
    """
    bot: Bot = import_module(NETWORK_LOADER).load_policy(Path(text), game.without_secrets())
    return bot


def hash_bot(text: str, bot: Bot) -> str:
    """Return the hash of the file that determines how a bot plays; empty if it has none."""
    from hashlib import sha256

    if text.endswith(NETWORK_SUFFIX):
        return sha256(Path(text).read_bytes()).hexdigest()[:16]
    return str(getattr(bot, "source", ""))

"""Bots of the server's operator, in the menu of opponents beside the levels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from gonfalon import games
from gonfalon.bots import Bot, make
from gonfalon.bots.levels import LEVELS, Level, add_level
from gonfalon.bots.outside.process import PROCESSES
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game
from gonfalon.table import messages

NAME: Final = re.compile("[a-z][a-z0-9-]{1,23}")
"""The names of own bots."""


@dataclass(frozen=True)
class OwnBot:
    """A bot of the operator."""

    name: str
    notation: str
    """The notation of `gonfalon.bots.make`."""
    games: tuple[str, ...]
    """The games that it plays."""


def check_own_bots(texts: Sequence[str]) -> tuple[OwnBot, ...]:
    """Return the bots of `NAME=NOTATION` with the installed games that they play.

    Raises:
        OptionError: A text has another form, a name is taken, or a bot plays no installed game.
    """
    found: list[OwnBot] = []
    for text in texts:
        name, equals, notation = text.partition("=")
        if not equals or not NAME.fullmatch(name):
            raise OptionError(messages.OWN_BOT_FORM.format(text=repr(text[:60])))
        if name in LEVELS or name in [bot.name for bot in found]:
            raise OptionError(messages.OWN_BOT_TWICE.format(name=name))
        found.append(OwnBot(name, notation, find_own_games(name, notation)))
    # The workers of the tables start processes of their own.
    PROCESSES.close()
    return tuple(found)


def find_own_games(name: str, notation: str) -> tuple[str, ...]:
    """Return the installed games that a bot plays.

    Raises:
        OptionError: There is none.
    """
    found, why = [], ""
    for made in map(games.game, games.names()):
        try:
            make(notation, made)
            found.append(made.name)
        except OptionError as error:
            # The reason is that for all games, unless it is about one of them.
            why = why or str(error).replace(f" of {made.title}", "", 1)
    if not found:
        raise OptionError(messages.OWN_BOT_FAILS.format(name=name, why=why))
    return tuple(found)


def offer_own_bots(bots: Iterable[OwnBot]) -> None:
    """Offer own bots in this process, which only checks their names: they think in workers."""
    for bot in bots:
        add_level(describe_own_bot(bot), Bot, bot.games)


def load_own_bots(bots: Iterable[OwnBot]) -> None:
    """Let own bots think in this process."""
    for bot in bots:
        add_level(describe_own_bot(bot), partial(make_own_bot, bot.notation), bot.games)


def make_own_bot(notation: str, name: str, game: Game) -> Bot:
    """Return the bot of a notation for the level of a name."""
    return make(notation, game)


def describe_own_bot(bot: OwnBot) -> Level:
    """Return a bot as it appears in menus."""
    return Level(bot.name, bot.name.capitalize(), messages.OWN_BOT)

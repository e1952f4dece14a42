"""A game's options as parameters of OpenSpiel, which are whole numbers, truth values and plain words."""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import Final

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.rules.game import Game, Option

TINY: Final = "tiny"
"""The number of one of the game's tiny configurations, counted from 1; 0 for none."""
EXACT: Final = "exact"
"""The option for chance card by card: always on here, so it is no parameter."""
CODED: Final = "~"
"""What a value begins with that no plain word can stand for: JSON in base64."""
BETWEEN: Final = "/"
"""What stands between the items of a list."""
PLAIN: Final = re.compile(r"(?!True$|False$)(?=.*[a-z/])[\w.:@/-]+", re.IGNORECASE)
"""Words that OpenSpiel takes neither for something else nor apart."""


def specification(kind: type[Game]) -> Options:
    """The parameters of a game with their defaults."""
    return {TINY: 0} | {option.name: write(option.default) for option in kind.options_spec if option.name != EXACT}


def write(value: object) -> object:
    """An option's value as a parameter."""
    if isinstance(value, (bool, int)):
        return value
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        text = BETWEEN.join(str(item) for item in value)
        if PLAIN.fullmatch(text) and text.count(BETWEEN) == len(value) - 1:
            return text
    elif isinstance(value, str) and PLAIN.fullmatch(value):
        return value
    return CODED + base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def read(option: Option, value: object) -> object:
    """The option's value of a parameter. Raises OptionError."""
    if not isinstance(value, str):
        return value
    if value.startswith(CODED):
        code = value[len(CODED) :]
        try:
            return json.loads(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)))
        except (binascii.Error, ValueError):
            raise OptionError(f"Parameter {option.name} is damaged: {value[:40]!r}.") from None
    if option.file and value:
        raise OptionError(f"Parameter {option.name} is a file's content, as `load` writes it, not its name.")
    if isinstance(option.default, (list, tuple)):
        kind = type(option.default[0]) if option.default else str
        try:
            return tuple(kind(item) for item in value.split(BETWEEN)) if value else ()
        except ValueError:
            raise OptionError(f"Parameter {option.name} is a list such as {write(option.default)}.") from None
    return value or option.default


def parameters(game: Game) -> Options:
    """The parameters that make this game again, as far as they are not the default ones."""
    spec = {option.name: option for option in game.options_spec}
    return {n: write(value) for n, value in game.options.items() if n != EXACT and value != spec[n].default}


def game_of(kind: type[Game], given: Options) -> Game:
    """The game of some parameters. Raises OptionError."""
    usual = specification(kind)
    given = {name: value for name, value in given.items() if value != usual.get(name)}
    tiny = given.pop(TINY, 0)
    if tiny:
        games = kind.tiny()
        if not 1 <= tiny <= len(games):
            raise OptionError(f"{kind.title} has {len(games)} tiny configurations; there is no {TINY}={tiny}.")
        if given:
            raise OptionError(
                f"With {TINY}={tiny} the other parameters are settled; {next(iter(given))} is not needed."
            )
        chosen: Game = games[tiny - 1]
        return chosen
    spec = {option.name: option for option in kind.options_spec}
    return kind(**{name: read(spec[name], value) for name, value in given.items()}, **{EXACT: True})

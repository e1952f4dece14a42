"""A game's options as parameters of OpenSpiel: integers, booleans and plain words."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Sequence
from typing import Final

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.rules.game import Game, Option

SAMPLE_PARAMETERS: Final = ("tiny", "solved")
"""Parameters with the number of a configuration of `Samples`, counted from 1; 0 for none."""
EXACT_OPTION: Final = "exact"
"""Option for chance card by card. It is always on here, so it is not a parameter."""
BASE64_PREFIX: Final = "~"
"""Prefix of values that no plain word can represent: JSON in base64."""
LIST_SEPARATOR: Final = "/"
"""Separator of list items."""
PLAIN_WORD: Final = re.compile(r"(?!True$|False$)(?=.*[a-z/])[\w.:@/-]+", re.IGNORECASE)
"""Pattern of words that OpenSpiel's parser leaves unchanged."""


def list_parameters(kind: type[Game]) -> Options:
    """Return the parameters of a game with their defaults."""
    return dict.fromkeys(SAMPLE_PARAMETERS, 0) | {
        option.name: write_value(option.default) for option in kind.options_spec if option.name != EXACT_OPTION
    }


def write_value(value: object) -> object:
    """Return an option's value as a parameter."""
    if isinstance(value, (bool, int)):
        return value
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        text = LIST_SEPARATOR.join(str(item) for item in value)
        if PLAIN_WORD.fullmatch(text) and text.count(LIST_SEPARATOR) == len(value) - 1:
            return text
    elif isinstance(value, str) and PLAIN_WORD.fullmatch(value):
        return value
    return BASE64_PREFIX + base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def read_value(option: Option, value: object) -> object:
    """Return an option's value from a parameter.

    Raises:
        OptionError: The parameter is damaged or has the wrong type.
    """
    if not isinstance(value, str):
        return value
    if value.startswith(BASE64_PREFIX):
        code = value[len(BASE64_PREFIX) :]
        try:
            # The padding was dropped because "=" separates parameters.
            return json.loads(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)))
        except (binascii.Error, ValueError):
            raise OptionError(f"Parameter {option.name} is damaged: {value[:40]!r}.") from None
    if option.file and value:
        raise OptionError(
            f"Parameter {option.name} must be the contents of a file, as `load` writes them, not its name."
        )
    if isinstance(option.default, (list, tuple)):
        kind = type(option.default[0]) if option.default else str
        try:
            return tuple(kind(item) for item in value.split(LIST_SEPARATOR)) if value else ()
        except ValueError:
            raise OptionError(
                f"Parameter {option.name} must be a list such as {write_value(option.default)}."
            ) from None
    return value or option.default


def changed_parameters(game: Game) -> Options:
    """Return the parameters of a game that differ from their defaults."""
    spec = {option.name: option for option in game.options_spec}
    chosen = {n: game.options[n] for n in spec if n != EXACT_OPTION and game.options[n] != spec[n].default}
    return {n: write_value(value) for n, value in chosen.items()}


def make_game(kind: type[Game], given: Options) -> Game:
    """Return the game with these parameters.

    Raises:
        OptionError: A parameter is unknown or out of range.
    """
    usual = list_parameters(kind)
    # OpenSpiel passes all parameters, including the defaults.
    given = {name: value for name, value in given.items() if value != usual.get(name)}
    for name in SAMPLE_PARAMETERS:
        number = given.pop(name, 0)
        if number:
            games: Sequence[Game] = getattr(kind, name)()
            if not 1 <= number <= len(games):
                raise OptionError(f"{kind.title} has {len(games)} {name} configurations and no {name}={number}.")
            if given:
                raise OptionError(f"{name}={number} sets all other parameters. Leave out {next(iter(given))}.")
            chosen: Game = games[number - 1]
            return chosen
    spec = {option.name: option for option in kind.options_spec}
    return kind(**{name: read_value(spec[name], value) for name, value in given.items()}, **{EXACT_OPTION: True})

"""The house sets of cards: files that a server offers at all tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gonfalon import games
from gonfalon.core.basics.errors import DataError, GonfalonError, OptionError
from gonfalon.core.files.card_files import join_faults, read_card_text
from gonfalon.core.files.card_sets import CardSet, find_game_name, find_other_game, read_card_set
from gonfalon.web import messages


class HouseSetError(GonfalonError):
    """Files of house sets cannot be used. The message names all faults."""


def read_house_sets(words: Sequence[str]) -> dict[str, tuple[CardSet, str]]:
    """Return the house sets with their texts, by game and file name.

    Args:
        words: The paths of the files, each with `GAME=` before it or the game in the file.

    Raises:
        HouseSetError: At least one file has faults.
    """
    found: dict[str, tuple[CardSet, str]] = {}
    faults = []
    for word in words:
        try:
            one, text = read_house_set(word)
        except (DataError, OptionError) as error:
            faults.append(str(error))
            continue
        key = f"{one.game} {one.name}"
        if key in found:
            faults.append(messages.HOUSE_SET_TWICE.format(name=one.name, game=one.game))
        found[key] = one, text
    if faults:
        raise HouseSetError("\n".join(faults))
    return found


def read_house_set(word: str) -> tuple[CardSet, str]:
    """Return the set of a file and its text. The set is named after the file if the text has no name. Raises DataError,
    OptionError."""
    game, equals, path = word.partition("=")
    if not equals or Path(word).is_file():
        game, path = "", word
    kind = games.find_game_class(game) if game else None
    text = read_card_text(Path(path))
    if not (game := game or find_game_name(text)):
        raise OptionError(messages.NAME_GAME_OF_CARDS.format(file=path))
    kind = kind or games.find_game_class(game)
    try:
        one = read_card_set(kind, text)
    except DataError as error:
        faults = join_faults(error.faults) or str(error)
        if other := find_other_game(kind, map(games.find_game_class, games.names()), text):
            faults = messages.OTHER_GAMES_FILE.format(game=other.title, name=other.name, file=path)
        raise DataError(messages.HOUSE_SET_FAULTS.format(file=path, faults=faults)) from None
    if not one.changes:
        raise DataError(messages.HOUSE_SET_STANDARD.format(file=path, game=kind.title))
    return one if one.name else read_card_set(kind, text, Path(path).stem), text

"""Lookups of the things that a command line names: games with options, decks, records."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gonfalon.cli.arguments import UsageError
from gonfalon.core.basics.errors import OptionError, RecordError
from gonfalon.core.text.untrusted import print_text

if TYPE_CHECKING:
    import argparse

    from gonfalon.core.basics.decks import Decks
    from gonfalon.core.files.record import Record
    from gonfalon.core.rules.game import Game


def read_options(name: str, given: Sequence[str]) -> dict[str, object]:
    """Return the options of a command line. The value of a file option is the path of the file. A deck file stands for
    its text, for only a command line may read files that an option names."""
    from gonfalon.core.basics.decks import Decks
    from gonfalon.games import find_game_class

    files = {option.name for option in find_game_class(name).options_spec if option.file}
    decks = Decks.option if find_game_class(name).has_decks() else ""
    options: dict[str, object] = {}
    for text in given:
        key, equals, value = text.partition("=")
        key = key.strip()
        if not equals:
            raise UsageError(f"An option is written key=value, not {text!r}.")
        if key in options:
            raise UsageError(f"Option {key} is given twice.")
        options[key] = Path(value) if key in files else deck_texts(value) if key == decks else value
    return options


def deck_texts(value: str) -> tuple[str, ...]:
    """Return the decks that a comma-separated list names: slugs and codes as they are, files as their text.

    Raises:
        DeckError: A word is a path without a file.
        OSError: A file cannot be read.
    """
    from gonfalon.terminal.decks import read_file

    return tuple(read_file(word) or word for word in map(str.strip, value.split(",")))


def game_of(name: str, given: Sequence[str]) -> Game:
    """The game with its options from the command line."""
    from gonfalon.games import game

    options = read_options(name, given)
    try:
        return game(name, **options)
    except UnicodeDecodeError:
        files = ", ".join(str(value) for value in options.values() if isinstance(value, Path))
        raise OptionError(f"{files} is not a text in UTF-8.") from None


def playable_options(name: str, given: Sequence[str]) -> dict[str, object]:
    """The options of a command line, with which there is such a game."""
    game_of(name, given)
    return read_options(name, given)


def game_with_decks(name: str | None) -> str:
    """The game that is named, or the only one that has decks."""
    from gonfalon.games import find_game_class, names

    if name is not None:
        return name
    found: list[str] = []
    for known in names():
        with contextlib.suppress(Exception):  # a stranger's package may fail in any way
            found += [known] if find_game_class(known).has_decks() else []
    if len(found) != 1:
        which = f"there are {', '.join(found)}" if found else "none that is installed has any"
        raise UsageError(f"Say which game's decks you mean (--game): {which}.")
    return found[0]


def decks_of(name: str, given: Sequence[str]) -> Decks:
    """Return the decks of a game."""
    from gonfalon.games import find_game_class

    decks = game_of(name, given).decks()
    if decks is None:
        raise UsageError(f"In {find_game_class(name).title} nobody brings a deck.")
    return decks


def record_of(path: Path, legal: bool = True) -> Record:
    """The record in a file, every decision of it `legal` unless that is still to be looked at. Raises RecordError."""
    from gonfalon import games
    from gonfalon.core.files.reading import read_text
    from gonfalon.core.files.record import load

    text = read_text(path)
    try:
        record = load(text, games.game)
        if legal:
            record.replay()
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None
    return record


def game_played_on(args: argparse.Namespace) -> Game:
    """Return the game of `gonfalon play --from`, and print its start. Raises RecordError, UsageError."""
    import secrets

    from gonfalon.core.basics.rng import Rng
    from gonfalon.core.files.play_on import played_on
    from gonfalon.core.files.start_position import ANEW, TRUE, begun, in_words

    if args.option or (args.record is not None and args.record.exists()):
        raise UsageError("--from begins a new game: it takes no --option, and --record a file that is not there yet.")
    record, seat = record_of(args.start), (args.seat or [0])[0]
    game = record.game
    if game.name != args.game:
        raise RecordError(f"{args.start} is a record of {game.name}, not of {args.game}.")
    if record.result is None and record.ended is None:
        raise RecordError(f"{args.start} holds a game that is not over; --record goes on with it.")
    if seat >= game.seats:
        raise UsageError(f"There is no seat {seat}: the seats of {game.name} count from 0 to {game.seats - 1}.")
    rng = Rng(secrets.randbits(64) if args.seed is None else args.seed)
    found = played_on(record, seat, args.at - 1, TRUE if args.true_cards else ANEW, rng)
    print_text(in_words(begun(found), record.names if len(record.names) == game.seats else game.seat_names()))
    return found

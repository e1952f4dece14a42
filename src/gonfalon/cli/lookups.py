"""Lookups of the things that a command line names: games with options, decks, records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gonfalon.cli import messages
from gonfalon.cli.arguments import UsageError
from gonfalon.core.basics.errors import DataError, OptionError, RecordError
from gonfalon.core.text.untrusted import print_text

if TYPE_CHECKING:
    import argparse

    from gonfalon.core.basics.decks import Decks
    from gonfalon.core.files.record import Record
    from gonfalon.core.rules.game import Game


def read_options(name: str, given: Sequence[str]) -> dict[str, object]:
    """Return the options of a command line.

    The value of a file option is the path of the file. Deck files are replaced by their text, because only a command
    line may read files that an option names.

    Args:
        name: The name of the game.
        given: Words of the form key=value.

    Raises:
        UsageError: A word has another form, or an option is given twice.
    """
    from gonfalon.core.basics.decks import Decks
    from gonfalon.core.files.card_sets import open_card_options
    from gonfalon.games import find_game_class

    files = {option.name for option in find_game_class(name).options_spec if option.file}
    decks = Decks.option if find_game_class(name).has_decks() else ""
    options: dict[str, object] = {}
    for text in given:
        key, equals, value = text.partition("=")
        key = key.strip()
        if not equals:
            raise UsageError(messages.OPTION_FORM.format(text=repr(text)))
        if key in options:
            raise UsageError(messages.OPTION_TWICE.format(option=key))
        if key in files:
            options |= open_card_options(find_game_class(name), {key: Path(value)})
        else:
            options[key] = read_decks(value) if key == decks else value
    return options


def name_card_option(name: str, file: str) -> str:
    """Return the option of a game, key=value, that plays with the cards of a file. Raises UsageError."""
    from gonfalon.core.files.kept_data import data_option
    from gonfalon.games import find_game_class

    kind = find_game_class(name)
    if not (option := data_option(kind)):
        raise UsageError(messages.NO_CARD_FILES.format(game=kind.title))
    return f"{option}={file}"


def read_decks(value: str) -> tuple[str, ...]:
    """Return the decks that a comma-separated list names: slugs and codes as they are, files as their text.

    Raises:
        DeckError: A word is a path without a file.
        OSError: A file cannot be read.
    """
    from gonfalon.terminal.decks import read_file

    return tuple(read_file(word) or word for word in map(str.strip, value.split(",")))


def make_game(name: str, given: Sequence[str]) -> Game:
    """Return the game with the options of a command line. Raises OptionError."""
    from gonfalon.games import game

    options = read_options(name, given)
    try:
        return game(name, **options)
    except UnicodeDecodeError:
        raise OptionError(messages.NOT_UTF_8.format(files=", ".join(map(str, find_files(options))))) from None
    except DataError:
        for file in find_files(options):
            refuse_other_game(name, file)
        raise


def find_files(options: Mapping[str, object]) -> list[Path]:
    """Return the files among options."""
    return [value for value in options.values() if isinstance(value, Path)]


def refuse_other_game(name: str, file: Path) -> None:
    """Raise DataError if a card file belongs to another game."""
    from gonfalon import games
    from gonfalon.core.files.card_files import read_card_text
    from gonfalon.core.files.card_sets import find_other_game

    kinds = games.load_games(lambda _: None)
    if other := find_other_game(kinds[name], kinds.values(), read_card_text(file)):
        raise DataError(messages.OTHER_GAMES_FILE.format(file=file, game=other.title)) from None


def check_options(name: str, given: Sequence[str]) -> dict[str, object]:
    """Return the options of a command line after making a game with them. Raises OptionError."""
    make_game(name, given)
    return read_options(name, given)


def find_deck_game(name: str | None) -> str:
    """Return the named game, or the only game that has decks. Raises UsageError."""
    from gonfalon.games import load_games

    if name is not None:
        return name
    found = [known for known, kind in load_games(lambda _: None).items() if kind.has_decks()]
    if len(found) != 1:
        raise UsageError(messages.NAME_DECK_GAME.format(names=", ".join(found)) if found else messages.NO_DECK_GAME)
    return found[0]


def find_decks(name: str, given: Sequence[str]) -> Decks:
    """Return the decks of a game. Raises UsageError."""
    from gonfalon.games import find_game_class

    decks = make_game(name, given).decks()
    if decks is None:
        raise UsageError(messages.NO_DECKS.format(game=find_game_class(name).title))
    return decks


def load_record(path: Path, legal: bool = True) -> Record:
    """Return the record in a file.

    Args:
        path: The file.
        legal: Whether every decision must be legal.

    Raises:
        RecordError: The file is not a record, or a decision is illegal.
    """
    from gonfalon import games
    from gonfalon.core.files.reading import read_text
    from gonfalon.core.files.record import load

    text = read_text(path)
    try:
        record = load(text, games.game)
        if legal:
            record.replay()
    except RecordError as error:
        raise RecordError(messages.IN_FILE.format(file=path, message=error)) from None
    return record


def continue_game(args: argparse.Namespace) -> Game:
    """Return the game of `gonfalon play --from`, and print its start position. Raises RecordError, UsageError."""
    import secrets

    from gonfalon.core.basics.rng import Rng
    from gonfalon.core.files.play_on import continue_record
    from gonfalon.core.files.start_position import ANEW, TRUE, describe_start, find_start
    from gonfalon.terminal import messages as terminal_messages

    if args.option or (args.record is not None and args.record.exists()):
        raise UsageError(messages.STARTS_NEW_GAME)
    record, seat = load_record(args.start), (args.seat or [0])[0]
    game = record.game
    if game.name != args.game:
        raise RecordError(terminal_messages.OTHER_GAME.format(file=args.start, game=game.name, wanted=args.game))
    if record.result is None and record.ended is None:
        raise RecordError(messages.STILL_RUNNING.format(file=args.start))
    if seat >= game.seats:
        raise UsageError(terminal_messages.NO_SEAT.format(seat=seat, game=game.name, last=game.seats - 1))
    rng = Rng(secrets.randbits(64) if args.seed is None else args.seed)
    found = continue_record(record, seat, args.at - 1, TRUE if args.true_cards else ANEW, rng)
    print_text(
        describe_start(find_start(found), record.names if len(record.names) == game.seats else game.seat_names())
    )
    return found

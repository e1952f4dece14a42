"""Sets of custom cards: a card file, or lines that change single numbers of the standard cards.

    name = "Keion as printed"
    patriot.strength = 7   # a comment
    box.hand = 8

Both forms are read wherever an option takes a card file. A game holds the whole data of its set, so its records do not
depend on later versions of the standard cards, and the name of the set in the option `CARD_SET`.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.files import card_files
from gonfalon.core.files.card_changes import (
    Change,
    Entry,
    compare_cards,
    copy_data,
    find_number,
    set_number,
    split_change,
)
from gonfalon.core.files.card_files import MAX_CARD_FILE_BYTES, TEXT_KEY, CardFile, Raw, read_card_text
from gonfalon.core.files.kept_data import data_option
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.rules import CARD_SET, Rules
from gonfalon.core.text.untrusted import printable

MAX_NAME: Final = 60
"""The maximum length of a name."""
IDENTITY_KEYS: Final = ("slug", "id", "code")
"""Keys of a table that other tables and records refer to."""
CARD_FILE: Final = re.compile(r"^[ \t]*(form[ \t]*=|\[)", re.MULTILINE)
"""A line that only a complete card file has."""
COMMENT: Final = re.compile(r"""((?:[^#"']|"[^"]*"|'[^']*')*)#.*""")
"""A line with a comment."""


@dataclass(frozen=True)
class CardSet:
    """A checked set of custom cards."""

    game: str
    """The name of the game."""
    name: str
    """The name of the set; empty if it has none."""
    options: Options
    """The options that make a game with these cards."""
    changes: tuple[Change, ...]
    """The differences from the standard cards."""


@dataclass
class Overlay:
    """The lines of a text that change single numbers."""

    name: str = ""
    game: str = ""
    lines: dict[int, str] = field(default_factory=dict)
    """The changes by their lines, from 1."""


def read_card_set(kind: type[Game], text: str, name: str = "") -> CardSet:
    """Return the set of cards in a text.

    Args:
        kind: The game.
        text: A card file, or lines that change single numbers.
        name: A name instead of the one in the text.

    Raises:
        DataError: The text has faults. The error lists them, each with its line where it has one.
    """
    option = data_option(kind)
    if not option:
        raise DataError(f"{kind.title} has no cards that can be changed.")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    check_text(text)
    options: Options = {option: {TEXT_KEY: text, **({"name": name} if name else {})}}
    game, options = make_game(kind, options)
    try:
        json.dumps(game.shown_options())
    except (TypeError, ValueError):
        raise DataError("The cards hold a date or another value that no card has.") from None
    return CardSet(kind.name, find_set_name(game), options, describe_card_set(game))


def make_game(kind: type[Game], options: Options) -> tuple[Game, Options]:
    """Return a game with a set of cards, and its options.

    A set may lack the sides that a game has by default. The options then name sides of the set.
    """
    try:
        return kind(**options), options
    except OptionError as error:
        try:
            game = kind.samples_with(options)[0]
        except OptionError:
            raise DataError(str(error)) from None
    sides = [option.name for option in kind.options_spec if isinstance(option.default, tuple)]
    return game, options | {name: list(game.options[name]) for name in sides}


def describe_card_set(game: Game) -> tuple[Change, ...]:
    """Return the differences between the cards of a game and the standard cards; empty if there are none."""
    option = data_option(game)
    if not option or game.options[option] is None:
        return ()
    return tuple(compare_cards(type(game)(), game))


def find_set_name(game: Rules) -> str:
    """Return the name of the set of cards of a game; empty if it has none."""
    return str(game.options.get(CARD_SET, ""))


def split_fault(fault: str) -> tuple[int, str]:
    """Return the line of a fault of `DataError.faults`, 0 if it has none, and its sentence."""
    found = re.match(r"line (\d+): ", fault)
    sentence = fault[found.end() :] if found else fault
    sentence = sentence[:1].upper() + sentence[1:].rstrip(".")
    return int(found[1]) if found else 0, sentence if sentence.endswith("?") else f"{sentence}."


# ---- options ----------------------------------------------------------------------------------------------------


def open_card_options(kind: type[Rules], options: Options, name: object = None) -> Options:
    """Return the options of a game in which lines of changes are replaced by the data that they make.

    Args:
        kind: The game.
        options: The options, with values of any origin.
        name: The name of the set, of any origin; None to take it from the text.

    Raises:
        DataError: A text has faults.
        OptionError: The name is not valid.
    """
    option = data_option(kind)
    source = options[option]
    text, where = "", "the card data"
    if isinstance(source, Path):
        text, where = read_card_text(source), str(source)
    elif isinstance(source.get(TEXT_KEY), str):
        text = source[TEXT_KEY]
    if isinstance(source, dict) and name is None:
        name = source.get("name")
    if text and is_overlay(text):
        lines = parse_overlay(text)
        name = name or lines.name
        options = options | {option: apply_overlay(kind(), lines, CardFile(where, {}, text))}
    elif text:
        name = name or card_files.parse(where, text).raw.get("name")
    return options | ({CARD_SET: check_name(name)} if name else {})


def check_name(name: object) -> str:
    """Return the name of a set. Raises OptionError."""
    if not isinstance(name, str) or not name.isprintable() or printable(name) != name or len(name) > MAX_NAME:
        raise OptionError(f"The name of a set of cards is one line of at most {MAX_NAME} letters.")
    return name.strip()


def check_text(text: str) -> None:
    """Check the size and the characters of a text. Raises DataError."""
    if len(text) > MAX_CARD_FILE_BYTES:
        raise DataError(f"The text is longer than {MAX_CARD_FILE_BYTES >> 20} MB.")
    if not text.strip():
        raise DataError("The text is empty. Write a line such as patriot.strength = 7 for each change.")
    if printable(text) != text:
        number = next((n for n, line in enumerate(text.split("\n"), 1) if printable(line) != line), 1)
        fault = "the line contains a control character"
        raise DataError(f"Line {number} contains a control character.", [f"line {number}: {fault}"])


# ---- lines of changes -------------------------------------------------------------------------------------------


def is_overlay(text: str) -> bool:
    """Return whether a text consists of lines that change single numbers, and is no complete card file."""
    return not CARD_FILE.search(text)


def parse_overlay(text: str) -> Overlay:
    """Return the changes in a text. Lines that are no changes are reported by `apply_overlay`."""
    found = Overlay()
    for number, line in enumerate(text.splitlines(), 1):
        comment = COMMENT.fullmatch(line)
        line = (comment[1] if comment else line).strip()
        key, equals, value = (part.strip() for part in line.partition("="))
        if not found.lines and equals and key in ("name", "game"):
            setattr(found, key, value.strip("\"'"))
        elif line:
            found.lines[number] = line
    return found


def apply_overlay(game: Rules, overlay: Overlay, file: CardFile) -> Raw:
    """Return the data of a game with some changes.

    Args:
        game: The game.
        overlay: The changes.
        file: The file, to which faults are added.

    Raises:
        DataError: A change is not possible.
    """
    assert isinstance(game, Game)
    raw = copy_data(game)
    if overlay.game not in ("", game.name):
        file.faults.append(f"the cards are for {overlay.game[:60]!r}, not for {game.name}")
    elif not overlay.lines:
        file.faults.append("the text changes no number; write a line such as card.number = value")
    places: dict[int, tuple[Entry, str]] = {}
    for line, change in overlay.lines.items():
        try:
            entry, table, key, value = find_change(game, raw, change)
            again = next((n for n, (e, k) in places.items() if e.table is entry.table and k == key), 0)
            if again:
                raise OptionError(f"line {again} already sets {change.partition('=')[0].strip()}.")
            set_number(entry, table, key, value)
            drop_origin(entry, key)
            places[line] = entry, key
        except OptionError as error:
            file.faults.append(f"line {line}: {str(error).rstrip('.')}")
    # The changes may need another choice of sides, which is no fault of theirs.
    with suppress(OptionError):
        try:
            type(game)(**{data_option(game): raw})
        except DataError as error:
            file.faults += [locate_fault(fault, places) for fault in error.faults or (str(error),)]
    file.faults.sort(key=lambda fault: split_fault(fault)[0])
    file.refuse()
    return raw


def find_change(game: Game, raw: Raw, text: str) -> tuple[Entry, Raw, str, str]:
    """Return the entry, the table, the key and the new value of a change. Raises OptionError."""
    words, value = split_change(text)
    if words[0] == game.name and len(words) > 2:
        words = words[1:]
    if len(words) == 1:
        raise OptionError(f"{words[0][:60]!r} is no number of a card. Write card.number = value.")
    entry, table, key = find_number(game, raw, words)
    if key in IDENTITY_KEYS:
        raise OptionError(f"The {key} of {words[-2][:60]} cannot change. Write a card file to add a card.")
    return entry, table, key, value


def drop_origin(entry: Entry, key: str) -> None:
    """Remove the origin of a changed number, because no rulebook prints the new one."""
    for word in card_files.ORIGINS:
        if key in entry.table.get(word, ()):
            entry.table[word] = [number for number in entry.table[word] if number != key]
    sources = entry.table.get("sources")
    if isinstance(sources, dict) and key in sources:
        sources[key] = "ours"


def locate_fault(fault: str, places: dict[int, tuple[Entry, str]]) -> str:
    """Return a fault that a game reported, with the line of the change that it concerns, if that is known."""
    said = set(re.findall(r"[\w-]+", fault.lower()))
    near = [n for n, (entry, _) in places.items() if said & {*entry.words, entry.list}]
    exact = [n for n in near if places[n][1].lower() in said]
    line = next(iter(exact or near), 0) or (next(iter(places)) if len(places) == 1 else 0)
    return f"line {line}: {fault.rstrip('.')}" if line else fault.rstrip(".")

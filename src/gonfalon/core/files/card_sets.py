"""Sets of own cards: a card file, or lines that change single numbers of the standard cards.

    name = "Keion as printed"
    patriot.strength = 7   # a comment
    [[card]]               # the same for several numbers of one card
    slug = "dragoon"
    strength = 4

Both forms are read wherever an option takes a card file. A game holds the whole data of its set, so its records do not
depend on later versions of the standard cards, and the name of the set in the option `CARD_SET`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.files import card_files
from gonfalon.core.files.card_changes import (
    Change,
    Entry,
    compare_cards,
    copy_data,
    find_number,
    iter_entries,
    make_slug,
    set_number,
    split_change,
)
from gonfalon.core.files.card_files import (
    HEAD,
    MAX_CARD_FILE_BYTES,
    MAX_LOCATED,
    TEXT_KEY,
    CardFile,
    Raw,
    read_card_text,
    split_fault,
)
from gonfalon.core.files.kept_data import data_file, data_option
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.rules import CARD_SET, Rules
from gonfalon.core.text.untrusted import printable

MAX_NAME: Final = 60
"""The maximum length of a name."""
HEAD_KEYS: Final = ("name", "game")
"""Keys before the first change."""
IDENTITY_KEYS: Final = ("slug", "id", "code")
"""Keys of a table that other tables and records refer to."""
CARD_FILE: Final = re.compile(r"^[ \t]*form[ \t]*=", re.MULTILINE)
"""A line that only a complete card file has."""
GAME_LINE: Final = re.compile(r"""^\s*game\s*=\s*["']?([\w-]+)["']?\s*(#.*)?$""", re.MULTILINE)
"""The line of a set that names its game."""
COMMENT: Final = re.compile(r"""((?:[^#"']|"[^"]*"|'[^']*')*)#.*""")
"""A line with a comment."""


@dataclass(frozen=True)
class CardSet:
    """A checked set of own cards."""

    game: str
    """The name of the game."""
    name: str
    """The name of the set; empty if it has none."""
    options: Options
    """The options that make a game with these cards."""
    changes: tuple[Change, ...]
    """The differences from the standard cards."""
    data: str
    """The hash of the cards."""


@dataclass
class Overlay:
    """The lines of a text that change single numbers."""

    name: str = ""
    game: str = ""
    lines: dict[int, str] = field(default_factory=dict)
    """The changes by their lines, from 1."""
    has_tables: bool = False
    """Whether changes are grouped in tables, as in a card file."""


class Made(NamedTuple):
    """A change that was made: its line, the table and the key of the number."""

    line: int
    entry: Entry
    key: str


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
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    options: Options = {option: {TEXT_KEY: text, **({"name": name} if name else {})}}
    game, sides = make_game(kind, open_card_options(kind, options))
    try:
        # Tables, records and bots make the game from its whole data again.
        kind(**json.loads(json.dumps(game.shown_options())))
    except TypeError:
        raise DataError("The cards hold a date or another value that no card has.") from None
    return CardSet(kind.name, find_set_name(game), options | sides, describe_card_set(game), game.data_hash)


def make_game(kind: type[Game], options: Options) -> tuple[Game, Options]:
    """Return a game with a set of cards. If the set lacks the sides that a game has by default, the game has sides of
    the set, and the options that choose them are returned too."""
    try:
        return kind(**options), {}
    except OptionError as error:
        with suppress(OptionError):
            for game in kind.samples_with(options):
                usual = {option.name: option.default for option in kind.options_spec}
                own = {name: value for name, value in game.options.items() if name in usual.keys() - options.keys()}
                return game, {name: value for name, value in own.items() if value != usual[name]}
        raise DataError(str(error)) from None


@lru_cache(maxsize=64)
def describe_card_set(game: Game) -> tuple[Change, ...]:
    """Return the differences between the cards of a game and the standard cards; empty if there are none. They are
    cached, because all views of a table show them."""
    return tuple(compare_cards(type(game)(), game)) if has_own_cards(game) else ()


def has_own_cards(game: Rules) -> bool:
    """Return whether a game has other cards than the standard ones, of this version or an earlier one."""
    option = data_option(game)
    return bool(option) and game.options[option] is not None and not data_file(game, game.data_hash).is_file()


def find_other_game(kind: type[Game], kinds: Iterable[type[Game]], text: str) -> type[Game] | None:
    """Return the game whose card file a text is, if it is none of the given game; None for lines and doubtful files.

    Args:
        kind: The game that refused the text.
        kinds: All games.
        text: The text.
    """
    if is_overlay(text):
        return None
    found = card_files.parse("", text).raw.keys() - {"form", "alone", *HEAD_KEYS}
    own = copy_data(kind()).keys()
    others = [other for other in kinds if other is not kind and data_option(other)]
    fits = [other for other in others if found and found <= copy_data(other()).keys()]
    if found <= own or len(fits) > 1:
        # The names of the tables do not decide, so the other game must read the whole file.
        fits = [other for other in fits if is_card_set(other, text)]
    return fits[0] if len(fits) == 1 else None


def is_card_set(kind: type[Game], text: str) -> bool:
    """Return whether a game can read a set of cards."""
    with suppress(DataError, OptionError):
        return bool(read_card_set(kind, text))
    return False


def find_game_name(text: str) -> str:
    """Return the name of the game that a set of cards names; empty if it names none."""
    found = GAME_LINE.search(text)
    return found[1] if found else ""


def write_changes(name: str, changes: Iterable[tuple[str, object]]) -> str:
    """Return a set of cards as lines, from the paths and the new values of its changes. Lines can express changed
    values, but no new cards."""
    lines = [f"{path} = {json.dumps(value, ensure_ascii=False)}" for path, value in changes]
    return "\n".join([f'name = "{name}"', *lines] if name else lines)


def find_set_name(game: Rules) -> str:
    """Return the name of the set of cards of a game; empty if it has none."""
    return str(game.options.get(CARD_SET, ""))


# ---- options ----------------------------------------------------------------------------------------------------


def open_card_options(kind: type[Rules], options: Options, name: object = None) -> Options:
    """Return the options of a game in which lines of changes are replaced by the data that they make.

    Args:
        kind: The game.
        options: The options, with values of any origin.
        name: The name of the set, of any origin; None to take it from the text.

    Raises:
        DataError: A text has faults, or the name is not valid.
    """
    option = data_option(kind)
    source = options[option]
    text, where = "", "The card data"
    if isinstance(source, Path):
        text, where = read_card_text(source), str(source)
    elif isinstance(source.get(TEXT_KEY), str):
        text = source[TEXT_KEY]
        check_text(text)
    if isinstance(source, dict) and name is None:
        name = source.get("name")
    if text and is_overlay(text):
        lines = parse_overlay(text)
        name = name or lines.name
        options = options | {option: apply_overlay(kind(), lines, CardFile(where, {}, text))}
    elif text:
        name = name or card_files.parse(where, text).raw.get("name")
    name = check_name(name or "")
    return options | ({CARD_SET: name} if name else {})


def check_name(name: object) -> str:
    """Return the name of a set. Raises DataError."""
    if not isinstance(name, str) or not name.isprintable() or printable(name) != name or len(name) > MAX_NAME:
        raise DataError(f"The name of a set of cards is one line of at most {MAX_NAME} letters.")
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
    lines = [(comment[1] if (comment := COMMENT.fullmatch(line)) else line).strip() for line in text.splitlines()]
    path, name_line = "", 0
    for number, line in enumerate(lines, 1):
        key, equals, value = (part.strip() for part in line.partition("="))
        if head := HEAD.fullmatch(line):
            found.has_tables = True
            path = head[1].rpartition(".")[2] + "."
            if line.startswith("[["):
                name_line, name = find_table_name(lines, number)
                path += name
        elif not found.lines and not path and equals and key in HEAD_KEYS:
            setattr(found, key, value.strip("\"'"))
        elif line and number != name_line:
            found.lines[number] = path + line
    return found


def find_table_name(lines: list[str], start: int) -> tuple[int, str]:
    """Return the line, from 1, and the path of the name of the table that begins before a line; 0 if it has none."""
    names: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines[start:], start + 1):
        if HEAD.fullmatch(line):
            break
        key, _, value = (part.strip() for part in line.partition("="))
        names.setdefault(key, (number, f"{make_slug(value)}."))
    return next((names[key] for key in (*IDENTITY_KEYS, "name") if key in names), (0, ""))


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
    if overlay.game not in ("", game.name):
        file.faults.append(f"the cards are for {overlay.game[:60]!r}, not for {game.name}")
    elif not overlay.lines:
        file.faults.append("the text changes no number; write a line such as card.number = value")
    raw = copy_data(game)
    made = make_changes(game, raw, overlay, file)
    # The changes may need another choice of sides, which is no fault of theirs.
    with suppress(OptionError):
        try:
            type(game)(**{data_option(game): raw})
        except DataError as error:
            faults = error.faults or (str(error),)
            file.faults += [locate_fault(fault, made) for fault in faults[:MAX_LOCATED]]
            file.faults += faults[MAX_LOCATED:]
    file.faults.sort(key=lambda fault: split_fault(fault)[0])
    if overlay.has_tables and file.faults:
        file.faults.append("a file that adds or replaces whole tables begins with form = 1")
    file.refuse()
    return raw


def make_changes(game: Game, raw: Raw, overlay: Overlay, file: CardFile) -> list[Made]:
    """Make all changes that are possible, and add the faults of the others to the file. Return the changes."""
    found = list(iter_entries(raw))
    made: dict[tuple[int, str], Made] = {}
    for line, text in overlay.lines.items():
        # Each fault may take a search for a similar name.
        if len(file.faults) >= MAX_LOCATED:
            file.faults.append(f"line {line}: the lines from here on were not checked")
            break
        try:
            entry, table, key, value = find_change(game, raw, found, text)
            if (id(table), key) in made:
                path = text.partition("=")[0].strip()
                raise OptionError(f"line {made[id(table), key].line} already sets {path[:60]}")
            set_number(entry, table, key, value)
            drop_origin(entry, key)
            made[id(table), key] = Made(line, entry, key)
        except OptionError as error:
            file.faults.append(f"line {line}: {error}")
    return list(made.values())


def find_change(game: Game, raw: Raw, found: list[Entry], text: str) -> tuple[Entry, Raw, str, str]:
    """Return the entry, the table, the key and the new value of a change. Raises OptionError."""
    words, value = split_change(text)
    if words[0] == game.name and len(words) > 2:
        words = words[1:]
    if len(words) == 1:
        if words[0] in HEAD_KEYS:
            raise OptionError(f"write {words[0]} = {value[:60]} before the first change")
        raise OptionError(f"{words[0][:60]!r} is no number of a card; write card.number = value")
    entry, table, key = find_number(game, raw, found, words)
    if key in IDENTITY_KEYS:
        raise OptionError(f"the {key} of {words[-2][:60]} cannot change; write a card file to add a card")
    return entry, table, key, value


def drop_origin(entry: Entry, key: str) -> None:
    """Remove the origin of a changed number, because no rulebook prints the new one."""
    for word in card_files.ORIGINS:
        if key in entry.table.get(word, ()):
            entry.table[word] = [number for number in entry.table[word] if number != key]
    sources = entry.table.get("sources")
    if isinstance(sources, dict) and key in sources:
        sources[key] = "ours"


def locate_fault(fault: str, made: list[Made]) -> str:
    """Return a fault that a game reported, with the line of the change that it concerns, if that is known."""
    said = set(re.findall(r"[\w-]+", fault.lower()))
    near = [one for one in made if not said.isdisjoint(one.entry.words)]
    exact = [one for one in near if one.key.lower() in said]
    side = [one for one in made if one.entry.owner in said]
    # A fault of a whole side has a line only if one change alone can be its cause.
    hits = exact or near or (side if len(side) == 1 else made if len(made) == 1 else [])
    return f"line {hits[0].line}: {fault}" if hits else fault

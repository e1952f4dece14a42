"""Small changes of a game: `patriot.strength=5`, a file with one card, a deck list, an option.

A change is made in the plain form of a game's data, and the game itself reads the result with the checks of its card
files. So a variant is nothing but options: it can be sent to other processes, two variants can be compared, and its
numbers are part of the game's data hash.
"""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from gonfalon import games
from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.core.basics.options import Option, Options
from gonfalon.core.files import card_files
from gonfalon.core.files.card_files import Raw
from gonfalon.core.files.kept_data import data_option
from gonfalon.core.rules.game import Game

OPTION: Final = "option"
"""First word of a path to an option."""
ORIGINS: Final = ("rulebook", "inferred", "publisher", "reconstructed", "ours")
"""Origins of a number in the card data."""
FILE_KEYS: Final = ("form", "alone")
"""Keys of a card file that describe the file."""
SIDES: Final = ("faction", "deck")
"""Lists of the data whose entries are sides."""
DESCRIPTIVE_KEYS: Final = frozenset(
    ("name", "slug", "id", "code", "text", "story", "style", "art", "glyph", "colour", "pattern", "sources", *ORIGINS)
)
"""Keys that only describe a table for people. No rule reads them."""


@dataclass(frozen=True)
class Change:
    """One difference of a variant.

    It has the path, the old value (None: nothing), the new value, and the origin of the old one.
    """

    path: str
    before: object
    after: object
    origin: str
    of: str = ""
    """Name of the card or table."""
    what: str = ""
    """Changed part of it; empty if the path is clear enough."""

    @property
    def title(self) -> str:
        """Name of the change for people: `Patriot: strength`."""
        return (
            f"{self.of}: {self.what or self.path.partition('.')[2].replace('.', ' ')}"
            if self.of
            else self.path.replace(".", ": ", 1)
        )

    def __str__(self) -> str:
        return f"{self.path}: {format_value(self.before)} -> {format_value(self.after)} ({self.origin})"


@dataclass(frozen=True)
class Variant:
    """A game with changes: its options, and the differences from the game without them."""

    options: Options
    changes: list[Change] = field(default_factory=list)
    touched: tuple[str, ...] = ()
    """Factions or decks that contain the changed cards; empty if a change concerns all sides."""


@dataclass
class Entry:
    """A table of the data: its list, the words that name it, its values, and the faction that contains it."""

    list: str
    words: tuple[str, ...]
    table: Raw
    owner: str = ""


def format_value(value: object) -> str:
    """Return a value as people write it."""
    return "nothing" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def make_variant(
    name: str, options: Options, sets: Sequence[str] = (), file: Path | None = None, base: Variant | None = None
) -> Variant:
    """Return a variant of a game.

    Args:
        name: The name of the game.
        options: Its options.
        sets: Single changes, `patriot.strength=5`.
        file: A file laid over the data before the single changes.
        base: The variant to compare with; by default the game of these options. Without a file, single changes are made
            in the base.

    Raises:
        OptionError: A change or an option is not possible.
        DataError: The game cannot read the changed data.
    """
    if base is not None and file is None:
        options = base.options
    before = games.game(name, **options)
    made = dict(options)
    data = data_option(before)
    raw = copy_data(before)
    if file is not None:
        raw = overlay_file(before, raw, made, file)
    for text in sets:
        apply_change(before, raw, made, text)
    if data and raw != copy_data(before):
        made[data] = raw
    after = games.game(name, **made)
    if base is not None:
        before = games.game(name, **base.options)
    changes = compare_games(before, after)
    return Variant(made, changes, find_touched_sides(before, after, changes))


def copy_data(game: Game) -> Raw:
    """Return a copy of the game's data in their plain form."""
    found = game.pinned().get(data_option(game)) if data_option(game) else None
    # A copy: the game caches its data.
    made: Raw = json.loads(json.dumps(found)) if isinstance(found, dict) else {}
    return made


# ---- the names of things --------------------------------------------------------------------------------------


def iter_entries(raw: Mapping[str, object], owner: str = "") -> Iterator[Entry]:
    """Yield all tables of the data. Nested tables follow their parent."""
    for key, value in raw.items():
        if isinstance(value, dict) and not owner:
            yield Entry(key, (key,), value)
        elif isinstance(value, list):
            tables = [table for table in value if isinstance(table, dict)]
            for table, words in zip(tables, list_names(tables), strict=True):
                if words:
                    yield Entry(key, words, table, owner)
                    yield from (() if owner else iter_entries(table, words[0]))


def list_names(tables: list[Raw]) -> list[tuple[str, ...]]:
    """Return the words that name each table of a list: its slug, id, code and name.

    Tables without any of these are named by their values, `sword-1`, with a letter if several have the same values.
    """
    own = [
        tuple(dict.fromkeys(word for key in ("slug", "id", "code", "name") if (word := make_slug(t.get(key)))))
        for t in tables
    ]
    if any(own):
        return own
    said = ["-".join(make_slug(value) for value in table.values() if isinstance(value, str | int)) for table in tables]
    return [
        (word + "abcdefgh"[said[:at].count(word) % 8] if said.count(word) > 1 else word,) if word else ()
        for at, word in enumerate(said)
    ]


def make_slug(value: object) -> str:
    """Return a name as a word of a path."""
    return "-".join(re.findall(r"[a-z0-9]+", str(value).lower().replace("'", ""))) if value is not None else ""


def find_entry(game: Game, raw: Raw, words: list[str]) -> tuple[Entry, list[str]]:
    """Return the table at the beginning of a path, and the rest of the path.

    Raises:
        OptionError: No table has the name, or several have.
    """
    found = list(iter_entries(raw))
    if len(words) > 2 and (inside := [e for e in found if words[0] in (e.list, e.list.rstrip("s"))]):
        exact = [entry for entry in inside if words[1] in entry.words]
        if exact:
            return exact[0], words[2:]
    hits = [entry for entry in found if words[0] in entry.words]
    # A primary name wins over aliases of other tables.
    firm = [entry for entry in hits if entry.words[0] == words[0]] or hits
    if len(firm) == 1:
        return firm[0], words[1:]
    if firm:
        which = " or ".join(f"{entry.list}.{words[0]}" for entry in firm)
        raise OptionError(f"{words[0]!r} is ambiguous in {game.title}. Use {which}.")
    near = difflib.get_close_matches(words[0], [word for entry in found for word in entry.words], 1)
    hint = f". Did you mean {near[0]}?" if near else "."
    raise OptionError(f"The data of {game.title} have no card or table {words[0][:60]!r}{hint}")


# ---- changing -------------------------------------------------------------------------------------------------


def apply_change(game: Game, raw: Raw, options: Options, text: str) -> None:
    """Make one change, `patriot.strength=5`.

    Raises:
        OptionError: The change is not possible.
    """
    left, equals, value = text.partition("=")
    words = [word.strip().lower() for word in left.split(".")]
    if not equals or not all(words):
        raise OptionError(f"Write a change as card.number=value, for example patriot.strength=5, not {text[:60]!r}.")
    if words[0] == game.name and len(words) > 1:
        words = words[1:]
    if words[0] == OPTION and len(words) == 2:
        words = words[1:]
    if len(words) == 1:
        options[words[0]] = read_option(game, words[0], value.strip())
        return
    if words[0] in game.origins:
        raw.setdefault(words[0], {})  # The published card file leaves this table out.
    entry, rest = find_entry(game, raw, words)
    if not rest:
        raise OptionError(f"Name the number of {words[-1]} to change: {'.'.join(words)}.NUMBER=VALUE.")
    table, key = find_inner(game, raw, entry, rest)
    if table is entry.table and key in DESCRIPTIVE_KEYS:
        raise OptionError(
            f"{'.'.join(words)} is a description. No rule of {game.title} reads it, so it cannot change a game."
        )
    made = read_value(value.strip(), table.get(key))
    if table is not entry.table and made == 0:
        table.pop(key, None)  # Decks do not list cards with zero copies.
    else:
        table[key] = made


def find_inner(game: Game, raw: Raw, entry: Entry, rest: list[str]) -> tuple[Raw, str]:
    """Return the table and the key at the end of a path. A card of a deck may be named directly.

    Raises:
        OptionError: A word of the path names no table or card.
    """
    table = entry.table
    for word in rest[:-1]:
        below = table.get(word)
        if not isinstance(below, dict):
            raise OptionError(f"{entry.words[0]} has no table {word!r} in the data of {game.title}.")
        table = below
    key, cards = rest[-1], entry.table.get("cards")
    if isinstance(cards, dict) and (table is cards or key not in table):
        hit = next((e for e in iter_entries(raw) if key in e.words and "id" in e.table), None)
        if hit is not None:
            return cards, str(hit.table["id"])
        words = [word for e in iter_entries(raw) if "id" in e.table for word in e.words]
        if key not in table and (near := difflib.get_close_matches(key, words, 1)):
            raise OptionError(f"{entry.words[0]} has no card {key[:60]!r}. Did you mean {near[0]}?")
    return table, key


def read_option(game: Game, word: str, value: object) -> object:
    """Return the value of an option from text.

    Raises:
        OptionError: The option is unknown, takes a file, or does not allow the value.
    """
    option = find_option(game, word)
    if option.file:
        raise OptionError(f"The option {word} needs a file: --option {word}=FILE.")
    return option.read(value)


def find_option(game: Game, word: str) -> Option:
    """Return an option by its name.

    Raises:
        OptionError: The option is unknown.
    """
    found = next((option for option in game.options_spec if option.name == word), None)
    if found is None:
        known = ", ".join(option.name for option in game.options_spec if not option.file)
        raise OptionError(
            f"{game.title} has no option {word[:60]!r}. Its options: {known}. For a card's number write card.number."
        )
    return found


def read_value(text: str, old: object) -> object:
    """Return a value from text.

    A text replaces a text; other values are numbers, booleans or lists as in card files. Unreadable text remains text,
    and the game's reader reports it.
    """
    if isinstance(old, str):
        return text
    words = {"yes": True, "no": False}
    if isinstance(old, bool) and text.lower() in words:
        return words[text.lower()]
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text


# ---- files ----------------------------------------------------------------------------------------------------


def overlay_file(game: Game, raw: Raw, options: Options, file: Path) -> Raw:
    """Return the data with the changes of a file.

    The file may be a complete card file, tables with some of their values, options, or a deck list.

    Raises:
        DataError: The file cannot be read.
        OptionError: A table or an option is unknown.
    """
    text = card_files.read_card_text(file)
    try:
        own = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        if games.find_game_class(game.name).has_decks():
            return overlay_deck(game, raw, text, file)
        raise DataError(f"{file}: {error}.") from None
    for word, value in {**own.pop("options", {}), **own.pop(OPTION, {})}.items():
        options[word] = read_option(game, word, value)
    # A complete card file replaces the data of the game.
    if own.get("alone") is True:
        return own
    for key, value in own.items():
        if key in FILE_KEYS:
            continue
        if isinstance(value, list) and all(isinstance(table, dict) for table in value):
            overlay_tables(raw, key, value)
        elif isinstance(value, dict) and isinstance(raw.get(key, {}), dict):
            raw[key] = {**raw.get(key, {}), **value}
        else:
            raw[key] = value  # The game's reader reports the fault.
    return raw


def overlay_tables(raw: Raw, key: str, tables: list[Raw]) -> None:
    """Change the existing tables of the same names. Other tables are added."""
    known = [entry for entry in iter_entries(raw) if entry.list.rstrip("s") == key.rstrip("s")]
    # New tables are only possible in lists at the top level.
    new = key in raw or not known
    for table, words in zip(tables, list_names(tables), strict=True):
        word = make_slug(table.get("slug")) or (words[0] if words else "")
        hit = next((entry for entry in known if word and word in entry.words), None)
        if hit is not None:
            hit.table.update({k: v for k, v in table.items() if k != "slug" or "slug" in hit.table})
        elif new:
            raw.setdefault(key, []).append(table)
        else:  # The tables are nested, and the file does not name the parent of a new one.
            near = difflib.get_close_matches(word, [word for entry in known for word in entry.words], 1)
            hint = f". Did you mean {near[0]}?" if near else "; adding one needs a complete card file."
            raise OptionError(f"There is no {key} {word[:60]!r} to change{hint}")


def overlay_deck(game: Game, raw: Raw, text: str, file: Path) -> Raw:
    """Return the data with a deck list in place of the preset deck of the same name.

    Raises:
        DataError: The deck list is faulty, or no preset deck has its name.
    """
    decks = game.decks()
    assert decks is not None
    deck, faults = decks.parse(text)
    if faults:
        raise DataError(f"{file}: {' '.join(faults)}")
    found = list(iter_entries(raw))
    hit = next((e for e in found if e.list == "deck" and make_slug(deck.name) in e.words), None)
    if hit is None:
        known = ", ".join(str(e.table.get("name")) for e in found if e.list == "deck")
        raise DataError(f"{file}: a deck list replaces the preset deck with its Name, one of {known}.")
    types = {e.table["id"]: e.table.get("type") for e in found if "id" in e.table}
    # Some cards of a deck (such as its Commandment) are named by the deck, outside of its list of cards.
    apart = {key: types[v] for key, v in hit.table.items() if isinstance(v, str) and v in types}
    for key, type_ in apart.items():
        hit.table[key] = next((id for id in deck.counts if types.get(id) == type_), "")
    hit.table["cards"] = {id: n for id, n in deck.counts.items() if types.get(id) not in apart.values()}
    return raw


# ---- what differs ---------------------------------------------------------------------------------------------


def compare_games(before: Game, after: Game) -> list[Change]:
    """Return all differences between two games: options, then tables in the order of the data."""
    data = data_option(before)
    changes = [
        Change(option.name, before.options[option.name], after.options[option.name], "an option of the rules")
        for option in before.options_spec
        if option.name != data and before.options[option.name] != after.options[option.name]
    ]
    old = {(e.list, e.owner, e.words[0]): e for e in iter_entries(copy_data(before))}
    new = {(e.list, e.owner, e.words[0]): e for e in iter_entries(copy_data(after))}
    cards = map_card_names([*old.values(), *new.values()])
    for key in dict.fromkeys([*old, *new]):
        was, now = old.get(key), new.get(key)
        if was is None or now is None:
            there = was or now
            assert there is not None
            word = format_value(there.table.get("name", there.words[0]))
            changes.append(
                Change(there.words[0], word if was else None, word if now else None, find_origin(before, there, ""))
            )
        else:
            changes += compare_entries(before, was, now, cards)
    return changes


def map_card_names(found: Sequence[Entry]) -> dict[str, tuple[str, str]]:
    """Return the path word and the name of each card, by its id. Ambiguous words are left out."""
    words: dict[str, dict[str, str]] = {}
    for entry in found:
        if "id" in entry.table and (name := entry.table.get("name")):
            words.setdefault(make_slug(name), {})[str(entry.table["id"])] = str(name)
    return {id: (word, name) for word, ids in words.items() if len(ids) == 1 for id, name in ids.items()}


def compare_entries(game: Game, was: Entry, now: Entry, cards: Mapping[str, tuple[str, str]]) -> Iterator[Change]:
    """Yield the differences between two tables of one name. Nested tables are compared separately."""
    of = str(was.table.get("name", ""))
    # Prefer readable names to ids such as c07.
    word = next((word for word in was.words if not re.fullmatch("[a-z][0-9]{2}", word)), was.words[0])
    for key in dict.fromkeys([*was.table, *now.table]):
        a, b = was.table.get(key), now.table.get(key)
        if a == b or (is_table_list(a) and is_table_list(b) and not was.owner and key == "cards"):
            continue
        if isinstance(a, dict) and isinstance(b, dict):
            for part in dict.fromkeys([*a, *b]):
                if a.get(part) != b.get(part):
                    card, name = cards.get(part, ("", "")) if key == "cards" else ("", "")
                    path, what = (card, f"copies of {name}") if card else (f"{key}.{part}", "")
                    yield Change(f"{word}.{path}", a.get(part), b.get(part), find_origin(game, was, key), of, what)
        else:
            yield Change(f"{word}.{key}", a, b, find_origin(game, was, key), of)


def is_table_list(value: object) -> bool:
    """Return whether a value is a list of tables."""
    return isinstance(value, list) and all(isinstance(table, dict) for table in value)


def find_origin(game: Game, entry: Entry, key: str) -> str:
    """Return the origin of a number, from the entry itself or from the game's defaults."""
    for word in card_files.ORIGINS:
        if key in entry.table.get(word, ()):
            return word
    sources = entry.table.get("sources", {})
    if isinstance(sources, dict) and key in sources:
        return str(sources[key])
    known = game.origins
    return known.get(f"{entry.list}.{key}", known.get(entry.list, "reconstructed"))


def find_touched_sides(before: Game, after: Game, changes: list[Change]) -> tuple[str, ...]:
    """Return the factions or decks that contain all changes; empty if a change concerns all sides."""
    found: list[str] = []
    old = {id(e.table): e for e in iter_entries(copy_data(before))}
    for change in changes:
        sides = find_sides_of_change(list(old.values()), change) or find_sides_of_change(
            list(iter_entries(copy_data(after))), change
        )
        if not sides:
            return ()
        found += sides
    return tuple(dict.fromkeys(found))


def find_sides_of_change(found: list[Entry], change: Change) -> list[str]:
    """Return the factions or decks concerned by a change; empty if it concerns all sides or none."""
    word = change.path.split(".")[0]
    hits = [entry for entry in found if word in entry.words]
    sides: list[str] = []
    for hit in hits:
        id = hit.table.get("id")
        if hit.owner or (hit.list in SIDES and hit.words != (hit.list,)):
            sides.append(hit.owner or str(hit.table.get("slug", hit.words[0])))
        sides += [
            str(e.table.get("slug"))
            for e in found
            if e.list == "deck" and id is not None and id in {*e.table.get("cards", ()), *map(str, e.table.values())}
        ]
    return list(dict.fromkeys(sides))


NAMED_LISTS: Final = (*SIDES, "goal")
"""Lists of the data whose entries have names known to players."""


def map_names(name: str, options: Options) -> dict[str, str]:
    """Return the names of a game's factions, decks and goals by their slugs."""
    found = iter_entries(copy_data(games.game(name, **options)))
    return {
        e.table["slug"]: str(e.table["name"])
        for e in found
        if e.list in NAMED_LISTS and {"slug", "name"} <= e.table.keys()
    }

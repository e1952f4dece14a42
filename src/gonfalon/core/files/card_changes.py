"""Small changes of card data: `patriot.strength = 5`.

A change is made in the plain form of a game's data, and the game itself reads the result with the checks of its card
files. So changed cards are nothing but options: they can be sent to other processes, two games can be compared, and the
numbers are part of the data hash.
"""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.files import card_files
from gonfalon.core.files.card_files import Raw
from gonfalon.core.files.kept_data import data_option
from gonfalon.core.rules.game import Game

ORIGINS: Final = ("rulebook", "inferred", "publisher", "reconstructed", "ours")
"""Origins of a number in the card data."""
NAMED_LISTS: Final = ("faction", "deck", "goal")
"""Lists of the data whose entries have names known to players."""
PROVENANCE_KEYS: Final = ("sources", *card_files.ORIGINS)
"""Keys of a table that name the origins of its numbers."""


@dataclass(frozen=True)
class Change:
    """One difference of a variant.

    It has the path, the old value (None: nothing), the new value, and the origin of the old one (empty for nothing).
    """

    path: str
    before: object
    after: object
    origin: str
    of: str = ""
    """Name of the card or table."""
    what: str = ""
    """Changed part of it; empty if the path is clear enough."""
    slug: str = ""
    """Slug of the changed card; empty for other tables and for options."""

    @property
    def title(self) -> str:
        """Name of the change for people: `Patriot: strength`."""
        if not self.of:
            return self.path.replace(".", ": ", 1).replace("_", " ")
        return f"{self.of}: {self.what or re.sub('[._]', ' ', self.path.partition('.')[2])}"

    def __str__(self) -> str:
        origin = f" ({self.origin})" if self.origin else ""
        return f"{self.path}: {format_value(self.before)}{origin} -> {format_value(self.after)}"


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


def find_entry(game: Game, found: list[Entry], words: list[str]) -> tuple[Entry, list[str]]:
    """Return the table at the beginning of a path, and the rest of the path.

    Raises:
        OptionError: No table has the name, or several have.
    """
    if len(words) > 2 and (inside := [e for e in found if words[0] in (e.list, e.list.rstrip("s"))]):
        exact = [entry for entry in inside if words[1] in entry.words]
        if exact:
            return exact[0], words[2:]
        if not any(words[0] in entry.words for entry in found):
            found, words = inside, words[1:]
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


def split_change(text: str) -> tuple[list[str], str]:
    """Return the words of the path and the value of a change, `patriot.strength = 5`.

    Raises:
        OptionError: The text is no change.
    """
    left, equals, value = text.partition("=")
    words = [word.strip().lower() for word in left.split(".")]
    if not equals or not all(words):
        raise OptionError(f"Write a change as card.number=value, for example patriot.strength=5, not {text[:60]!r}.")
    return words, value.strip()


def find_number(game: Game, raw: Raw, found: list[Entry], words: list[str]) -> tuple[Entry, Raw, str]:
    """Return the entry of a path, and the table and the key of its number.

    Args:
        game: The game.
        raw: Its data.
        found: The tables of the data. A table that the published card file leaves out is added to both.
        words: The path.

    Raises:
        OptionError: The path leads to no number.
    """
    if words[0] in game.origins and words[0] not in raw:
        raw[words[0]] = {}
        found.append(Entry(words[0], (words[0],), raw[words[0]]))
    entry, rest = find_entry(game, found, words)
    if not rest:
        raise OptionError(f"Name the number of {words[-1][:60]} to change: {'.'.join(words)[:60]}.NUMBER=VALUE.")
    return entry, *find_inner(game, found, entry, rest)


def set_number(entry: Entry, table: Raw, key: str, value: str) -> None:
    """Change a number that `find_number` found."""
    made = read_value(value, table.get(key))
    if table is not entry.table and made == 0:
        table.pop(key, None)  # Decks do not list cards with zero copies.
    else:
        table[key] = made


def find_inner(game: Game, found: list[Entry], entry: Entry, rest: list[str]) -> tuple[Raw, str]:
    """Return the table and the key at the end of a path. A card of a deck may be named directly.

    Raises:
        OptionError: A word of the path names no table or card.
    """
    table = entry.table
    for word in rest[:-1]:
        below = table.get(word)
        if not isinstance(below, dict):
            raise OptionError(f"{entry.words[0]} has no table {word[:60]!r} in the data of {game.title}.")
        table = below
    key, cards = rest[-1], entry.table.get("cards")
    if isinstance(cards, dict) and (table is cards or key not in table):
        hit = next((e for e in found if key in e.words and "id" in e.table), None)
        if hit is not None:
            return cards, str(hit.table["id"])
        words = [word for e in found if "id" in e.table for word in e.words]
        if key not in table and (near := difflib.get_close_matches(key, words, 1)):
            raise OptionError(f"{entry.words[0]} has no card {key[:60]!r}. Did you mean {near[0]}?")
    return table, key


def read_value(text: str, old: object) -> object:
    """Return a value from text.

    A text replaces a text, with or without quotes; other values are numbers, booleans or lists as in card files.
    Unreadable text remains text, and the game's reader reports it.
    """
    if isinstance(old, str) and text[:1] not in ("'", '"'):
        return text
    words = {"yes": True, "no": False}
    if isinstance(old, bool) and text.lower() in words:
        return words[text.lower()]
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text


# ---- what differs ---------------------------------------------------------------------------------------------


def compare_games(before: Game, after: Game) -> list[Change]:
    """Return all differences between two games: options, then tables in the order of the data."""
    data = data_option(before)
    changes = [
        Change(option.name, before.options[option.name], after.options[option.name], "an option of the rules")
        for option in before.options_spec
        if option.name != data and before.options[option.name] != after.options[option.name]
    ]
    return changes + compare_cards(before, after)


def compare_cards(before: Game, after: Game) -> list[Change]:
    """Return the differences between the card data of two games, in the order of the data."""
    old = {(e.list, e.owner, e.words[0]): e for e in iter_entries(copy_data(before))}
    new = {(e.list, e.owner, e.words[0]): e for e in iter_entries(copy_data(after))}
    cards = map_card_names([*old.values(), *new.values()])
    changes: list[Change] = []
    for key in dict.fromkeys([*old, *new]):
        was, now = old.get(key), new.get(key)
        there = was or now
        assert there is not None
        if was is None or now is None:
            word = format_value(there.table.get("name", there.words[0]))
            origin = find_origin(before, there, "") if was else ""
            found = [Change(there.words[0], word if was else None, word if now else None, origin)]
        else:
            found = list(compare_entries(before, was, now, cards))
        if found:
            slug = find_slug(after if now else before, there)
            changes += [replace(change, slug=slug) for change in found]
    return changes


def find_slug(game: Game, entry: Entry) -> str:
    """Return the slug of the card of an entry; empty if the entry is no card."""
    card = game.card(str(entry.table.get("name") or entry.words[0]))
    return str(card.get("slug", "")) if card and make_slug(card.get("name")) in entry.words else ""


def map_card_names(found: Sequence[Entry]) -> dict[str, tuple[str, str]]:
    """Return the path word and the name of each card, by its id. Ambiguous words are left out."""
    words: dict[str, dict[str, str]] = {}
    for entry in found:
        if "id" in entry.table and (name := entry.table.get("name")):
            words.setdefault(make_slug(name), {})[str(entry.table["id"])] = str(name)
    return {id: (word, name) for word, ids in words.items() if len(ids) == 1 for id, name in ids.items()}


@lru_cache(maxsize=16)
def map_side_names(game: Game) -> dict[str, str]:
    """Return the names of a game's factions, decks and goals by their slugs."""
    return {
        e.table["slug"]: str(e.table["name"])
        for e in iter_entries(copy_data(game))
        if e.list in NAMED_LISTS and {"slug", "name"} <= e.table.keys()
    }


def compare_entries(game: Game, was: Entry, now: Entry, cards: Mapping[str, tuple[str, str]]) -> Iterator[Change]:
    """Yield the differences between two tables of one name. Nested tables are compared separately."""
    of = str(was.table.get("name", ""))
    # Prefer readable names to ids such as c07.
    word = next((word for word in was.words if not re.fullmatch("[a-z][0-9]{2}", word)), was.words[0])
    for key in dict.fromkeys([*was.table, *now.table]):
        a, b = was.table.get(key), now.table.get(key)
        # A provenance describes another number and changes no game.
        if a == b or key in PROVENANCE_KEYS:
            continue
        if is_table_list(a) and is_table_list(b) and not was.owner and key == "cards":
            continue
        if isinstance(a, dict) and isinstance(b, dict):
            for part in dict.fromkeys([*a, *b]):
                if a.get(part) != b.get(part):
                    card, name = cards.get(part, ("", "")) if key == "cards" else ("", "")
                    path, what = (card, f"copies of {name}") if card else (f"{key}.{part}", "")
                    origin = find_origin(game, was, key) if part in a else ""
                    yield Change(f"{word}.{path}", a.get(part), b.get(part), origin, of, what)
        else:
            yield Change(f"{word}.{key}", a, b, find_origin(game, was, key) if key in was.table else "", of)


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

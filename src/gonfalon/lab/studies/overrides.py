"""Changes as small as the thought: `patriot.strength=5`, a file with one card in it, a deck list, an option.

A change is made in the plain form of a game's data, and the game itself reads the result with the checks of its card
files. So a variant is nothing but options: it travels to other processes, two of them stand side by side, and its
numbers are part of the game's hash of data.
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
ORIGINS: Final = ("rulebook", "inferred", "publisher", "reconstructed", "ours")
HEADS: Final = ("form", "alone")
SIDES: Final = ("faction", "deck")
SHOWN: Final = frozenset(
    ("name", "slug", "id", "code", "text", "story", "style", "art", "glyph", "colour", "pattern", "sources", *ORIGINS)
)
"""What the tables say of themselves for people; no rule asks for it."""


@dataclass(frozen=True)
class Change:
    """One thing that a variant has otherwise: a path of words, what stood there (None: nothing), what stands there now,
    and where the old value comes from."""

    path: str
    before: object
    after: object
    origin: str
    of: str = ""
    """What the card or table is called,"""
    what: str = ""
    """and what of it has changed; empty where the path says it well."""

    @property
    def title(self) -> str:
        """What has changed, as people say it: `Patriot: strength`."""
        return (
            f"{self.of}: {self.what or self.path.partition('.')[2].replace('.', ' ')}"
            if self.of
            else self.path.replace(".", ": ", 1)
        )

    def __str__(self) -> str:
        return f"{self.path}: {told(self.before)} -> {told(self.after)} ({self.origin})"


@dataclass(frozen=True)
class Variant:
    """A game with changes: the options that make it, and what differs from the game without them."""

    options: Options
    changes: list[Change] = field(default_factory=list)
    touched: tuple[str, ...] = ()
    """The factions or decks in which the changed cards are; none where the change is everybody's."""


@dataclass
class Entry:
    """A table of the data: its list, the words that it goes by, its values, the faction it stands in."""

    list: str
    words: tuple[str, ...]
    table: Raw
    owner: str = ""


def told(value: object) -> str:
    """A value as people write it."""
    return "nothing" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def variant(
    name: str, options: Options, sets: Sequence[str] = (), file: Path | None = None, base: Variant | None = None
) -> Variant:
    """The game of these options with a file laid over it, then with single changes; what it has otherwise than `base`,
    or than the game of these options. Single changes without a file are made in the base. Raises OptionError and
    DataError, what the game's own reader of data says included."""
    if base is not None and file is None:
        options = base.options
    before = games.game(name, **options)
    made = dict(options)
    data = data_option(before)
    raw = plain(before)
    if file is not None:
        raw = laid_over(before, raw, made, file)
    for text in sets:
        put(before, raw, made, text)
    if data and raw != plain(before):
        made[data] = raw
    after = games.game(name, **made)
    if base is not None:
        before = games.game(name, **base.options)
    changes = compared(before, after)
    return Variant(made, changes, touched(before, after, changes))


def plain(game: Game) -> Raw:
    """A copy of the game's data in their plain form."""
    found = game.pinned().get(data_option(game)) if data_option(game) else None
    made: Raw = json.loads(json.dumps(found)) if isinstance(found, dict) else {}
    return made


# ---- the names of things --------------------------------------------------------------------------------------


def entries(raw: Mapping[str, object], owner: str = "") -> Iterator[Entry]:
    """All tables of the data, those within others after them."""
    for key, value in raw.items():
        if isinstance(value, dict) and not owner:
            yield Entry(key, (key,), value)
        elif isinstance(value, list):
            tables = [table for table in value if isinstance(table, dict)]
            for table, words in zip(tables, names(tables), strict=True):
                if words:
                    yield Entry(key, words, table, owner)
                    yield from (() if owner else entries(table, words[0]))


def names(tables: list[Raw]) -> list[tuple[str, ...]]:
    """The words that each table of a list goes by: its slug, id and code and its name; without any of these what it
    says of itself, `sword-1`, with a letter where several say the same."""
    own = [
        tuple(dict.fromkeys(word for key in ("slug", "id", "code", "name") if (word := slug(t.get(key)))))
        for t in tables
    ]
    if any(own):
        return own
    said = ["-".join(slug(value) for value in table.values() if isinstance(value, str | int)) for table in tables]
    return [
        (word + "abcdefgh"[said[:at].count(word) % 8] if said.count(word) > 1 else word,) if word else ()
        for at, word in enumerate(said)
    ]


def slug(value: object) -> str:
    """A name as a word of paths."""
    return "-".join(re.findall(r"[a-z0-9]+", str(value).lower().replace("'", ""))) if value is not None else ""


def find(game: Game, raw: Raw, words: list[str]) -> tuple[Entry, list[str]]:
    """The table that a path begins with, and the rest of the path. Raises OptionError."""
    found = list(entries(raw))
    if len(words) > 2 and (inside := [e for e in found if words[0] in (e.list, e.list.rstrip("s"))]):
        exact = [entry for entry in inside if words[1] in entry.words]
        if exact:
            return exact[0], words[2:]
    hits = [entry for entry in found if words[0] in entry.words]
    firm = [entry for entry in hits if entry.words[0] == words[0]] or hits
    if len(firm) == 1:
        return firm[0], words[1:]
    if firm:
        which = " or ".join(f"{entry.list}.{words[0]}" for entry in firm)
        raise OptionError(f"{words[0]!r} names more than one thing in {game.title}; say {which}.")
    near = difflib.get_close_matches(words[0], [word for entry in found for word in entry.words], 1)
    hint = f"; did you mean {near[0]}?" if near else "."
    raise OptionError(f"There is no card or table {words[0][:60]!r} in the data of {game.title}{hint}")


# ---- changing -------------------------------------------------------------------------------------------------


def put(game: Game, raw: Raw, options: Options, text: str) -> None:
    """Make one change, `patriot.strength=5`. Raises OptionError."""
    left, equals, value = text.partition("=")
    words = [word.strip().lower() for word in left.split(".")]
    if not equals or not all(words):
        raise OptionError(f"A change is written card.number=value, as in patriot.strength=5, not {text[:60]!r}.")
    if words[0] == game.name and len(words) > 1:
        words = words[1:]
    if words[0] == OPTION and len(words) == 2:
        words = words[1:]
    if len(words) == 1:
        options[words[0]] = option_value(game, words[0], value.strip())
        return
    if words[0] in game.origins:
        raw.setdefault(words[0], {})  # a table that the file of the box leaves out
    entry, rest = find(game, raw, words)
    if not rest:
        raise OptionError(f"What of {words[-1]} is to change? Write {'.'.join(words)}.NUMBER=VALUE.")
    table, key = inner(game, raw, entry, rest)
    if table is entry.table and key in SHOWN:
        raise OptionError(
            f"{'.'.join(words)} is for people to read and no rule of {game.title}: it would change no game."
        )
    made = read_value(value.strip(), table.get(key))
    if table is not entry.table and made == 0:
        table.pop(key, None)  # no copy of a card in a deck
    else:
        table[key] = made


def inner(game: Game, raw: Raw, entry: Entry, rest: list[str]) -> tuple[Raw, str]:
    """The table in which the last word of a path is a key, and that key: a deck's cards may be named at once."""
    table = entry.table
    for word in rest[:-1]:
        below = table.get(word)
        if not isinstance(below, dict):
            raise OptionError(f"{entry.words[0]} has no table {word!r} in the data of {game.title}.")
        table = below
    key, cards = rest[-1], entry.table.get("cards")
    if isinstance(cards, dict) and (table is cards or key not in table):
        hit = next((e for e in entries(raw) if key in e.words and "id" in e.table), None)
        if hit is not None:
            return cards, str(hit.table["id"])
        words = [word for e in entries(raw) if "id" in e.table for word in e.words]
        if key not in table and (near := difflib.get_close_matches(key, words, 1)):
            raise OptionError(f"There is no card {key[:60]!r} for {entry.words[0]}; did you mean {near[0]}?")
    return table, key


def option_value(game: Game, word: str, value: object) -> object:
    """An option of the game, read. Raises OptionError."""
    option = spec_of(game, word)
    if option.file:
        raise OptionError(f"Option {word} takes a whole file; give it with --option {word}=FILE.")
    return option.read(value)


def spec_of(game: Game, word: str) -> Option:
    """An option by its name. Raises OptionError."""
    found = next((option for option in game.options_spec if option.name == word), None)
    if found is None:
        known = ", ".join(option.name for option in game.options_spec if not option.file)
        raise OptionError(f"{game.title} has no option {word[:60]!r}; it has: {known}. A card's number is card.number.")
    return found


def read_value(text: str, old: object) -> object:
    """A value from a text: a text where a text stood, else a number, a truth, a list as in card files; what is none of
    these stays a text, and the game's reader will say so."""
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


def laid_over(game: Game, raw: Raw, options: Options, file: Path) -> Raw:
    """The data with a file laid over them: whole card files that stand alone, tables of which only some values are
    given, options, or a deck list. Raises DataError and OptionError."""
    text = card_files.text_of(file)
    try:
        own = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        if games.kind(game.name).has_decks():
            return with_deck(game, raw, text, file)
        raise DataError(f"{file}: {error}.") from None
    for word, value in {**own.pop("options", {}), **own.pop(OPTION, {})}.items():
        options[word] = option_value(game, word, value)
    if own.get("alone") is True:
        return own
    for key, value in own.items():
        if key in HEADS:
            continue
        if isinstance(value, list) and all(isinstance(table, dict) for table in value):
            lay_tables(raw, key, value)
        elif isinstance(value, dict) and isinstance(raw.get(key, {}), dict):
            raw[key] = {**raw.get(key, {}), **value}
        else:
            raw[key] = value  # the game's reader says what is wrong with it
    return raw


def lay_tables(raw: Raw, key: str, tables: list[Raw]) -> None:
    """Lay tables over those that go by the same word, wherever these stand; the others are new."""
    known = [entry for entry in entries(raw) if entry.list.rstrip("s") == key.rstrip("s")]
    new = key in raw or not known
    for table, words in zip(tables, names(tables), strict=True):
        word = slug(table.get("slug")) or (words[0] if words else "")
        hit = next((entry for entry in known if word and word in entry.words), None)
        if hit is not None:
            hit.table.update({k: v for k, v in table.items() if k != "slug" or "slug" in hit.table})
        elif new:
            raw.setdefault(key, []).append(table)
        else:  # they stand within others, and which of these the new one is for is not said
            near = difflib.get_close_matches(word, [word for entry in known for word in entry.words], 1)
            hint = f"; did you mean {near[0]}?" if near else ", and a new one needs a whole card file."
            raise OptionError(f"There is no {key} {word[:60]!r} that could be changed{hint}")


def with_deck(game: Game, raw: Raw, text: str, file: Path) -> Raw:
    """The data with a deck list in place of the ready-made deck that has its name. Raises DataError."""
    decks = game.decks()
    assert decks is not None
    deck, faults = decks.parse(text)
    if faults:
        raise DataError(f"{file}: {' '.join(faults)}")
    found = list(entries(raw))
    hit = next((e for e in found if e.list == "deck" and slug(deck.name) in e.words), None)
    if hit is None:
        known = ", ".join(str(e.table.get("name")) for e in found if e.list == "deck")
        raise DataError(f"{file}: a deck list stands for the ready-made deck of its Name, one of {known}.")
    types = {e.table["id"]: e.table.get("type") for e in found if "id" in e.table}
    apart = {key: types[v] for key, v in hit.table.items() if isinstance(v, str) and v in types}
    for key, type_ in apart.items():
        hit.table[key] = next((id for id in deck.counts if types.get(id) == type_), "")
    hit.table["cards"] = {id: n for id, n in deck.counts.items() if types.get(id) not in apart.values()}
    return raw


# ---- what differs ---------------------------------------------------------------------------------------------


def compared(before: Game, after: Game) -> list[Change]:
    """All that two games have otherwise: options, then tables in the order of the data."""
    data = data_option(before)
    changes = [
        Change(option.name, before.options[option.name], after.options[option.name], "an option of the rules")
        for option in before.options_spec
        if option.name != data and before.options[option.name] != after.options[option.name]
    ]
    old = {(e.list, e.owner, e.words[0]): e for e in entries(plain(before))}
    new = {(e.list, e.owner, e.words[0]): e for e in entries(plain(after))}
    cards = called([*old.values(), *new.values()])
    for key in dict.fromkeys([*old, *new]):
        was, now = old.get(key), new.get(key)
        if was is None or now is None:
            there = was or now
            assert there is not None
            word = told(there.table.get("name", there.words[0]))
            changes.append(
                Change(there.words[0], word if was else None, word if now else None, origin(before, there, ""))
            )
        else:
            changes += changed(before, was, now, cards)
    return changes


def called(found: Sequence[Entry]) -> dict[str, tuple[str, str]]:
    """The word that a deck's card goes by in paths, and its name, by its id; none where two cards share the word."""
    words: dict[str, dict[str, str]] = {}
    for entry in found:
        if "id" in entry.table and (name := entry.table.get("name")):
            words.setdefault(slug(name), {})[str(entry.table["id"])] = str(name)
    return {id: (word, name) for word, ids in words.items() if len(ids) == 1 for id, name in ids.items()}


def changed(game: Game, was: Entry, now: Entry, cards: Mapping[str, tuple[str, str]]) -> Iterator[Change]:
    """What two tables of one name have otherwise. The tables within them are compared by themselves."""
    of = str(was.table.get("name", ""))
    word = next((word for word in was.words if not re.fullmatch("[a-z][0-9]{2}", word)), was.words[0])
    for key in dict.fromkeys([*was.table, *now.table]):
        a, b = was.table.get(key), now.table.get(key)
        if a == b or (is_tables(a) and is_tables(b) and not was.owner and key == "cards"):
            continue
        if isinstance(a, dict) and isinstance(b, dict):
            for part in dict.fromkeys([*a, *b]):
                if a.get(part) != b.get(part):
                    card, name = cards.get(part, ("", "")) if key == "cards" else ("", "")
                    path, what = (card, f"copies of {name}") if card else (f"{key}.{part}", "")
                    yield Change(f"{word}.{path}", a.get(part), b.get(part), origin(game, was, key), of, what)
        else:
            yield Change(f"{word}.{key}", a, b, origin(game, was, key), of)


def is_tables(value: object) -> bool:
    """Whether it is a list of tables."""
    return isinstance(value, list) and all(isinstance(table, dict) for table in value)


def origin(game: Game, entry: Entry, key: str) -> str:
    """Where a number comes from: what the entry says, then what the game says of such entries."""
    for word in card_files.ORIGINS:
        if key in entry.table.get(word, ()):
            return word
    sources = entry.table.get("sources", {})
    if isinstance(sources, dict) and key in sources:
        return str(sources[key])
    known = game.origins
    return known.get(f"{entry.list}.{key}", known.get(entry.list, "reconstructed"))


def touched(before: Game, after: Game, changes: list[Change]) -> tuple[str, ...]:
    """The factions or decks in which all that has changed stands; none where some of it is everybody's."""
    found: list[str] = []
    old = {id(e.table): e for e in entries(plain(before))}
    for change in changes:
        sides = sides_of_change(list(old.values()), change) or sides_of_change(list(entries(plain(after))), change)
        if not sides:
            return ()
        found += sides
    return tuple(dict.fromkeys(found))


def sides_of_change(found: list[Entry], change: Change) -> list[str]:
    """The factions or decks that hold what one change is about; none where that is everybody's, or nobody's."""
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


CALLED: Final = (*SIDES, "goal")
"""The tables of the data whose entries have names that people know."""


def names_of(name: str, options: Options) -> dict[str, str]:
    """How people call the factions, decks and goals of a game."""
    found = entries(plain(games.game(name, **options)))
    return {
        e.table["slug"]: str(e.table["name"]) for e in found if e.list in CALLED and {"slug", "name"} <= e.table.keys()
    }

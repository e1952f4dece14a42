"""Variants of a game for studies: changed numbers, a file with one card, a deck list, an option."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from gonfalon import games
from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.core.basics.options import Option, Options
from gonfalon.core.files import card_files
from gonfalon.core.files.card_changes import (
    ORIGINS,
    Change,
    Entry,
    compare_games,
    copy_data,
    find_number,
    iter_entries,
    make_slug,
    map_side_names,
    set_number,
    split_change,
)
from gonfalon.core.files.card_files import CardFile, Raw
from gonfalon.core.files.card_sets import apply_overlay, is_overlay, parse_overlay
from gonfalon.core.files.kept_data import data_option
from gonfalon.core.rules.game import Game

OPTION: Final = "option"
"""First word of a path to an option."""
SIDES: Final = ("faction", "deck")
"""Lists of the data whose entries are sides."""
DESCRIPTIVE_KEYS: Final = frozenset(
    ("name", "slug", "id", "code", "text", "story", "style", "art", "glyph", "colour", "pattern", "sources", *ORIGINS)
)
"""Keys that only describe a table for people. No rule reads them."""


@dataclass(frozen=True)
class Variant:
    """A game with changes: its options, and the differences from the game without them."""

    options: Options
    changes: list[Change] = field(default_factory=list)
    touched: tuple[str, ...] = ()
    """Factions or decks that contain the changed cards; empty if a change concerns all sides."""


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


def apply_change(game: Game, raw: Raw, options: Options, text: str) -> None:
    """Make one change, `patriot.strength=5`.

    Raises:
        OptionError: The change is not possible.
    """
    words, value = split_change(text)
    if words[0] == game.name and len(words) > 1:
        words = words[1:]
    if words[0] == OPTION and len(words) == 2:
        words = words[1:]
    if len(words) == 1:
        options[words[0]] = read_option(game, words[0], value)
        return
    entry, table, key = find_number(game, raw, list(iter_entries(raw)), words)
    if table is entry.table and key in DESCRIPTIVE_KEYS:
        raise OptionError(
            f"{'.'.join(words)} is a description. No rule of {game.title} reads it, so it cannot change a game."
        )
    set_number(entry, table, key, value)


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


def overlay_file(game: Game, raw: Raw, options: Options, file: Path) -> Raw:
    """Return the data with the changes of a file.

    The file may be a complete card file, lines or tables that change single numbers and options, or a deck list.

    Raises:
        DataError: The file cannot be read.
        OptionError: An option is unknown.
    """
    text = card_files.read_card_text(file)
    if not is_overlay(text):
        return copy_data(games.game(game.name, **{**options, data_option(game): file}))
    if "=" not in text and game.has_decks():
        return overlay_deck(game, raw, text, file)
    overlay = parse_overlay(text)
    for number, line in list(overlay.lines.items()):
        first, dot, rest = line.partition(".")
        option = rest if first in (OPTION, "options") else line
        if (dot and option != line) or "." not in line.partition("=")[0]:
            apply_change(game, raw, options, option)
            del overlay.lines[number]
    return apply_overlay(game, overlay, CardFile(str(file), {}, text)) if overlay.lines else raw


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


def map_names(name: str, options: Options) -> dict[str, str]:
    """Return the names of a game's factions, decks and goals by their slugs."""
    return map_side_names(games.game(name, **options))

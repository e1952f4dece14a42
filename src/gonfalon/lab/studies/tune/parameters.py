"""The changeable numbers of a game, found by name, with their bounds and origins.

Changes are written as in `lab/studies/overrides.py`. The bounds are not listed anywhere: the game's own reader of data
decides which numbers it accepts together with the other changes. Only numbers, lists of numbers, formations and options
are offered, so a user of this interface cannot name files or write rules.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from gonfalon import games
from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.core.basics.options import Option
from gonfalon.core.files.card_changes import Entry, copy_data, find_origin, format_value, iter_entries, make_slug
from gonfalon.core.files.card_files import Raw
from gonfalon.core.files.kept_data import data_option
from gonfalon.core.rules.game import Game
from gonfalon.lab.studies.overrides import OPTION, Variant, make_variant

RULES_WORD: Final = "rules"
"""Word for the options of a game, which are presented like a card."""
STUDY_OPTIONS: Final = ("factions", "decks", "seats", "exact")
"""Options that select players or the kind of chance; a study sets these itself."""
MAX_BOUND_DISTANCE: Final = 500
"""Largest distance at which a bound is searched."""
UNBOUNDED_RANGE: Final = 20
"""Distance that a number without a bound may move."""
MAX_VALUE_LENGTH: Final = 300
"""Maximum length of a value, in characters."""
COPIES_KEY: Final = "copies"
"""Key of the number of copies of a card."""
RANGE_ERROR: Final = "must be from"
"""Text in a game's error message about a number out of range."""
ID_PATTERN: Final = re.compile("[a-z][0-9]{2}")
"""Pattern of card ids, which are less readable than slugs."""
NUMBER, CHOICE, LIST, ROWS = "number", "choice", "list", "rows"
"""Kinds of values: a number, one of some values, a list of numbers, the rows of a formation."""


@dataclass(frozen=True)
class Parameter:
    """A changeable value: `value` by default and `now` in the current variant.

    `least` and `most` are the bounds of a number. Lists and rows are written as in card files, brackets may be left
    out.
    """

    path: str
    label: str
    value: object
    origin: str
    sort: str = NUMBER
    least: int = 0
    most: int = 0
    choices: tuple[tuple[str, str], ...] = ()
    now: str = ""
    in_deck: bool = False
    """Whether it is the number of copies of a card in a deck, which may be zero."""
    full: str = ""
    """Error of the game's reader for one more copy, if it concerns more than this number.

    An example is the size of the deck.
    """

    @property
    def comes(self) -> str:
        """Default value as text for a form field."""
        return ("yes" if self.value else "no") if isinstance(self.value, bool) else format_value(self.value)

    def read(self, text: str) -> str:
        """Return a change to this value, empty for the default.

        Raises:
            OptionError: The text is no possible value.
        """
        if len(text) > MAX_VALUE_LENGTH:
            raise OptionError(f"The value of {self.path} is too long.")
        text = add_brackets(text, self.sort)
        if self.sort == NUMBER:
            if not re.fullmatch(r"[-−]?[0-9]{1,6}", text):
                raise OptionError(f"{self.path} must be a whole number, not {text[:40]!r}.")
            # Pages show a real minus sign.
            text = str(int(text.replace("−", "-")))
        elif self.sort == CHOICE and text not in dict(self.choices):
            allowed = ", ".join(value for value, _ in self.choices)
            raise OptionError(f"{self.path} must be one of {allowed}, not {text[:40]!r}.")
        return "" if text == self.comes else f"{self.path}={text}"


def add_brackets(text: str, sort: str) -> str:
    """Return a value on one line, with lists and formations in brackets as in card files.

    A single number stands for a list of equal numbers if the game accepts that.
    """
    rows = [" ".join(row.split()) for row in text.splitlines() if row.strip()]
    line = " ".join(rows)
    if line.startswith("[") or sort not in (LIST, ROWS) or (sort == LIST and re.fullmatch("-?[0-9]+", line)):
        return line
    return json.dumps(rows) if sort == ROWS else f"[{', '.join(line.replace(',', ' ').split())}]"


def parse_list(text: str) -> list[object]:
    """Return the elements of a list in brackets; none if it cannot be read."""
    try:
        found = json.loads(text)
    except ValueError:
        return []
    return found if isinstance(found, list) else []


@dataclass(frozen=True)
class ParameterGroup:
    """A card, deck, formation or goal, or the rules: the first word of its changes, its name, and its parent."""

    word: str
    name: str
    of: str
    place: int = -1
    """Position of its entry in the data; -1 for the options."""


@lru_cache(32)
def list_groups(name: str) -> tuple[ParameterGroup, ...]:
    """Return everything changeable in a game, the rules first."""
    game = games.game(name)
    raw = copy_data(game)
    all_of, words = list(iter_entries(raw)), map_words(raw)
    names = {entry.words[0]: entry_title(entry) for entry in all_of}
    found = [
        ParameterGroup(words[place], entry_title(entry), names.get(entry.owner, entry.list.rstrip("s")), place)
        for place, entry in enumerate(all_of)
        if (not entry.owner or "name" in entry.table) and place in words and any(iter_values(raw, place))
    ]
    return ParameterGroup(RULES_WORD, "Rules", "options of the game"), *found


def entry_title(entry: Entry) -> str:
    """Return the name of an entry."""
    named = str(entry.table.get("name", ""))
    return named or entry.words[0].replace("-", " ").capitalize()


def map_words(raw: Raw) -> dict[int, str]:
    """Return an unambiguous word for each entry, by the position of the entry."""
    all_of = list(iter_entries(raw))
    firm, any_of = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    for place, entry in enumerate(all_of):
        firm[entry.words[0]].append(place)
        for word in entry.words:
            any_of[word].append(place)
    made = {}
    for place, entry in enumerate(all_of):
        # Readable names first; ids such as c07 only if nothing else is unambiguous.
        for word in sorted(entry.words, key=lambda word: ID_PATTERN.fullmatch(word) is not None):
            if (firm.get(word) or any_of[word]) == [place]:
                made[place] = word
                break
    return made


def search_groups(name: str, wish: str) -> list[ParameterGroup]:
    """Return the matches of a search.

    Exact names come first, then names that contain all words, then entries whose parents match.
    """
    all_of, wish = list_groups(name), wish.strip().lower()
    parts = make_slug(wish).split("-") if make_slug(wish) else []
    exact = [thing for thing in all_of if wish in (thing.word, thing.name.lower())]
    called = [t for t in all_of if parts and all(part in f"{make_slug(t.name)} {t.word}" for part in parts)]
    within = [t for t in all_of if parts and all(part in f"{make_slug(t.name)} {make_slug(t.of)}" for part in parts)]
    return list(dict.fromkeys([*exact, *called, *within]))


def find_group(name: str, word: str) -> ParameterGroup:
    """Return the thing with a word.

    Raises:
        OptionError: There is none.
    """
    hit = next((thing for thing in list_groups(name) if thing.word == word), None)
    if hit is None:
        raise OptionError(
            f"{games.find_game_class(name).title} has no card or table {word[:40]!r} with numbers to change."
        )
    return hit


# ---- what can be changed of a thing -----------------------------------------------------------------------------


@lru_cache(256)
def list_plain_parameters(name: str, word: str) -> tuple[Parameter, ...]:
    """Return the changeable values of a thing, without bounds.

    Raises:
        OptionError: There is no such thing.
    """
    game, hit = games.game(name), find_group(name, word)
    if hit.place < 0:
        asked = [option for option in game.options_spec if not option.file and option.name not in STUDY_OPTIONS]
        return tuple(knob for option in asked if (knob := option_parameter(option, game)))
    raw = copy_data(game)
    entry = list(iter_entries(raw))[hit.place]
    return tuple(
        Parameter(
            f"{word}.{part.word}",
            part.label,
            part.value,
            find_origin(game, entry, part.key),
            part.sort,
            in_deck=bool(part.id),
        )
        for part in iter_values(raw, hit.place)
    )


def option_parameter(option: Option, game: Game) -> Parameter | None:
    """Return an option of the rules; None unless it is a choice or a number with bounds."""
    value, comes = game.options[option.name], "an option of the rules"
    if option.choices:
        choices = tuple((str(choice), label) for choice, label in option.choices)
        return Parameter(option.name, option.label, str(value), comes, CHOICE, choices=choices)
    if isinstance(option.default, bool):
        return Parameter(option.name, option.label, value, comes, CHOICE, choices=(("yes", "yes"), ("no", "no")))
    if isinstance(option.default, int) and option.least is not None and option.most is not None:
        return Parameter(option.name, option.label, value, comes, NUMBER, option.least, option.most)
    return None


@dataclass(frozen=True)
class EntryValue:
    """A value of an entry: its key, the key within a deck's table of cards, and the word of its path."""

    key: str
    id: str
    word: str
    label: str
    value: Any

    @property
    def sort(self) -> str:
        return NUMBER if is_number(self.value) else LIST if is_number(self.value[0]) else ROWS


def iter_values(raw: Raw, place: int) -> Iterator[EntryValue]:
    """Yield the numbers, lists of numbers and formation rows of an entry.

    For a deck these include the number of copies of each card, also of cards that it does not hold.
    """
    all_of = list(iter_entries(raw))
    for key, value in all_of[place].table.items():
        if is_number(value) or (is_plain_list(value) and key != "rulings"):
            yield EntryValue(key, "", key, key.replace("_", " "), value)
        elif isinstance(value, dict) and key == "cards":
            words = map_words(raw)
            cards = {str(e.table["id"]): at for at, e in enumerate(all_of) if "id" in e.table and at in words}
            sorts = {id: all_of[at].table.get("type") for id, at in cards.items()}
            named = [one for one in all_of[place].table.values() if isinstance(one, str) and one in cards]
            apart = {sorts[id] for id in named}  # A deck has exactly one of these in addition to its cards.
            others = [id for id in cards if sorts[id] not in apart]
            for id in dict.fromkeys([*[id for id in value if id in cards], *others]):
                yield EntryValue(key, id, words[cards[id]], entry_title(all_of[cards[id]]), value.get(id, 0))


def is_number(value: object) -> bool:
    """Return whether a value is a number and not a boolean."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_plain_list(value: object) -> bool:
    """Return whether a value is a list of numbers, or the rows of a formation."""
    if not isinstance(value, list) or not value:
        return False
    return all(map(is_number, value)) or all(isinstance(one, str) and " " in one for one in value)


def find_parameter(name: str, path: str) -> Parameter:
    """Return the changeable value at a path.

    Raises:
        OptionError: There is none.
    """
    word = path.rpartition(".")[0] or RULES_WORD
    if all(thing.word != word for thing in list_groups(name)) or len(path) > MAX_VALUE_LENGTH:
        raise OptionError(f"{games.find_game_class(name).title} has no changeable value {path[:60]!r}.")
    for one in list_plain_parameters(name, word):
        if one.path == path:
            return one
    known = ", ".join(one.path for one in list_plain_parameters(name, word)[:20])
    raise OptionError(
        f"{games.find_game_class(name).title} has no value {path[:60]!r} there. Possible values: {known}."
    )


def normalize_changes(name: str, sets: Sequence[str]) -> tuple[str, ...]:
    """Return changes in normal form: each path once, in order, without default values.

    Raises:
        OptionError: A change is not possible.
    """
    made: dict[str, str] = {}
    for text in sets:
        path, equals, value = text.partition("=")
        if not equals:
            raise OptionError(
                f"Write a change as card.number=value, for example patriot.strength=5, not {text[:60]!r}."
            )
        path = path.strip().lower().removeprefix(f"{name}.")
        made[path] = find_parameter(name, path).read(value)
    return tuple(change for change in made.values() if change)


def apply_changes(name: str, sets: Sequence[str]) -> Variant:
    """Return the variant of a game that some changes make, given in normal form (`normalize_changes`).

    Raises:
        OptionError: A change is not possible.
        DataError: The game cannot read the changed data.
    """
    options = [f"{OPTION}.{text}" if "." not in text.partition("=")[0] else text for text in sets]
    return make_variant(name, {}, options, base=make_variant(name, {}))


@lru_cache(256)
def find_refusal(name: str, sets: tuple[str, ...]) -> str:
    """Return the reason why the game's reader refuses these changes; empty if it accepts them."""
    try:
        apply_changes(name, sets)
    except (OptionError, DataError) as error:
        return str(error)
    return ""


# ---- bounds -----------------------------------------------------------------------------------------------------


@lru_cache(256)
def list_parameters(name: str, word: str, sets: tuple[str, ...] = ()) -> tuple[Parameter, ...]:
    """Return the changeable values of a thing, with their current values and bounds.

    Bounds take the other changes into account. Values without an alternative are left out.

    Raises:
        OptionError: There is no such thing, or a change is not possible.
        DataError: The game cannot read the changed data.
    """
    changed = dict(text.split("=", 1) for text in sets)
    now = games.game(name, **apply_changes(name, sets).options)
    made, alike = [], dict[str, tuple[int, int]]()
    place = find_group(name, word).place
    parts = list(iter_values(copy_data(games.game(name)), place)) if place >= 0 else []
    for at, one in enumerate(list_plain_parameters(name, word)):
        one = replace(one, now=changed.get(one.path, one.comes))
        if one.sort == NUMBER and place >= 0:
            part = parts[at]
            if not part.id or part.key not in alike:  # In a deck the bounds of one card hold for all.
                alike[part.key] = find_bounds(now, place, part)
            least, most = alike[part.key]
            value = int(one.now)
            one = replace(one, least=min(least, value), most=max(most, value))
            if part.key == COPIES_KEY:
                one = replace(one, full=find_copy_limit(name, one, sets))
        if one.sort != NUMBER or one.least < one.most:
            made.append(one)
    return tuple(made)


def find_copy_limit(name: str, one: Parameter, sets: tuple[str, ...]) -> str:
    """Return why there is no room for one more copy; empty if only the number itself is out of range."""
    why = find_refusal(name, (*sets, f"{one.path}={one.most + 1}"))
    why = "" if RANGE_ERROR in why else why.removeprefix("The card data: ").rstrip(".")
    return why[:1].lower() + why[1:]


def find_bounds(game: Game, place: int, part: EntryValue) -> tuple[int, int]:
    """Return the smallest and the largest number that the game's reader accepts."""
    raw = copy_data(game)
    table = list(iter_entries(raw))[place].table
    if part.id:
        table = table[part.key]
    key, now = part.id or part.key, table.get(part.id or part.key, 0)

    def taken(value: int) -> bool:
        table[key] = value
        if part.id and value == 0:
            del table[key]
        try:
            games.game(game.name, **{**game.options, data_option(game): raw})
        except (DataError, OptionError):
            return False
        return True

    alike = (game.name, list(iter_entries(raw))[place].list, part.key)
    least, most = _LIKELY_BOUNDS.get(alike, (now, now))
    # Four checks confirm likely bounds; a full search takes many more.
    if least < now < most and taken(least) and taken(most) and not taken(least - 1) and not taken(most + 1):
        return least, most
    found = now - find_reach(lambda step: taken(now - step)), now + find_reach(lambda step: taken(now + step))
    _LIKELY_BOUNDS[alike] = found
    return found


_LIKELY_BOUNDS: Final[dict[tuple[str, str, str], tuple[int, int]]] = {}
"""Bounds of other numbers of the same name. They are tried first, because making a game takes a while."""


def find_reach(taken: Callable[[int], bool]) -> int:
    """Return the largest accepted step whose smaller steps are all accepted; found by doubling, then by bisection."""
    good, bad = 0, 1
    while taken(bad):
        good, bad = bad, bad * 2
        if bad > MAX_BOUND_DISTANCE:
            return UNBOUNDED_RANGE
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if taken(middle) else (good, middle)
    return good

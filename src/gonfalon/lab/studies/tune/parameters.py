"""What of a game can be changed, found by name: each number with its bounds, where it comes from, and how a change of
it is written (`lab/studies/overrides.py`).

The bounds are not written down anywhere for this: the game's own reader of data is asked which numbers it takes, beside
what else is changed. Only numbers, lists of numbers, formations and options are offered, so whoever may change them can
name no file and write no rules of their own.
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
from gonfalon.core.files.card_files import Raw
from gonfalon.core.files.kept_data import data_option
from gonfalon.core.rules.game import Game
from gonfalon.lab.studies.overrides import (
    OPTION,
    Entry,
    Variant,
    entries,
    origin,
    plain,
    slug,
    told,
    variant,
)

RULES: Final = "rules"
"""What holds the options is called so."""
OWN: Final = ("factions", "decks", "seats", "exact")
"""Options that say who plays or how chance is drawn; a study chooses these itself."""
FAR: Final = 500
"""No bound is looked for so far off."""
WIDE: Final = 20
"""Where there is none, a number may go so far from where it is."""
LONGEST: Final = 300
"""Characters of a value."""
COPIES: Final = "copies"
RANGE: Final = "must be from"
ID: Final = re.compile("[a-z][0-9]{2}")
NUMBER, CHOICE, LIST, ROWS = "number", "choice", "list", "rows"
"""What can be changed: a number, one of some values, a list of numbers, the rows of a formation."""


@dataclass(frozen=True)
class Knob:
    """One thing to change. `value` is what stands there as it comes, `now` what was made of it; `least` and `most` are
    the bounds of a number. Lists and rows are written as in card files, and read without their brackets as well."""

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
    """Whether it is how many copies a deck has of a card, which may be none."""
    full: str = ""
    """What the game's reader of data says of one more copy, where that is not about this number alone: that the deck
    would be too large."""

    @property
    def comes(self) -> str:
        """The value that it comes with, as a field holds it."""
        return ("yes" if self.value else "no") if isinstance(self.value, bool) else told(self.value)

    def read(self, text: str) -> str:
        """A change to this value, as it is written; empty for what it comes with. Raises OptionError."""
        if len(text) > LONGEST:
            raise OptionError(f"What is written for {self.path} is far too long.")
        text = bracketed(text, self.sort)
        if self.sort == NUMBER:
            if not re.fullmatch(r"[-−]?[0-9]{1,6}", text):
                raise OptionError(f"{self.path} takes a whole number, not {text[:40]!r}.")
            text = str(int(text.replace("−", "-")))
        elif self.sort == CHOICE and text not in dict(self.choices):
            allowed = ", ".join(value for value, _ in self.choices)
            raise OptionError(f"{self.path} takes one of {allowed}; {text[:40]!r} is none of them.")
        return "" if text == self.comes else f"{self.path}={text}"


def bracketed(text: str, sort: str) -> str:
    """A value on one line; a list, or the rows of a formation, as card files write them. A number by itself stands for
    a list of it where the game takes that."""
    rows = [" ".join(row.split()) for row in text.splitlines() if row.strip()]
    line = " ".join(rows)
    if line.startswith("[") or sort not in (LIST, ROWS) or (sort == LIST and re.fullmatch("-?[0-9]+", line)):
        return line
    return json.dumps(rows) if sort == ROWS else f"[{', '.join(line.replace(',', ' ').split())}]"


def opened(text: str) -> list[object]:
    """What stands between the brackets. Nothing where that cannot be read."""
    try:
        found = json.loads(text)
    except ValueError:
        return []
    return found if isinstance(found, list) else []


@dataclass(frozen=True)
class Thing:
    """A card, a deck, a formation, a goal, or the rules: what its changes begin with, what it is called, and in what
    it stands."""

    word: str
    name: str
    of: str
    place: int = -1
    """Of its entry among those of the data; -1: the options."""


@lru_cache(32)
def things(name: str) -> tuple[Thing, ...]:
    """All that can be changed of a game, the rules first."""
    game = games.game(name)
    raw = plain(game)
    all_of, words = list(entries(raw)), words_of(raw)
    names = {entry.words[0]: title(entry) for entry in all_of}
    found = [
        Thing(words[place], title(entry), names.get(entry.owner, entry.list.rstrip("s")), place)
        for place, entry in enumerate(all_of)
        if (not entry.owner or "name" in entry.table) and place in words and any(parts_of(raw, place))
    ]
    return Thing(RULES, "Rules", "options of the game"), *found


def title(entry: Entry) -> str:
    """What an entry is called."""
    named = str(entry.table.get("name", ""))
    return named or entry.words[0].replace("-", " ").capitalize()


def words_of(raw: Raw) -> dict[int, str]:
    """For each entry, by its place, the word that leads to it and to no other."""
    all_of = list(entries(raw))
    firm, any_of = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    for place, entry in enumerate(all_of):
        firm[entry.words[0]].append(place)
        for word in entry.words:
            any_of[word].append(place)
    made = {}
    for place, entry in enumerate(all_of):
        for word in sorted(entry.words, key=lambda word: ID.fullmatch(word) is not None):
            if (firm.get(word) or any_of[word]) == [place]:
                made[place] = word
                break
    return made


def found(name: str, wish: str) -> list[Thing]:
    """What is called like this: what is meant exactly, then all whose names hold each of the words, then all in what
    is called so."""
    all_of, wish = things(name), wish.strip().lower()
    parts = slug(wish).split("-") if slug(wish) else []
    exact = [thing for thing in all_of if wish in (thing.word, thing.name.lower())]
    called = [t for t in all_of if parts and all(part in f"{slug(t.name)} {t.word}" for part in parts)]
    within = [t for t in all_of if parts and all(part in f"{slug(t.name)} {slug(t.of)}" for part in parts)]
    return list(dict.fromkeys([*exact, *called, *within]))


def thing(name: str, word: str) -> Thing:
    """What a word leads to. Raises OptionError."""
    hit = next((thing for thing in things(name) if thing.word == word), None)
    if hit is None:
        raise OptionError(
            f"There is nothing called {word[:40]!r} in {games.kind(name).title} whose numbers can change."
        )
    return hit


# ---- what can be changed of a thing -----------------------------------------------------------------------------


@lru_cache(256)
def plain_knobs(name: str, word: str) -> tuple[Knob, ...]:
    """What can be changed of a thing, without bounds. Raises OptionError."""
    game, hit = games.game(name), thing(name, word)
    if hit.place < 0:
        asked = [option for option in game.options_spec if not option.file and option.name not in OWN]
        return tuple(knob for option in asked if (knob := knob_of(option, game)))
    raw = plain(game)
    entry = list(entries(raw))[hit.place]
    return tuple(
        Knob(
            f"{word}.{part.word}",
            part.label,
            part.value,
            origin(game, entry, part.key),
            part.sort,
            in_deck=bool(part.id),
        )
        for part in parts_of(raw, hit.place)
    )


def knob_of(option: Option, game: Game) -> Knob | None:
    """An option of the rules; None for one that is neither a choice nor a number with bounds."""
    value, comes = game.options[option.name], "an option of the rules"
    if option.choices:
        choices = tuple((str(choice), label) for choice, label in option.choices)
        return Knob(option.name, option.label, str(value), comes, CHOICE, choices=choices)
    if isinstance(option.default, bool):
        return Knob(option.name, option.label, value, comes, CHOICE, choices=(("yes", "yes"), ("no", "no")))
    if isinstance(option.default, int) and option.least is not None and option.most is not None:
        return Knob(option.name, option.label, value, comes, NUMBER, option.least, option.most)
    return None


@dataclass(frozen=True)
class Part:
    """A value in an entry: its key, the key within a deck's table of cards, and the word that leads to it."""

    key: str
    id: str
    word: str
    label: str
    value: Any

    @property
    def sort(self) -> str:
        return NUMBER if is_number(self.value) else LIST if is_number(self.value[0]) else ROWS


def parts_of(raw: Raw, place: int) -> Iterator[Part]:
    """The numbers of an entry, its lists of numbers, and the rows of a formation; of a deck how many copies it has of
    each card, also of those that it has not."""
    all_of = list(entries(raw))
    for key, value in all_of[place].table.items():
        if is_number(value) or (is_plain(value) and key != "rulings"):
            yield Part(key, "", key, key.replace("_", " "), value)
        elif isinstance(value, dict) and key == "cards":
            words = words_of(raw)
            cards = {str(e.table["id"]): at for at, e in enumerate(all_of) if "id" in e.table and at in words}
            sorts = {id: all_of[at].table.get("type") for id, at in cards.items()}
            named = [one for one in all_of[place].table.values() if isinstance(one, str) and one in cards]
            apart = {sorts[id] for id in named}  # a deck has one of these, beside its cards
            others = [id for id in cards if sorts[id] not in apart]
            for id in dict.fromkeys([*[id for id in value if id in cards], *others]):
                yield Part(key, id, words[cards[id]], title(all_of[cards[id]]), value.get(id, 0))


def is_number(value: object) -> bool:
    """Whether it is a number, and not a truth."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_plain(value: object) -> bool:
    """Whether it is a list of numbers, or the rows of a formation."""
    if not isinstance(value, list) or not value:
        return False
    return all(map(is_number, value)) or all(isinstance(one, str) and " " in one for one in value)


def knob(name: str, path: str) -> Knob:
    """What a path leads to. Raises OptionError."""
    word = path.rpartition(".")[0] or RULES
    if all(thing.word != word for thing in things(name)) or len(path) > LONGEST:
        raise OptionError(
            f"There is nothing called {path[:60]!r} in {games.kind(name).title} that can be changed here."
        )
    for one in plain_knobs(name, word):
        if one.path == path:
            return one
    known = ", ".join(one.path for one in plain_knobs(name, word)[:20])
    raise OptionError(f"There is no {path[:60]!r} in {games.kind(name).title}; there is {known}.")


def written(name: str, sets: Sequence[str]) -> tuple[str, ...]:
    """Changes as they are written, each once and in their order; what something comes with anyway is left out. Raises
    OptionError."""
    made: dict[str, str] = {}
    for text in sets:
        path, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"A change is written card.number=value, as in patriot.strength=5, not {text[:60]!r}.")
        path = path.strip().lower().removeprefix(f"{name}.")
        made[path] = knob(name, path).read(value)
    return tuple(change for change in made.values() if change)


def variant_of(name: str, sets: Sequence[str]) -> Variant:
    """The game with changes as `written` has them. Raises OptionError and DataError."""
    options = [f"{OPTION}.{text}" if "." not in text.partition("=")[0] else text for text in sets]
    return variant(name, {}, options, base=variant(name, {}))


@lru_cache(256)
def refused(name: str, sets: tuple[str, ...]) -> str:
    """Why the game cannot be played with these changes, as its own reader of data says; empty where it can."""
    try:
        variant_of(name, sets)
    except (OptionError, DataError) as error:
        return str(error)
    return ""


# ---- bounds -----------------------------------------------------------------------------------------------------


@lru_cache(256)
def knobs(name: str, word: str, sets: tuple[str, ...] = ()) -> tuple[Knob, ...]:
    """What can be changed of a thing, with what was made of it and the bounds that it has beside these changes. What
    takes no other value is left out. Raises OptionError and DataError."""
    changed = dict(text.split("=", 1) for text in sets)
    now = games.game(name, **variant_of(name, sets).options)
    made, alike = [], dict[str, tuple[int, int]]()
    place = thing(name, word).place
    parts = list(parts_of(plain(games.game(name)), place)) if place >= 0 else []
    for at, one in enumerate(plain_knobs(name, word)):
        one = replace(one, now=changed.get(one.path, one.comes))
        if one.sort == NUMBER and place >= 0:
            part = parts[at]
            if not part.id or part.key not in alike:  # in a deck one card stands for all
                alike[part.key] = bounds(now, place, part)
            least, most = alike[part.key]
            value = int(one.now)
            one = replace(one, least=min(least, value), most=max(most, value))
            if part.key == COPIES:
                one = replace(one, full=full(name, one, sets))
        if one.sort != NUMBER or one.least < one.most:
            made.append(one)
    return tuple(made)


def full(name: str, one: Knob, sets: tuple[str, ...]) -> str:
    """Why there is no room for one more copy; empty where no copies are too many, or the number itself is."""
    why = refused(name, (*sets, f"{one.path}={one.most + 1}"))
    return "" if RANGE in why else why.removeprefix("the card data: ").rstrip(".")


def bounds(game: Game, place: int, part: Part) -> tuple[int, int]:
    """The least and the most number that the game's reader takes here."""
    raw = plain(game)
    table = list(entries(raw))[place].table
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

    alike = (game.name, list(entries(raw))[place].list, part.key)
    least, most = _LIKELY.get(alike, (now, now))
    if least < now < most and taken(least) and taken(most) and not taken(least - 1) and not taken(most + 1):
        return least, most
    found = now - reach(lambda step: taken(now - step)), now + reach(lambda step: taken(now + step))
    _LIKELY[alike] = found
    return found


_LIKELY: Final[dict[tuple[str, str, str], tuple[int, int]]] = {}
"""The bounds of other numbers of the same name: they are looked at first, since to make a game takes a while."""


def reach(taken: Callable[[int], bool]) -> int:
    """The largest step that is taken, where all smaller ones are; found by doubling, then by halving."""
    good, bad = 0, 1
    while taken(bad):
        good, bad = bad, bad * 2
        if bad > FAR:
            return WIDE
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if taken(middle) else (good, middle)
    return good

"""Card files: TOML that is read and checked. All faults of a file are reported at once, each with its line."""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeGuard

from gonfalon.core.basics.errors import DataError
from gonfalon.core.files.reading import FileError, read_text
from gonfalon.core.text.untrusted import printable

Raw = dict[str, Any]
"""The plain form of a file or of a table in it: JSON-like data, checked only as far as its reader has done so."""

MAX_CARD_FILE_BYTES: Final = 8 << 20
"""The maximum size of a card file."""
SLUG: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""The form of a slug."""
HEAD: Final = re.compile(r"\s*\[\[?\s*([A-Za-z][\w.-]*)\s*\]\]?\s*(#.*)?")
"""The head of a table in TOML."""
WORDS: Final[dict[type, str]] = {int: "a whole number", str: "a text", bool: "true or false", list: "a list"}
"""The names of the types in messages."""
TEXT_KEY: Final = "text"
"""The only other key beside a name of a plain form that holds the text of a card file."""
MAX_FAULTS: Final = 20
"""The maximum number of faults in a message."""
MAX_NAME: Final = 100
"""The maximum length of the name of a card."""
MAX_TEXT: Final = 4000
"""The maximum length of any other text of a card."""
MAX_LOCATED: Final = 200
"""The number of faults of a file whose lines are searched."""
MAX_FAULT_LENGTH: Final = 300
"""The maximum number of characters of a fault, which may quote a value of the file."""
ORIGINS: Final = ("inferred", "rulebook")
"""The keys of a card whose value lists numbers of this provenance."""


@dataclass(frozen=True)
class Form:
    """The schema of an entry of a card file."""

    fields: dict[str, type | tuple[int, int]]
    """The valid values of each key: a type (`object` for anything), or the bounds of a whole number."""
    required: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    """The valid entries of its lists `rulebook` and `inferred`."""


@dataclass(frozen=True)
class CardData:
    """A checked set of card data. `raw` is its plain form, which records include."""

    raw: Raw

    @property
    def alone(self) -> Raw:
        """The plain form as a file that does not overlay the standard data."""
        return {**self.raw, "alone": True}

    @property
    def hash(self) -> str:
        """A short hash of all data."""
        return hash_data(self.raw)


def hash_data(raw: Raw) -> str:
    """Return a short hash of data in their plain form."""
    # Sorted keys make the hash independent of the order in the file.
    return hashlib.sha256(json.dumps(raw, sort_keys=True).encode()).hexdigest()[:16]


class Lines:
    """The lines of a text, and the places of its parts.

    Marks lead to a line; each is searched from the line of the previous one. A mark is the head of a table (`[box]`,
    also of a list), the index of a table among those of this head, a slug with any spacing (`slug=ox`), the key of an
    entry, or a word in it (`"red"`, with quotes). The first mark that is not found ends the search.
    """

    def __init__(self, text: str) -> None:
        self.lines: list[str] = text.splitlines()
        self.heads: list[str] = [match[1] if (match := HEAD.fullmatch(line)) else "" for line in self.lines]

    def number(self, marks: tuple[str | int, ...]) -> int:
        """Return the line to which marks lead, from 1; 0 if none is found."""
        at, end, table = -1, len(self.lines), ""
        for mark in marks:
            if isinstance(mark, int):
                tables = [line for line, head in enumerate(self.heads) if head == table]
                found = tables[mark] if mark < len(tables) else None
            elif mark.startswith("["):
                table = mark.strip("[]")
                found = self.heads.index(table) if table in self.heads else None
            elif at < 0 and not mark.startswith("slug="):
                found = self.at_top(mark)
            else:
                found = self.search(mark, max(at, 0), end, in_table=bool(table))
            if found is None:
                break
            at = found
            if table and self.heads[at]:
                # Keys of later tables must not match, so the search ends at the next head.
                end = next((line for line in range(at + 1, len(self.lines)) if self.heads[line]), len(self.lines))
        return at + 1

    def at_top(self, key: str) -> int | None:
        """Return the index of the line of a top-level key, or of the first table of that name; None if there is
        none."""
        for line, head in enumerate(self.heads):
            if key in (head, self.lines[line].partition("=")[0].strip()):
                return line
        return None

    def search(self, mark: str, start: int, end: int, in_table: bool) -> int | None:
        """Return the index of the first line with a slug, a word or a key; None if there is none.

        Args:
            mark: The slug, word or key.
            start: The first line.
            end: The line after the last one.
            in_table: Whether a key must begin its line, as in a table of its own.
        """
        if mark.startswith("slug="):
            pattern = rf"""\bslug\s*=\s*["']{re.escape(mark[5:])}["']"""
        elif mark.startswith('"'):
            word = re.escape(mark[1:-1])
            pattern = rf'"{word}"|{word} =|= {word}'
        else:
            key = re.escape(mark)
            pattern = rf"^\s*{key}\s*=" if in_table else rf"(?<![\w-]){key}\s*[=\]]"
        return next((line for line in range(start, end) if re.search(pattern, self.lines[line])), None)


class CardFile:
    """A card file and its faults, located by the marks of `Lines`."""

    def __init__(self, source: str, raw: Raw, text: str = "") -> None:
        self.source: str = source
        self.raw: Raw = raw
        self.text: str = text
        self.faults: list[str] = []

    @cached_property
    def lines(self) -> Lines:
        """The lines of the text."""
        return Lines(self.text)

    # ---- faults -------------------------------------------------------------------------------------------------

    def fault(self, what: str, *marks: str | int) -> None:
        """Add a fault.

        Args:
            what: The fault, as a sentence without its full stop.
            *marks: The place in the file, for `Lines.number`.
        """
        if len(what) > MAX_FAULT_LENGTH:
            # A list of words is cut between two of them.
            what = f"{what[:MAX_FAULT_LENGTH].rpartition(' ')[0].rstrip(',;:')} …"
        # Searching lines takes long in a large file with thousands of faults.
        line = self.lines.number(marks) if len(self.faults) < MAX_LOCATED else 0
        self.faults.append((f"line {line}: " if line else "") + what)

    def refuse(self) -> None:
        """Raise DataError with all faults, if there are any."""
        raise_faults([self])

    # ---- checks -------------------------------------------------------------------------------------------------

    @property
    def alone(self) -> bool:
        """Whether the file does not overlay the standard data."""
        return self.raw.get("alone") is True

    def check_head(self, form: int, known: tuple[str, ...]) -> None:
        """Check that the file has this form, and no unknown entries at the top."""
        for key in self.raw:
            if key not in ("form", "game", "name", *known):
                self.fault(f"the entry {key!r} is unknown", str(key))
        # The type is compared, because True is an int and equals 1.
        if type(self.raw.get("form")) is not int or self.raw["form"] != form:
            given = f"; this one has form = {self.raw['form']!r}" if "form" in self.raw else ""
            numbers = "single numbers are lines such as patriot.strength = 7"
            self.fault(f"a card file begins with form = {form}{given}; {numbers}", "form")
        if not isinstance(self.raw.get("name", ""), str):
            self.fault("name must be a text", "name")
        if "alone" in known and not isinstance(self.raw.get("alone", False), bool):
            self.fault(f"alone must be true or false, not {self.raw['alone']!r}", "alone")

    def table(self, key: str) -> Raw:
        """Return one of the tables; an empty one if it is missing."""
        found = self.raw.get(key, {})
        if isinstance(found, dict):
            return found
        self.fault(f"[{key}] is not a table", key)
        return {}

    def tables_over(self, key: str, base: list[Raw]) -> list[Raw]:
        """Return a list of tables laid over another: tables with a known slug replace those in their places, new ones
        follow."""
        entries = self.raw.get(key, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            self.fault(f"[[{key}]] is not a list of tables", key)
            return base
        own: dict[str, Raw] = {}
        for number, entry in enumerate(entries):
            slug = entry.get("slug")
            if not isinstance(slug, str) or slug in own:
                self.fault(f"every [[{key}]] needs a slug of its own", f"[{key}]", number)
            else:
                own[slug] = entry
        # Used entries are removed, so that only new ones follow at the end.
        return [*(own.pop(entry["slug"], entry) for entry in base), *own.values()]

    def entry(self, entry: object, form: Form, name: str, *marks: str | int) -> TypeGuard[Raw]:
        """Check the keys, types and limits of an entry.

        Args:
            entry: The value in the file.
            form: Its schema.
            name: The name of the entry in messages.
            *marks: The place in the file.

        Returns:
            Whether further checks make sense.
        """
        if not isinstance(entry, dict):
            self.fault(f"{name} is not a table of entries", *marks)
            return False
        good = True
        for key, value in entry.items():
            good = self.value(key, value, form, name, *marks) and good
        for key in form.required:
            if key not in entry:
                self.fault(f"{name} lacks its {key}", *marks)
                good = False
        slug = entry.get("slug")
        if isinstance(slug, str) and not SLUG.fullmatch(slug):
            self.fault(f"{name}: a slug is lower-case words joined by hyphens", *marks)
        if isinstance(entry.get("name"), str) and not entry["name"].strip():
            self.fault(f"{name} has an empty name", *marks, "name")
        return good

    def value(self, key: str, value: object, form: Form, name: str, *marks: str | int) -> bool:
        """Check one value of an entry. Return whether further checks make sense."""
        field = form.fields.get(key)
        kind = int if isinstance(field, tuple) else field
        if kind is None:
            near = difflib.get_close_matches(str(key), form.fields, 1)
            hint = f" (did you mean {near[0]}?)" if near else f" (known: {', '.join(form.fields)})"
            self.fault(f"{name} has an unknown entry {key!r}{hint}", *marks, str(key))
        elif kind is not object and type(value) is not kind:
            self.fault(f"{name}: {key} must be {WORDS[kind]}, not {value!r}", *marks, key)
            return False
        elif isinstance(field, tuple) and isinstance(value, int) and not field[0] <= value <= field[1]:
            self.fault(f"{name}: {key} must be from {field[0]} to {field[1]}, not {value}", *marks, key)
        elif key in ORIGINS and isinstance(value, list):
            for number in value:
                if number not in form.numbers:
                    self.fault(f"{name}: {key} lists {number!r}, which is not a number of a card", *marks, key)
        return True


def standard(file: Path) -> Raw:
    """Return the plain form of a card file of the program."""
    # The cache holds text, so that every caller gets data of its own to change.
    made: Raw = json.loads(parse_standard(file)[1])
    return made


@cache
def parse_standard(file: Path) -> tuple[str, str]:
    """Return the text of a card file of the program, and its plain form as JSON. It is cached, because games are made
    often and TOML is slow to parse."""
    text = file.read_text(encoding="utf-8")
    return text, json.dumps(tomllib.loads(text))


def shipped(file: Path) -> CardFile:
    """Return a card file of the program."""
    return CardFile(file.name, standard(file), parse_standard(file)[0])


def read(source: Path | Raw, what: str = "card") -> CardFile:
    """Return a card file of a person.

    Args:
        source: The path of the file, its plain form, or a dict with its text.
        what: The kind of data in messages.

    Raises:
        DataError: The file cannot be read, or contains control characters.
    """
    name = str(source) if isinstance(source, Path) else f"The {what} data"
    text = read_card_text(source, what) if isinstance(source, Path) else source.get(TEXT_KEY)
    if isinstance(text, str):
        return with_sound_texts(parse(name, text))
    return with_sound_texts(CardFile(name, dict(source) if isinstance(source, dict) else {}))


def parse(name: str, text: str) -> CardFile:
    """Return the card file in a text of TOML.

    If the text is not valid, each of its tables is parsed alone, so that all faults are reported at once.
    """
    try:
        return CardFile(name, tomllib.loads(text), text)
    except (ValueError, RecursionError) as error:  # faults of TOML, or numbers and nesting beyond Python's limits
        why = str(error)
    lines = text.splitlines()
    starts = [i for i, line in enumerate(lines) if i and HEAD.fullmatch(line)]
    raw: Raw = {}
    faults = []
    for start, end in pairwise([0, *starts, len(lines)]):
        try:
            found = tomllib.loads("\n".join(lines[start:end]))
        except (ValueError, RecursionError) as error:
            what, at, column = str(error).partition(" (at line ")
            line = start + int(column.partition(",")[0]) if at else end
            faults.append(f"line {line}: {what}")
            lines[start:end] = [""] * (end - start)
            # A readable head is assumed, so that only the faults of the text are reported.
            found = {} if start else {"form": 1}
        for key, value in found.items():
            if isinstance(value, list) and isinstance(raw.get(key), list):
                raw[key] += value
            else:
                raw.setdefault(key, value)
    file = CardFile(name, raw, "\n".join(lines))
    file.faults += faults or [why]
    return file


def raise_faults(files: list[CardFile]) -> None:
    """Raise DataError with all faults of these files, if there are any. The message names at most `MAX_FAULTS`."""
    every = [fault for file in files for fault in file.faults]
    if every:
        told = (f"{file.source}: {join_faults(file.faults)}" for file in files if file.faults)
        raise DataError(" ".join(told), every)


def join_faults(faults: Sequence[str]) -> str:
    """Return faults as sentences, at most `MAX_FAULTS` of them."""
    more = len(faults) - MAX_FAULTS
    return " ".join([*map(format_fault, faults[:MAX_FAULTS]), *([f"And {more} more."] if more > 0 else [])])


def split_fault(fault: str) -> tuple[int, str]:
    """Return the line of a fault of `DataError.faults`, 0 if it has none, and its sentence."""
    found = re.match(r"line (\d+): ", fault)
    sentence = fault[found.end() :] if found else fault
    ended = sentence if sentence.endswith((".", "?", "!", "…")) else f"{sentence}."
    return int(found[1]) if found else 0, ended[:1].upper() + ended[1:]


def format_fault(fault: str) -> str:
    """Return a fault of `DataError.faults` as a sentence, with its line if it has one."""
    line, sentence = split_fault(fault)
    return f"Line {line}: {sentence}" if line else sentence


def with_sound_texts(file: CardFile) -> CardFile:
    """Return a card file. Raises DataError if a text in it could control a terminal or is too long for a page."""
    # Without recursion, because data of any origin may be nested deeply.
    bad = CardFile(file.source, {})
    waiting: list[tuple[object, int]] = [(file.raw, MAX_TEXT)]
    while waiting:
        found, most = waiting.pop()
        if isinstance(found, dict):
            waiting += [(key, MAX_NAME) for key in found]
            waiting += [(value, MAX_NAME if key == "name" else MAX_TEXT) for key, value in found.items()]
        elif isinstance(found, list):
            waiting += [(value, MAX_TEXT) for value in found]
        elif isinstance(found, str) and printable(found) != found:
            bad.fault(f"{found[:60]!r} contains a control character")
        elif isinstance(found, str) and len(found) > most:
            bad.fault(f"{found[:40]!r}... is longer than {most} letters")
    # Other faults of the file wait for those that the game finds.
    bad.refuse()
    return file


def read_card_text(file: Path, what: str = "card") -> str:
    """Return the text of a card file of a person. Raises DataError."""
    try:
        return read_text(file, MAX_CARD_FILE_BYTES)
    except FileError as error:
        raise DataError(str(error)) from None
    except OSError as error:
        raise DataError(f"The {what} file {file} cannot be read: {error.strerror}.") from None


def provenance(card: Raw, numbers: Iterable[str]) -> dict[str, str]:
    """Return the provenance of the numbers and the name of a card.

    Args:
        card: An entry of the card data.
        numbers: The names of the numbers.

    Returns:
        For each name `rulebook`, `inferred`, `reconstructed` or `ours`.
    """
    origin = dict.fromkeys(numbers, "reconstructed")
    for word in ORIGINS:
        for number in card.get(word, []):
            if number in origin:
                origin[number] = word
    origin["name"] = "ours" if card.get("ours") else "rulebook"
    return origin

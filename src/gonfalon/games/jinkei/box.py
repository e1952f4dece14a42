"""The deck and formations of Jinkei: reading and checking. All faults of a file are named at once."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gonfalon.core.errors import DataError
from gonfalon.games.jinkei.rules.actions import KINDS
from gonfalon.games.jinkei.rules.setup import MOST_CARDS, REINFORCEMENTS, Formation

FILE: Final = Path(__file__).with_name("formations.toml")
FORM: Final = 1
TYPES: Final = ("sword", "shield", "bow")
SPACE: Final = re.compile(r"(#)|([.T2])(\+1|\+2|W)?")
COLOUR: Final = re.compile(r"[a-z]+")
TWO_CARDS_TYPE: Final = "bow"
BLANKS: Final = {"sword": 2, "shield": 2, "bow": 3}
NUMBERS: Final = {"rounds": (3, 1, 5), "hand": (7, 2, MOST_CARDS)}
"""Of [game]: what it is when the file says nothing, the least, the most."""


@dataclass(frozen=True)
class Box:
    """A checked set of data. `raw` is its plain form, which records carry."""

    raw: dict[str, Any]
    types: list[str]
    colours: list[str]
    ranks: list[int]
    achievements: list[int]
    rounds: int
    hand: int
    formations: list[Formation]

    @property
    def hash(self) -> str:
        """A short fingerprint of everything in the box."""
        return hashlib.sha256(json.dumps(self.raw, sort_keys=True).encode()).hexdigest()[:16]


def standard() -> dict[str, Any]:
    """The plain form of the data that come with the program."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def read(source: Path | dict[str, Any] | None) -> Box:
    """The box of a file or of its plain form. Raises DataError with all faults."""
    if source is None:
        return check(standard(), "formations.toml", "")
    if isinstance(source, dict):
        return check(source, "the formation data", "")
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise DataError(f"The formation file {source} cannot be read: {reason}.") from None
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOML's own, or what Python cannot digest
        raise DataError(f"{source}: {error}") from None
    return check(raw, str(source), text)


class _Faults:
    """Collects what is wrong, with the line where there is a text."""

    def __init__(self, text: str) -> None:
        self.lines = [line.strip() for line in text.splitlines()]
        self.found: list[str] = []

    def add(self, what: str, table: str = "", key: str = "", number: int = 0) -> None:
        """A fault of a key in the table of this number among those of its name."""
        line = self.line(table, key, number)
        where = f"{table}: " if table in ("[deck]", "[game]") else ""
        self.found.append((f"line {line}: " if line else "") + where + what)

    def line(self, table: str, key: str, number: int) -> int:
        """The line of the key, or of its table; 0 where there is neither."""
        if not table:
            heads = [i for i, line in enumerate(self.lines) if self._is_key(line, key)]
            return heads[0] + 1 if key and heads else 0
        heads = [i for i, line in enumerate(self.lines) if line.split("#")[0].strip() == table]
        if number >= len(heads):
            return 0
        for i in range(heads[number] + 1, len(self.lines)):
            if self.lines[i].startswith("["):
                break
            if key and self._is_key(self.lines[i], key):
                return i + 1
        return heads[number] + 1

    def _is_key(self, line: str, key: str) -> bool:
        return line.partition("=")[0].strip() == key and "=" in line


def check(raw: dict[str, Any], source: str, text: str) -> Box:
    """Check the whole form and every constraint that the rulebook's numbers force. Raises DataError."""
    faults = _Faults(text)
    for key in raw:
        if key not in ("form", "deck", "game", "formation"):
            faults.add(f"unknown entry {key!r}", f"[{key}]" if isinstance(raw[key], dict) else "", str(key))
    if type(raw.get("form")) is not int or raw["form"] != FORM:
        faults.add(f"form must be {FORM}, not {raw.get('form')!r}", "", "form")
    colours, ranks, achievements = _deck(raw.get("deck"), faults)
    rounds, hand, blanks = _game(raw.get("game", {}), faults)
    if len(ranks) * len(colours) < rounds * hand + 1:
        need = rounds * hand + 1
        faults.add(f"{len(ranks) * len(colours)} cards, but {rounds} rounds of {hand} battles take {need}", "[deck]")
    entries = raw.get("formation")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        faults.add("there is no list of [[formation]] tables", "", "formation")
        entries = []
    types = [t for t in TYPES if any(entry.get("type") == t for entry in entries)]
    formations: list[Formation] = []
    offers: list[tuple[Any, Any]] = []
    for number, entry in enumerate(entries):
        made = _formation(entry, types, rounds, hand, blanks, faults, number)
        formations += made
        offers.append((entry.get("type"), entry.get("round")))
    if len(types) < 2:
        faults.add("two players take two types, so at least two need formations (ruling 1)")
    for name in types:
        for round in range(1, rounds + 1):
            if not 1 <= offers.count((name, round)) <= 2:
                faults.add(f"{name} has {offers.count((name, round))} formations for round {round}, not 1 or 2")
    if faults.found:
        raise DataError(f"{source}: " + "; ".join(faults.found) + ".")
    return Box(raw, types, colours, ranks, achievements, rounds, hand, formations)


def _ints(value: Any) -> bool:
    return isinstance(value, list) and all(type(n) is int and 0 <= n <= 30 for n in value)


def _deck(deck: Any, faults: _Faults) -> tuple[list[str], list[int], list[int]]:
    good = standard()["deck"]
    if not isinstance(deck, dict):
        faults.add("the table is missing", "[deck]")
        deck = good
    for key in deck:
        if key not in good:
            faults.add(f"unknown entry {key!r}", "[deck]", str(key))
    for key in good:
        if key not in deck:
            faults.add(f"{key} is missing", "[deck]")
    deck = {**good, **deck}
    colours, ranks, achievements = deck["colours"], deck["ranks"], deck["achievements"]
    if (
        not isinstance(colours, list)
        or len(colours) != 2
        or colours[0] == colours[1]
        or not all(isinstance(colour, str) and COLOUR.fullmatch(colour) for colour in colours)
    ):
        faults.add("colours must be two different words of small letters", "[deck]", "colours")
        colours = good["colours"]
    if not _ints(ranks) or ranks != sorted(set(ranks)) or not 2 <= len(ranks) <= KINDS // 2:
        faults.add("ranks must be two or more numbers from 0 to 30, ascending, each once", "[deck]", "ranks")
        ranks = good["ranks"]
    if not _ints(achievements) or len(achievements) != len(ranks):
        faults.add("achievements must be a number from 0 to 30 for each rank", "[deck]", "achievements")
    return colours, ranks, achievements


def _game(game: Any, faults: _Faults) -> tuple[int, int, dict[str, int]]:
    if not isinstance(game, dict):
        faults.add("this must be a table", "[game]")
        game = {}
    for key in game:
        if key not in (*NUMBERS, "blanks"):
            faults.add(f"unknown entry {key!r}", "[game]", str(key))
    values: dict[str, int] = {}
    for key, (usual, least, most) in NUMBERS.items():
        value = game.get(key, usual)
        if type(value) is not int or not least <= value <= most:
            faults.add(f"{key} must be from {least} to {most}, not {value!r}", "[game]", key)
            value = usual
        values[key] = value
    blanks = game.get("blanks", {})
    if not isinstance(blanks, dict) or not all(
        type in TYPES and isinstance(n, int) and not isinstance(n, bool) and 0 <= n <= 9 for type, n in blanks.items()
    ):
        faults.add("blanks gives types a number of Blank Cards from 0 to 9", "[game]", "blanks")
        blanks = {}
    return values["rounds"], values["hand"], {**BLANKS, **blanks}


def _formation(
    entry: dict[str, Any],
    types: list[str],
    rounds: int,
    hand: int,
    blanks: dict[str, int],
    faults: _Faults,
    number: int,
) -> list[Formation]:
    """The formation of an entry, none where it has a fault."""
    before = len(faults.found)

    def fault(what: str, key: str = "") -> None:
        faults.add(f"formation {number + 1}: {what}", "[[formation]]", key, number)

    for key in entry:
        if key not in ("type", "round", "rows"):
            fault(f"unknown entry {key!r}", str(key))
    type_, round = entry.get("type"), entry.get("round")
    if type_ not in TYPES:
        fault(f"type is one of {', '.join(TYPES)}, not {type_!r}", "type")
    if type(round) is not int or not 1 <= round <= rounds:
        fault(f"round is from 1 to {rounds}, not {round!r}", "round")
    rows = entry.get("rows")
    if (
        not isinstance(rows, list)
        or len(rows) != 3
        or not all(isinstance(row, str) and len(row.split()) == 3 for row in rows)
    ):
        fault("rows must be three texts of three spaces each", "rows")
        return []
    words = [word for row in rows for word in row.split()]
    for word in words:
        if not SPACE.fullmatch(word):
            fault(f"{word!r} is no space (see the head of formations.toml)", "rows")
    marks = [(m.group(1) or m.group(2), m.group(3) or "") for m in map(SPACE.fullmatch, words) if m]
    if len(marks) < len(words):
        return []
    for what in _misplaced(marks, type_, hand, blanks.get(str(type_), 9)):
        fault(what, "rows")
    if len(faults.found) > before:
        return []
    bonus = [{"+1": 1, "+2": 2}.get(effect, 0) for _, effect in marks]
    wild = [effect == "W" for _, effect in marks]
    blank = [mark == "#" for mark, _ in marks]
    two = [mark == "2" for mark, _ in marks]
    reveal = [mark for mark, _ in marks].index("T")
    return [Formation(types.index(str(type_)), int(entry["round"]), blank, two, bonus, wild, reveal)]


def _misplaced(marks: list[tuple[str, str]], type_: Any, hand: int, most_blanks: int) -> list[str]:
    """Where a layout breaks what the rulebook's numbers force."""
    spaces = [mark for mark, _ in marks]
    faults: list[str] = []
    if spaces.count("T") != 1:
        faults.append(f"exactly one space takes the revealed card (T), not {spaces.count('T')}")
    if "T" in spaces[REINFORCEMENTS:]:
        faults.append("the revealed card cannot lie in the Reinforcements (ruling 3)")
    if "2" in spaces[:REINFORCEMENTS]:
        faults.append("two cards lie on a space of the Reinforcements only (ruling 28)")
    if "2" in spaces and type_ != TWO_CARDS_TYPE:
        faults.append(f"only a {TWO_CARDS_TYPE} has a space for two cards")
    if spaces.count("#") > most_blanks:
        faults.append(f"{spaces.count('#')} Blank Cards; a {type_} player has {most_blanks}")
    from_hand = 9 - spaces.count("#") - spaces.count("T") + spaces.count("2")
    if from_hand != hand - 1:
        faults.append(f"{from_hand} cards go down from the hand; it must be {hand - 1}")
    stuck = "has Blank Cards in Vanguard and Rearguard, so its Reinforcement could never come forward (7-4)"
    faults += [
        f"column {column + 1} {stuck}"
        for column in range(3)
        if spaces[column] == spaces[3 + column] == "#" != spaces[6 + column]
    ]
    return faults

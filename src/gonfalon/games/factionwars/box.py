"""The card data of Faction Wars: reading and checking. All faults of a file are named at once."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gonfalon.core.errors import DataError
from gonfalon.games.factionwars.rules import scoring
from gonfalon.games.factionwars.rules.actions import KINDS, PLACES
from gonfalon.games.factionwars.rules.cards import ABILITIES, RECRUITS

FILE: Final = Path(__file__).with_name("cards.toml")
FORM: Final = 1
SEATS: Final = (2, 3, 4, 5)
SYMBOLS: Final = ("rock", "paper", "scissors")
NUMBERS: Final = ("copies", "battle", "points")
SLUG: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LISTS: Final = ("faction", "neutral", "conscript", "goal")
BOX: Final = {"extra": (0, 2), "later_extra": (0, 2), "open_bonus": (0, 9), "chain": (1, 1000)}
"""Of [box]: the least and the most."""

FACTION: Final[dict[str, type]] = {
    "slug": str,
    "name": str,
    "colour": str,
    "glyph": str,
    "pattern": str,
    "style": str,
    "cards": list,
}
CARD: Final[dict[str, type]] = {
    "slug": str,
    "name": str,
    "copies": int,
    "later": int,
    "battle": int,
    "points": int,
    "ability": str,
    "ours": bool,
    "rulebook": list,
    "inferred": list,
}
CONSCRIPT: Final[dict[str, type]] = {
    "slug": str,
    "name": str,
    "symbol": str,
    "copies": int,
    "battle": int,
    "ours": bool,
    "rulebook": list,
    "inferred": list,
}
GOAL: Final[dict[str, type]] = {
    "slug": str,
    "name": str,
    "rule": str,
    "faction": str,
    "count": object,
    "value": int,
    "abilities": list,
    "bonus": int,
}
REQUIRED: Final = {
    "faction": ("slug", "name", "cards"),
    "card": ("slug", "name", "copies"),
    "conscript": ("slug", "name", "copies", "battle"),
    "goal": ("slug", "name", "rule", "bonus"),
}
NEEDS: Final = {
    scoring.MOST_FACTION: ("faction",),
    scoring.EVERY_FACTION: ("count",),
    scoring.BATTLE_VALUE: ("value", "count"),
    scoring.ABILITIES: ("abilities", "count"),
    scoring.MOST_RECRUITS: (),
    scoring.NO_BYSTANDER: (),
}
"""What each rule of a goal needs to know."""
LIMITS: Final = {"copies": (0, 60), "later": (0, 60), "battle": (0, 20), "points": (-20, 20), "bonus": (0, 50)}
WORDS: Final[dict[type, str]] = {int: "a whole number", str: "a text", bool: "true or false", list: "a list"}


@dataclass(frozen=True)
class Box:
    """A checked set of data. `raw` is its plain form, which records carry.

    `cards` are those of the recruit deck in the order of their kinds: recruits that are no Bonus Cards,
    Bonus Cards, others. A faction's card carries the index of its faction as "of", others -1.
    """

    raw: dict[str, Any]
    extra: int
    later_extra: int
    depletions: list[int]
    open_bonus: int
    chain: int
    factions: list[dict[str, Any]]
    cards: list[dict[str, Any]]
    conscripts: list[dict[str, Any]]
    goals: list[dict[str, Any]]

    @property
    def alone(self) -> dict[str, Any]:
        """The plain form as a file whose lists are not laid over the standard ones."""
        return {**self.raw, "alone": True}

    @property
    def hash(self) -> str:
        """A short fingerprint of everything in the box."""
        return hashlib.sha256(json.dumps(self.raw, sort_keys=True).encode()).hexdigest()[:16]


def standard() -> dict[str, Any]:
    """The plain form of the data that come with the program."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def read(source: Path | dict[str, Any] | None) -> Box:
    """The box of a file (or of its plain form), laid over the standard one. Raises DataError with all
    faults."""
    if source is None:
        return check(standard(), "cards.toml", "")
    if isinstance(source, dict):
        return check(source, "the card data", "")
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise DataError(f"The card file {source} cannot be read: {reason}.") from None
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOML's own, or what Python cannot digest
        raise DataError(f"{source}: {error}") from None
    return check(raw, str(source), text)


class _Faults:
    """Collects what is wrong, with the line where there is a text."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        self.found: list[str] = []

    def add(self, what: str, *marks: str) -> None:
        """A fault; the marks lead to its line, each looked for from the line of the one before."""
        line = self.line(marks)
        self.found.append((f"line {line}: " if line else "") + what)

    def line(self, marks: tuple[str, ...]) -> int:
        """The line of the last mark that is found, 0 for none. A mark is a head (`[box]`), a slug however
        it is spaced (`slug=gambler`), or the key of an entry."""
        at = -1
        for mark in marks:
            if mark.startswith("slug="):
                pattern = rf"""\bslug\s*=\s*["']{re.escape(mark[5:])}["']"""
            elif mark.startswith("["):
                pattern = rf"^\s*{re.escape(mark)}"
            else:
                pattern = rf"(?<![\w-]){re.escape(mark)}\s*="
            found = next((i for i in range(max(at, 0), len(self.lines)) if re.search(pattern, self.lines[i])), None)
            if found is None:
                break
            at = found
        return at + 1


def check(given: dict[str, Any], source: str, text: str) -> Box:
    """Lay data over the standard ones and check the whole form. Raises DataError with all faults."""
    faults = _Faults(text)
    raw = _merge(given, faults)
    if faults.found:
        raise DataError(f"{source}: " + "; ".join(faults.found) + ".")
    numbers = _box(raw["box"], faults)
    slugs: set[str] = set()
    factions = [f for f in raw["faction"] if _faction(f, slugs, faults)]
    cards = [{**card, "of": at} for at, f in enumerate(factions) for card in f["cards"] if isinstance(card, dict)]
    cards += [
        {**card, "of": -1}
        for card in raw["neutral"]
        if _card(card, (f"neutral card {_slug(card)}", _mark(card)), (), slugs, faults)
    ]
    for card in raw["conscript"]:
        _conscript(card, slugs, faults)
    names = [f.get("slug") for f in factions]
    for goal in raw["goal"]:
        _goal(goal, names, slugs, faults)
    count = len(cards) + len(raw["conscript"]) + len(raw["goal"])
    if count > KINDS:
        faults.add(f"there are {count} different cards; at most {KINDS} are possible")
    if not factions:
        faults.add("there is no faction", "[[faction]]")
    if not faults.found:
        for key in ("copies", "later"):
            if not sum(card.get(key, card["copies"]) for card in cards if card.get("ability") != "war"):
                faults.add("there is no card in the recruit deck" + (" of the later revision" * (key == "later")))
        if not sum(card["copies"] for card in raw["conscript"]):
            faults.add("everybody needs at least one conscript", "[[conscript]]")
    if faults.found:
        raise DataError(f"{source}: " + "; ".join(faults.found) + ".")
    cards.sort(key=lambda card: 2 if card["of"] < 0 else int(card.get("ability") == "bonus"))
    return Box(raw=raw, factions=factions, cards=cards, conscripts=raw["conscript"], goals=raw["goal"], **numbers)


def _merge(given: dict[str, Any], faults: _Faults) -> dict[str, Any]:
    """An owner's file over the standard data."""
    for key in given:
        if key not in ("form", "alone", "box", *LISTS):
            faults.add(f"unknown entry {key!r}", f"[{key}" if isinstance(given[key], dict) else str(key))
    if type(given.get("form")) is not int or given["form"] != FORM:
        faults.add(f"form must be {FORM}, not {given.get('form')!r}", "form")
    alone = given.get("alone", False)
    if not isinstance(alone, bool):
        faults.add(f"alone must be true or false, not {alone!r}", "alone")
    base = standard()
    merged: dict[str, Any] = {"form": FORM}
    box = given.get("box", {})
    if not isinstance(box, dict):
        faults.add("box must be a table", "box")
        box = {}
    merged["box"] = {**base["box"], **box}
    for key in LISTS:
        entries = given.get(key, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            faults.add(f"{key} must be a list of [[{key}]] tables", key)
            continue
        own: dict[str, dict[str, Any]] = {}
        for number, entry in enumerate(entries):
            slug = entry.get("slug")
            if not isinstance(slug, str) or slug in own:
                faults.add(f"{key} {number + 1} needs a slug of its own", f"[[{key}]]")
            else:
                own[slug] = entry
        kept = [] if alone is True else [own.pop(entry["slug"], entry) for entry in base[key]]
        merged[key] = [*kept, *own.values()]
    return merged


def _box(box: dict[str, Any], faults: _Faults) -> dict[str, Any]:
    for key in box:
        if key not in (*BOX, "depletions"):
            faults.add(f"[box] has an unknown entry {key!r}", "[box]", str(key))
    numbers: dict[str, Any] = {}
    for key, (least, most) in BOX.items():
        value = box[key]
        if type(value) is not int or not least <= value <= most:
            faults.add(f"[box] {key} must be from {least} to {most}, not {value!r}", "[box]", key)
        numbers[key] = value
    times = box["depletions"]
    if (
        not isinstance(times, list)
        or len(times) != len(SEATS)
        or not all(type(n) is int and 1 <= n <= 9 for n in times)
    ):
        faults.add("[box] depletions must be four numbers from 1 to 9, for 2, 3, 4, 5 players", "[box]", "depletions")
    numbers["depletions"] = times
    assert max(SEATS) + BOX["extra"][1] < PLACES
    return numbers


def _slug(entry: Any) -> str:
    return repr(entry.get("slug")) if isinstance(entry, dict) else repr(entry)


def _mark(entry: Any) -> str:
    return f"slug={entry.get('slug')}" if isinstance(entry, dict) else ""


def _entry(
    entry: Any,
    form: dict[str, type],
    required: tuple[str, ...],
    name: str,
    marks: tuple[str, ...],
    slugs: set[str],
    faults: _Faults,
) -> bool:
    """Check keys, types and limits of one entry. False where nothing more can be said of it."""
    if not isinstance(entry, dict):
        faults.add(f"{name} is not a table of entries", *marks)
        return False
    good = True
    for key, value in entry.items():
        if key not in form:
            faults.add(f"{name} has an unknown entry {key!r}", *marks, str(key))
        elif form[key] is not object and type(value) is not form[key]:
            faults.add(f"{name}: {key} must be {WORDS[form[key]]}, not {value!r}", *marks, key)
            good = False
        elif key in LIMITS and not LIMITS[key][0] <= value <= LIMITS[key][1]:
            least, most = LIMITS[key]
            faults.add(f"{name}: {key} must be from {least} to {most}, not {value}", *marks, key)
    for key in required:
        if key not in entry:
            faults.add(f"{name} lacks its {key}", *marks)
            good = False
    slug = entry.get("slug")
    if isinstance(slug, str):
        if not SLUG.fullmatch(slug):
            faults.add(f"{name}: a slug is lower-case words joined by hyphens", *marks)
        elif slug in slugs:
            faults.add(f"{name}: another entry has that slug too", *marks)
        slugs.add(slug)
    if isinstance(entry.get("name"), str) and not entry["name"].strip():
        faults.add(f"{name} has an empty name", *marks, "name")
    for origin in ("rulebook", "inferred"):
        listed = entry.get(origin, [])
        for number in listed if isinstance(listed, list) else []:
            if number not in NUMBERS:
                faults.add(f"{name}: {origin} names {number!r}, which is no number of a card", *marks, origin)
    return good


def _faction(faction: dict[str, Any], slugs: set[str], faults: _Faults) -> bool:
    name, mark = f"faction {_slug(faction)}", _mark(faction)
    if not _entry(faction, FACTION, REQUIRED["faction"], name, (mark,), slugs, faults):
        return False
    good = True
    for card in faction["cards"]:
        where = (f"{name}, card {_slug(card)}", mark, "cards", _mark(card))
        good = _card(card, where, RECRUITS, slugs, faults) and good
    return good


def _card(card: Any, where: tuple[str, ...], abilities: tuple[str, ...], slugs: set[str], faults: _Faults) -> bool:
    """A card of the recruit deck: of a faction, when it may have only some abilities, or of none."""
    name, *marks = where
    if not _entry(card, CARD, REQUIRED["card"], name, tuple(marks), slugs, faults):
        return False
    ability = card.get("ability", "")
    known = abilities or tuple(word for word in ABILITIES if word not in RECRUITS)
    if ability not in known:
        there_are = ", ".join(word for word in known if word)
        faults.add(f"{name}: there is no ability {ability!r} here; there are: {there_are}", *marks, "ability")
        return False
    if abilities:
        for key in ("battle", "points"):
            if key not in card:
                faults.add(f"{name} lacks its {key}", *marks)
                return False
        if ability in ("berserker", "bonus") and card["points"]:
            faults.add(f"{name}: its points come from its ability, so points must be 0", *marks, "points")
    if ability == "bystander" and card.get("points", 0) > 0:
        faults.add(f"{name}: a Bystander is a penalty, so points must not be above 0", *marks, "points")
    return True


def _conscript(card: dict[str, Any], slugs: set[str], faults: _Faults) -> None:
    name, mark = f"conscript {_slug(card)}", _mark(card)
    if not _entry(card, CONSCRIPT, REQUIRED["conscript"], name, (mark,), slugs, faults):
        return
    if card.get("symbol") not in (None, *SYMBOLS):
        faults.add(f"{name}: symbol is one of {', '.join(SYMBOLS)}, not {card['symbol']!r}", mark, "symbol")


def _goal(goal: dict[str, Any], factions: list[Any], slugs: set[str], faults: _Faults) -> None:
    name, mark = f"goal {_slug(goal)}", _mark(goal)
    if not _entry(goal, GOAL, REQUIRED["goal"], name, (mark,), slugs, faults):
        return
    rule = goal["rule"]
    if rule not in NEEDS:
        faults.add(f"{name}: there is no rule {rule!r}; there are: {', '.join(NEEDS)}", mark, "rule")
        return
    for key in NEEDS[rule]:
        if key not in goal:
            faults.add(f"{name}: the rule {rule} needs {key}", mark)
    for key in ("faction", "count", "value", "abilities"):
        if key in goal and key not in NEEDS[rule]:
            faults.add(f"{name}: the rule {rule} has no {key}", mark, key)
    if "faction" in goal and goal["faction"] not in factions:
        faults.add(f"{name}: there is no faction {goal['faction']!r}", mark, "faction")
    for ability in goal.get("abilities", []):
        if ability not in RECRUITS or not ability:
            faults.add(f"{name}: {ability!r} is no ability of a recruit", mark, "abilities")
    count = goal.get("count", 1)
    counts = count if isinstance(count, list) else [count] * len(SEATS)
    if len(counts) != len(SEATS) or not all(type(n) is int and 1 <= n <= 30 for n in counts):
        faults.add(f"{name}: count is a number from 1 to 30, or four of them for 2, 3, 4, 5 players", mark, "count")


def count_for(goal: dict[str, Any], seats: int) -> int:
    """How many a goal asks for with this many players; 0 where it asks for none."""
    count = goal.get("count", 0)
    return int(count[seats - SEATS[0]]) if isinstance(count, list) else int(count)


def provenance(card: dict[str, Any]) -> dict[str, str]:
    """Where each number of a card, and its name, come from: rulebook, inferred, reconstructed, ours."""
    origin = dict.fromkeys(NUMBERS, "reconstructed")
    for word in ("inferred", "rulebook"):
        for number in card.get(word, []):
            origin[number] = word
    origin["name"] = "ours" if card.get("ours") else "rulebook"
    return origin

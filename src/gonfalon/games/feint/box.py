"""The card data of Feint: reading, checking, and where every number comes from."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gonfalon.core.errors import DataError
from gonfalon.games.feint.rules.actions import SPOTS
from gonfalon.games.feint.rules.cards import ABILITIES
from gonfalon.games.feint.rules.state import LAST_SPACE

FILE: Final = Path(__file__).with_name("cards.toml")
FORM: Final = 1
TAGS: Final = ("engineer", "tower", "gang")
MOST_KINDS: Final = 400

BOX: Final[dict[str, type]] = {
    "locations": list,
    "location_copies": int,
    "capacity": int,
    "hand": int,
    "morale": int,
    "end_round": int,
}
FACTION: Final[dict[str, type]] = {
    "slug": str,
    "name": str,
    "initiative": int,
    "colour": str,
    "glyph": str,
    "pattern": str,
    "style": str,
    "cards": list,
}
FACTION_REQUIRED: Final = ("slug", "name", "initiative", "cards")
CARD: Final[dict[str, type]] = {
    "slug": str,
    "name": str,
    "copies": int,
    "strength": int,
    "morale": int,
    "ability": str,
    "location": int,
    "by": int,
    "tags": list,
    "protected": bool,
    "ours": bool,
    "inferred": list,
    "rulebook": list,
}
CARD_REQUIRED: Final = ("slug", "name", "copies", "strength", "morale")
RESERVED: Final = ("pass", "done", "own-first", "scrambler-first", "lower-copy")
"""Words of the notation that no card may be called by."""
NUMBERS: Final = ("copies", "strength", "morale")
CHANGES: Final = {"capacity": 20, "rounds": 9}
"""Abilities that need a number `by` which to change something, and how far it goes up or down."""
SLUG: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Box:
    """A checked set of card data. `raw` is its plain form, which records carry."""

    raw: dict[str, Any]
    locations: list[int]
    location_copies: int
    capacity: int
    hand: int
    morale: int
    end_round: int
    factions: list[dict[str, Any]]

    @property
    def alone(self) -> dict[str, Any]:
        """The plain form as a file that is not laid over the standard one."""
        return {**self.raw, "alone": True}

    @property
    def hash(self) -> str:
        """A short fingerprint of everything that is in the box."""
        text = json.dumps(self.raw, sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


class _Checker:
    """Finds the line of what it complains about, when there is a text."""

    def __init__(self, source: str, text: str) -> None:
        self.source = source
        self.text = text

    def fail(self, what: str, *marks: str) -> DataError:
        line = self.line(*marks)
        where = f"{self.source}, line {line}" if line else self.source
        return DataError(f"{where}: {what}")

    def line(self, *marks: str) -> int:
        """The line of the last mark, each looked for from the line of the one before it; the first
        that is not found leaves the line where it was. A mark is a table (`[box]`), a slug however it is
        spaced (`slug=ox`), or the key of an entry."""
        lines = self.text.splitlines()
        at = -1
        for mark in marks:
            if mark.startswith("slug="):
                pattern = rf"""\bslug\s*=\s*["']{re.escape(mark[5:])}["']"""
            elif mark.startswith("["):
                pattern = re.escape(mark)
            else:
                pattern = rf"(?<![\w-]){re.escape(mark)}(?![\w-])"
            start = max(at, 0)
            found = next((i for i in range(start, len(lines)) if re.search(pattern, lines[i])), None)
            if found is None:
                break
            at = found
        return at + 1

    def entry(self, entry: Any, form: dict[str, type], required: tuple[str, ...], what: str, *marks: str) -> None:
        if not isinstance(entry, dict):
            raise self.fail(f"{what} is not a table of entries.", *marks)
        for key, value in entry.items():
            if key not in form:
                raise self.fail(f"{what} has an unknown entry {key!r}.", *marks, key)
            if type(value) is not form[key]:
                kind = {int: "a whole number", str: "a text", bool: "true or false", list: "a list"}[form[key]]
                raise self.fail(f"{what}: {key} must be {kind}, not {value!r}.", *marks, key)
        for key in required:
            if key not in entry:
                raise self.fail(f"{what} lacks its {key}.", *marks)
        if "name" in entry and not entry["name"].strip():
            raise self.fail(f"{what} has an empty name.", *marks, "name")


def standard() -> dict[str, Any]:
    """The plain form of the data that come with the program."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def read(source: Path | dict[str, Any] | None) -> Box:
    """The box of a file (or of its plain form), laid over the standard one.

    Raises DataError, which names the line and the reason, for a file that breaks the form.
    """
    if source is None:
        return check(standard(), "cards.toml", "")
    if isinstance(source, dict):
        return check(merge(source, "the card data", ""), "the card data", "")
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise DataError(f"The card file {source} cannot be read: {reason}.") from None
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOML's own, or what Python cannot digest
        raise DataError(f"{source}: {error}") from None
    return check(merge(raw, str(source), text), str(source), text)


def merge(raw: dict[str, Any], source: str, text: str) -> dict[str, Any]:
    """An owner's file over the standard data: whole factions, single entries of the box; or `alone`."""
    checker = _Checker(source, text)
    for key in raw:
        if key not in ("form", "alone", "box", "faction"):
            raise checker.fail(f"unknown entry {key!r}.", key)
    if type(raw.get("form")) is not int or raw["form"] != FORM:
        raise checker.fail(f"form must be {FORM}, not {raw.get('form')!r}.", "form")
    alone = raw.get("alone", False)
    if not isinstance(alone, bool):
        raise checker.fail(f"alone must be true or false, not {alone!r}.", "alone")
    base = {"box": {}, "faction": []} if alone else standard()
    box = raw.get("box", {})
    factions = raw.get("faction", [])
    if not isinstance(box, dict):
        raise checker.fail("[box] is not a table.", "box")
    if not isinstance(factions, list) or not all(isinstance(f, dict) for f in factions):
        raise checker.fail("[[faction]] is not a list of tables.", "faction")
    own = {faction.get("slug"): faction for faction in factions if isinstance(faction.get("slug"), str)}
    if len(own) != len(factions):
        raise checker.fail("every [[faction]] needs a slug of its own.", "[[faction]]")
    merged = [own.pop(faction["slug"], faction) for faction in base["faction"]]
    return {"form": FORM, "box": {**base["box"], **box}, "faction": [*merged, *own.values()]}


def check(raw: dict[str, Any], source: str, text: str) -> Box:
    """Check the whole form. Raises DataError."""
    checker = _Checker(source, text)
    box = raw["box"]
    checker.entry(box, BOX, tuple(BOX), "[box]", "[box]")
    numbers = box["locations"]
    if not (2 <= len(numbers) <= 5 and all(type(n) is int and 1 <= n <= 9 for n in numbers)):
        raise checker.fail("[box] locations must be two to five numbers from 1 to 9.", "[box]", "locations")
    if numbers != sorted(set(numbers)):
        raise checker.fail("[box] locations must ascend, each once.", "[box]", "locations")
    for key, least, most in (
        ("location_copies", 1, 9),
        ("capacity", 1, 99),
        ("hand", 1, 20),
        ("morale", 1, 99),
        ("end_round", 2, LAST_SPACE),
    ):
        if not least <= box[key] <= most:
            raise checker.fail(f"[box] {key} must be from {least} to {most}, not {box[key]}.", "[box]", key)
    slugs: set[str] = set()
    ranks: set[int] = set()
    for faction in raw["faction"]:
        name = f"faction {faction.get('slug')!r}"
        mark = f"slug={faction.get('slug')}"
        checker.entry(faction, FACTION, FACTION_REQUIRED, name, mark)
        if not SLUG.fullmatch(faction["slug"]):
            raise checker.fail(f"{name}: a slug is lower-case words joined by hyphens.", mark)
        if faction["initiative"] in ranks:
            raise checker.fail(f"{name}: another faction has initiative {faction['initiative']} too.", mark)
        ranks.add(faction["initiative"])
        count = 0
        for card in faction["cards"]:
            _check_card(checker, card, faction["slug"])
            if card["slug"] in slugs:
                where = (f"slug={faction['slug']}", "cards", f"slug={card['slug']}")
                raise checker.fail(f"card {card['slug']!r} stands in the data twice.", *where)
            slugs.add(card["slug"])
            count += card["copies"]
        if not 1 <= count <= SPOTS:
            raise checker.fail(f"{name} has {count} cards; a deck has 1 to {SPOTS}.", mark)
    if len(slugs) > MOST_KINDS:
        raise checker.fail(f"there are {len(slugs)} different cards; at most {MOST_KINDS} are possible.")
    return Box(raw=raw, factions=raw["faction"], **{key: box[key] for key in BOX})


def _check_card(checker: _Checker, card: Any, faction: str) -> None:
    slug = card.get("slug") if isinstance(card, dict) else None
    name = f"faction {faction!r}, card {slug!r}"
    mark = (f"slug={faction}", "cards", f"slug={slug}")
    checker.entry(card, CARD, CARD_REQUIRED, name, *mark)
    if not SLUG.fullmatch(card["slug"]):
        raise checker.fail(f"{name}: a slug is lower-case words joined by hyphens.", *mark)
    if card["slug"] in RESERVED:
        raise checker.fail(f"{name}: the slug {card['slug']!r} is a word of the notation.", *mark)
    for key, least, most in (("copies", 0, SPOTS), ("strength", 0, 20), ("morale", 0, 20)):
        if not least <= card[key] <= most:
            raise checker.fail(f"{name}: {key} must be from {least} to {most}, not {card[key]}.", *mark, key)
    ability = card.get("ability", "")
    if ability not in ABILITIES:
        known = ", ".join(sorted(word for word in ABILITIES if word))
        raise checker.fail(f"{name}: there is no ability {ability!r}; there are: {known}.", *mark, "ability")
    if ability == "knight" and "location" not in card:
        raise checker.fail(f"{name}: a knight needs its location.", *mark)
    if "location" in card and ability != "knight":
        raise checker.fail(f"{name}: only a knight has a location.", *mark, "location")
    if ability in CHANGES and "by" not in card:
        raise checker.fail(f"{name}: the ability {ability!r} needs its number, by.", *mark)
    if "by" in card:
        most = CHANGES.get(ability, 0)
        if not most:
            words = " and ".join(CHANGES)
            raise checker.fail(f"{name}: only the abilities {words} have a number by.", *mark, "by")
        if not -most <= card["by"] <= most or card["by"] == 0:
            raise checker.fail(f"{name}: by must be from {-most} to {most} and not 0, not {card['by']}.", *mark, "by")
    if card.get("protected") and ability == "covert":
        raise checker.fail(f"{name}: a card played face down cannot be protected (ruling 27).", *mark, "protected")
    for tag in card.get("tags", []):
        if tag not in TAGS:
            raise checker.fail(f"{name}: there is no tag {tag!r}; there are: {', '.join(TAGS)}.", *mark, "tags")
    for origin in ("inferred", "rulebook"):
        for number in card.get(origin, []):
            if number not in (*NUMBERS, "location", "by"):
                raise checker.fail(f"{name}: {origin} names {number!r}, which is no number of a card.", *mark, origin)


def own_pairs(box: Box) -> list[tuple[str, str]]:
    """Each faction that is not as it comes with the program, against the next one of the box; all of them where only
    other numbers of the box are an owner's."""
    known = standard()["faction"]
    slugs = [faction["slug"] for faction in box.factions]
    own = [faction["slug"] for faction in box.factions if faction not in known] or slugs
    return [(slug, slugs[(slugs.index(slug) + 1) % len(slugs)]) for slug in own]


def provenance(card: dict[str, Any]) -> dict[str, str]:
    """Where each number of a card comes from: rulebook, inferred or reconstructed."""
    origin = dict.fromkeys((*NUMBERS, "by") if "by" in card else NUMBERS, "reconstructed")
    for word in ("inferred", "rulebook"):
        for number in card.get(word, []):
            if number in origin:
                origin[number] = word
    origin["name"] = "ours" if card.get("ours") else "rulebook"
    return origin

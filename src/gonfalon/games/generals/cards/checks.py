"""Checks of the small parts of an ability: words, numbers, zones, generals, cards.

Operations, conditions and events declare their entries with these checks.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Final, cast

from gonfalon.games.generals.cards.pool import SUBTYPES, TYPES, Card, Table
from gonfalon.games.generals.effects.vocabulary import (
    CARD_FILTER,
    CHOICE,
    COMPARE,
    FILTER,
    FLAG_FIELDS,
    NUMBER_FIELDS,
    PRINTED,
    RESERVED,
    WIDE,
    ZONES,
)

MAX_LISTED_WORDS: Final = 24
"""The most words that a message lists as alternatives."""
NAME: Final = re.compile(r"[a-z][a-z_]{0,19}")
WHY_NOT: Final = {
    "self": "only a Character's ability has a self",
    "host": "only an Equipment's ability has a host",
    "executor": "only a tactic and a response to tactical_strike have an executor",
    "attacked": "only a response to melee has an attacked general",
    "hit": "only the success of a plot has a hit",
}
"""Messages for references that exist in some abilities only."""


@dataclass(frozen=True)
class Fault:
    """A fault of a card: its place, its description, and the faulty word, which helps to find the line in the file."""

    place: str
    what: str
    word: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


@dataclass
class Scope:
    """The names and zones that an operation may refer to."""

    kind: str
    """The kind of ability; empty if it is not known."""
    refs: set[str]
    near: bool
    """Whether there is a general whose zone "same" means."""
    stored: dict[str, str] = field(default_factory=dict)
    """The names stored so far: "number", or the side of the stored generals, "friend" or "enemy"."""
    revealed: bool = False
    targeted: bool = False
    """Whether "choose:targeted" has a meaning."""

    @property
    def static(self) -> bool:
        """Whether the ability always applies, so that nothing is chosen."""
        return self.kind == "static"

    @property
    def generals(self) -> set[str]:
        """The references to generals."""
        return self.refs - {"this"} | self.named

    @property
    def own(self) -> set[str]:
        """The references to the card itself, or to its general."""
        return self.refs & {"this", "self", "host"}

    @property
    def named(self) -> set[str]:
        """The names of stored generals."""
        return {name for name, kind in self.stored.items() if kind != "number"}

    def inner(self, *refs: str) -> Scope:
        """Return the scope of a list of operations within this one. Names stored there are unknown outside."""
        # A copy of the stored names: a branch that may not run cannot store names for the operations after it.
        return Scope(self.kind, self.refs | set(refs), self.near, dict(self.stored), self.revealed, self.targeted)


class Checks:
    """The checks of one card, which collect its faults. `names` are those of all Characters."""

    def __init__(self, card: Card, names: Collection[str], factions: Collection[str]) -> None:
        self.card = card
        self.names = names
        self.factions = factions
        self.faults: list[Fault] = []

    def fault(self, place: str, what: str, word: object = "") -> None:
        """Record a fault."""
        self.faults.append(Fault(place, what, str(word) if isinstance(word, str | int) else ""))

    # ---- lists within an ability -------------------------------------------------------------------------------

    def ability(
        self, ability: object, place: str, kinds: Collection[str] | None = None, scope: Scope | None = None
    ) -> None:
        """Check an ability of the card, or a delayed one within the scope of another."""
        raise NotImplementedError

    def conditions(self, conditions: object, place: str, scope: Scope) -> None:
        """Check a list of conditions, all of which must hold."""
        raise NotImplementedError

    def operations(self, do: object, place: str, scope: Scope) -> None:
        """Check a list of operations."""
        raise NotImplementedError

    # ---- words and numbers -------------------------------------------------------------------------------------

    def word(self, value: object, known: Iterable[str], place: str, what: str) -> bool:
        """Return whether the value is one of the known words. If not, record a fault with the nearest word."""
        known = list(known)
        if isinstance(value, str) and value in known:
            return True
        # Sorted, so that the suggestion does not depend on the order of the words.
        near = difflib.get_close_matches(value, sorted(known), 1) if isinstance(value, str) else []
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        if len(known) > MAX_LISTED_WORDS:
            self.fault(place, f"there is no {what} {value!r}{hint}", value)
        elif not known:
            self.fault(place, f"no {what} is possible here, not {value!r}", value)
        else:
            self.fault(place, f"{what} must be one of {', '.join(known)}, not {value!r}{hint}", value)
        return False

    def words(self, value: object, known: Iterable[str], place: str, what: str) -> None:
        """Check a word, or a list of words."""
        known = list(known)
        for word in value if isinstance(value, list) and value else [value]:
            self.word(word, known, place, what)

    def zones(self, value: object, place: str, what: str, known: Iterable[str]) -> None:
        """Check a zone, or several zones joined by `|`."""
        known = list(known)
        for word in value.split("|") if isinstance(value, str) else [value]:
            self.word(word, known, place, what)

    def entries(self, table: object, known: Iterable[str], needed: Iterable[str], place: str) -> bool:
        """Return whether the value is a table. Record a fault for each unknown or missing entry."""
        if not isinstance(table, dict):
            self.fault(place, f"must be a table {{ ... }}, not {table!r}", table)
            return False
        known = list(known)
        for key in table:
            if key not in known:
                near = difflib.get_close_matches(str(key), known, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known) or 'none'}"
                self.fault(place, f"the entry {key!r} is unknown ({hint})", key)
        for key in needed:
            if key not in table:
                self.fault(place, f"{key} is missing")
        return True

    def whole(self, value: object, place: str, what: str, least: int = 0, most: int = 99) -> None:
        """Check a whole number within bounds, both included."""
        if type(value) is not int or not least <= value <= most:
            self.fault(place, f"{what} must be a whole number from {least} to {most}, not {value!r}", value)

    def flag(self, value: object, place: str, what: str) -> None:
        """Check a value that must be true or false."""
        if not isinstance(value, bool):
            self.fault(place, f"{what} must be true or false, not {value!r}", value)

    # ---- generals and cards ------------------------------------------------------------------------------------

    def reference(self, value: object, place: str, scope: Scope, allowed: Collection[str]) -> None:
        """Check a table that holds a reference and nothing else."""
        if not isinstance(value, dict) or "ref" not in value:
            like = min(allowed, default="this")
            self.fault(place, f'must be a reference like {{ ref = "{like}" }}, not {value!r}', "ref")
        elif self.entries(value, ("ref",), (), place):
            ref = value["ref"]
            if isinstance(ref, str) and ref in WHY_NOT and ref not in scope.refs:
                self.fault(place, WHY_NOT[ref], ref)
            else:
                self.word(ref, sorted(allowed), place, "ref")

    def generals(self, value: object, place: str, scope: Scope, choice: bool) -> None:
        """Check generals given by a reference or a filter. With `choice`, the filter also has a number of them."""
        if isinstance(value, dict) and "ref" in value:
            self.reference(value, place, scope, scope.generals)
            return
        known = (*FILTER, *CHOICE) if choice else FILTER
        if not self.entries(value, known, ("side", "count") if choice else ("side",), place):
            return
        table = cast(Table, value)
        if "side" in table:
            self.word(table["side"], ("friend", "enemy"), place, "side")
        self.filter_zone(table.get("zone", "any"), place, scope, choice)
        self.factions_and_names(table, place)
        if "other" in table and (table["other"] is not True or not scope.near):
            self.fault(place, "other = true excludes the ability's own general, but there is none", "other")
        if "where" in table:
            self.where(table["where"], place, (*NUMBER_FIELDS, *FLAG_FIELDS))
        if choice:
            self.choice(table, place, scope)

    def factions_and_names(self, table: Table, place: str) -> None:
        """Check the factions and the names in a filter of generals."""
        if "faction" in table:
            self.words(table["faction"], self.factions, place, "faction")
        if "name" in table:
            self.words(table["name"], self.names, place, "general called")

    def choice(self, table: Table, place: str, scope: Scope) -> None:
        """Check how many generals of a filter are chosen, and the name under which they are stored."""
        if table.get("count", "all") != "all":
            self.whole(table["count"], place, "count", 1, 9)
        if "upto" in table:
            self.flag(table["upto"], place, "upto")
            if table.get("count") == "all":
                self.fault(place, 'upto needs a number; count is "all"', "upto")
        other = table.get("other_than")
        if "other_than" in table and other not in sorted(scope.named):
            self.fault(place, f"other_than names {other!r}, which was not stored before", other)
        if "plot_only" in table:
            self.word(table["plot_only"], ("lowest_wits",), place, "plot_only")
        if "store" in table:
            self.store(table["store"], place, scope, str(table.get("side")))

    def filter_zone(self, zone: object, place: str, scope: Scope, choice: bool) -> None:
        """Check a zone, several zones joined by `|`, CASUALTY, or, where a choice is made, `one_of:` and zones."""
        known = (*ZONES, *WIDE)
        if not isinstance(zone, str):
            self.word(zone, (*known, "CASUALTY"), place, "zone")
            return
        head, colon, tail = zone.partition(":")
        if head == "same_as" and colon:
            if tail not in scope.named:
                self.fault(place, f"same_as names {tail!r}, which was not stored before", zone)
            return
        if head == "one_of" and colon:
            if not choice:
                self.fault(place, "one_of needs a choice; write the zones without it", zone)
            zone = tail
        elif not choice and zone == "CASUALTY":
            return
        self.zones(zone, place, "zone", known)
        if not scope.near and ("same" in zone.split("|") or "same_or_adjacent" in zone.split("|")):
            self.fault(place, f"zone {zone!r} needs a general, but there is none", zone)

    def where(self, where: object, place: str, fields: tuple[str, ...]) -> None:
        """Check a list of comparisons, all of which must hold."""
        if not isinstance(where, list) or not where or not all(isinstance(t, list) and len(t) == 3 for t in where):
            self.fault(place, f'where must be a list like [["might", "<=", 3]], not {where!r}', "where")
            return
        for name, compare, value in where:
            if not self.word(name, fields, place, "where"):
                continue
            if name in FLAG_FIELDS:
                if compare != "==" or not isinstance(value, bool):
                    self.fault(place, f"{name} must be compared as == true, not {compare} {value!r}", name)
            else:
                self.word(compare, COMPARE, place, "a comparison")
                self.whole(value, place, name)

    def card_filter(self, value: object, place: str, known: tuple[str, ...] = CARD_FILTER) -> None:
        """Check a filter of cards in any zone."""
        if not self.entries(value, known, (), place):
            return
        table = cast(Table, value)
        if "type" in table:
            self.words(table["type"], TYPES, place, "type")
        if "subtype" in table:
            self.words(table["subtype"], [word for words in SUBTYPES.values() for word in words], place, "subtype")
        if "faction" in table:
            self.words(table["faction"], self.factions, place, "faction")
        name = table.get("name")
        if "name" in table and not (isinstance(name, str) or (isinstance(name, list) and name)):
            self.fault(place, f"name must be a name or a list of names, not {name!r}")
        if "where" in table:
            self.where(table["where"], place, PRINTED)

    def store(self, name: object, place: str, scope: Scope, what: str) -> None:
        """Check the name under which chosen generals or a number are stored, and record it in the scope."""
        if not isinstance(name, str) or not NAME.fullmatch(name) or name in RESERVED:
            self.fault(place, f"store must be a name of small letters that is not a reference, not {name!r}", name)
        elif name in scope.stored:
            self.fault(place, f"{name!r} is stored twice", name)
        else:
            scope.stored[name] = what


class Entry:
    """An entry of a table (an operation, a condition or an event) to be checked."""

    def __init__(self, checks: Checks, scope: Scope, place: str, table: Table, key: str) -> None:
        self.checks = checks
        self.scope = scope
        self.place = place
        """The place of the table within the card."""
        self.table = table
        self.key = key
        self.value: object = table[key]

    @property
    def inside(self) -> str:
        """The place of the value within the card."""
        return f"{self.place}, {self.key}"

    def fault(self, what: str, word: object = "") -> None:
        """Record a fault of the entry."""
        self.checks.fault(self.place, what, word)


Check = Callable[[Entry], None]
"""A function that records the faults of an entry."""

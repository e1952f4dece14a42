"""The reader of the parts of an ability: words become numbers, tables become typed objects. checker.py has checked the
data before."""

from __future__ import annotations

from typing import Final

from gonfalon.games.generals.cards.pool import Row, Table
from gonfalon.games.generals.effects import filters
from gonfalon.games.generals.effects.filters import Amount, Cards, Cond, Filter, Ref, Where
from gonfalon.games.generals.effects.run import Op
from gonfalon.games.generals.effects.targets import ALL, Choice, Target
from gonfalon.games.generals.rules import cards as kinds
from gonfalon.games.generals.rules.cards import Mod, Rule, Script, Trigger
from gonfalon.games.generals.rules.zones import ANYWHERE

PLACES: Final = {"FORTRESS": 0, "BORDER": 1, "ENEMY_BORDER": 2, "ENEMY_FORTRESS": 3}
SIDES: Final = {"friend": filters.FRIEND, "enemy": filters.ENEMY}
ROLE_OF: Final = {"self": filters.ME, "host": filters.ME, "executor": filters.SUBJECT, "attacked": filters.VICTIM}


def split_words(value: object) -> list[str]:
    """Return a word, the words of a list, or the words joined by `|` as a list."""
    if isinstance(value, str):
        return value.split("|")
    return [str(word) for word in value] if isinstance(value, list | tuple) else []


def list_names(value: object) -> list[str]:
    """Return a name, or the names of a list, as a list. Unlike `split_words` it keeps `|` within a name."""
    return [value] if isinstance(value, str) else split_words(value)


def make_bitmask(value: object, known: list[str]) -> int:
    """Return words as a bitmask of their indexes in a list."""
    mask = 0
    for word in split_words(value):
        mask |= 1 << known.index(word)
    return mask


def make_place_mask(text: str) -> int:
    """Return zones joined by `|` as a bitmask of places."""
    mask = 0
    for word in text.split("|"):
        mask |= ANYWHERE if word == "any" else 1 << PLACES[word] if word in PLACES else 0
    return mask


class Variables:
    """The variables of an ability so far, from names to indexes in a frame."""

    def __init__(self, tactic: bool = False, static: bool = False) -> None:
        self.names: dict[str, int] = {}
        self.size = 0
        self.tactic = tactic
        self.static = static

    def add(self, name: str | None = None) -> int:
        """Add a variable and return its index."""
        self.size += 1
        if name:
            self.names[name] = self.size - 1
        return self.size - 1


class Reader:
    """A reader of the abilities of a pool.

    Effects that last for a time get a number within `mods`, `rules` or `delayed`, by which the state refers to them.
    """

    def __init__(self) -> None:
        self.mods: list[Mod] = []
        self.rules: list[Rule] = []
        self.delayed: list[Trigger] = []
        self.faction: dict[str, int] = {}
        self.names: dict[str, int] = {}

    def conds(self, conds: list[Row], variables: Variables) -> list[Cond]:
        """Return a list of conditions."""
        raise NotImplementedError

    def ops(self, do: list[Table], variables: Variables) -> list[Op]:
        """Return a list of operations."""
        raise NotImplementedError

    def script(self, do: list[Table], variables: Variables) -> Script:
        """Return all operations of an ability and the choices that they need."""
        raise NotImplementedError

    def trigger(self, number: int, ability: Table) -> Trigger:
        """Return an ability that an event triggers."""
        raise NotImplementedError

    def name(self, name: str) -> int:
        """Return the number of a general's name."""
        return self.names.setdefault(name, len(self.names))

    def names_of(self, value: object) -> list[int]:
        """Return the numbers of a name, or of the names in a list."""
        return [self.name(word) for word in list_names(value)]

    def factions(self, value: object) -> int:
        """Return factions as a bitmask, 0 for any."""
        mask = 0
        for code in split_words(value):
            mask |= 1 << self.faction.get(code, 0)
        return mask

    def ref(self, ref: Table, variables: Variables) -> Ref:
        """Return the reference to a general that the ability knows."""
        word = ref["ref"]
        return Ref(ROLE_OF[word]) if word in ROLE_OF else Ref(filters.VARIABLE, variables.names[word])

    def where(self, where: list[Row] | None, static: bool) -> list[Where]:
        """Return comparisons.

        A static ability reads printed numbers, because its own change must not depend on itself.
        """
        out = []
        for name, sign, value in where or []:
            attribute = filters.ATTRIBUTES.index(name)
            if static and attribute in (filters.MIGHT, filters.WITS):
                attribute += filters.PRINTED_MIGHT
            out.append(Where(attribute, filters.SIGNS.index(sign), int(value)))
        return out

    def filter(self, data: Table, static: bool) -> Filter:
        """Return a filter of generals."""
        zone = data.get("zone", "any")
        head, colon, tail = zone.partition(":")
        if colon:
            zone = "any" if head == "same_as" else tail
        parts = zone.split("|")
        return Filter(
            side=SIDES.get(data.get("side", ""), filters.EITHER),
            mask=make_place_mask(zone),
            distance=filters.NEXT if "same_or_adjacent" in parts else filters.SAME if "same" in parts else 0,
            dead=zone == "CASUALTY",
            factions=self.factions(data.get("faction")),
            names=self.names_of(data.get("name")),
            other=bool(data.get("other", False)),
            where=self.where(data.get("where"), static),
        )

    def cards(self, data: Table) -> Cards:
        """Return a filter of cards."""
        return Cards(
            types=make_bitmask(data.get("type"), kinds.TYPES),
            subtypes=make_bitmask(data.get("subtype"), kinds.SUBTYPES),
            factions=self.factions(data.get("faction")),
            names=self.names_of(data.get("name")),
            where=self.where(data.get("where"), True),
        )

    def target(self, data: Table, variables: Variables, chosen: list[Choice], more: bool = False) -> Target:
        """Return the generals that an operation affects.

        Args:
            data: The reference or filter.
            variables: The variables of the ability.
            chosen: The operation's choices, to which a choice is added.
            more: Whether the executor's number of targets is added.
        """
        word = data.get("ref")
        if word == "choose:targeted":
            variable = variables.add()
            chosen.append(Choice(variable, None, 1, among_targets=True))
            return Target(None, variable, None)
        if word is not None:
            known = word in ROLE_OF
            return Target(self.ref(data, variables) if known else None, -1 if known else variables.names[word], None)
        filter = self.filter(data, variables.static)
        head, _, tail = str(data.get("zone", "any")).partition(":")
        count = data.get("count", "all")
        if count == "all" and head != "one_of":
            return Target(None, -1, filter)
        same_as = variables.names[tail] if head == "same_as" else -1
        other_than = variables.names[data["other_than"]] if "other_than" in data else -1
        variable = variables.add(data.get("store"))
        choice = Choice(
            variable,
            filter,
            ALL if count == "all" else int(count),
            upto=bool(data.get("upto", False)),
            one_zone=head == "one_of",
            same_as=same_as,
            other_than=other_than,
            more=more,
        )
        chosen.append(choice)
        return Target(None, variable, None)


class Read:
    """An operation or a condition while it is read: its table, the variables of its ability, and its choices."""

    def __init__(self, reader: Reader, table: Table, variables: Variables) -> None:
        self.reader = reader
        self.table = table
        self.variables = variables
        self.chosen: list[Choice] = []

    def flag(self, key: str) -> bool:
        """Return a flag, False if it is left out."""
        return bool(self.table.get(key, False))

    def number(self, key: str) -> int:
        """Return a whole number."""
        return int(self.table[key])

    def amount(self, key: str) -> Amount:
        """Return a number, or the variable of a stored number."""
        value = self.table[key]
        return Amount(0, self.variables.names[value]) if isinstance(value, str) else Amount(int(value))

    def filter(self, key: str) -> Filter:
        """Return a filter of generals that are not chosen."""
        return self.reader.filter(self.table[key], self.variables.static)

    def cards(self, key: str) -> Cards:
        """Return a filter of cards."""
        return self.reader.cards(self.table[key])

    def target(self, key: str, more: bool = False) -> Target:
        """Return generals, which may have to be chosen."""
        return self.reader.target(self.table[key], self.variables, self.chosen, more)

    def ref(self, key: str) -> Ref:
        """Return the reference to a general that the ability knows."""
        return self.reader.ref(self.table[key], self.variables)

    def conds(self, key: str) -> list[Cond]:
        """Return a list of conditions."""
        return self.reader.conds(self.table[key], self.variables)

    def ops(self, key: str) -> list[Op]:
        """Return a list of operations, empty if it is left out."""
        return self.reader.ops(self.table.get(key, []), self.variables)

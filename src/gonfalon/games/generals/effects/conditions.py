"""The conditions of the effect language. The docstring of each class is its explanation in effects.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gonfalon.games.generals.cards.checks import Check, Entry
from gonfalon.games.generals.effects.filters import SIGNS, Cond, Filter, Ref, compare_numbers
from gonfalon.games.generals.effects.frame import PARTS, Frame
from gonfalon.games.generals.effects.language import Condition
from gonfalon.games.generals.effects.reading import Read, make_place_mask
from gonfalon.games.generals.effects.vocabulary import COMPARE, PLAYERS, ZONES
from gonfalon.games.generals.rules.zones import ZONE_OF

if TYPE_CHECKING:
    from gonfalon.games.generals.rules.state import GeneralsState


def _check_generals(e: Entry) -> None:
    e.checks.generals(e.value, e.place, e.scope, False)


def _check_general(e: Entry) -> None:
    e.checks.reference(e.value, e.place, e.scope, e.scope.generals)


def _check_card(e: Entry) -> None:
    e.checks.reference(e.value, e.place, e.scope, e.scope.own)


def _check_number(e: Entry) -> None:
    e.checks.whole(e.value, e.place, "the number compared with")


def _one_of(known: tuple[str, ...], what: str) -> Check:
    def check(e: Entry) -> None:
        e.checks.word(e.value, known, e.place, what)

    return check


def _check_zones(e: Entry) -> None:
    e.checks.zones(e.value, e.place, "a zone", ZONES)


def _check_name(e: Entry) -> None:
    e.checks.word(e.value, e.checks.names, e.place, "general called")


def _check_names(e: Entry) -> None:
    if isinstance(e.value, list) and e.value:
        e.checks.words(e.value, e.checks.names, e.place, "general called")
    else:
        e.fault(f"needs a list of names, not {e.value!r}", e.value)


COMPARED: dict[str, Check] = {"compare": _one_of(COMPARE, "a comparison"), "number": _check_number}


class Comparison(Cond):
    """A comparison of a number in the game with a constant."""

    def __init__(self, r: Read) -> None:
        self.sign: int = SIGNS.index(r.table["compare"])
        self.value: int = r.number("number")

    def count(self, s: GeneralsState, f: Frame) -> int:
        """Return the number now."""
        raise NotImplementedError

    def holds(self, s: GeneralsState, f: Frame) -> bool:
        return compare_numbers(self.count(s, f), self.sign, self.value)


class OfGeneral(Cond):
    """A condition about a general who is in play."""

    def __init__(self, r: Read) -> None:
        self.ref: Ref = r.ref("general")

    def holds(self, s: GeneralsState, f: Frame) -> bool:
        u = self.ref.unit(f)
        return u >= 0 and s.zone[u] >= 0 and self.fits(s, f, u)

    def fits(self, s: GeneralsState, f: Frame, u: int) -> bool:
        """Return whether the condition holds for this general."""
        raise NotImplementedError


class Count(Comparison):
    """The number of generals that fit the FILTER compares as given."""

    def __init__(self, r: Read) -> None:
        super().__init__(r)
        self.filter: Filter = r.filter("generals")

    def count(self, s: GeneralsState, f: Frame) -> int:
        return self.filter.count(s, f)


Condition("count", Count, '["count", FILTER, ">=", 1]', {"generals": _check_generals, **COMPARED})


class InZone(OfGeneral):
    """The general REF is in this zone."""

    def __init__(self, r: Read) -> None:
        super().__init__(r)
        self.mask: int = make_place_mask(r.table["zones"])  # from the owner's side

    def fits(self, s: GeneralsState, f: Frame, u: int) -> bool:
        return bool(self.mask >> ZONE_OF[f.seat][s.zone[u]] & 1)


Condition("zone", InZone, '["zone", REF, "BORDER"]', {"general": _check_general, "zones": _check_zones})


class Named(OfGeneral):
    """The general REF has this name."""

    def __init__(self, r: Read) -> None:
        super().__init__(r)
        self.names: list[int] = r.reader.names_of(r.table["a name"])

    def fits(self, s: GeneralsState, f: Frame, u: int) -> bool:
        return s.setup.name[u] in self.names


Condition("name", Named, '["name", REF, "Guan Yu"]', {"general": _check_general, "a name": _check_name})


class Marks(Comparison):
    """The number of marks on the card compares as given."""

    def __init__(self, r: Read) -> None:
        super().__init__(r)
        self.host: bool = r.table["a card"]["ref"] == "host"  # on the general who bears it

    def count(self, s: GeneralsState, f: Frame) -> int:
        return s.count_marks(f.me * PARTS if self.host else f.source)


Condition("marks", Marks, '["marks", REF, ">=", 3]', {"a card": _check_card, **COMPARED})


class Hand(Comparison):
    """The number of cards in the player's hand compares as given."""

    def __init__(self, r: Read) -> None:
        super().__init__(r)
        self.you: bool = r.table["player"] == "you"

    def count(self, s: GeneralsState, f: Frame) -> int:
        return len(s.hand[f.seat if self.you else 1 - f.seat])


Condition("hand", Hand, '["hand", "you", "<=", 1]', {"player": _one_of(PLAYERS, "a player"), **COMPARED})


class AllNamed(Cond):
    """All these generals of yours are in this zone."""

    def __init__(self, r: Read) -> None:
        self.names: list[int] = r.reader.names_of(r.table["names"])
        self.mask: int = make_place_mask(r.table["zones"])

    def holds(self, s: GeneralsState, f: Frame) -> bool:
        found = 0
        for u in s.army[f.seat]:
            if s.setup.name[u] in self.names and self.mask >> ZONE_OF[f.seat][s.zone[u]] & 1:
                found += 1
        return found == len(self.names)


Condition(
    "all_named_in",
    AllNamed,
    '["all_named_in", ["Liu Bei", "Guan Yu"], "ENEMY_BORDER"]',
    {"names": _check_names, "zones": _check_zones},
)


class NotNew(OfGeneral):
    """The general REF was in play before this turn."""

    def fits(self, s: GeneralsState, f: Frame, u: int) -> bool:
        return not s.is_new(u)


Condition("not_recruited_this_turn", NotNew, '["not_recruited_this_turn", REF]', {"general": _check_general})


class Executed(Cond):
    """A general executes the card; only in `requires` of Tactics."""

    def __init__(self, r: Read) -> None:
        pass

    def holds(self, s: GeneralsState, f: Frame) -> bool:
        return True


Condition("executor", Executed, '["executor"]', {})

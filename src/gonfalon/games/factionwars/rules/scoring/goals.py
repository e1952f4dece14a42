"""Goal cards. A rule is one class: when it is met, what it says, what bots take it for."""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING, ClassVar, Final

from mypy_extensions import mypyc_attr

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Seat
from gonfalon.games.factionwars.rules.scoring.tally import (
    DIGIT,
    TALLY,
    TALLY_BYSTANDERS,
    allies_in,
    fewest_of,
    of_faction,
    total_of,
)

if TYPE_CHECKING:
    from gonfalon.games.factionwars.rules.cards import Kind
    from gonfalon.games.factionwars.rules.setup import Setup
    from gonfalon.games.factionwars.rules.state import FactionState


@mypyc_attr(allow_interpreted_subclasses=True)
class Goal:
    """A Goal card, with its numbers for this many players."""

    rule: ClassVar[str] = ""
    """Its name in card files."""
    text: ClassVar[str] = ""
    """What it asks for, in our own words; `{faction}`, `{count}`, `{value}`, `{abilities}` stand for the card's."""
    apart_text: ClassVar[str] = ""
    """The same where Bonus Cards are no recruits, if that makes a difference (ruling 28)."""
    needs: ClassVar[tuple[str, ...]] = ()
    """What a card file has to say besides."""

    def __init__(self, *, id: int, slug: str, faction: int, count: int, bonus: int, counted: list[int]) -> None:
        self.id: int = id
        self.slug: str = slug
        self.faction: int = faction  # -1 for none
        self.count: int = count
        self.bonus: int = bonus
        self.counted: list[int] = counted  # the kinds that count for it, where the rule names cards
        self.mask: int = sum([1 << kind for kind in counted])  # the same

    @classmethod
    def counts(cls, kind: Kind, value: int, abilities: list[str]) -> bool:
        """Whether a recruit is one of the cards that the rule names."""
        return False

    def progress(self, setup: Setup, seat: Seat, armies: list[list[int]]) -> tuple[int, int]:
        """How far a seat is: what it has and what it needs."""
        return total_of(armies[seat], self.counted), self.count

    def met(self, setup: Setup, seat: Seat, armies: list[list[int]]) -> bool:
        """Whether a seat has met it."""
        have, need = self.progress(setup, seat, armies)
        return have >= need

    def met_by_tally(self, s: FactionState, seat: Seat, tallies: list[int], factions: list[int]) -> bool:
        """`met`, by everybody's tallies (`Setup.tally_of`), if Bonus Cards are recruits."""
        have = 0
        for card in s.army[seat] + s.pile[seat]:
            have += self.mask >> (card & KIND) & 1
        return have >= self.count

    # ---- for bots -------------------------------------------------------------------------------

    def wanted(self, setup: Setup) -> list[int]:
        """The kinds that somebody with this goal collects more than others do; none where that does not show."""
        return self.counted

    def chance(self, setup: Setup, seat: Seat, owned: list[int], coming: list[float]) -> float:
        """How likely a seat meets it in the end, if it does not do much for it. `owned` are everybody's cards by seat
        and kind, `coming` is how many more of each kind a seat may hope for."""
        return chance_of(self.counted, self.count, seat * setup.owned, owned, coming)


@mypyc_attr(allow_interpreted_subclasses=True)
class Race(Goal):
    """More than anybody else."""

    def number(self, setup: Setup, owned: list[int]) -> int:
        """How many an army has."""
        raise NotImplementedError

    def number_by_tally(self, setup: Setup, allies: int) -> int:
        """The same of a tally of factions."""
        raise NotImplementedError

    def racing(self, setup: Setup) -> list[int]:
        """The kinds of which most are wanted."""
        raise NotImplementedError

    def progress(self, setup: Setup, seat: Seat, armies: list[list[int]]) -> tuple[int, int]:
        best = 0
        have = 0
        for other in range(len(armies)):
            count = self.number(setup, armies[other])
            if other == seat:
                have = count
            elif count > best:
                best = count
        return have, best + 1

    def met_by_tally(self, s: FactionState, seat: Seat, tallies: list[int], factions: list[int]) -> bool:
        numbers = [self.number_by_tally(s.setup, allies) for allies in factions]
        best = max(numbers)
        return numbers[seat] == best and numbers.count(best) == 1

    def chance(self, setup: Setup, seat: Seat, owned: list[int], coming: list[float]) -> float:
        have = 0
        best = 0
        more = 0.0
        kinds = self.racing(setup)
        for other in range(setup.seats):
            count = 0
            for kind in kinds:
                count += owned[other * setup.owned + kind]
            if other == seat:
                have = count
                for kind in kinds:
                    more += coming[kind]
            elif count > best:
                best = count
        if more <= 0.0:
            return 1.0 if have > best else 0.0
        return 1.0 / (1.0 + exp(-1.6 * (have - best - 0.4) / sqrt(2.0 * more)))


class MostFaction(Race):
    """More of a faction than anybody else."""

    rule: ClassVar[str] = "most-faction"
    text: ClassVar[str] = "more {faction} than anybody else"
    apart_text: ClassVar[str] = "more {faction} that are recruits than anybody else"
    needs: ClassVar[tuple[str, ...]] = ("faction",)

    def number(self, setup: Setup, owned: list[int]) -> int:
        return of_faction(setup, owned, self.faction, True)

    def number_by_tally(self, setup: Setup, allies: int) -> int:
        return allies >> TALLY * self.faction & DIGIT

    def racing(self, setup: Setup) -> list[int]:
        return setup.recruits_of[self.faction]

    def wanted(self, setup: Setup) -> list[int]:
        return setup.recruits_of[self.faction]


class MostRecruits(Race):
    """More recruits than anybody else."""

    rule: ClassVar[str] = "most-recruits"
    text: ClassVar[str] = "more recruits than anybody else"

    def number(self, setup: Setup, owned: list[int]) -> int:
        return sum(owned[: setup.recruits])

    def number_by_tally(self, setup: Setup, allies: int) -> int:
        return allies_in(setup, allies)

    def racing(self, setup: Setup) -> list[int]:
        return list(range(setup.recruits))


class NoBystander(Goal):
    """No Bystander. The `progress` is how many one has, and needs 0."""

    rule: ClassVar[str] = "no-bystander"
    text: ClassVar[str] = "no Bystander"

    def progress(self, setup: Setup, seat: Seat, armies: list[list[int]]) -> tuple[int, int]:
        return total_of(armies[seat], setup.bystanders), 0

    def met(self, setup: Setup, seat: Seat, armies: list[list[int]]) -> bool:
        return total_of(armies[seat], setup.bystanders) == 0

    def met_by_tally(self, s: FactionState, seat: Seat, tallies: list[int], factions: list[int]) -> bool:
        return tallies[seat] >> TALLY * TALLY_BYSTANDERS & DIGIT == 0

    def chance(self, setup: Setup, seat: Seat, owned: list[int], coming: list[float]) -> float:
        more = 0.0
        for kind in setup.bystanders:
            if owned[seat * setup.owned + kind]:
                return 0.0
            more += coming[kind]
        return exp(-more)


class EveryFaction(Goal):
    """So many of every faction."""

    rule: ClassVar[str] = "every-faction"
    text: ClassVar[str] = "at least {count} of every faction"
    apart_text: ClassVar[str] = "at least {count} recruits of every faction"
    needs: ClassVar[tuple[str, ...]] = ("count",)

    def progress(self, setup: Setup, seat: Seat, armies: list[list[int]]) -> tuple[int, int]:
        owned = armies[seat]
        return min([of_faction(setup, owned, faction, True) for faction in range(setup.factions)]), self.count

    def met_by_tally(self, s: FactionState, seat: Seat, tallies: list[int], factions: list[int]) -> bool:
        return fewest_of(s.setup, factions[seat]) >= self.count

    def chance(self, setup: Setup, seat: Seat, owned: list[int], coming: list[float]) -> float:
        chance = 1.0
        for kinds in setup.recruits_of:
            chance *= chance_of(kinds, self.count, seat * setup.owned, owned, coming)
        return chance


class BattleValue(Goal):
    """So many recruits of a battle value."""

    rule: ClassVar[str] = "battle-value"
    text: ClassVar[str] = "at least {count} recruits of battle value {value}"
    needs: ClassVar[tuple[str, ...]] = ("value", "count")

    @classmethod
    def counts(cls, kind: Kind, value: int, abilities: list[str]) -> bool:
        return kind.battle == value


class Abilities(Goal):
    """So many recruits of some abilities."""

    rule: ClassVar[str] = "abilities"
    text: ClassVar[str] = "at least {count} of {abilities}"
    needs: ClassVar[tuple[str, ...]] = ("abilities", "count")

    @classmethod
    def counts(cls, kind: Kind, value: int, abilities: list[str]) -> bool:
        return kind.ability in abilities


GOALS: Final[dict[str, type[Goal]]] = {
    cls.rule: cls for cls in (MostFaction, EveryFaction, BattleValue, Abilities, MostRecruits, NoBystander)
}
"""The rules that a card file may name."""


def chance_of(kinds: list[int], need: int, first: int, owned: list[int], coming: list[float]) -> float:
    """How likely an army, whose counts begin at `first`, comes to have so many cards of these kinds."""
    count = 0
    mean = 0.0
    for kind in kinds:
        count += owned[first + kind]
        mean += coming[kind]
    return at_least(need - count, mean)


def at_least(need: int, mean: float) -> float:
    """How likely so many come when `mean` are to be expected."""
    if need <= 0:
        return 1.0
    if mean <= 0.0:
        return 0.0
    term = exp(-mean)
    below = 0.0
    for i in range(need):
        below += term
        term *= mean / (i + 1)
    return max(0.0, 1.0 - below)

"""Goal cards. A rule is one class: its condition, its text, and its estimates for bots."""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING, ClassVar, Final

from mypy_extensions import mypyc_attr

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Seat
from gonfalon.games.factionwars.rules.scoring.tally import (
    DIGIT,
    DIGIT_BITS,
    TALLY_BYSTANDERS,
    count_allies,
    count_faction,
    count_kinds,
    count_rarest_faction,
)

if TYPE_CHECKING:
    from gonfalon.games.factionwars.rules.cards import Kind
    from gonfalon.games.factionwars.rules.setup import Setup
    from gonfalon.games.factionwars.rules.state import FactionState


@mypyc_attr(allow_interpreted_subclasses=True)
class Goal:
    """A Goal card with its numbers for this many players."""

    rule: ClassVar[str] = ""
    """The name of the rule in card files."""
    text: ClassVar[str] = ""
    """The condition in our own words; `{faction}`, `{count}`, `{value}`, `{abilities}` are replaced by the card's."""
    apart_text: ClassVar[str] = ""
    """The condition where Bonus Cards are no recruits, if that makes a difference (ruling 28)."""
    needs: ClassVar[tuple[str, ...]] = ()
    """The further keys that the rule requires in a card file."""

    def __init__(self, *, id: int, slug: str, faction: int, count: int, bonus: int, counted: list[int]) -> None:
        self.id: int = id
        self.slug: str = slug
        self.faction: int = faction  # -1 for none
        self.count: int = count
        self.bonus: int = bonus
        self.counted: list[int] = counted  # the kinds that count for it, where the rule names cards
        self.mask: int = sum([1 << kind for kind in counted])  # the same

    @classmethod
    def is_counted(cls, kind: Kind, value: int, abilities: list[str]) -> bool:
        """Return whether a recruit is one of the cards that the rule names."""
        return False

    def measure_progress(self, setup: Setup, seat: Seat, armies: list[list[int]]) -> tuple[int, int]:
        """Return the number of cards that a seat has, and the number that it needs."""
        return count_kinds(armies[seat], self.counted), self.count

    def is_met(self, setup: Setup, seat: Seat, armies: list[list[int]]) -> bool:
        """Return whether a seat has met the goal."""
        have, need = self.measure_progress(setup, seat, armies)
        return have >= need

    def is_met_by_tally(self, s: FactionState, seat: Seat, tallies: list[int], factions: list[int]) -> bool:
        """Return whether a seat has met the goal, from the tallies of all seats (`Setup.pack_tally`).

        It agrees with `is_met` only if Bonus Cards are recruits.
        """
        have = 0
        for card in s.army[seat] + s.pile[seat]:
            have += self.mask >> (card & KIND) & 1
        return have >= self.count

    # ---- for bots -------------------------------------------------------------------------------

    def list_wanted(self, setup: Setup) -> list[int]:
        """Return the kinds that a seat with this goal collects more than others do; none if that is not noticeable."""
        return self.counted

    def estimate_chance(self, setup: Setup, seat: Seat, owned: list[int], coming: list[float]) -> float:
        """Return the chance that a seat meets the goal in the end without playing for it.

        Args:
            setup: The constants of the game.
            seat: The seat.
            owned: The cards of all armies, by seat and kind.
            coming: The number of further cards of each kind that a seat may hope for.
        """
        return estimate_chance(self.counted, self.count, seat * setup.owned, owned, coming)


@mypyc_attr(allow_interpreted_subclasses=True)
class Race(Goal):
    """A goal to have more of something than any other seat."""

    def count_cards(self, setup: Setup, owned: list[int]) -> int:
        """Return the number of cards of an army that count."""
        raise NotImplementedError

    def count_by_tally(self, setup: Setup, allies: int) -> int:
        """Return the number of cards that count, from a tally of factions."""
        raise NotImplementedError

    def list_racing(self, setup: Setup) -> list[int]:
        """Return the kinds that count."""
        raise NotImplementedError

    def measure_progress(self, setup: Setup, seat: Seat, armies: list[list[int]]) -> tuple[int, int]:
        best = 0
        have = 0
        for other in range(len(armies)):
            count = self.count_cards(setup, armies[other])
            if other == seat:
                have = count
            elif count > best:
                best = count
        return have, best + 1

    def is_met_by_tally(self, s: FactionState, seat: Seat, tallies: list[int], factions: list[int]) -> bool:
        numbers = [self.count_by_tally(s.setup, allies) for allies in factions]
        best = max(numbers)
        return numbers[seat] == best and numbers.count(best) == 1

    def estimate_chance(self, setup: Setup, seat: Seat, owned: list[int], coming: list[float]) -> float:
        have = 0
        best = 0
        more = 0.0
        kinds = self.list_racing(setup)
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
        # A logistic curve in the lead, relative to the spread of the cards still to come.
        return 1.0 / (1.0 + exp(-1.6 * (have - best - 0.4) / sqrt(2.0 * more)))


class MostFaction(Race):
    """More cards of a faction than any other seat."""

    rule: ClassVar[str] = "most-faction"
    text: ClassVar[str] = "more {faction} than any other player"
    apart_text: ClassVar[str] = "more {faction} that are recruits than any other player"
    needs: ClassVar[tuple[str, ...]] = ("faction",)

    def count_cards(self, setup: Setup, owned: list[int]) -> int:
        return count_faction(setup, owned, self.faction, True)

    def count_by_tally(self, setup: Setup, allies: int) -> int:
        return allies >> DIGIT_BITS * self.faction & DIGIT

    def list_racing(self, setup: Setup) -> list[int]:
        return setup.recruits_of[self.faction]

    def list_wanted(self, setup: Setup) -> list[int]:
        return setup.recruits_of[self.faction]


class MostRecruits(Race):
    """More recruits than any other seat."""

    rule: ClassVar[str] = "most-recruits"
    text: ClassVar[str] = "more recruits than any other player"

    def count_cards(self, setup: Setup, owned: list[int]) -> int:
        return sum(owned[: setup.recruits])

    def count_by_tally(self, setup: Setup, allies: int) -> int:
        return count_allies(setup, allies)

    def list_racing(self, setup: Setup) -> list[int]:
        return list(range(setup.recruits))


class NoBystander(Goal):
    """A goal to have no Bystander. The progress is the number of Bystanders; 0 are needed."""

    rule: ClassVar[str] = "no-bystander"
    text: ClassVar[str] = "no Bystander"

    def measure_progress(self, setup: Setup, seat: Seat, armies: list[list[int]]) -> tuple[int, int]:
        return count_kinds(armies[seat], setup.bystanders), 0

    def is_met(self, setup: Setup, seat: Seat, armies: list[list[int]]) -> bool:
        return count_kinds(armies[seat], setup.bystanders) == 0

    def is_met_by_tally(self, s: FactionState, seat: Seat, tallies: list[int], factions: list[int]) -> bool:
        return tallies[seat] >> DIGIT_BITS * TALLY_BYSTANDERS & DIGIT == 0

    def estimate_chance(self, setup: Setup, seat: Seat, owned: list[int], coming: list[float]) -> float:
        more = 0.0
        for kind in setup.bystanders:
            if owned[seat * setup.owned + kind]:
                return 0.0
            more += coming[kind]
        return exp(-more)


class EveryFaction(Goal):
    """At least a number of cards of every faction."""

    rule: ClassVar[str] = "every-faction"
    text: ClassVar[str] = "at least {count} of every faction"
    apart_text: ClassVar[str] = "at least {count} recruits of every faction"
    needs: ClassVar[tuple[str, ...]] = ("count",)

    def measure_progress(self, setup: Setup, seat: Seat, armies: list[list[int]]) -> tuple[int, int]:
        owned = armies[seat]
        return min([count_faction(setup, owned, faction, True) for faction in range(setup.factions)]), self.count

    def is_met_by_tally(self, s: FactionState, seat: Seat, tallies: list[int], factions: list[int]) -> bool:
        return count_rarest_faction(s.setup, factions[seat]) >= self.count

    def estimate_chance(self, setup: Setup, seat: Seat, owned: list[int], coming: list[float]) -> float:
        chance = 1.0
        for kinds in setup.recruits_of:
            chance *= estimate_chance(kinds, self.count, seat * setup.owned, owned, coming)
        return chance


class BattleValue(Goal):
    """At least a number of recruits of a battle value."""

    rule: ClassVar[str] = "battle-value"
    text: ClassVar[str] = "at least {count} recruits of battle value {value}"
    needs: ClassVar[tuple[str, ...]] = ("value", "count")

    @classmethod
    def is_counted(cls, kind: Kind, value: int, abilities: list[str]) -> bool:
        return kind.battle == value


class Abilities(Goal):
    """At least a number of recruits with certain abilities."""

    rule: ClassVar[str] = "abilities"
    text: ClassVar[str] = "at least {count} of {abilities}"
    needs: ClassVar[tuple[str, ...]] = ("abilities", "count")

    @classmethod
    def is_counted(cls, kind: Kind, value: int, abilities: list[str]) -> bool:
        return kind.ability in abilities


GOALS: Final[dict[str, type[Goal]]] = {
    cls.rule: cls for cls in (MostFaction, EveryFaction, BattleValue, Abilities, MostRecruits, NoBystander)
}
"""The rules that a card file may name."""


def estimate_chance(kinds: list[int], need: int, first: int, owned: list[int], coming: list[float]) -> float:
    """Return the chance that an army comes to have at least `need` cards of these kinds.

    Args:
        kinds: The kinds that count.
        need: The number of cards that are needed.
        first: The index in `owned` at which the army's counts begin.
        owned: The cards of all armies, by seat and kind.
        coming: The number of further cards of each kind that a seat may hope for.
    """
    count = 0
    mean = 0.0
    for kind in kinds:
        count += owned[first + kind]
        mean += coming[kind]
    return estimate_at_least(need - count, mean)


def estimate_at_least(need: int, mean: float) -> float:
    """Return the chance that a Poisson variable with this mean is at least `need`."""
    if need <= 0:
        return 1.0
    if mean <= 0.0:
        return 0.0
    # The Poisson terms below `need`, each from the one before.
    term = exp(-mean)
    below = 0.0
    for i in range(need):
        below += term
        term *= mean / (i + 1)
    return max(0.0, 1.0 - below)

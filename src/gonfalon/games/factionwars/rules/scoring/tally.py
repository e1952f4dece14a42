"""Armies counted: by kind, and as tallies, in which a few numbers stand side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from gonfalon.games.factionwars.rules.setup import Setup

TALLY: Final = 15
"""How many bits a digit of a tally has: no card file has so many cards. With more bits the tallies of a box would no
longer fit into a word of the machine."""
TALLY_BERSERKERS: Final = 0
TALLY_BYSTANDERS: Final = 1
TALLY_BONUS: Final = 2
TALLY_POINTS: Final = 3
DIGIT: Final = (1 << TALLY) - 1


def of_faction(setup: Setup, owned: list[int], faction: int, recruits_only: bool = False) -> int:
    """How many cards of a faction; Bonus Cards are among them (ruling 28, unless the option says they
    are no recruits)."""
    return total_of(owned, setup.recruits_of[faction] if recruits_only else setup.members[faction])


def total_of(owned: list[int], kinds: list[int]) -> int:
    """How many cards of these kinds."""
    total = 0
    for kind in kinds:
        total += owned[kind]
    return total


def fewest_of(setup: Setup, allies: int) -> int:
    """How many cards an army with this tally of factions has of the faction of which it has fewest."""
    return min([allies >> TALLY * faction & DIGIT for faction in range(setup.factions)])


def allies_in(setup: Setup, allies: int) -> int:
    """How many cards of any faction it has."""
    return sum([allies >> TALLY * faction & DIGIT for faction in range(setup.factions)])

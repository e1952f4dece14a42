"""Counts of armies: by kind, and as tallies, which pack several counts into one number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from gonfalon.games.factionwars.rules.setup import Setup

DIGIT_BITS: Final = 15
"""The bits of a digit of a tally. No card file has more cards than a digit can hold, and with more bits a tally would
no longer fit into a machine word."""
TALLY_BERSERKERS: Final = 0
TALLY_BYSTANDERS: Final = 1
TALLY_BONUS: Final = 2
TALLY_POINTS: Final = 3
DIGIT: Final = (1 << DIGIT_BITS) - 1


def count_faction(setup: Setup, owned: list[int], faction: int, recruits_only: bool = False) -> int:
    """Return the number of cards of a faction.

    Args:
        setup: The constants of the game.
        owned: The cards of an army by kind.
        faction: The faction.
        recruits_only: Whether Bonus Cards are left out where an option makes them no recruits (ruling 28).
    """
    return count_kinds(owned, setup.recruits_of[faction] if recruits_only else setup.members[faction])


def count_kinds(owned: list[int], kinds: list[int]) -> int:
    """Return the number of cards of these kinds."""
    total = 0
    for kind in kinds:
        total += owned[kind]
    return total


def count_rarest_faction(setup: Setup, allies: int) -> int:
    """Return the number of cards of the rarest faction in a tally of factions."""
    return min([allies >> DIGIT_BITS * faction & DIGIT for faction in range(setup.factions)])


def count_allies(setup: Setup, allies: int) -> int:
    """Return the number of cards of all factions in a tally of factions."""
    return sum([allies >> DIGIT_BITS * faction & DIGIT for faction in range(setup.factions)])

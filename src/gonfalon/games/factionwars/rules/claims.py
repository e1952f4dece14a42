"""Claims to the places of the line-up, once all selectors are revealed."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.rng import WRAPS
from gonfalon.core.rules.state import Seat
from gonfalon.games.factionwars.rules.actions import MAX_PLACES, MAX_SEATS

Claim = tuple[Seat, int, int, list[Seat]]
"""The seat that takes the card of a place, or FIGHT; the card's index in the rest of the line-up; the number of places
resolved after this one; the seats that selected it."""
FIGHT: Final = -4
"""Several seats have selected the place."""
NO_CLAIMS: Final[list[Claim]] = []


def find_claims(picks: list[int]) -> list[Claim]:
    """Return the claims that follow from the places of all seats, in the order of the places."""
    claims: list[Claim] = []
    # The first place is resolved first (ruling 1). Each claimed card moves the later ones a place to the left.
    for place in sorted(set(picks)):
        takers = [seat for seat, pick in enumerate(picks) if pick == place]
        done = len(claims)
        claims.append((takers[0] if len(takers) == 1 else FIGHT, place - done, done + 1, takers))
    return claims


def build_selections(seats: int, places: int) -> list[tuple[list[int], list[Claim]]]:
    """Return all ways to select, each with its claims, and store the table in SELECTIONS.

    The place of a seat is a digit of the way's number, the first seat's digit the lowest. The lists are shared and must
    not be changed.

    Args:
        seats: The number of seats.
        places: The number of cards in the line-up.
    """
    found: list[tuple[list[int], list[Claim]]] = []
    for number in range(places**seats):
        picks: list[int] = []
        for _ in range(seats):
            picks.append(number % places)
            number //= places
        found.append((picks, find_claims(picks)))
    SELECTIONS[seats][places] = found
    return found


MAX_TABLED_SELECTIONS: Final[int] = 1000 if WRAPS else 10_000
"""The largest number of ways with a table. Larger tables exceed the processor's cache, which matters when compiled."""
SELECTIONS: Final[list[list[list[tuple[list[int], list[Claim]]]]]] = [
    [[]] * (MAX_PLACES + 1) for _ in range(MAX_SEATS + 1)
]
"""The tables of `build_selections` by the numbers of seats and places, as far as they have been built."""

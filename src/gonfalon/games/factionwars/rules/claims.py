"""Who claims which place of the line-up, once all selectors are revealed."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.rng import WRAPS
from gonfalon.core.rules.state import Seat
from gonfalon.games.factionwars.rules.actions import MOST_SEATS, PLACES

Claim = tuple[Seat, int, int, list[Seat]]
"""Who takes the card of a place, or FIGHT; its index in what is left of the line-up; how many places are resolved
when this one is; who has selected it."""
FIGHT: Final = -4
"""Several have selected the place."""
NO_CLAIMS: Final[list[Claim]] = []


def claims_of(picks: list[int]) -> list[Claim]:
    """The claims that follow from everybody's places, in the order of the places."""
    claims: list[Claim] = []
    for place in sorted(set(picks)):
        takers = [seat for seat, pick in enumerate(picks) if pick == place]
        done = len(claims)
        claims.append((takers[0] if len(takers) == 1 else FIGHT, place - done, done + 1, takers))
    return claims


def selections(seats: int, places: int) -> list[tuple[list[int], list[Claim]]]:
    """All ways in which so many seats can select out of so many places, and what follows from each. Each seat's place
    is a digit of its number, the first seat's the last one. They are made once, and nobody changes them."""
    found: list[tuple[list[int], list[Claim]]] = []
    for number in range(places**seats):
        picks: list[int] = []
        for _ in range(seats):
            picks.append(number % places)
            number //= places
        found.append((picks, claims_of(picks)))
    SELECTIONS[seats][places] = found
    return found


MOST_SELECTIONS: Final[int] = 1000 if WRAPS else 10_000
"""Of more ways there is no table: it does not fit into the processor's cache, which counts when compiled."""
SELECTIONS: Final[list[list[list[tuple[list[int], list[Claim]]]]]] = [
    [[]] * (PLACES + 1) for _ in range(MOST_SEATS + 1)
]
"""By the numbers of seats and places, as far as they have been asked for."""

"""How likely people lay which cards face down."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Seat
from gonfalon.games.jinkei.face.thoughts import rank_number
from gonfalon.games.jinkei.rules.setup import REINFORCEMENTS, Setup
from gonfalon.games.jinkei.rules.state import JinkeiState

LAID: Final = [1.7, 1.3, 0.72, 0.55, 0.53]
"""By class of rank (0, 1 to 4, 5 to 7, 8 and 9, 12): how much likelier a card that lies face down is of the class
than another card that has not been seen. Counted in 60 games of `club` against itself, 1,600 cards."""


def weigh(setup: Setup, view: JinkeiState, world: JinkeiState, foe: Seat) -> float:
    """How likely a seat would have laid the cards that lie face down in the view as they lie in a world."""
    weight = 1.0
    for space in range(REINFORCEMENTS, 9):
        for i, card in enumerate(view.spaces[foe][space]):
            if card & KIND == HIDDEN:
                weight *= LAID[rank_number(setup.rank[world.spaces[foe][space][i] & KIND])]
    return weight


def weigh_kinds(setup: Setup, kinds: list[int]) -> float:
    """The same for kinds that lie face down."""
    weight = 1.0
    for kind in kinds:
        weight *= LAID[rank_number(setup.rank[kind])]
    return weight

"""What positions are worth to the players of Generals."""

from __future__ import annotations

from gonfalon.games.generals.bots.position_value import (
    ALONE,
    CHAMPION,
    MARCH,
    terms,
)
from tests.generals.scenario import Table


def test_the_strongest_general_the_free_way_and_an_empty_field_are_seen() -> None:
    """Guan Yu has Might 7, Xu Chu 5."""
    table = Table()
    table.may.has("Guan Yu", at="FORTRESS")
    mine, theirs = terms(table.state, 0, 0, False), terms(table.state, 1, 0, False)
    assert (mine[CHAMPION], mine[MARCH], mine[ALONE]) == (1, 7, 0)
    assert (theirs[CHAMPION], theirs[MARCH], theirs[ALONE]) == (0, 0, 1)
    table.david.has("Xu Chu", at="BORDER")
    mine, theirs = terms(table.state, 0, 0, False), terms(table.state, 1, 0, False)
    assert (mine[CHAMPION], mine[MARCH]) == (1, 0)  # he stands in the way
    assert (theirs[CHAMPION], theirs[MARCH], theirs[ALONE]) == (0, 0, 0)
    assert terms(table.state, 1, 1, False)[MARCH] == 5

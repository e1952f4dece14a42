"""What positions are worth to the players of Generals."""

from __future__ import annotations

import pytest

from gonfalon.games.generals.bots.position_value import (
    ALONE,
    CHAMPION,
    FITTED,
    MARCH,
    PLAIN,
    READY,
    TERMS,
    WEIGHTS,
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


def test_a_general_is_ready_when_its_cost_can_be_paid() -> None:
    """Xu Chu: Might 5, Wits 1, cost 2."""
    table = Table()
    table.may.holds("Xu Chu", "Militia")
    assert terms(table.state, 0, 0, False)[READY] == 0
    table.may.holds("Archers")
    assert terms(table.state, 0, 0, False)[READY] == pytest.approx(2 + 0.25 * 5 + 0.12 * 1 - 0.4 * 2)


def test_there_is_a_weight_for_every_term() -> None:
    assert len(PLAIN) == len(WEIGHTS) == len(FITTED) == TERMS

"""What positions are worth to the players of Generals, and how that is learned."""

from __future__ import annotations

from math import log

import pytest

from gonfalon import Rng
from gonfalon.games.generals import Generals
from gonfalon.games.generals.bots.fitting.make_weights import Row, learned, played, regression, solved
from gonfalon.games.generals.bots.position_value import (
    ALONE,
    CHAMPION,
    FITTED,
    HAND,
    LETHAL,
    LIFE,
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


def test_equations_are_solved() -> None:
    """2x + y = 5 and x + 3y = 10."""
    assert solved([[2.0, 1.0], [1.0, 3.0]], [5.0, 10.0]) == pytest.approx([1.0, 3.0])


def test_a_regression_finds_the_odds() -> None:
    """Won 3 of 4 times with a card more, 1 of 4 times with one less: a card is log-odds of ln 3. Without a card of
    RESOURCE more it is no other for hands that go along half the time."""
    rows, won = [], []
    for life, hand, wins in ((1.0, 1.0, 3), (1.0, -1.0, 3), (-1.0, 1.0, 1), (-1.0, -1.0, 1)):
        row = [0.0] * TERMS
        row[LIFE], row[HAND] = life, hand
        for n in range(1000):
            rows.append(row)
            won.append(float(n % 4 < wins))
    found = regression(rows, [0.0] * len(rows), won)
    assert found[LIFE] == pytest.approx(log(3), abs=0.04)
    assert found[HAND] == pytest.approx(0, abs=1e-6)
    assert found[LETHAL] == PLAIN[LETHAL]  # by hand
    # What was to be expected anyway is nothing to be learned.
    given = [log(3) * row[LIFE] for row in rows]
    assert regression(rows, given, won)[LIFE] == pytest.approx(0, abs=1e-6)


def test_games_of_plans_by_lot_can_be_learned_from() -> None:
    game, rng = Generals(decks=("vanguard-of-wei", "little-conqueror")), Rng(3)
    rows = [row for greedy in (-1, 0) for row in played(game, PLAIN, greedy, rng)]
    assert len(rows) > 8
    assert {row.won for row in rows} == {0.0, 1.0}
    assert all(len(row.before) == len(row.more) == TERMS for row in rows)
    assert isinstance(rows[0], Row)
    weights, fitted = learned(rows)
    assert len(weights) == len(fitted) == TERMS

"""Chance: its questions and exact probabilities, also on the fast path."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import factorial, prod

import pytest

from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.rules.actions import TAKE
from gonfalon.testing import rule
from tests.factionwars.scenario import Table

LOOT = ("outlaw", "outlaw", "jarl", "berserker", "berserker", "berserker", "fair-winds")
EXACT = {"outlaw": Fraction(2, 7), "jarl": Fraction(1, 7), "berserker": Fraction(3, 7), "fair-winds": Fraction(1, 7)}


def chi_square(found: Counter[str], expected: dict[str, Fraction]) -> float:
    """Return the chi-square distance of counts from the expected ones. Each outcome must be possible."""
    total = sum(found.values())
    assert set(found) <= set(expected)
    return sum((found[key] - float(p) * total) ** 2 / (float(p) * total) for key, p in expected.items())


LIMIT = {1: 10.83, 2: 13.82, 3: 16.27, 5: 20.52, 9: 27.88, 23: 49.73}
"""The 0.1 % critical value of chi square by degrees of freedom."""


def open_raid(card: str, **options: object) -> Table:
    """Return a table where May's card targets David, who has seven recruits in both parts of his army, a Bystander and
    three conscripts. For a Parley May has a Deckhand to give."""
    table = Table(seats=2, **options)
    table.david.owns(*LOOT, "bystander").draws("outlaw", "rock", "berserker", "bystander")
    if card == "parley":
        table.may.owns("deckhand")
    return table.collects(table.may, card)


def probabilities(table: Table) -> dict[str, Fraction]:
    """Return the probability of each card to be picked from either part."""
    outcomes = table.outcomes()
    found: Counter[str] = Counter()
    for name, weight in outcomes.items():
        found[name.partition(":")[2]] += weight
    return {name: Fraction(weight, sum(outcomes.values())) for name, weight in found.items()}


# ---- picks ------------------------------------------------------------------------------------------------


@rule("factionwars", 17)
@pytest.mark.parametrize("shuffle", ["all", "deck"])
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("card", ["buccaneer", "kunoichi", "parley"])
def test_every_recruit_is_equally_likely(card: str, exact: bool, shuffle: str) -> None:
    """Each of seven recruits has 1/7, so two Outlaws have 2/7 and three Berserkers 3/7."""
    table = open_raid(card, exact=exact, shuffle=shuffle)
    assert probabilities(table) == EXACT
    taken = []
    for action in table.state.actions:
        twin = table.state.clone()
        twin.apply(CHANCE, action)
        taken.append(twin.count_recruits(1))
    # Six are left; after a Parley there is the gift besides.
    assert set(taken) == {7 if card == "parley" else 6}


# ---- shuffles ---------------------------------------------------------------------------------------------


@rule("factionwars", 31)
def test_all_know_a_battle_decks_cards_but_not_their_order() -> None:
    """Two histories that end in the same cards look the same to all players."""
    views = []
    for loot in (("outlaw", "huscarl", "blade"), ("huscarl", "blade", "outlaw")):
        table = Table(seats=3)
        table.david.owns(*loot)
        table.collects(table.may, "kunoichi")
        table.chance("steal:outlaw")
        views.append([table.names(table.state.mask(viewer).army[1]) for viewer in range(3)])  # type: ignore[attr-defined]
    assert views[0] == views[1]
    assert all(sorted(army) == ["blade", "huscarl", "paper", "rock", "scissors"] for army in views[0])


def test_goals_and_first_cards_are_dealt_evenly() -> None:
    """May's goal is each of ten with 1/10, and the first card is a Berserker with 4/58."""
    game = FactionWars(seats=2)
    rng = Rng(8)
    goals: Counter[str] = Counter()
    first: Counter[str] = Counter()
    for _ in range(2000):
        state = game.start()
        while state.turn == CHANCE:
            state.apply(CHANCE, state.chance(rng))
        goals[game.entries[state.goal[0][0] & KIND]["slug"]] += 1
        first["berserker" if game.entries[state.lineup[0] & KIND]["slug"] == "berserker" else "other"] += 1
    assert chi_square(goals, {goal["slug"]: Fraction(1, 10) for goal in game.box.goals}) < LIMIT[9]
    count = len(game.setup.deck)
    assert chi_square(first, {"berserker": Fraction(4, count), "other": Fraction(count - 4, count)}) < LIMIT[1]


def test_a_game_has_as_many_deals_as_there_should_be() -> None:
    """The product of all weights of a deal card by card, with duplicate cards and 3 of 10 goals. Then all three fight,
    and each shows one of 3 different conscripts."""
    game = FactionWars(seats=3, exact=True)
    state = game.start()
    rng = Rng(1)
    likely = Fraction(1)
    while state.turn == CHANCE:
        action = state.chance(rng)
        weights = state.weights()
        likely *= Fraction(weights[state.actions.index(action)], sum(weights))
        state.apply(CHANCE, action)
    alike = prod(factorial(copies) for copies in Counter(game.setup.deck).values())
    assert 1 / likely == factorial(len(game.setup.deck)) // alike * (10 * 9 * 8)
    for seat in range(3):
        state.apply(seat, TAKE)
    for _ in range(3):
        assert state.turn == CHANCE
        assert state.weights() == [1, 1, 1]
        state.apply(CHANCE, state.actions[0])
    assert [card & KIND for pile in state.pile for card in pile][:3] == [min(game.setup.conscripts)] * 3

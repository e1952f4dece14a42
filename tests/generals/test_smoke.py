"""Whole games of Generals at random: they end, and nothing raises."""

from __future__ import annotations

import pytest

from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE
from gonfalon.games.generals import Generals
from tests.generals.scenario import Table

SLUGS = [deck.slug for deck in Generals().pool.decks]


@pytest.mark.parametrize("slug", SLUGS)
def test_random_games_end(slug: str) -> None:
    rng = Rng(len(slug))
    for other in SLUGS:
        game = Generals(decks=(slug, other))
        state = game.start()
        count = 0
        while not state.over:
            decision = state.decisions()[0]
            state.apply(decision.seat, decision.sample(rng))
            count += 1
        assert count <= game.bound
        assert state.outcome() is not None


def test_chance_names_the_first_player_and_deals() -> None:
    state = Generals().start()
    assert state.turn == CHANCE
    while state.turn == CHANCE:
        state.apply(CHANCE, state.chance(Rng(3)))
    assert [len(hand) for hand in state.hand] == [5, 5]


def test_a_scenario_can_be_played() -> None:
    table = Table()
    table.may.has("Guan Yu", at="BORDER")
    table.david.has("Xu Chu", at="ENEMY_BORDER")
    table.may.does("guan-yu#1", "xu-chu#2")
    assert table.david.fallen == ["Xu Chu"]
    assert table.may.resources == 30
    assert table.david.resources == 30 - 2  # Guan Yu won as attacker

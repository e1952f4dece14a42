"""Short ways through the game: that the harness and the rules meet."""

from __future__ import annotations

import pytest

from gonfalon.core.rng import Rng
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.rules import events as ev
from gonfalon_reference_rules.factionwars.judge import FactionWarsReferenceRules
from tests.factionwars.scenario import Table


def test_who_is_alone_takes_the_card_and_the_rest_is_discarded() -> None:
    table = Table(seats=3).lines_up("jarl", "outlaw", "blade", "captain")
    table.select(1, 2, 3)
    assert [player.army for player in table.people] == [["jarl"], ["outlaw"], ["blade"]]
    assert table.discard == ["captain"]
    assert table.state.round == 2
    assert table.question() == ([0, 1, 2], "select")


def test_the_higher_card_wins_a_battle() -> None:
    table = Table(seats=3).lines_up("jarl", "outlaw", "blade", "captain")
    table.may.draws("marshal", "rock")
    table.david.draws("huscarl", "rock")
    table.select(1, 1, 2)
    assert "jarl" in table.may.army
    assert table.may.deck == table.david.deck == ["rock"]
    assert [(event[2], event[5]) for event in table.happened(ev.SHOWN)] == [(0, 5), (1, 4)]
    assert "You reveal Marshal, value 5." in table.may.log()


def test_a_buccaneer_takes_a_recruit_with_the_right_weights() -> None:
    table = Table(seats=2)
    table.david.owns("outlaw", "outlaw", "jarl", "bystander")
    table.collects(table.may, "buccaneer")
    assert table.outcomes() == {"steal:outlaw": 2, "steal:jarl": 1}
    table.chance("steal:jarl").settle_chance()
    assert table.may.army == ["buccaneer", "jarl"]
    assert table.david.army == ["bystander", "outlaw", "outlaw"]
    assert table.david.pile == []
    assert sorted(table.david.deck) == ["bystander", "outlaw", "outlaw", "paper", "rock", "scissors"]


def test_the_score_has_every_part() -> None:
    """Two Berserkers 4; Odin's Favor 1 for itself and each of 3 further Vikings; Jarl 5; a Bystander -2; the
    goal 5 (most Vikings: 4 to 0)."""
    table = Table(seats=2)
    table.may.owns("berserker", "berserker", "odins-favor", "jarl", "bystander").has_goal("great-hall")
    table.david.owns("outlaw").has_goal("two-leaders")
    table.score()
    assert table.may.score == {"recruits": 5, "berserkers": 4, "bonus": 4, "bystanders": -2, "goal": 5, "open": 0}
    assert (table.may.total, table.david.total) == (16, 4)
    assert table.winners == [table.may]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_random_games_end_with_all_cards_accounted_for(seats: int) -> None:
    game = FactionWars(seats=seats)
    rng = Rng(seats)
    for _ in range(20):
        state = game.start()
        while not state.over:
            state.apply(state.turn, state.sample(rng))
        assert FactionWarsReferenceRules().find_faults(game, state) == []
        assert state.outcome() is not None

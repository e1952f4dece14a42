"""The rule-of-thumb player: positions whose best move is computed by hand, and its honesty."""

from __future__ import annotations

import pytest

from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.state import CHANCE
from gonfalon.games.factionwars import FactionWars
from tests.factionwars.scenario import Player, Table

SEEDS = range(5)


def chooses(player: Player) -> set[str]:
    """Return the rule of thumb's choices with several random streams."""
    game = player.table.game
    found = set()
    for seed in SEEDS:
        action, _ = game.rule_of_thumb().choose(player.view, Rng(seed))
        assert action in player.view.legal(player.seat)
        found.add(game.notation(action))
    return found


# ---- choices -----------------------------------------------------------------------------------------


def test_the_best_card_is_selected_when_no_player_contests_it() -> None:
    table = Table(seats=2)
    table.may.has_goal("shield-biters").owns("clan-master").draws("marshal", "captain", "jarl")
    table.lines_up("berserker", "lookout", "oarsman")
    table.may.owns("berserker")
    assert chooses(table.may) == {"take:1"}


def test_the_bystander_goes_to_the_leader() -> None:
    table = Table()
    table.ann.owns("marshal", "jarl", "captain")
    table.collects(table.may, "bystander")
    assert chooses(table.may) == {"to:2"}


def test_a_kunoichi_hits_the_player_with_most_to_lose() -> None:
    table = Table()
    table.david.owns("deckhand")
    table.ann.owns("marshal", "jarl")
    table.collects(table.may, "kunoichi")
    assert chooses(table.may) == {"to:2"}


def test_a_buccaneer_takes_from_the_better_army() -> None:
    table = Table()
    table.david.owns("marshal", "outlaw")
    table.ann.owns("deckhand")
    table.collects(table.may, "buccaneer")
    assert chooses(table.may) == {"to:1"}


def test_of_three_cards_called_the_best_is_kept() -> None:
    table = Table()
    table.may.has_goal("great-hall")
    table.on_top("ranch-hand", "jarl", "lookout")
    table.collects(table.may, "call-to-arms")
    assert chooses(table.may) == {"jarl"}


def test_the_best_prisoner_is_exchanged() -> None:
    table = Table()
    table.may.has_goal("great-hall")
    table.discarded("deckhand", "jarl", "lookout")
    table.collects(table.may, "prisoner-exchange")
    assert chooses(table.may) == {"jarl"}


def test_the_least_recruit_deserts() -> None:
    table = Table()
    table.may.has_goal("wild-west")
    table.may.owns("jarl", "deckhand", "first-mate")
    table.collects(table.david, "desertion")
    assert chooses(table.may) == {"deckhand"}


def test_a_parley_gives_little_for_much() -> None:
    table = Table()
    table.may.has_goal("wild-west")
    table.may.owns("jarl", "lookout")
    table.david.owns("marshal", "captain")
    table.ann.owns("deckhand")
    table.collects(table.may, "parley")
    assert chooses(table.may) == {"to:1"}
    table.may.does("to:1")
    assert chooses(table.may) == {"lookout"}


# ---- honesty -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_same_view_gives_the_same_choice_for_all_hidden_cards(seats: int) -> None:
    game = FactionWars(seats=seats)
    rule_of_thumb = game.rule_of_thumb()
    rng = Rng(seats)
    compared = 0
    state = game.start()
    while not state.over and compared < 60:
        decision = state.decisions()[0]
        if decision.seat != CHANCE and len(decision.actions) > 1:
            view = state.mask(decision.seat)
            twin = worlds(view).sample(rng).mask(decision.seat)
            assert rule_of_thumb.choose(view, Rng(3)) == rule_of_thumb.choose(twin, Rng(3))
            compared += 1
        state.apply(decision.seat, decision.sample(rng))
    assert compared > 20

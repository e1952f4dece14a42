"""The course of the game: line-up, selection, claims, refills, depletions, the last round."""

from __future__ import annotations

import pytest

from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE
from gonfalon.core.text.citations import cite_rule
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.rules import events as ev
from gonfalon.testing import rule
from tests.factionwars.scenario import Table


def depletions(table: Table) -> list[tuple[int, int]]:
    return [(event[4], event[5]) for event in table.happened(ev.DEPLETED)]


# ---- set-up --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_line_up_has_one_card_more_than_there_are_players(seats: int) -> None:
    table = Table(seats=seats)
    assert len(table.lineup) == seats + 1
    assert len(table.deck) == len(table.game.setup.deck) - (seats + 1)
    assert table.may.legal() == [f"take:{place + 1}" for place in range(seats + 1)]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everybody_begins_with_three_conscripts_and_a_goal_of_their_own(seats: int) -> None:
    table = Table(seats=seats)
    for player in table.people:
        assert sorted(player.deck) == ["paper", "rock", "scissors"]
        assert player.pile == player.army == []
    assert len({player.goal for player in table.people}) == seats
    assert len(table.state.goals) == 10 - seats


@pytest.mark.parametrize("seats", [2, 5])
def test_each_goal_is_told_to_its_owner_alone(seats: int) -> None:
    state = FactionWars(seats=seats).start(log=True)
    while state.turn == CHANCE:
        state.apply(CHANCE, state.chance(Rng(1)))
    assert state.log is not None
    told = [(event[1], event[2], event[3]) for event in state.log if event[0] == ev.GOAL]
    assert told == [(1 << seat, seat, state.goal[seat][0]) for seat in range(seats)]


@rule("factionwars", 33)
def test_two_players_play_by_the_same_rules_with_three_cards() -> None:
    table = Table(seats=2).lines_up("jarl", "outlaw", "blade")
    assert table.may.legal() == ["take:1", "take:2", "take:3"]
    table.may.draws("marshal", "rock")
    table.select(3, 3)
    assert table.may.army == ["blade", "marshal"]
    assert table.discard == ["jarl", "outlaw"]


# ---- selecting -----------------------------------------------------------------------------------------


def test_all_players_select_simultaneously_in_any_order() -> None:
    table = Table(seats=3).lines_up("jarl", "outlaw", "blade", "captain")
    assert table.question() == ([0, 1, 2], "select")
    table.ann.does("take:1")
    table.may.does("take:2")
    assert table.state.round == 1
    assert table.question() == ([0, 1, 2], "select")
    assert table.ann.legal() == table.may.legal() == []
    assert table.ann.why_not("take:2") == "You have already answered. Other players are still deciding."
    table.david.does("take:4")
    assert [player.army for player in table.people] == [["outlaw"], ["captain"], ["jarl"]]


@rule("factionwars", 2)
def test_a_sole_picker_must_take_a_bystander() -> None:
    table = Table(seats=3).lines_up("bystander", "outlaw", "blade", "captain").select(1, 2, 3)
    assert table.question() == ([0], "bystander")
    assert table.may.legal() == ["to:1", "to:2"]


@rule("factionwars", 32)
def test_no_player_may_pass_or_select_an_empty_place() -> None:
    table = Table(seats=2).lines_up("jarl", "outlaw")
    assert table.may.legal() == ["take:1", "take:2"]
    assert cite_rule(table.may.why_not("take:3")) == "Nothing left here. Pick a card (rulings 24, 32)."
    assert cite_rule(table.may.why_not("to:1")) == "Pick a card of the line-up. You cannot pass (ruling 32)."


# ---- discarding and refilling ---------------------------------------------------------------------------


@rule("factionwars", 27)
def test_unpicked_cards_are_discarded_every_round() -> None:
    table = Table(seats=2).lines_up("jarl", "outlaw", "bystander")
    for player in table.people:
        player.draws("rock", "paper", "scissors")
    table.on_top("gunner", "blade", "captain").select(2, 2)
    # They reveal the same three times, so nobody wins the Outlaw: it was discarded before the others.
    assert table.discard == ["outlaw", "jarl", "bystander"]
    assert table.lineup == ["gunner", "blade", "captain"]
    assert table.state.round == 2


@rule("factionwars", 27)
def test_the_line_up_is_refilled_from_the_top_of_the_deck() -> None:
    table = Table(seats=2).lines_up("jarl", "outlaw", "bystander").on_top("gunner", "blade", "captain", "oarsman")
    table.select(1, 2)
    assert table.discard == ["bystander"]
    assert table.lineup == ["gunner", "blade", "captain"]
    assert table.deck[0] == "oarsman"


# ---- depletions --------------------------------------------------------------------------------------------


@rule("factionwars", 23)
def test_a_deck_that_runs_out_in_a_refill_is_rebuilt_at_once() -> None:
    """One card is left and goes to place 1. Then the discard pile (4 cards, and the complete line-up, because the
    battle of equal decks has no winner) is shuffled, and the other two places are filled from it."""
    table = Table(seats=2).lines_up("jarl", "outlaw", "blade").leaves("captain")
    table.discarded("gunner", "deckhand", "oarsman", "lookout")
    for player in table.people:
        player.draws("rock", "paper", "scissors")
    table.state.deck[:] = [table.state.deck[-1]]  # the rest is out of the game, for this test
    table.select(1, 1)
    table.settle_chance()
    assert depletions(table) == [(1, 2)]
    assert table.state.depleted == 1
    assert table.lineup[0] == "captain"
    assert len(table.lineup) == 3
    assert [event[4] for event in table.happened(ev.RENEWED)] == [4 + 3]
    assert len(table.deck) == 4 + 3 - 2
    assert table.discard == []


@rule("factionwars", 23)
def test_it_counts_when_the_last_card_leaves_not_when_the_next_is_wanted() -> None:
    """Exactly three cards are left. The line-up is full, and the deck is already rebuilt."""
    table = Table(seats=2).lines_up("jarl", "outlaw", "bystander").leaves("captain", "gunner", "blade")
    size = len(table.discard) + 1
    table.select(1, 2).settle_chance()
    assert table.lineup == ["captain", "gunner", "blade"]
    assert depletions(table) == [(1, 2)]
    assert len(table.deck) == size
    assert table.discard == []
    assert table.question() == ([0, 1], "select")


def last_pass(table: Table) -> Table:
    """Return a table whose recruit deck has one depletion left."""
    table.state.depleted = table.state.setup.depletions - 1
    return table


@rule("factionwars", 24)
def test_the_round_of_the_last_card_is_played_with_a_short_line_up() -> None:
    """Two cards are left for three places. Both can be selected, the third place cannot. Then scores are counted."""
    table = last_pass(Table(seats=2)).lines_up("jarl", "outlaw", "bystander").leaves("captain", "gunner")
    table.select(1, 2)
    assert depletions(table) == [(2, 2)]
    assert table.lineup == ["captain", "gunner"]
    assert table.deck == []
    assert table.discard[-1] == "bystander"
    assert table.may.legal() == ["take:1", "take:2"]
    assert table.question() == ([0, 1], "select")
    table.select(1, 2)
    assert table.state.over
    assert (table.may.army, table.david.army) == (["captain", "jarl"], ["gunner", "outlaw"])
    assert [event[4] for event in table.happened(ev.LAST_ROUND)] == [ev.BY_DECK]


@rule("factionwars", 24)
def test_a_last_card_drawn_during_a_round_makes_it_the_last() -> None:
    """May's Gambler draws it. David still gets his card."""
    table = last_pass(Table(seats=2)).lines_up("gambler", "outlaw", "bystander").leaves("captain")
    table.select(1, 2)
    assert table.state.over
    assert (table.may.army, table.david.army) == (["captain", "gambler"], ["outlaw"])


@rule("factionwars", 24)
def test_by_option_the_game_is_over_at_once() -> None:
    """The last card is placed, but no selection follows."""
    table = last_pass(Table(seats=2, end="at-once")).lines_up("jarl", "outlaw", "bystander")
    table.leaves("captain", "gunner", "blade").select(1, 2)
    assert table.state.over
    assert (table.may.army, table.david.army) == (["jarl"], ["outlaw"])
    assert [event[4] for event in table.happened(ev.ENDED)] == [ev.BY_DECK]


@rule("factionwars", 24)
def test_by_option_it_is_over_in_the_middle_of_a_round() -> None:
    """May's Gambler draws the last card, and neither player collects any more."""
    table = last_pass(Table(seats=2, end="at-once")).lines_up("gambler", "outlaw", "bystander").leaves("captain")
    table.select(1, 2)
    assert table.state.over
    assert (table.may.army, table.david.army) == (["gambler"], [])


@rule("factionwars", 25)
def test_an_empty_discard_pile_makes_it_the_last_time() -> None:
    """At the first of two depletions both cards of the line-up were taken, so there are none to shuffle."""
    table = Table(seats=2).lines_up("jarl", "outlaw").leaves("captain", "gunner")
    table.state.discard.clear()
    table.select(1, 2)
    assert depletions(table) == [(1, 2)]
    assert table.lineup == ["captain", "gunner"]
    assert [event[4] for event in table.happened(ev.LAST_ROUND)] == [ev.BY_NOTHING_LEFT]
    table.select(1, 2)
    assert table.state.over


@rule("factionwars", 26)
@pytest.mark.parametrize("card", ["gambler", "call-to-arms"])
def test_draws_after_the_last_time_bring_nothing(card: str) -> None:
    """The last line-up takes the last card. Its draw effects find no deck, although the discard pile is full."""
    table = last_pass(Table(seats=2)).lines_up("jarl", "outlaw", "bystander").leaves(card, "gunner")
    assert len(table.discard) > 20
    table.select(1, 2).select(1, 2)
    assert table.state.over
    assert table.may.army == sorted(["jarl", *(["gambler"] if card == "gambler" else [])])
    assert [event[4] for event in table.happened(ev.NOTHING)] == [ev.NO_DECK]


@pytest.mark.parametrize(("seats", "times"), [(2, 2), (3, 2), (4, 3), (5, 3)])
def test_how_often_the_deck_runs_out(seats: int, times: int) -> None:
    """It happens twice with 2 and 3 players and three times with 4 and 5, and is logged each time."""
    game = FactionWars(seats=seats)
    for seed in range(5):
        state = game.start(log=True)
        rng = Rng(seed)
        while not state.over:
            state.apply(state.turn, state.sample(rng))
        assert state.log is not None
        told = [event[4:] for event in state.log if event[0] == ev.DEPLETED]
        assert told == [(time, times) for time in range(1, times + 1)]
        assert [event[4] for event in state.log if event[0] == ev.LAST_ROUND] == [ev.BY_DECK]

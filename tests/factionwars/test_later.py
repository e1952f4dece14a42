"""The later revision: the number of cards equals the number of players, open Bonus Cards, no symbols, War is Over. Its
reconstructed parts are marked."""

from __future__ import annotations

import pytest

from gonfalon.core.basics.cards import KIND
from gonfalon.games.factionwars.rules import events as ev
from gonfalon.testing import rule
from tests.factionwars.scenario import Player, Table

BONUS = {"gatling-gun": "outlaw", "kuji-kiri": "blade", "fair-winds": "gunner", "odins-favor": "huscarl"}


def later(seats: int = 3, *bonus: str, **options: str) -> Table:
    """Return a table of the later revision with these open Bonus Cards."""
    table = Table(seats=seats, revision="later", **options)
    state = table.state
    if bonus:
        pool = [card & KIND for card in [*state.bonus, *state.bonuses]]
        state.bonus[:] = [table.kind(name) | state.setup.full for name in bonus]
        state.bonuses[:] = [kind for kind in pool if table.name(kind) not in bonus]
    return table


def open_points(player: Player) -> int:
    return player.score["open"]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_line_up_has_as_many_cards_as_there_are_players(seats: int) -> None:
    table = later(seats)
    assert len(table.lineup) == seats
    assert table.may.legal() == [f"take:{place + 1}" for place in range(seats)]


@rule("factionwars", 41)
def test_three_of_five_bonus_cards_lie_open_and_there_are_no_goals() -> None:
    table = later()
    assert len(table.state.bonus) == 3
    assert len(table.state.bonuses) == 2
    every = {*BONUS, "common-cause"}
    assert {table.name(card) for card in [*table.state.bonus, *table.state.bonuses]} == every
    assert table.state.goal == [[], [], []]
    assert not any(name in every for name in table.deck + table.lineup)
    assert all(not seat["has_goal"] and seat["points_complete"] for seat in table.may.board["seats"])


@rule("factionwars", 41)
@pytest.mark.parametrize("bonus", BONUS)
def test_an_open_bonus_card_counts_for_all_players(bonus: str) -> None:
    """It gives a point for each card of its faction. It has no owner, so it does not count itself."""
    others = [name for name in BONUS if name != bonus]
    table = later(3, bonus, *others[:2])
    table.may.owns(BONUS[bonus], BONUS[bonus])
    assert open_points(table.may) == 2
    assert open_points(table.david) == 0


@rule("factionwars", 41)
def test_common_cause_counts_sets_of_all_factions() -> None:
    """Each set gives two points. The faction with fewest cards limits the number of sets."""
    table = later(2, "common-cause", "gatling-gun", "kuji-kiri")
    table.may.owns("gunner", "captain", "jarl", "raider")
    assert open_points(table.may) == 0
    table.may.owns("outlaw", "blade")
    assert open_points(table.may) == 2 + 1 + 1
    table.may.owns("deputy", "shadow")
    assert open_points(table.may) == 4 + 2 + 2


def test_level_conscripts_show_no_symbols() -> None:
    """Rock, paper and scissors simply reveal the next card."""
    table = later()
    table.may.draws("rock", "outlaw", "paper")
    table.david.draws("paper", "marshal", "rock")
    table.ann.draws("scissors", "gunner", "rock")
    table.lines_up("jarl", "blade", "captain").select(1, 1, 1)
    assert "jarl" in table.david.army
    assert [(event[4], event[5]) for event in table.happened(ev.TIED)] == [(0b111, ev.SAME_VALUE)]


# ---- War is Over -------------------------------------------------------------------------------------------


@rule("factionwars", 39)
def test_war_is_over_is_set_aside_at_first() -> None:
    table = later(4)
    assert table.names(table.state.aside) == ["war-is-over"]
    assert "war-is-over" not in table.deck + table.lineup


@rule("factionwars", 39)
@pytest.mark.parametrize(("seats", "depletion"), [(2, 1), (4, 2)])
def test_it_is_shuffled_in_for_the_last_pass(seats: int, depletion: int) -> None:
    """Reconstructed. With 2 players at the first depletion, with 4 at the second."""
    table = later(seats)
    names = ["jarl", "outlaw", "blade", "captain"][:seats]
    for time in range(1, depletion + 1):
        last = ["gunner", "deckhand", "raider", "deputy"][:seats]
        table.lines_up(*names).leaves(*last)
        table.select(*[1] * seats).settle_chance()
        assert table.state.depleted == time
        inside = "war-is-over" in table.deck
        assert inside == (time == depletion)
        assert bool(table.state.aside) != inside
    assert len(table.happened(ev.WAR_IN)) == 1


def the_last_pass(table: Table, *deck: str) -> Table:
    """Put War is Over into the recruit deck, which holds these cards, top first, below a complete line-up."""
    table.state.depleted = table.state.setup.depletions - 1
    table.lines_up(*["outlaw", "blade", "captain"][: table.state.seats])
    return table.on_top(*deck)


@rule("factionwars", 40)
def test_the_round_in_which_it_appears_is_the_last() -> None:
    """It is set aside, and the next card fills its place."""
    table = the_last_pass(later(2), "jarl", "war-is-over", "gunner", "raider")
    table.select(1, 2)
    assert table.lineup == ["jarl", "gunner"]
    assert table.state.last == ev.BY_CARD
    assert table.names(table.state.aside) == ["war-is-over"]
    assert not table.happened(ev.DEPLETED)
    table.select(1, 2)
    assert table.state.over
    assert (table.may.army, table.david.army) == (["jarl", "outlaw"], ["blade", "gunner"])


@rule("factionwars", 23, 40)
def test_it_may_be_the_last_card_of_the_deck() -> None:
    """Then the deck is used up, and no card is left to fill its place."""
    table = the_last_pass(later(2)).leaves("jarl", "war-is-over")
    table.select(1, 2)
    assert table.lineup == ["jarl"]
    assert len(table.happened(ev.DEPLETED)) == 1
    assert [event[4] for event in table.happened(ev.LAST_ROUND)] == [ev.BY_CARD]


@rule("factionwars", 40)
def test_a_gambler_that_turns_it_up_draws_the_next_card() -> None:
    table = later(2)
    table.state.depleted = 1
    table.lines_up("gambler", "blade").on_top("war-is-over", "jarl", "gunner")
    table.select(1, 2)
    assert table.state.over
    assert (table.may.army, table.david.army) == (["gambler", "jarl"], ["blade"])
    assert [event[4] for event in table.happened(ev.LAST_ROUND)] == [ev.BY_CARD]


@rule("factionwars", 40)
def test_a_call_to_arms_draws_three_besides_it() -> None:
    table = later(2)
    table.state.depleted = 1
    table.on_top("jarl", "war-is-over", "gunner", "raider", "oarsman")
    table.collects(table.may, "call-to-arms")
    assert table.may.legal() == ["gunner", "raider", "jarl"]
    assert table.state.last == ev.BY_CARD


@rule("factionwars", 42)
def test_by_option_the_game_is_over_when_it_appears() -> None:
    """It appears while the next line-up is filled. That line-up is not played, and its cards go to no player. By the
    default reading it is the line-up of the last round."""
    table = the_last_pass(later(2, end="at-once"), "war-is-over", "jarl", "gunner")
    table.select(1, 2)
    assert table.state.over
    assert (table.may.army, table.david.army) == (["outlaw"], ["blade"])
    usual = the_last_pass(later(2), "war-is-over", "jarl", "gunner")
    usual.select(1, 2)
    assert not usual.state.over
    assert usual.lineup == ["jarl", "gunner"]

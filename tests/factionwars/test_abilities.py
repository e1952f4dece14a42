"""The effect of every kind of card when collected, its limits, and the players it does not affect."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.core.rules.state import CHANCE
from gonfalon.core.text.citations import cite_rule
from gonfalon.games.factionwars.rules import events as ev
from gonfalon.testing import rule
from tests.factionwars.scenario import Player, Table


def middle(table: Table, deck: list[str], discard: list[str]) -> Table:
    """Set the recruit deck, top card first, and its discard pile. All other cards leave the game for the test."""
    full = table.state.setup.full
    table.state.deck[:] = [table.kind(name) for name in deck[::-1]]
    table.state.discard[:] = [table.kind(name) | full for name in discard]
    return table


def give_card(table: Table, player: Player, name: str) -> Table:
    """Let the player collect a card from outside the game."""
    table.state.collect(player.seat, table.kind(name) | table.state.setup.full)
    table.state.settle()
    return table


def place(player: Player) -> tuple[list[str], list[str], list[str]]:
    """Return all cards of a player by zone."""
    return player.army, player.pile, player.deck


# ---- ordinary recruits -------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["ranch-hand", "blade", "captain", "jarl", "berserker", "fair-winds", "kuji-kiri"])
def test_a_recruit_without_an_ability_only_joins(card: str) -> None:
    table = Table(seats=3)
    table.david.owns("outlaw")
    others = [place(table.david), place(table.ann)]
    deck = len(table.deck)
    table.collects(table.may, card)
    assert (table.may.army, table.may.pile) == ([card], [card])
    assert [place(table.david), place(table.ann)] == others
    assert len(table.deck) == deck - 1
    assert table.question() == ([0, 1, 2], "select")


# ---- Bystanders --------------------------------------------------------------------------------------


@rule("factionwars", 13)
def test_a_bystander_goes_to_the_player_whom_its_collector_names() -> None:
    table = Table(seats=3)
    table.collects(table.may, "bystander")
    assert table.question() == ([0], "bystander")
    assert table.may.legal() == ["to:1", "to:2"]
    assert cite_rule(table.may.why_not("to:0")) == "Give the Bystander to another player (ruling 13)."
    table.may.does("to:2")
    assert table.ann.pile == ["bystander"]
    assert table.may.army == table.david.army == []


@rule("factionwars", 14)
def test_a_bystander_drawn_by_a_gambler_is_handed_on_at_once() -> None:
    table = Table(seats=3).on_top("bystander")
    table.collects(table.may, "gambler")
    assert table.question() == ([0], "bystander")
    table.may.does("to:1")
    assert (table.may.army, table.david.army) == (["gambler"], ["bystander"])


def test_a_bystander_is_no_recruit() -> None:
    """No ability takes one away: no random pick, no Desertion, no search of the discard pile."""
    table = Table(seats=2)
    table.david.owns("bystander")
    table.discarded("bystander")
    for card in ("buccaneer", "kunoichi", "desertion", "prisoner-exchange", "parley"):
        table.collects(table.may, card)
        assert table.question() == ([0, 1], "select")
    assert table.david.army == ["bystander"]
    assert table.may.army == ["buccaneer", "kunoichi"]


# ---- Gamblers ----------------------------------------------------------------------------------------


def test_a_gambler_draws_the_top_card() -> None:
    table = Table(seats=2).on_top("jarl", "outlaw")
    table.collects(table.may, "gambler")
    assert table.may.pile == ["gambler", "jarl"]
    assert table.deck[0] == "outlaw"
    assert table.david.army == []


@rule("factionwars", 23)
def test_a_gambler_that_draws_the_last_card_has_the_deck_made_anew_first() -> None:
    """The last card is a Gambler too. It draws from the new deck, which holds the only discarded card."""
    table = middle(Table(seats=2), ["gambler"], ["jarl"])
    give_card(table, table.may, "gambler")
    assert table.may.pile == ["gambler", "gambler", "jarl"]
    # The new deck of one card ran out in its turn, with nothing to shuffle: two depletions.
    assert [event[4] for event in table.happened(ev.DEPLETED)] == [1, 2]


@rule("factionwars", 23)
def test_a_gambler_drawn_as_the_last_card_draws_from_the_shuffled_deck() -> None:
    table = middle(Table(seats=2), ["gambler"], ["jarl", "blade", "captain"])
    give_card(table, table.may, "gambler")
    assert table.question() == ([CHANCE], "shuffle")
    assert table.may.army == ["gambler"]
    table.seed(1)
    assert table.may.pile[:2] == ["gambler", "gambler"]
    assert table.may.pile[2] in ("jarl", "blade", "captain")
    assert "You collect Gambler." in table.may.log()


@rule("factionwars", 22)
def test_an_action_drawn_by_a_gambler_is_performed_and_then_discarded() -> None:
    table = Table(seats=2).on_top("desertion")
    table.david.owns("outlaw")
    table.collects(table.may, "gambler").settle_chance()
    assert (table.may.army, table.david.army) == (["gambler"], [])
    assert table.discard == ["outlaw", "desertion"]


# ---- Buccaneers and Kunoichi -------------------------------------------------------------------------


@rule("factionwars", 16)
@pytest.mark.parametrize("card", ["buccaneer", "kunoichi"])
def test_the_collector_names_the_player_and_chance_the_card(card: str) -> None:
    table = Table(seats=4)
    table.david.owns("outlaw", "jarl")
    table.ben.owns("blade", "captain")
    table.collects(table.may, card)
    assert table.question() == ([0], "victim")
    assert table.may.legal() == ["to:1", "to:3"]
    table.may.does("to:3")
    assert table.question() == ([CHANCE], "steal")
    assert table.outcomes() == {"steal:blade": 1, "steal:captain": 1}
    table.chance("steal:captain").settle_chance()
    assert table.ben.army == ["blade"]
    assert table.may.army == (["buccaneer", "captain"] if card == "buccaneer" else ["kunoichi"])
    assert table.discard == ([] if card == "buccaneer" else ["captain"])
    assert (table.david.army, table.ann.army) == (["jarl", "outlaw"], [])


@rule("factionwars", 17)
def test_both_parts_of_an_army_are_picked_from_but_only_recruits() -> None:
    """Two Outlaws are in different parts of the army, with a Bonus Card. Conscripts and Bystanders cannot be picked."""
    table = Table(seats=2)
    table.david.owns("outlaw", "outlaw", "gatling-gun", "bystander").draws("outlaw", "rock", "jarl")
    table.collects(table.may, "buccaneer")
    assert table.outcomes() == {"steal:outlaw": 2, "steal:jarl": 1, "steal:gatling-gun": 1}


@rule("factionwars", 17)
@pytest.mark.parametrize("option", ["safe", "apart"])
def test_by_option_bonus_cards_are_not_picked(option: str) -> None:
    table = Table(seats=3, bonus=option)
    table.david.owns("outlaw", "gatling-gun", "jarl")
    table.ann.owns("kuji-kiri")
    table.collects(table.may, "kunoichi")
    assert table.outcomes() == {"steal:outlaw": 1, "steal:jarl": 1}


@rule("factionwars", 17, 28)
@pytest.mark.parametrize(("option", "may_leave"), [("recruits", True), ("safe", True), ("apart", False)])
def test_whether_a_bonus_card_can_desert_or_be_given(option: str, may_leave: bool) -> None:
    """A Bonus Card protected from random picks is still a recruit. One that is set apart is not."""
    table = Table(seats=2, bonus=option)
    table.david.owns("gatling-gun", "outlaw", "jarl")
    table.collects(table.may, "desertion")
    assert table.david.legal() == ["outlaw", "jarl"] + ["gatling-gun"] * may_leave
    table = Table(seats=2, bonus=option)
    table.may.owns("gatling-gun", "outlaw", "jarl")
    table.david.owns("blade")
    table.collects(table.may, "parley")
    assert table.may.legal() == ["outlaw", "jarl"] + ["gatling-gun"] * may_leave
    if not may_leave:
        assert cite_rule(table.may.why_not("gatling-gun")) == "This card is not a recruit (ruling 17)."


@rule("factionwars", 18)
@pytest.mark.parametrize("card", ["buccaneer", "kunoichi"])
def test_only_players_with_a_recruit_can_be_named(card: str) -> None:
    table = Table(seats=4)
    table.david.owns("outlaw")
    table.ann.owns("bystander")
    table.ben.owns("jarl")
    table.collects(table.may, card)
    assert table.may.legal() == ["to:1", "to:3"]
    assert cite_rule(table.may.why_not("to:2")) == "This player has no recruits (ruling 18)."
    assert cite_rule(table.may.why_not("to:0")) == "Choose another player (ruling 16)."


@rule("factionwars", 18)
@pytest.mark.parametrize("card", ["buccaneer", "kunoichi"])
def test_without_any_recruit_nothing_happens_and_the_card_is_kept(card: str) -> None:
    table = Table(seats=3)
    table.david.owns("bystander")
    table.may.owns("outlaw")
    table.collects(table.may, card)
    assert table.may.army == sorted([card, "outlaw"])
    assert table.discard == []
    [nothing] = table.happened(ev.NOTHING)
    assert nothing[4] == ev.NO_TARGET
    assert table.question() == ([0, 1, 2], "select")


@rule("factionwars", 19)
@pytest.mark.parametrize("card", ["buccaneer", "kunoichi"])
def test_after_a_loss_all_cards_are_a_new_battle_deck(card: str) -> None:
    table = Table(seats=3)
    table.david.owns("blade", "jarl").draws("outlaw", "rock")
    ann = place(table.ann)
    table.collects(table.may, card)
    table.chance("steal:blade")
    assert table.david.pile == []
    assert sorted(table.david.deck) == ["jarl", "outlaw", "paper", "rock", "scissors"]
    assert place(table.ann) == ann
    assert [(e[2], e[4], e[5]) for e in table.happened(ev.SHUFFLED)] == [(1, 5, ev.LOST_ONE)]


@rule("factionwars", 19)
def test_by_option_only_the_draw_part_is_shuffled() -> None:
    """The pile stays open. Chance reveals which part the card came from, with the weights of both."""
    table = Table(seats=2, shuffle="deck")
    table.david.owns("blade", "outlaw", "outlaw").draws("outlaw", "rock")
    table.collects(table.may, "buccaneer")
    assert table.outcomes() == {"steal:outlaw": 1, "steal-open:blade": 1, "steal-open:outlaw": 1}
    table.chance("steal-open:outlaw")
    assert sorted(table.david.pile) == ["blade", "paper", "scissors"]
    assert sorted(table.david.deck) == ["outlaw", "rock"]
    assert [(e[2], e[4], e[5]) for e in table.happened(ev.SHUFFLED)] == [(1, 2, ev.LOST_ONE)]


@rule("factionwars", 20)
def test_a_stolen_gambler_draws_for_the_thief() -> None:
    table = Table(seats=2).on_top("jarl")
    table.david.owns("gambler")
    table.collects(table.may, "buccaneer").settle_chance()
    assert (table.may.army, table.david.army) == (["buccaneer", "gambler", "jarl"], [])


@rule("factionwars", 20)
def test_a_chain_from_gambler_to_buccaneer_to_buccaneer_to_gambler() -> None:
    """Each link makes its own choice, and each loser shuffles a new battle deck."""
    table = Table(seats=3).on_top("buccaneer", "captain")
    table.david.owns("buccaneer", "jarl")
    table.ann.owns("gambler", "outlaw")
    table.collects(table.may, "gambler")
    table.may.does("to:1")
    table.chance("steal:buccaneer")
    table.may.does("to:2")
    table.chance("steal:gambler")
    assert table.question() == ([0, 1, 2], "select")
    assert [event[2] for event in table.happened(ev.SHUFFLED)] == [1, 2]
    assert table.david.pile == table.ann.pile == []
    assert table.may.pile == ["gambler", "buccaneer", "buccaneer", "gambler", "captain"]
    assert (table.david.army, table.ann.army) == (["jarl"], ["outlaw"])


def test_a_kunoichis_victim_does_not_trigger() -> None:
    table = Table(seats=2).on_top("jarl")
    table.david.owns("gambler")
    table.collects(table.may, "kunoichi").settle_chance()
    assert (table.may.army, table.david.army, table.discard) == (["kunoichi"], [], ["gambler"])
    assert table.deck[0] == "jarl"


# ---- the safety --------------------------------------------------------------------------------------


SHORT: dict[str, Any] = {"form": 1, "box": {"chain": 2}}


@rule("factionwars", 21)
def test_a_chain_ends_at_its_limit() -> None:
    """With a limit of two the third Gambler is kept but draws no card."""
    table = Table(seats=2, cards=SHORT).on_top("gambler", "gambler", "jarl")
    table.collects(table.may, "gambler")
    assert table.may.pile == ["gambler", "gambler", "gambler"]
    assert table.deck[0] == "jarl"
    assert len(table.happened(ev.WORTHLESS)) == 1


@rule("factionwars", 21)
def test_every_place_of_the_line_up_begins_a_chain_of_its_own() -> None:
    table = Table(seats=2, cards=SHORT).lines_up("gambler", "gambler", "bystander").on_top("gambler", "jarl", "captain")
    table.select(1, 2)
    assert table.may.pile == ["gambler", "gambler", "jarl"]
    assert table.david.pile == ["gambler", "captain"]


@rule("factionwars", 21)
def test_the_limit_is_a_hundred() -> None:
    """In a deck of Gamblers the first and 99 more draw, and the card drawn by the last one does not."""
    cards = [{"slug": "gambler", "name": "Gambler", "copies": 60, "battle": 1, "points": 1, "ability": "gambler"}]
    cards.append({"slug": "raider", "name": "Raider", "copies": 60, "battle": 1, "points": 1, "ability": "gambler"})
    raw = {
        "form": 1,
        "alone": True,
        "faction": [{"slug": "red", "name": "Red", "cards": cards}],
        "conscript": [{"slug": "rock", "name": "Rock", "copies": 1, "battle": 1}],
    }
    table = Table(seats=2, cards=raw)
    table.collects(table.may, "gambler")
    assert len(table.may.army) == 101
    assert len(table.happened(ev.DREW)) == 100


# ---- Call to Arms ------------------------------------------------------------------------------------


def test_call_to_arms_draws_three_collects_one_and_discards_two() -> None:
    table = Table(seats=3).on_top("jarl", "outlaw", "blade", "captain")
    table.collects(table.may, "call-to-arms")
    assert table.question() == ([0], "keep")
    assert table.may.legal() == ["outlaw", "blade", "jarl"]
    table.may.does("blade")
    assert table.may.army == ["blade"]
    assert table.discard == ["jarl", "outlaw", "call-to-arms"]
    assert table.deck[0] == "captain"
    assert table.david.army == table.ann.army == []


def test_of_three_alike_one_is_kept_without_a_question() -> None:
    table = Table(seats=2).on_top("berserker", "berserker", "berserker")
    table.collects(table.may, "call-to-arms")
    assert table.may.army == ["berserker"]
    assert table.discard == ["berserker", "berserker", "call-to-arms"]


@rule("factionwars", 22)
def test_an_action_that_is_performed_lies_in_no_pile() -> None:
    """The deck runs out during a Call to Arms. The new deck is the discard pile without the Call to Arms and the card
    it has drawn."""
    table = middle(Table(seats=2), ["outlaw"], ["jarl", "blade", "captain"])
    give_card(table, table.may, "call-to-arms")
    assert table.names(table.state.table) == ["call-to-arms", "outlaw"]
    assert table.question() == ([CHANCE], "shuffle")
    assert sorted(table.deck) == ["blade", "captain", "jarl"]
    table.settle_chance()
    assert len(table.may.legal()) == 3
    assert "outlaw" in table.may.legal()
    table.may.does("outlaw")
    assert "call-to-arms" not in table.deck
    assert table.discard[-1] == "call-to-arms"


@rule("factionwars", 23, 26)
def test_a_call_to_arms_takes_the_remaining_cards() -> None:
    """In the last pass two cards are left, and there is no third."""
    table = Table(seats=2)
    table.state.depleted = 1
    give_card(middle(table, ["outlaw", "blade"], ["jarl"]), table.may, "call-to-arms")
    assert table.may.legal() == ["outlaw", "blade"]
    assert table.state.last == ev.BY_DECK
    table.may.does("outlaw")
    assert table.may.army == ["outlaw"]
    assert table.discard == ["jarl", "blade", "call-to-arms"]


# ---- Prisoner Exchange -------------------------------------------------------------------------------


def test_prisoner_exchange_collects_a_recruit_of_the_discard_pile() -> None:
    """Bystanders and Actions there are not recruits."""
    table = Table(seats=3).discarded("jarl", "bystander", "desertion", "blade", "kuji-kiri")
    table.collects(table.may, "prisoner-exchange")
    assert table.may.legal() == ["blade", "jarl", "kuji-kiri"]
    assert cite_rule(table.may.why_not("bystander")) == "This card is not a recruit (ruling 17)."
    assert cite_rule(table.may.why_not("outlaw")) == "This card is not in the discard pile (ruling 22)."
    table.may.does("blade")
    assert table.may.army == ["blade"]
    assert table.discard == ["jarl", "bystander", "desertion", "kuji-kiri", "prisoner-exchange"]
    assert table.david.army == table.ann.army == []


def test_an_exchange_without_a_prisoner_does_nothing() -> None:
    table = Table(seats=2).discarded("bystander")
    table.collects(table.may, "prisoner-exchange")
    assert table.may.army == []
    assert table.discard == ["bystander", "prisoner-exchange"]
    assert [event[4] for event in table.happened(ev.NOTHING)] == [ev.NO_CARDS]


# ---- Desertion ---------------------------------------------------------------------------------------


@rule("factionwars", 19)
def test_everybody_else_removes_a_recruit_of_their_choice_and_shuffles() -> None:
    table = Table(seats=4)
    table.may.owns("captain")
    table.david.owns("outlaw", "jarl", "bystander")
    table.ann.owns("blade", "blade", "deputy")
    table.collects(table.may, "desertion")
    assert table.question() == ([1, 2], "desert")
    assert table.ann.legal() == ["deputy", "blade"]
    assert table.david.legal() == ["outlaw", "jarl"]
    assert cite_rule(table.david.why_not("bystander")) == "This card is not a recruit (ruling 17)."
    assert cite_rule(table.david.why_not("blade")) == "You have no such recruit (ruling 17)."
    table.ann.does("blade")
    assert "blade" not in table.discard
    table.david.does("outlaw")
    table.settle_chance()
    assert (table.may.army, table.may.pile) == (["captain"], ["captain"])
    assert (table.david.army, table.david.pile) == (["bystander", "jarl"], [])
    assert (table.ann.army, table.ann.pile) == (["blade", "deputy"], [])
    assert table.ben.army == []
    assert sorted(table.discard) == ["blade", "desertion", "outlaw"]
    assert sorted(event[2] for event in table.happened(ev.SHUFFLED)) == [1, 2]


def test_a_player_with_one_kind_is_not_asked() -> None:
    table = Table(seats=3)
    table.david.owns("outlaw", "outlaw")
    table.ann.owns("blade", "jarl")
    table.collects(table.may, "desertion")
    assert table.question() == ([2], "desert")
    table.ann.does("jarl")
    assert (table.david.army, table.ann.army) == (["outlaw"], ["blade"])


def test_recruits_desert_in_turn_order_after_the_caller() -> None:
    """All choose simultaneously. The order in the discard pile is the turn order."""
    table = Table(seats=4)
    table.may.owns("jarl", "outlaw")
    table.ann.owns("captain", "blade")
    table.ben.owns("marshal", "gunner")
    table.collects(table.david, "desertion")
    for player, name in ((table.may, "outlaw"), (table.ann, "captain"), (table.ben, "gunner")):
        player.does(name)
    assert [event[2] for event in table.happened(ev.DESERTED)] == [2, 3, 0]
    assert table.discard[:3] == ["captain", "gunner", "outlaw"]


# ---- Parley ------------------------------------------------------------------------------------------


@rule("factionwars", 19, 35)
def test_a_parley_gives_one_and_takes_one_at_random() -> None:
    table = Table(seats=4)
    table.may.owns("outlaw", "jarl")
    table.david.owns("blade", "blade", "captain", "bystander")
    table.ben.owns("marshal")
    table.collects(table.may, "parley")
    assert table.question() == ([0], "parley")
    assert table.may.legal() == ["to:1", "to:3"]
    assert cite_rule(table.may.why_not("to:2")) == "This player has no recruits (ruling 18)."
    table.may.does("to:1")
    assert table.question() == ([0], "gift")
    assert table.may.legal() == ["outlaw", "jarl"]
    assert cite_rule(table.may.why_not("blade")) == "You have no such recruit (ruling 17)."
    table.may.does("outlaw")
    # The gift is not among the cards that chance picks from.
    assert table.outcomes() == {"steal:blade": 2, "steal:captain": 1}
    table.chance("steal:captain").settle_chance()
    assert table.may.army == ["captain", "jarl"]
    assert table.david.army == ["blade", "blade", "bystander", "outlaw"]
    assert (table.ann.army, table.ben.army) == ([], ["marshal"])
    # Both have shuffled what was left; what they got lies in their discard piles.
    assert (table.may.pile, table.david.pile) == (["captain"], ["outlaw"])
    assert sorted(event[2] for event in table.happened(ev.SHUFFLED)) == [0, 1]
    assert [event[5] for event in table.happened(ev.STOLE)] == [3], "one of three recruits"
    assert table.discard == ["parley"]


@rule("factionwars", 36)
def test_the_card_that_is_taken_triggers_and_the_one_given_does_not() -> None:
    table = Table(seats=2).on_top("jarl", "outlaw")
    table.may.owns("gambler")
    table.david.owns("gambler")
    table.collects(table.may, "parley").settle_chance()
    assert table.may.army == ["gambler", "jarl"]
    assert table.david.army == ["gambler"]


@rule("factionwars", 35)
def test_the_gift_cannot_come_back() -> None:
    """David owns one recruit, so May takes that one, and hers stays with him."""
    table = Table(seats=2)
    table.may.owns("marshal")
    table.david.owns("oarsman")
    table.collects(table.may, "parley")
    assert table.question() == ([0, 1], "select"), "nothing was left to choose or to chance"
    assert (table.may.army, table.david.army) == (["oarsman"], ["marshal"])


@rule("factionwars", 37)
def test_a_parley_needs_something_to_give() -> None:
    table = Table(seats=2)
    table.may.owns("bystander")
    table.david.owns("jarl")
    table.collects(table.may, "parley")
    assert (table.may.army, table.david.army) == (["bystander"], ["jarl"])
    assert [event[4] for event in table.happened(ev.NOTHING)] == [ev.NOTHING_TO_GIVE]

"""The rule-of-thumb player: positions whose best move can be reckoned by hand, and its honesty."""

from __future__ import annotations

import pytest

from gonfalon.core.cards import KIND
from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE
from gonfalon.core.worlds import worlds
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.bots.card_worth import Appraisal
from tests.factionwars.scenario import Player, Table

SEEDS = range(5)


def chooses(player: Player) -> set[str]:
    """What the rule of thumb does, with any stream."""
    game = player.table.game
    found = set()
    for seed in SEEDS:
        action, why = game.rule_of_thumb().choose(player.view, Rng(seed))
        assert action in player.view.legal(player.seat)
        assert why.endswith(".")
        found.add(game.notation(action))
    return found


def appraisal(player: Player) -> Appraisal:
    return Appraisal(player.table.game, player.view)


def worth(player: Player, name: str) -> float:
    return appraisal(player).worth(player.seat, player.table.kind(name))


# ---- what cards are worth ----------------------------------------------------------------------------


def test_another_berserker_is_worth_more_the_more_one_has() -> None:
    """The first brings 1, the third 3 * 3 - 2 * 2 = 5."""
    table = Table()
    table.may.owns("berserker", "berserker")
    look = appraisal(table.may)
    assert look.points(0, table.kind("berserker")) - look.points(1, table.kind("berserker")) == 4
    assert look.points(1, table.kind("jarl")) == 5


def test_a_bonus_card_is_worth_its_faction() -> None:
    """With four Pirates Fair Winds brings 5 at once; without any only itself and hopes."""
    table = Table()
    table.may.owns("deckhand", "gunner", "gunner", "first-mate")
    look = appraisal(table.may)
    fair_winds = table.kind("fair-winds")
    assert look.points(0, fair_winds) >= 5
    assert look.points(0, fair_winds) - look.points(1, fair_winds) == 4


def test_what_is_to_come_is_summed_alike_on_all_versions_of_python() -> None:
    """Before 3.12 `sum` rounded after each number, so that thoughts at a tie were told otherwise. Here that shows."""
    table = Table()
    look = appraisal(table.may)
    look.coming = [0.0] * len(look.coming)
    for name, hope in (("deckhand", 1e16), ("gunner", 1.0), ("first-mate", -1e16)):
        look.coming[table.kind(name)] = hope
    assert look.points(0, table.kind("fair-winds")) == 0 + 1 + 1


def test_a_card_of_an_owned_bonus_is_worth_a_point_more() -> None:
    table = Table()
    table.may.owns("fair-winds")
    look = appraisal(table.may)
    assert look.points(0, table.kind("gunner")) == look.points(1, table.kind("gunner")) + 1
    assert look.points(0, table.kind("shadow")) == look.points(1, table.kind("shadow"))


def test_the_own_goal_counts_and_nobody_elses() -> None:
    table = Table()
    table.may.has_goal("shield-biters")
    table.david.has_goal("wild-west")
    table.may.owns("berserker")
    look = appraisal(table.may)
    assert look.toward_goal(table.kind("berserker")) > 0
    assert look.toward_goal(table.kind("jarl")) == 0
    assert look.goal is not None
    assert look.goal.slug == "shield-biters"


def test_without_a_bystander_one_wants_none_when_that_is_the_goal() -> None:
    table = Table()
    table.may.has_goal("clean-hands")
    assert appraisal(table.may).toward_goal(table.kind("bystander")) == -5


def test_a_buccaneer_is_worth_what_there_is_to_take() -> None:
    table = Table()
    poor = worth(table.may, "buccaneer")
    table.david.owns("marshal", "jarl")
    assert worth(table.may, "buccaneer") > poor + 5


# ---- battles -----------------------------------------------------------------------------------------


def test_chances_in_a_battle_are_counted_from_what_armies_hold() -> None:
    """May's deck is a Marshal (5) and a rock (1), David's the three conscripts (1 each): she wins with the
    Marshal and is level with the rock, (1 + 1/2) / 2 = 3/4."""
    table = Table()
    table.may.draws("marshal", "rock")
    assert appraisal(table.may).beats(0, 1) == 0.75
    assert appraisal(table.may).beats(1, 0) == 0.25


def test_a_card_that_lies_open_in_the_discard_pile_is_not_in_the_deck() -> None:
    table = Table()
    table.may.owns("marshal")
    assert appraisal(table.david).beats(0, 1) == 0.5


# ---- choices -----------------------------------------------------------------------------------------


def test_the_best_card_is_selected_when_nobody_can_take_it_away() -> None:
    table = Table(seats=2)
    table.may.has_goal("shield-biters").owns("clan-master").draws("marshal", "captain", "jarl")
    table.lines_up("berserker", "lookout", "oarsman")
    table.may.owns("berserker")
    assert chooses(table.may) == {"take:1"}


def test_the_bystander_goes_to_who_leads() -> None:
    table = Table()
    table.ann.owns("marshal", "jarl", "captain")
    table.collects(table.may, "bystander")
    assert chooses(table.may) == {"to:2"}


def test_a_kunoichi_hits_who_has_most_to_lose() -> None:
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
def test_the_same_view_gives_the_same_choice_whatever_is_hidden(seats: int) -> None:
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


def test_with_the_later_revision_it_counts_the_open_bonus_cards() -> None:
    table = Table(revision="later")
    look = appraisal(table.may)
    shown = {look.setup.faction_of[card & KIND] for card in table.state.bonus}
    in_shown = next(kind for kind in range(look.setup.plain) if look.setup.faction_of[kind] in shown)
    plain = look.setup.points[in_shown] if not look.setup.kinds[in_shown].berserker else 0
    assert look.points(0, in_shown) >= plain + 1

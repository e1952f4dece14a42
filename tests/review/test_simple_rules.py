"""The simple rules of the second judge, with ratings computed by hand."""

from __future__ import annotations

import pytest

from gonfalon import games
from gonfalon.core.rules.state import CHANCE
from gonfalon.games.factionwars.bots.simple_rules import rate_card
from gonfalon.games.factionwars.rules.state import FactionState
from gonfalon.games.feint.bots.simple_rules import weigh_battles
from gonfalon.games.feint.rules.state import BOTH
from gonfalon.games.jinkei.bots.simple_rules import rate_actions
from gonfalon.games.jinkei.rules.setup import LAID, REARGUARD, SPACE_OF
from gonfalon.games.jinkei.rules.state import JinkeiState
from tests.feint.scenario import Table, card


def test_a_battle_in_feint_is_likely_where_the_opponent_has_strength() -> None:
    """Two cards of each Location. Strength 3 at Location 5 counts (1 + 3)³ = 64 for each, any other place 1."""
    table = Table(david=[card("hen", 3)])
    table.may.scouted(2)
    table.david.has("hen", at=5)
    leads, chances = weigh_battles(table.state)
    assert leads == [0.0, 0.0, 0.0, -15.0, 0.0]
    assert chances == pytest.approx([1.0, 2 / 136, 2 / 136, 128 / 136, 2 / 136])


def test_no_battle_in_feint_is_expected_where_the_location_cards_are_used() -> None:
    table = Table(david=[card("hen", 3)])
    table.may.scouted(2)
    table.david.has("hen", at=5)
    table.state.used[1] = [table.place(5) | BOTH] * 2
    assert weigh_battles(table.state)[1] == pytest.approx([1.0, 0.25, 0.25, 0.0, 0.25])


def test_high_cards_of_jinkei_go_to_the_vanguard() -> None:
    """A space of the Vanguard without a bonus counts 0.6 for each rank, one of the Rearguard nothing."""
    s = games.game("jinkei").start()
    assert isinstance(s, JinkeiState)
    seen = set()
    while s.stack and s.round < 2:
        seat = s.turn
        if seat != CHANCE and s.stack[-1].prompt == "front":
            for action, rating in zip(s.actions, rate_actions(s), strict=True):
                space, rank = SPACE_OF[action], s.setup.rank[LAID[action]]
                if not s.forms[seat].bonus[space]:
                    seen.add(space < REARGUARD)
                    assert rating == pytest.approx(0.6 * rank if space < REARGUARD else 0.0)
        s.apply(seat, s.actions[0])
    assert seen == {True, False}


def test_cards_of_faction_wars_that_act_at_once_are_worth_three_points_more() -> None:
    s = games.game("factionwars").start()
    assert isinstance(s, FactionState)
    s.goal[0] = []
    kinds = [kind for kind, card in enumerate(s.kinds) if not card.bystander]
    assert {card.acts for card in s.kinds} == {True, False}
    for kind in kinds:
        card = s.kinds[kind]
        assert rate_card(s, kind) == pytest.approx(card.points + 0.3 * card.battle + (3.0 if card.acts else 0.0))

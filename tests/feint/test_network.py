"""Expert of Feint: it asks a trained network, and tries out what that proposes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gonfalon import Rng
from gonfalon.bots import Budget, make
from gonfalon.bots.networks.network import load
from gonfalon.bots.networks.planner import Planner
from gonfalon.bots.search.searcher import SearchBot
from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN
from gonfalon.core.rules.state import Action, State
from gonfalon.games.feint import Feint
from gonfalon.games.feint.bots.levels import TRAINED
from gonfalon.games.feint.rules.actions import PASS
from gonfalon.games.feint.rules.state import FeintState
from tests.bots.planners import positions, told
from tests.feint.scenario import Table, card

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(
        load(TRAINED).about["cards"] != Feint().learnt_hash,
        reason="Expert plays by search until the network is trained with these cards",
    ),
]


def test_with_cards_or_rules_that_the_network_has_not_learnt_it_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(make("expert", Feint(factions=("mibits", "wu"))), Planner)
    own = Table(may=[card("ox", 6)], david=[card("hen", 3)])
    assert isinstance(make("expert", own.game), SearchBot)
    monkeypatch.setattr(Feint, "version", "other")
    assert isinstance(make("expert", Feint()), SearchBot)


def test_it_tells_what_it_tried() -> None:
    game = Feint(factions=("agents", "engineers"))
    bot = make("expert", game)
    found = [told(bot, state) for state in positions(game, "deploy", 4, 4)]
    assert sum(choice.alternatives != () for choice in found) >= 2
    assert {belief.about for choice in found for belief in choice.beliefs} == {"their Location Card"}
    assert all(choice.beliefs for choice in found)


class Careless:
    """Passes whenever he may; keeps what he was shown."""

    def __init__(self) -> None:
        self.views: list[FeintState] = []

    def choose(self, view: State, rng: Rng) -> tuple[Action, str]:
        assert isinstance(view, FeintState)
        self.views.append(view)
        return (PASS if PASS in view.actions else view.actions[0]), "As ever."


def against_careless(part: float, state: State) -> tuple[float, list[FeintState]]:
    """The chance that Expert gives itself where the other seat is `Careless` in a part of its worlds, and what that
    one was shown."""
    bot = make("expert", Feint(factions=("agents", "engineers")))
    assert isinstance(bot, Planner)
    bot.settings = replace(bot.settings, rule_of_thumb_share=part)
    bot.rule_of_thumb = other = Careless()
    choice = bot.choose(state.mask(state.turn), Budget(iterations=160), Rng(1))
    assert choice.value is not None
    return choice.value.value, other.views


def test_the_rule_of_thumb_is_shown_what_the_other_seat_may_see() -> None:
    asked = 0
    for state in positions(Feint(factions=("agents", "engineers")), "deploy", 6, 4):
        me, foe = state.turn, 1 - state.turn
        for view in against_careless(1.0, state)[1]:
            asked += 1
            assert (view.viewer, view.turn) == (foe, foe)
            assert all(card & KIND == HIDDEN for card in view.hand[me] if not card & SEEN[foe])
            assert all(card & KIND == HIDDEN for card in view.scout[me] if not card & SEEN[foe])
    assert asked >= 100


def test_with_no_time_at_all_it_looks_at_one_world() -> None:
    game = Feint(factions=("mibits", "wu"))
    bot = make("expert", game)
    for state in positions(game, "reinforce", 1, 1) + positions(game, "deploy", 2, 4):
        choice = bot.choose(state.mask(state.turn), Budget(iterations=0), Rng(1))
        assert choice.value is not None
        assert choice.iterations >= 1


def test_it_stops_when_it_is_told_to() -> None:
    game = Feint(factions=("keion", "agents"))
    bot = make("expert", game)
    state = positions(game, "deploy", 3, 4)[-1]
    choice = bot.choose(state.mask(state.turn), Budget(iterations=100_000, halt=lambda: True), Rng(1))
    assert choice.iterations <= 64

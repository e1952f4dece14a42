"""Strong and Expert of Feint, which ask a trained network and test its proposals."""

from __future__ import annotations

import pytest

from gonfalon import Rng
from gonfalon.bots import Budget, make
from gonfalon.bots.networks.network import load
from gonfalon.bots.networks.planner import Planner
from gonfalon.bots.search.searcher import SearchBot
from gonfalon.games.feint import Feint
from gonfalon.games.feint.bots.levels import TRAINED
from tests.bots.planners import check_choice, positions
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


def test_it_reports_its_trials() -> None:
    game = Feint(factions=("agents", "engineers"))
    bot = make("expert", game)
    found = [check_choice(bot, state) for state in positions(game, "deploy", 4, 4)]
    assert sum(choice.alternatives != () for choice in found) >= 2
    assert {belief.about for choice in found for belief in choice.beliefs} == {"their Location Card"}
    assert all(choice.beliefs for choice in found)


def test_with_no_time_at_all_it_looks_at_one_world() -> None:
    game = Feint(factions=("mibits", "wu"))
    bot = make("expert", game)
    for state in positions(game, "reinforce", 1, 1) + positions(game, "deploy", 2, 4):
        choice = bot.choose(state.mask(state.turn), Budget(iterations=0), Rng(1))
        assert choice.value is not None
        assert choice.iterations >= 1


def test_it_stops_on_request() -> None:
    game = Feint(factions=("keion", "agents"))
    bot = make("expert", game)
    state = positions(game, "deploy", 3, 4)[-1]
    choice = bot.choose(state.mask(state.turn), Budget(iterations=100_000, halt=lambda: True), Rng(1))
    assert choice.iterations <= 64


def test_strong_considers_actions_that_the_network_rules_out() -> None:
    """Strong errs by playing a second-best action. A sure network would leave it only one action in most positions."""
    game = Feint(factions=("mibits", "wu"))
    strong = make("strong", game)
    for state in positions(game, "deploy", 3, 4):
        choice = strong.choose(state.mask(state.turn), Budget(iterations=16), Rng(1))
        assert sum(share > 0.0 for _, share in choice.policy) == min(8, len(state.actions))

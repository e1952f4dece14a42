"""Expert of Feint: it asks a trained network, and tries out what that proposes."""

from __future__ import annotations

import pytest

from gonfalon import Rng
from gonfalon.bots import Budget, make
from gonfalon.bots.planner import Planner
from gonfalon.bots.searcher import SearchBot
from gonfalon.bots.sense import to_choice
from gonfalon.core.state import State
from gonfalon.games.feint import Feint
from tests.feint.scenario import Table, card


def positions(game: Feint, prompt: str, count: int, seed: int = 2) -> list[State]:
    """Positions of random play in which a seat is asked this."""
    rng = Rng(seed)
    found: list[State] = []
    while len(found) < count:
        state = game.start(log=True)
        while len(found) < count and to_choice(state, rng):
            if state.stack[-1].prompt == prompt and rng.below(4) == 0:
                found.append(state.clone())
            state.apply(state.turn, state.actions[int(rng.below(len(state.actions)))])
    return found


def test_with_cards_or_rules_that_the_network_has_not_learnt_it_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(make("expert", Feint(factions=("mibits", "wu"))), Planner)
    own = Table(may=[card("ox", 6)], david=[card("hen", 3)])
    assert isinstance(make("expert", own.game), SearchBot)
    monkeypatch.setattr(Feint, "version", "other")
    assert isinstance(make("expert", Feint()), SearchBot)


def test_it_tells_what_it_tried() -> None:
    game = Feint(factions=("agents", "engineers"))
    bot = make("expert", game)
    weighed = 0
    for state in positions(game, "deploy", 4):
        view = state.mask(state.turn)
        choice = bot.choose(view, Budget(iterations=24), Rng(1))
        assert choice == bot.choose(state.mask(state.turn), Budget(iterations=24), Rng(1))
        assert choice.why
        assert sum(share for _, share in choice.policy) == pytest.approx(1.0)
        assert [action for action, _ in choice.policy] == view.actions
        if choice.value is not None:
            weighed += 1
            assert 0.0 <= choice.value.low <= choice.value.value <= choice.value.high <= 1.0
            assert choice.iterations <= 24 + 8
            assert sum(chance for _, chance in choice.beliefs[0].likely) == pytest.approx(1.0)
            assert choice.action not in [other.action for other in choice.alternatives]
    assert weighed >= 2


def test_small_questions_are_answered_at_once() -> None:
    game = Feint(factions=("mibits", "wu"))
    bot = make("expert", game)
    for state in positions(game, "reinforce", 3):
        choice = bot.choose(state.mask(state.turn), None, Rng(1))
        assert choice.iterations == 0
        assert "%" in choice.why


def test_it_stops_when_it_is_told_to() -> None:
    game = Feint(factions=("keion", "agents"))
    bot = make("expert", game)
    state = positions(game, "deploy", 3)[-1]
    choice = bot.choose(state.mask(state.turn), Budget(iterations=100_000, halt=lambda: True), Rng(1))
    assert choice.iterations <= 64

"""Expert of Feint: it asks a trained network, and tries out what that proposes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gonfalon import Rng
from gonfalon.bots import Budget, make
from gonfalon.bots.planner import BATCH, Planner
from gonfalon.bots.searcher import SearchBot
from gonfalon.bots.sense import to_choice
from gonfalon.core.state import Action, State
from gonfalon.games.feint import Feint
from tests.bots.planners import positions, told
from tests.feint.scenario import Table, card


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


def favourites(bot: Planner, view: State) -> list[Action]:
    """What the network would do in a place, the likeliest first."""
    bot.pilot.attend(view)
    policy = bot.policies([view])[0]
    return [view.actions[i] for i in sorted(range(len(policy)), key=lambda i: -policy[i])]


def test_what_is_too_rare_is_not_tried() -> None:
    """Nothing is rarer than never, so the two likeliest are tried; only one can be done half of the time."""
    game = Feint(factions=("agents", "engineers"))
    bot = make("expert", game)
    assert isinstance(bot, Planner)
    usual = bot.ideas
    for state in positions(game, "deploy", 4, 4):
        view = state.mask(state.turn)
        first, second = favourites(bot, view)[:2]
        bot.ideas = replace(usual, rare=0.0, most=2)
        choice = bot.choose(view, Budget(iterations=64), Rng(1))
        assert {choice.action, *(other.action for other in choice.alternatives)} == {first, second}
        bot.ideas = replace(usual, rare=0.5)
        choice = bot.choose(view, Budget(iterations=64), Rng(1))
        assert (choice.action, choice.alternatives) == (first, ())


def test_trust_in_the_policy_decides_between_it_and_what_was_tried() -> None:
    game = Feint(factions=("agents", "engineers"))
    bot = make("expert", game)
    assert isinstance(bot, Planner)
    usual = replace(bot.ideas, rare=0.0, most=2)
    turned = 0
    for state in positions(game, "deploy", 12, 4):
        view = state.mask(state.turn)
        first, second = favourites(bot, view)[:2]
        bot.ideas = replace(usual, trust=1e3)
        assert bot.choose(view, Budget(iterations=64), Rng(1)).action == first
        bot.ideas = replace(usual, trust=1e-9)
        choice = bot.choose(view, Budget(iterations=64), Rng(1))
        other = choice.alternatives[0]
        assert choice.value is not None
        assert other.value is not None
        assert choice.value.value >= other.value.value
        turned += choice.action == second
    assert turned >= 1


def test_small_questions_are_answered_at_once_and_with_a_chance() -> None:
    """Of the worlds of one deal nothing is played on: the network's value of them is the chance."""
    game = Feint(factions=("mibits", "wu"))
    bot = make("expert", game)
    assert isinstance(bot, Planner)
    for state in positions(game, "reinforce", 3, 4):
        choice = told(bot, state)
        assert (choice.iterations, choice.worlds) == (24, BATCH)
        assert choice.alternatives == ()
        assert choice.beliefs == (), "nobody has a Location Card then"
        assert "from playing against myself" in choice.why
        assert choice.value is not None
        after = state.clone()
        after.apply(after.turn, choice.action)
        assert to_choice(after, Rng(1))
        assert abs(choice.value.value - bot.values([after], state.turn)[0]) < 0.35


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

"""Expert of Feint: it asks a trained network, and tries out what that proposes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gonfalon import Rng
from gonfalon.bots import Basis, Budget, make
from gonfalon.bots.network_input import to_choice
from gonfalon.bots.planner import FEW, Planner, Trial
from gonfalon.bots.searcher import SearchBot
from gonfalon.bots.trials import BATCH
from gonfalon.core.cards import HIDDEN, KIND, SEEN
from gonfalon.core.state import Action, State
from gonfalon.games.feint import Feint
from gonfalon.games.feint.rules.actions import PASS
from gonfalon.games.feint.rules.state import FeintState
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
    policy = bot.adviser.shares([view])[0]
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
        assert choice.action == first
        assert [other.action for other in choice.alternatives] == [second], "to have something to tell"
        assert choice.iterations == 2 * FEW


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
    bot.ideas = replace(bot.ideas, rule_of_thumb_share=part)
    bot.rule_of_thumb = other = Careless()
    choice = bot.choose(state.mask(state.turn), Budget(iterations=160), Rng(1))
    assert choice.value is not None
    return choice.value.value, other.views


def test_in_a_part_of_its_worlds_the_other_seat_follows_the_rule_of_thumb() -> None:
    """Who passes at once is easy to beat, so the chance rises with the part of the worlds that he is in."""
    never, half, always = 0.0, 0.0, 0.0
    for state in positions(Feint(factions=("agents", "engineers")), "deploy", 6, 4):
        chance, views = against_careless(0.0, state)
        assert views == []
        never += chance
        half += against_careless(0.5, state)[0]
        always += against_careless(1.0, state)[0]
    assert never < half < always


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


def test_the_parts_are_kept_to_however_few_worlds_are_played() -> None:
    game = Feint(factions=("agents", "engineers"))
    bot = make("expert", game)
    assert isinstance(bot, Planner)
    view = positions(game, "deploy", 1, 1)[0]
    for part, by_it in ((0.0, 0), (0.25, 2), (0.5, 4), (1.0, 8)):
        bot.ideas = replace(bot.ideas, rule_of_thumb_share=part)
        trial = Trial(bot, view.mask(view.turn), {}, Rng(1))
        assert sum(trial.rival(number) is not None for number in range(8)) == by_it
        assert abs(sum(trial.rival(number) is not None for number in range(3)) - 3 * part) < 1


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
        assert choice.reason is not None
        assert choice.reason.basis == Basis.HABIT
        assert "after many games" in choice.why
        assert choice.value is not None
        after = state.clone()
        after.apply(after.turn, choice.action)
        assert to_choice(after, Rng(1))
        assert abs(choice.value.value - bot.adviser.values([after], state.turn)[0]) < 0.35


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

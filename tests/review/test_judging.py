"""Decisions judged from a view, with chances computed by hand."""

from __future__ import annotations

import pytest

from gonfalon.core.basics.rng import Rng
from gonfalon.review.judging.budgets import Budgets
from gonfalon.review.judging.judging import (
    Judge,
    Judgement,
    Outcomes,
    adjust_chances,
    find_mark,
    is_confirmed,
    judge_decision,
)
from gonfalon.review.judging.losses import DEFAULT_SCALE, Loss
from gonfalon.review.judging.players import Table
from gonfalon.review.judging.worlds import UnseenDeals
from tests.review.guess import DAVID, LOW_HALF, MAY, Guess, GuessState


def deal_card(seed: int) -> GuessState:
    s = Guess().start(log=True)
    s.apply(-1, -1 - seed)
    return s


def judge_choice(chosen: int, seed: int = 1, deal: int = 5) -> Judgement:
    found = judge_decision(Table(Guess()), deal_card(deal).mask(DAVID), chosen, Budgets(), seed)
    assert found is not None
    return found


def test_half_of_the_cards_is_better_than_one() -> None:
    """A half is right in 1/2, a card in 1/4. So 1/4 is lost, of which 0.84 is reported, 0.21. Its interval is 0.84 of
    the worlds', 1.96 * 0.3 * 0.25 = 0.147 for the discount and 0.069 for the floor, so its lower end is at most
    0.048: an inaccuracy."""
    found = judge_choice(3)
    assert found.best == LOW_HALF
    assert found.loss.low < 0.21 < found.loss.high
    assert found.value == pytest.approx(0.25, abs=0.1)
    assert found.best_value == pytest.approx(found.value + found.loss.value)
    assert found.mark == "inaccuracy"
    assert found.referee is not None
    assert found.referee.value > 0.0


def test_chances_differ_by_the_loss_and_stay_chances() -> None:
    """A loss scaled by 1.3 can exceed certainty. Then the lower chance is reduced."""
    assert adjust_chances(0.2, 0.3) == (0.2, 0.5)
    assert adjust_chances(0.9, 0.3) == pytest.approx((0.7, 1.0))
    assert adjust_chances(0.2, 1.2) == (0.0, 1.0)


def test_the_best_answer_loses_nothing() -> None:
    found = judge_choice(LOW_HALF)
    assert (found.best, found.mark, found.loss.value, found.referee) == (LOW_HALF, "", 0.0, None)


def tried_in(monkeypatch: pytest.MonkeyPatch, chosen: int) -> list[tuple[int, int]]:
    """Return the number of actions and of worlds of each trial for one decision."""
    calls: list[tuple[int, int]] = []
    as_ever = Judge.try_out

    def noted(judge_: Judge, found: Outcomes, actions: list[int], worlds: int) -> None:
        calls.append((len(actions), worlds))
        as_ever(judge_, found, actions, worlds)

    monkeypatch.setattr(Judge, "try_out", noted)
    judge_choice(chosen)
    return calls


def test_only_the_better_half_is_tried_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The four cards and the lower half start. After 16 of 32 worlds two of the four others remain beside the chosen
    action. Then the best, the second and the chosen one are tried in 32 fresh worlds, and in more only the two under
    comparison."""
    calls = tried_in(monkeypatch, 3)
    assert calls[:3] == [(5, 16), (3, 16), (3, 32)]
    assert set(calls[3:]) == {(2, 32)}


def test_where_the_best_one_was_chosen_the_second_is_set_against_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tried_in(monkeypatch, LOW_HALF) == [(5, 16), (3, 16), (2, 32)]
    assert judge_choice(LOW_HALF).lead is not None
    assert judge_choice(LOW_HALF).loss.value == 0.0


def seems_lost(monkeypatch: pytest.MonkeyPatch, loss: Loss) -> None:
    """Let the judge find this loss for any number of worlds."""
    monkeypatch.setattr(Outcomes, "find_smallest_lead", lambda _, a, b: Loss(0.0, 0.0, 0.0) if a == b else loss)


def test_a_mark_takes_more_worlds_than_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clear loss in a few worlds is checked in four times as many."""
    seems_lost(monkeypatch, Loss(0.5, 0.45, 0.55))
    assert (judge_choice(3).worlds, judge_choice(3).mark) == (4 * Budgets().again, "blunder")
    seems_lost(monkeypatch, Loss(0.01, 0.005, 0.015))
    assert (judge_choice(3).worlds, judge_choice(3).mark) == (Budgets().again, "")


def test_the_card_that_lies_there_makes_no_difference() -> None:
    """David's knowledge is the same in every deal, so naming the true card is no better than naming another one."""
    kinds = {deal_card(deal).hand[0] & 3: judge_choice(2, 7, deal) for deal in range(12)}
    assert len(kinds) == 4
    assert len(set(map(repr, kinds.values()))) == 1


def test_other_worlds_by_another_seed() -> None:
    assert judge_choice(3, 1) == judge_choice(3, 1)
    assert judge_choice(3, 1) != judge_choice(3, 2)


def test_an_action_that_is_good_under_one_belief_is_not_charged() -> None:
    """The action is ahead by 0.2 against one belief about the others and behind by 0.3 against another."""
    outcomes = Outcomes(2)
    for _ in range(4):
        outcomes.add({0: [[0.6], [0.3]], 1: [[0.4], [0.6]]})
    assert outcomes.find_smallest_lead(0, 1).value == pytest.approx(-0.3)
    assert outcomes.find_smallest_lead(1, 0).value == pytest.approx(-0.2)


def test_an_action_that_is_bad_under_all_beliefs_is_charged_the_minimum() -> None:
    outcomes = Outcomes(2)
    for _ in range(4):
        outcomes.add({0: [[0.6], [0.7]], 1: [[0.5], [0.4]]})
    found = outcomes.find_smallest_lead(0, 1)
    assert (found.value, found.low, found.high) == pytest.approx((0.1, 0.1, 0.1))


def test_worlds_make_the_error() -> None:
    """Differences 0.1 and 0.3: mean 0.2, standard error 0.1, so 0.196 to either side."""
    outcomes = Outcomes(1)
    outcomes.add({0: [[0.5]], 1: [[0.4]]})
    outcomes.add({0: [[0.5]], 1: [[0.2]]})
    found = outcomes.find_smallest_lead(0, 1)
    assert (found.value, found.low, found.high) == pytest.approx((0.2, 0.004, 0.396), abs=1e-4)


def test_five_sixths_of_a_loss_are_reported() -> None:
    """0.84 * 0.2 = 0.168. The discount errs by 1.96 * 0.3 * 0.2 = 0.1176, the floor by 1.96 * 0.035 = 0.0686, worlds of
    ± 0.1 by 0.084. The root of the sum of the first two squares is 0.1361, of all three 0.1600."""
    found = DEFAULT_SCALE.of(Loss(0.2, 0.2, 0.2))
    assert (found.value, found.low, found.high) == pytest.approx((0.168, 0.0319, 0.3041), abs=1e-4)
    found = DEFAULT_SCALE.of(Loss(0.2, 0.1, 0.3))
    assert (found.value, found.low) == pytest.approx((0.168, 0.008), abs=1e-4)


def test_a_second_referee_agrees_by_more_than_its_error() -> None:
    """Half an interval of 0.1 is an error of 0.051."""
    assert is_confirmed(Loss(0.06, -0.04, 0.16))
    assert not is_confirmed(Loss(0.04, -0.06, 0.14))
    assert not is_confirmed(Loss(-0.06, -0.16, 0.04))
    assert not is_confirmed(Loss(0.0, 0.0, 0.0))


def test_no_mark_is_graver_than_the_second_referees(monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge finds 42 points lost, at least 11. A second referee with a loss of at least 3 leaves an inaccuracy."""
    seems_lost(monkeypatch, Loss(0.5, 0.45, 0.55))
    assert judge_choice(3).mark == "blunder"
    monkeypatch.setattr(Judge, "ask_referee", lambda *_: Loss(0.03, 0.01, 0.05))
    assert judge_choice(3).mark == "inaccuracy"


def ask_second_referee(best: int, chosen: int, least: int) -> tuple[Loss, int]:
    """Return the second referee's result and the number of worlds used."""
    judge_ = Judge(Table(Guess()), deal_card(5).mask(DAVID), Budgets(referee=32, referee_most=256), Rng(1))
    return judge_.ask_referee(best, chosen, 0, 256, least), judge_.worlds.used


def test_the_second_referee_stops_at_a_clear_result() -> None:
    """Half of the cards wins 1/2. A card of the other half wins 1/4 and never together with it."""
    found, worlds = ask_second_referee(LOW_HALF, 3, 0)
    assert found.low > 0.0
    assert 32 <= worlds < 256
    assert ask_second_referee(LOW_HALF, 3, 256)[1] == 256


def test_the_second_referee_asks_to_the_end_where_nothing_becomes_clear() -> None:
    """An action is never ahead of itself."""
    assert ask_second_referee(3, 3, 0) == (Loss(0.0, 0.0, 0.0), 256)


@pytest.mark.parametrize(
    ("low", "mark"),
    [(0.02, ""), (0.021, "inaccuracy"), (0.05, "inaccuracy"), (0.051, "mistake"), (0.1, "mistake"), (0.101, "blunder")],
)
def test_a_mark_is_for_the_lower_end(low: float, mark: str) -> None:
    assert find_mark(low) == mark


def test_seen_cards_are_not_dealt_again() -> None:
    """May has looked at her card, and no seat has seen the pile."""
    s = deal_card(5)
    rng = Rng(1)
    worlds = [UnseenDeals(s).sample(rng) for _ in range(30)]
    assert {tuple(world.hand) for world in worlds if isinstance(world, GuessState)} == {tuple(s.hand)}
    assert len({tuple(world.pile) for world in worlds if isinstance(world, GuessState)}) == 6  # 3! orders


def test_a_seat_without_a_question_is_not_judged() -> None:
    assert judge_decision(Table(Guess()), deal_card(5).mask(MAY), 0, Budgets(), 1) is None

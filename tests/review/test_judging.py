"""Decisions judged from a view, with chances computed by hand."""

from __future__ import annotations

import pytest

from gonfalon import games
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.review.figures import Loss
from gonfalon.review.judging.budgets import Budgets
from gonfalon.review.judging.judging import (
    Judge,
    Judgement,
    Outcomes,
    adjust_chances,
    find_mark,
    is_confirmed,
    join_losses,
    judge_decision,
)
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
    """A half is right in 1/2, a card in 1/4. So 1/4 is lost: a blunder."""
    found = judge_choice(3)
    assert found.best == LOW_HALF
    assert found.loss.low < 0.25 < found.loss.high
    assert found.value == pytest.approx(0.25, abs=0.1)
    assert found.best_value == pytest.approx(found.value + found.loss.value)
    assert found.mark == "blunder"
    assert found.referee is not None
    assert found.referee.value > 0.0


def test_chances_differ_by_the_loss_and_stay_chances() -> None:
    """A loss by both judges can exceed certainty. Then the lower chance is reduced."""
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
    monkeypatch.setattr(Judge, "ask_referee", lambda *_: Loss(0.5, 0.4, 0.6))
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


def test_both_judges_share_a_loss() -> None:
    """The smaller of 0.3 and 0.1 counts. Around the mean of 0.2 the errors are half of the root of 0.06² + 0.08²,
    0.05, the disagreement is half of 0.2, and the root of both squares 0.1118."""
    found = join_losses(Loss(0.3, 0.24, 0.36), Loss(0.1, 0.02, 0.18))
    assert found == pytest.approx((0.1, 0.0882, 0.3118), abs=1e-4)


def test_a_second_judge_agrees_for_certain_and_about_the_size() -> None:
    first = Loss(0.4, 0.35, 0.45)
    assert is_confirmed(first, Loss(0.05, 0.01, 0.09))
    assert not is_confirmed(first, Loss(0.05, -0.01, 0.11))
    assert not is_confirmed(first, Loss(0.04, 0.01, 0.07)), "an eighth of 0.4 is 0.05"
    assert not is_confirmed(first, Loss(-0.5, -0.6, -0.4))


@pytest.mark.parametrize(
    ("second", "mark"),
    [(Loss(0.5, 0.45, 0.55), "blunder"), (Loss(0.03, -0.03, 0.09), ""), (Loss(-0.2, -0.3, -0.1), "")],
)
def test_a_mark_needs_both_judges(monkeypatch: pytest.MonkeyPatch, second: Loss, mark: str) -> None:
    """The first judge finds 50 points lost. The second one finds as much, a little, or the opposite."""
    seems_lost(monkeypatch, Loss(0.5, 0.45, 0.55))
    monkeypatch.setattr(Judge, "ask_referee", lambda *_: second)
    assert judge_choice(3).mark == mark


@pytest.mark.parametrize(
    ("loss", "mark"),
    [
        (Loss(0.039, 0.025, 0.05), ""),
        (Loss(0.04, 0.025, 0.06), "inaccuracy"),
        (Loss(0.05, 0.02, 0.08), ""),
        (Loss(0.08, 0.03, 0.12), "mistake"),
        (Loss(0.15, 0.03, 0.3), "blunder"),
    ],
)
def test_a_mark_follows_the_size_of_a_loss_that_is_felt(loss: Loss, mark: str) -> None:
    assert find_mark(loss) == mark


BROTHERS = (
    "seed:3384143688425599554 first:1 end end end end huang-zhong peach-garden-oath green-dragon-blade end end wei-yan"
)
KEION = """seed:3466081254180537448 covert-senior-agent@4 keion-veteran@2 enforcer@4 punisher@4 covert-junior-agent@6
punisher@6 covert-junior-agent@3 guardian-angel@3 covert-junior-agent@3 dragoon@2 assassin@2 knight-of-6 pass pass done
done explorer@5 covert-senior-agent@5 keion-spearman@5 covert-senior-agent@6 patriot@6 smoke-n-screen@4 knight-of-4@4
smoke-n-screen@3 keion-spearman@3 saboteur@2 knight-of-2@2 covert-junior-agent@2 pass pass done done
covert-senior-agent@5 patriot@6 enforcer@6 guardian-angel@5 saboteur@5 guardian-angel@4 assassin@4 knight-of-3
guardian-angel@4 assassin@2 knight-of-6 pass pass done done explorer@3 enforcer@2 pass saboteur@5 pass done done
covert-senior-agent@6 patriot@2 saboteur@6 knight-of-6@6 smoke-n-screen@2 keion-veteran@5 pass pass done done
keion-veteran@6 enforcer@6 keion-spearman@5 assassin@6 knight-of-3 knight-of-4@4 covert-junior-agent@4 pass
field-agent@5 pass done done enforcer@4 patriot@3"""


SMALL = Budgets(referee=64, referee_most=128)


@pytest.mark.parametrize(
    ("game", "decisions"),
    [
        (games.game("generals", decks=["vanguard-of-wei", "brothers-in-arms"]), BROTHERS.split()[:7]),
        (games.game("generals", decks=["vanguard-of-wei", "brothers-in-arms"]), BROTHERS.split()),
        (games.game("feint", factions=["keion", "agents"]), KEION.split()),
    ],
    ids=["Huang Zhong before Guan Yu", "Wei Yan before Guan Yu", "a Patriot beside the battle"],
)
def test_decisions_that_the_network_alone_condemns_get_no_mark(game: Game, decisions: list[str]) -> None:
    """Playouts of four levels found nothing lost in the first two, and the opposite in the third."""
    assert judge_last(game, decisions).mark == ""


def judge_last(game: Game, decisions: list[str]) -> Judgement:
    s = game.start()
    *course, chosen = decisions
    for action in course:
        s.apply(s.turn, game.parse(action))
    found = judge_decision(Table(game), s.mask(s.turn), game.parse(chosen), SMALL, 0)
    assert found is not None
    return found


def test_a_payment_with_a_good_card_is_marked() -> None:
    """The equipment goes, and a second general stays. Playouts of the level greedy lost 15 ± 12 points by that."""
    game = games.game("generals", decks=["vanguard-of-wei", "red-cliffs"])
    course = "seed:3932524615059757694 first:1 east-wind pass zhou-tai tactics-fire tactics-chained-ships end"
    found = judge_last(game, f"{course} zhang-liao xu-chu call-to-arms tiger-and-leopard-cavalry".split())
    assert game.notation(found.best) == "deng-ai"
    assert found.mark in {"mistake", "blunder"}


def test_seen_cards_are_not_dealt_again() -> None:
    """May has looked at her card, and no seat has seen the pile."""
    s = deal_card(5)
    rng = Rng(1)
    worlds = [UnseenDeals(s).sample(rng) for _ in range(30)]
    assert {tuple(world.hand) for world in worlds if isinstance(world, GuessState)} == {tuple(s.hand)}
    assert len({tuple(world.pile) for world in worlds if isinstance(world, GuessState)}) == 6  # 3! orders


def test_a_seat_without_a_question_is_not_judged() -> None:
    assert judge_decision(Table(Guess()), deal_card(5).mask(MAY), 0, Budgets(), 1) is None

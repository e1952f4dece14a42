"""The best action with all hands open, which never affects a judgement."""

from __future__ import annotations

from dataclasses import dataclass

from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import TOGETHER, Action, Seat, State
from gonfalon.review.judging.beliefs import Answers
from gonfalon.review.judging.budgets import Budgets
from gonfalon.review.judging.judging import Judge, Outcomes, rank_action
from gonfalon.review.judging.players import Table
from gonfalon.review.judging.worlds import UnseenDeals


@dataclass(frozen=True)
class Hindsight:
    """The best action with open cards, and its lead over the chosen one."""

    open_best: Action
    change: float


def judge_hindsight(
    table: Table, state: State, view: State, chosen: Action, others: Answers, budgets: Budgets, seed: int
) -> Hindsight:
    """Return the best action of a decision with open cards. Cards that no seat has seen are dealt at random.

    Args:
        table: The judges.
        state: The full position.
        view: The seat's view of it.
        chosen: The chosen action.
        others: The true answers of the other seats to the same decision.
        budgets: Numbers of worlds.
        seed: The seed of the worlds.
    """
    rng = Rng(seed)
    judge = Judge(table, view, budgets, rng)
    tried = judge.list_proposals(chosen)
    undealt = UnseenDeals(clear_other_answers(state, view.viewer))
    some = [undealt.sample(rng) for _ in range(budgets.hindsight)]
    outcomes = Outcomes(1)
    if judge.solver is not None:
        solved = [judge.solver(world) for world in some]
        outcomes.add({action: [[chances[action] for chances in solved]] for action in tried})
    else:
        # The first half of the deals drops weak actions, so the second half can be shared by fewer.
        half = len(some) // 2
        judge.play_worlds(outcomes, some[:half], [[others] * half], tried)
        tried = judge.select_better_half(outcomes, tried)
        judge.play_worlds(outcomes, some[half:], [[others] * (len(some) - half)], tried)
    best = max(tried, key=lambda action: rank_action(outcomes, action, chosen))
    return Hindsight(best, outcomes.estimate_value(best) - outcomes.estimate_value(chosen))


def clear_other_answers(state: State, seat: Seat) -> State:
    """Return a position without answers of other seats to a simultaneous decision."""
    if not state.stack or state.stack[-1].seat != TOGETHER:
        return state
    s = state.clone()
    s.answers = [answer if at == seat else [] for at, answer in enumerate(s.answers)]
    s.settle()
    return s

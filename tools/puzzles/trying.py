"""Trials of answers to one decision, in worlds of its view or with open hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.state import CHANCE, TOGETHER, Action, Seat, State
from gonfalon.review.figures import compute_mean, compute_standard_error
from gonfalon.review.judging.beliefs import Answers
from gonfalon.review.judging.budgets import Budgets
from gonfalon.review.judging.judging import Judge, Outcomes
from gonfalon.review.judging.players import Table
from gonfalon.review.judging.referee import Referee, SimpleRules
from gonfalon.review.judging.worlds import UnseenDeals
from tools.puzzles.proofs import SURE_ERRORS, is_clear

EARLY_WORLDS: Final = 32
"""Number of worlds after which a lead is rejected if it would be too small even with two standard errors added."""
FRESH_WORLDS: Final = 128
"""Number of worlds evaluated a few turns ahead."""
PLAYOUT_WORLDS: Final = 128
"""Number of worlds played to the end."""


@dataclass
class Worths:
    """Win chances by answer and belief, for each world."""

    rows: dict[Action, list[list[float]]] = field(default_factory=dict)

    def add(self, found: dict[Action, list[list[float]]]) -> None:
        for action, beliefs in found.items():
            kept = self.rows.setdefault(action, [[] for _ in beliefs])
            for row, more in zip(kept, beliefs, strict=True):
                row += more

    def value(self, action: Action) -> float:
        return compute_mean([compute_mean(row) for row in self.rows[action]])

    def ahead(self, a: Action, b: Action) -> tuple[float, float]:
        """Return the lead of an answer over another, with its error, for the belief most favorable to the other."""
        return min((compute_mean(row), compute_standard_error(row)) for row in self.apart(a, b))

    def apart(self, a: Action, b: Action) -> list[list[float]]:
        """Return the lead of an answer over another in each world, by belief."""
        pairs = zip(self.rows[a], self.rows[b], strict=True)
        return [[x - y for x, y in zip(mine, other, strict=True)] for mine, other in pairs]

    def both(self, a: Action, b: Action) -> tuple[float, float]:
        """Return the win chances of two answers for the belief that `ahead` uses."""
        means = [compute_mean(row) for row in self.apart(a, b)]
        belief = means.index(min(means))
        return compute_mean(self.rows[a][belief]), compute_mean(self.rows[b][belief])

    def nearest(self, best: Action) -> Action:
        """Return the answer with the smallest distance to the best one."""
        return min((action for action in self.rows if action != best), key=lambda one: (self.ahead(best, one), one))

    def agree(self, a: Action, b: Action) -> float:
        """Return the share of worlds in which an answer is at least as good as another."""
        rows = zip(self.rows[a], self.rows[b], strict=True)
        return compute_mean([float(x >= y) for mine, other in rows for x, y in zip(mine, other, strict=True)])

    def order(self) -> list[Action]:
        """Return all answers, the best first."""
        return sorted(self.rows, key=lambda action: (-self.value(action), action))


Way = Callable[[Worths, Sequence[Action], int], None]
"""A function that tries answers in a number of worlds."""


class Trial:
    """A trial of the answers to one decision in worlds of its view."""

    def __init__(self, table: Table, view: State, seed: int) -> None:
        self.judge: Judge = Judge(table, view, Budgets(), Rng(seed))
        self.outcomes: Outcomes = Outcomes(len(self.judge.beliefs))
        self.known: Answers | None = None
        """The answers of others to the same decision, if they are known."""

    def in_worlds(self, worths: Worths, actions: Sequence[Action], worlds: int) -> None:
        """Evaluate answers with the review's search depth."""
        judge, tried = self.judge, list(actions)
        for some in self.dealt(worlds):
            if judge.solver is not None:
                solved = [judge.solver(world) for world in some]
                worths.add({action: [[chances[action] for chances in solved]] for action in tried})
            else:
                worths.add(judge.play_worlds(self.outcomes, some, self.others(some), tried))

    def to_the_end(self, worths: Worths, actions: Sequence[Action], worlds: int) -> None:
        """Evaluate answers in complete playouts by the second judge of reviews."""
        referee = Referee(SimpleRules(self.judge.table.insight), self.judge.me, self.judge.rng)
        for _ in range(worlds):
            shares = referee.play_world(self.fair(), actions, self.known)
            worths.add({action: [[share]] for action, share in zip(actions, shares, strict=True)})

    def dealt(self, worlds: int) -> Iterator[list[State]]:
        """Yield fresh worlds in groups."""
        size = self.judge.budgets.lot
        for _ in range(max(1, worlds // size)):
            yield [self.fresh() for _ in range(size)]

    def fresh(self) -> State:
        """Return a fresh world."""
        return self.judge.worlds.next()

    def fair(self) -> State:
        """Return a world that is as frequent as the rules deal it."""
        return worlds(self.judge.view).sample(self.judge.rng)

    def others(self, some: list[State]) -> list[list[Answers]]:
        """Return the answers of others to the same decision, by belief and world."""
        return self.judge.sample_others(some)


class OpenTrial(Trial):
    """A trial with open hands and known answers of others. Unseen cards are redealt."""

    def __init__(self, judge: Judge, state: State, answers: Answers) -> None:
        self.judge: Judge = judge
        self.outcomes: Outcomes = Outcomes(1)
        self.known: Answers = answers
        self.undealt: UnseenDeals = UnseenDeals(clear_other_answers(state, judge.me))

    def fresh(self) -> State:
        return self.undealt.sample(self.judge.rng)

    def fair(self) -> State:
        return self.fresh()

    def others(self, some: list[State]) -> list[list[Answers]]:
        return [[self.known] * len(some)]


def try_until_settled(way: Way, best: Action, others: Sequence[Action], least: float, worlds: int) -> Worths | None:
    """Return the values of answers in this number of worlds, if one is clearly ahead of all others; None otherwise.

    The trial stops early if that is unlikely.
    """
    worths = Worths()
    way(worths, [best, *others], EARLY_WORLDS)
    leads = [worths.ahead(best, other) for other in others]
    if any(lead + SURE_ERRORS * wrong < least for lead, wrong in leads):
        return None
    way(worths, [best, *others], worlds - EARLY_WORLDS)
    return worths if all(is_clearly_ahead(worths, best, other, least) for other in others) else None


def is_clearly_ahead(worths: Worths, best: Action, second: Action, least: float) -> bool:
    """Return whether the best answer is clearly ahead by the minimum."""
    return is_clear(*worths.ahead(best, second), least)


def find_simultaneous_answers(record: Record, found: list[State], at: int) -> list[tuple[Seat, Action]]:
    """Return the other seats' answers to the simultaneous decision at this place; empty if it is not one."""
    me = record.decisions[at][0]
    if found[at].stack[-1].seat != TOGETHER:
        return []
    first = last = at
    while first and any(found[first].answers):
        first -= 1
    while last + 1 < len(record.decisions) and any(found[last + 1].answers):
        last += 1
    return [(seat, action) for seat, action in record.decisions[first : last + 1] if seat not in (me, CHANCE)]


def clear_other_answers(state: State, seat: Seat) -> State:
    """Return a position without answers of other seats to a simultaneous decision."""
    if not state.stack or state.stack[-1].seat != TOGETHER:
        return state
    s = state.clone()
    s.answers = [answer if at == seat else [] for at, answer in enumerate(s.answers)]
    s.settle()
    return s

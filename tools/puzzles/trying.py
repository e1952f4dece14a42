"""Answers to one decision, tried in worlds of its view, or with all hands open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import Action, State
from gonfalon.review.figures import compute_mean, compute_standard_error
from gonfalon.review.judging.beliefs import Answers
from gonfalon.review.judging.budgets import Budgets
from gonfalon.review.judging.hindsight import clear_other_answers
from gonfalon.review.judging.judging import Judge, Outcomes
from gonfalon.review.judging.players import Table
from gonfalon.review.judging.worlds import UnseenDeals
from tools.puzzles.proofs import SURE, is_clear

EARLY: Final = 32
"""Worlds after which a lead is given up that would be too small if it were two errors larger."""
FRESH: Final = 128
ENDED: Final = 128
"""Worlds that are played to the end."""


@dataclass
class Worths:
    """What answers came to: by answer and belief, the chance to win in each world."""

    rows: dict[Action, list[list[float]]] = field(default_factory=dict)

    def add(self, found: dict[Action, list[list[float]]]) -> None:
        for action, beliefs in found.items():
            kept = self.rows.setdefault(action, [[] for _ in beliefs])
            for row, more in zip(kept, beliefs, strict=True):
                row += more

    def value(self, action: Action) -> float:
        return compute_mean([compute_mean(row) for row in self.rows[action]])

    def ahead(self, a: Action, b: Action) -> tuple[float, float]:
        """How far an answer is ahead of another, with the error, against the belief that is kindest to that one."""
        return min((compute_mean(row), compute_standard_error(row)) for row in self.apart(a, b))

    def apart(self, a: Action, b: Action) -> list[list[float]]:
        """How far an answer is ahead of another in each world, by belief."""
        pairs = zip(self.rows[a], self.rows[b], strict=True)
        return [[x - y for x, y in zip(mine, other, strict=True)] for mine, other in pairs]

    def both(self, a: Action, b: Action) -> tuple[float, float]:
        """The chances of two answers where the lead is taken: `ahead` is what lies between them."""
        means = [compute_mean(row) for row in self.apart(a, b)]
        belief = means.index(min(means))
        return compute_mean(self.rows[a][belief]), compute_mean(self.rows[b][belief])

    def nearest(self, best: Action) -> Action:
        """The answer over which the best one is least ahead."""
        return min((action for action in self.rows if action != best), key=lambda one: (self.ahead(best, one), one))

    def agree(self, a: Action, b: Action) -> float:
        """In what part of the worlds an answer is at least as good as another."""
        rows = zip(self.rows[a], self.rows[b], strict=True)
        return compute_mean([float(x >= y) for mine, other in rows for x, y in zip(mine, other, strict=True)])

    def order(self) -> list[Action]:
        """All answers, the best first."""
        return sorted(self.rows, key=lambda action: (-self.value(action), action))


Way = Callable[[Worths, Sequence[Action], int], None]
"""A way to try answers in so many worlds."""


class Trial:
    """Tries the answers to one decision in worlds of its view."""

    def __init__(self, table: Table, view: State, seed: int) -> None:
        self.judge: Judge = Judge(table, view, Budgets(), Rng(seed))
        self.outcomes: Outcomes = Outcomes(len(self.judge.beliefs))

    def in_worlds(self, worths: Worths, actions: Sequence[Action], worlds: int) -> None:
        """As far as the review looks ahead."""
        judge, tried = self.judge, list(actions)
        for some in self.dealt(worlds):
            if judge.solver is not None:
                solved = [judge.solver(world) for world in some]
                worths.add({action: [[chances[action] for chances in solved]] for action in tried})
            else:
                worths.add(judge.play(self.outcomes, some, self.others(some), tried, judge.heuristic.is_leaf))

    def to_the_end(self, worths: Worths, actions: Sequence[Action], worlds: int) -> None:
        """Played to the end."""
        for some in self.dealt(worlds):
            worths.add(self.judge.play(Outcomes(self.outcomes.beliefs), some, self.others(some), list(actions)))

    def dealt(self, worlds: int) -> Iterator[list[State]]:
        """So many fresh worlds, in lots."""
        size = self.judge.budgets.lot
        for _ in range(max(1, worlds // size)):
            yield [self.fresh() for _ in range(size)]

    def fresh(self) -> State:
        """A fresh world."""
        return self.judge.worlds.next()

    def others(self, some: list[State]) -> list[list[Answers]]:
        """What the others answer to the same decision: by belief, in each of some worlds."""
        return self.judge.others(some)


class OpenTrial(Trial):
    """The same with all hands open, and with what the others answer there. What nobody has seen is dealt anew."""

    def __init__(self, judge: Judge, state: State, answers: Answers) -> None:
        self.judge: Judge = judge
        self.outcomes: Outcomes = Outcomes(1)
        self.answers: Answers = answers
        self.undealt: UnseenDeals = UnseenDeals(clear_other_answers(state, judge.me))

    def fresh(self) -> State:
        return self.undealt.sample(self.judge.rng)

    def others(self, some: list[State]) -> list[list[Answers]]:
        return [[self.answers] * len(some)]


def settled(way: Way, best: Action, others: Sequence[Action], least: float, worlds: int) -> Worths | None:
    """An answer and others in so many worlds, where it is ahead of each by so much for certain; given up as soon as it
    does not look so."""
    worths = Worths()
    way(worths, [best, *others], EARLY)
    leads = [worths.ahead(best, other) for other in others]
    if any(lead + SURE * wrong < least for lead, wrong in leads):
        return None
    way(worths, [best, *others], worlds - EARLY)
    return worths if all(clear(worths, best, other, least) for other in others) else None


def clear(worths: Worths, best: Action, second: Action, least: float) -> bool:
    """Whether the best answer is ahead by so much, and by half of that beyond its error."""
    return is_clear(*worths.ahead(best, second), least)

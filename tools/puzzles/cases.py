"""Cases of hidden cards, and the cases in which another answer looks better with open hands.

Sixty-four cases are drawn as in reviews: worlds of the view, weighted by how well they explain the actions of other
seats, with the answers of others to a simultaneous question. Far-fetched cases are left out.

Most puzzles change in no case, and each playout is expensive. So all cases first get two deals, played in parallel,
with the few answers that are closest by the view. Only cases in which another answer was furthest ahead are examined
again, without the first look, so that its luck does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gonfalon.bots.players.choice import Belief
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import Action, State
from gonfalon.review.judging.beliefs import Answers, sample_answers
from gonfalon.review.judging.judging import Judge, Outcomes
from gonfalon.review.judging.worlds import Worlds
from tools.puzzles.proofs import MIN_OPEN_LEAD
from tools.puzzles.trying import OpenTrial

CASE_COUNT: Final = 64
"""Number of cases drawn for a seat."""
MAX_LIKELIHOOD_RATIO: Final = 20.0
"""Maximum ratio of the most likely value of a hidden fact to its value in a case."""
RIVAL_COUNT: Final = 3
"""Number of other answers that are compared: the closest ones by the view."""
BATCH_CASES: Final = 16
"""Number of cases played in parallel."""
FIRST_LOOK_DEALS: Final = 2
"""Number of deals for the first look."""
SECOND_LOOK_CASES: Final = 6
"""Number of cases for the second look."""
SECOND_LOOK_DEALS: Final = 8
"""Number of deals for the second look."""
MAX_PROOFS: Final = 4
"""Maximum number of cases in which a proof is tried."""


@dataclass(frozen=True)
class Case:
    """A possible case for a seat: a world by its seed, and the answers of others there."""

    seed: int | None
    """Seed of the world; None for the true cards."""
    world: State
    given: Answers


class Deals(Worlds):
    """Worlds of a view, each dealt from its own seed, so that it can be dealt again."""

    def __init__(self, judge: Judge) -> None:
        super().__init__(judge.view, judge.heuristic, judge.rng)
        self.seeds: dict[int, int] = {}

    def fresh(self) -> State:
        seed = self.rng.seed()
        world = self.sample(Rng(seed))
        world.log = None
        self.seeds[id(world)] = seed
        return world


def iter_likely_cases(judge: Judge) -> Iterator[Case]:
    """Yield the cases that a seat must consider, without far-fetched ones."""
    deals, beliefs = Deals(judge), judge.beliefs
    facts = judge.table.insight.beliefs(judge.view)
    for number in range(CASE_COUNT):
        world = deals.next()
        if not is_far(judge, world, facts):
            given = sample_answers(beliefs[number % len(beliefs)], world, judge.me, judge.rng)
            yield Case(deals.seeds[id(world)], world, given)


def is_far(judge: Judge, world: State, facts: list[Belief]) -> bool:
    """Return whether a world has a very unlikely hidden fact."""
    truths = judge.table.insight.truths(world, judge.me)
    for fact in facts:
        true = truths.get(fact.about)
        if true is not None and dict(fact.likely).get(true, 0.0) * MAX_LIKELIHOOD_RATIO < fact.likely[0][1]:
            return True
    return False


def find_turned_cases(judge: Judge, best: Action, rivals: list[Action], true: Case | None = None) -> list[Case]:
    """Return the cases in which another answer looks better with open hands.

    The true case is always examined and comes first, the others by their leads.
    """
    cases, tried = list(iter_likely_cases(judge)), [best, *rivals[:RIVAL_COUNT]]
    leads: list[float] = []
    for at in range(0, len(cases), BATCH_CASES):
        leads += compare_open(judge, cases[at : at + BATCH_CASES], tried, FIRST_LOOK_DEALS)
    order = sorted(range(len(cases)), key=lambda n: -leads[n])
    near = [*([] if true is None else [true]), *(cases[n] for n in order[:SECOND_LOOK_CASES])]
    closer = compare_open(judge, near, tried, SECOND_LOOK_DEALS)
    found = [n for n, lead in enumerate(closer) if lead > MIN_OPEN_LEAD]
    return [near[n] for n in sorted(found, key=lambda n: (near[n] is not true, -closer[n]))[:MAX_PROOFS]]


def compare_open(judge: Judge, cases: list[Case], tried: list[Action], deals: int) -> list[float]:
    """Return the lead of the best other answer over the first one with open hands, for each case."""
    some = [world for case in cases for world in deal_case(judge, case, deals)]
    if judge.solver is not None:
        solved = [judge.solver(world) for world in some]
        rows = [[chances[action] for chances in solved] for action in tried]
    else:
        given = [case.given for case in cases for _ in range(deals)]
        found = judge.play_worlds(Outcomes(1), some, [given], tried)
        rows = [found[action][0] for action in tried]
    sums = [[sum(row[at : at + deals]) for at in range(0, len(some), deals)] for row in rows]
    return [(max(rest) - best) / deals for best, *rest in zip(*sums, strict=True)]


def deal_case(judge: Judge, case: Case, deals: int) -> list[State]:
    """Return deals of the unseen cards in a case."""
    trial = OpenTrial(judge, case.world, case.given)
    return [trial.fresh() for _ in range(deals)]

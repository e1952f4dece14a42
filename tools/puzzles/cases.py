"""Cases of what a seat cannot see, and in which of them another answer looks better with open hands.

Sixty-four are drawn as the review draws them: worlds of the view, as often as they explain what the others have done,
with what the others answer there to a question that is asked of all. What is far-fetched is left out.

Most answers turn in none of them, and each deal that is played costs. So all cases have two deals at first, played side
by side, with the few answers that come nearest by the view; and only where another one was furthest ahead it is looked
at again. The luck of the first look is not in the second one.
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
from tools.puzzles.proofs import OPEN_LEAD
from tools.puzzles.trying import OpenTrial

CASES: Final = 64
"""Cases that are drawn of what a seat has to reckon with."""
FAR: Final = 20.0
"""How much likelier than a hidden fact of a case the likeliest one may be."""
RIVALS: Final = 3
"""Answers that are set against the best one: those that come nearest to it by the view."""
TOGETHER: Final = 16
"""Cases that are played side by side."""
GLANCE: Final = 2
"""Deals of a first look at each case; fewer where playing on is dear."""
NEAR: Final = 6
"""Cases that are looked at again: those in which another answer was furthest ahead."""
CLOSER: Final = 8
"""Deals of that second look."""
TRIES: Final = 4
"""Cases in which the proof is tried at most."""


@dataclass(frozen=True)
class Case:
    """A case of what a seat has to reckon with: a world by its seed, and what the others answer there."""

    seed: int | None
    """None where the cards lie as they did."""
    world: State
    given: Answers


class Deals(Worlds):
    """Worlds of a view, each dealt by a seed of its own, so that it can be dealt again."""

    def __init__(self, judge: Judge) -> None:
        super().__init__(judge.view, judge.heuristic, judge.rng)
        self.seeds: dict[int, int] = {}

    def fresh(self) -> State:
        seed = self.rng.seed()
        world = self.sample(Rng(seed))
        world.log = None
        self.seeds[id(world)] = seed
        return world


def likely(judge: Judge) -> Iterator[Case]:
    """Cases that a seat has to reckon with, but for what is far-fetched."""
    deals, beliefs = Deals(judge), judge.beliefs
    facts = judge.table.insight.beliefs(judge.view)
    for number in range(CASES):
        world = deals.next()
        if not is_far(judge, world, facts):
            given = sample_answers(beliefs[number % len(beliefs)], world, judge.me, judge.rng)
            yield Case(deals.seeds[id(world)], world, given)


def is_far(judge: Judge, world: State, facts: list[Belief]) -> bool:
    """Whether something hidden is there that hardly ever would be."""
    truths = judge.table.insight.truths(world, judge.me)
    for fact in facts:
        true = truths.get(fact.about)
        if true is not None and dict(fact.likely).get(true, 0.0) * FAR < fact.likely[0][1]:
            return True
    return False


def turned(judge: Judge, best: Action, rivals: list[Action], true: Case | None = None) -> list[Case]:
    """The cases in which another answer looks better with open hands: the true one first, which is looked at again in
    any case, then the clearest."""
    cases, tried = list(likely(judge)), [best, *rivals[:RIVALS]]
    leads: list[float] = []
    for at in range(0, len(cases), TOGETHER):
        leads += looked(judge, cases[at : at + TOGETHER], tried, max(1, round(GLANCE * judge.table.insight.worlds)))
    order = sorted(range(len(cases)), key=lambda n: -leads[n])
    near = [*([] if true is None else [true]), *(cases[n] for n in order[:NEAR])]
    closer = looked(judge, near, tried, CLOSER)
    found = [n for n, lead in enumerate(closer) if lead > OPEN_LEAD]
    return [near[n] for n in sorted(found, key=lambda n: (near[n] is not true, -closer[n]))[:TRIES]]


def looked(judge: Judge, cases: list[Case], tried: list[Action], deals: int) -> list[float]:
    """How far the best of the other answers is ahead of the first one with open hands, in each of some cases, played
    side by side in so many deals each."""
    some = [world for case in cases for world in dealt(judge, case, deals)]
    if judge.solver is not None:
        solved = [judge.solver(world) for world in some]
        rows = [[chances[action] for chances in solved] for action in tried]
    else:
        given = [case.given for case in cases for _ in range(deals)]
        found = judge.play(Outcomes(1), some, [given], tried, judge.heuristic.is_leaf)
        rows = [found[action][0] for action in tried]
    sums = [[sum(row[at : at + deals]) for at in range(0, len(some), deals)] for row in rows]
    return [(max(rest) - best) / deals for best, *rest in zip(*sums, strict=True)]


def dealt(judge: Judge, case: Case, deals: int) -> list[State]:
    """So many deals of what nobody has seen in a case."""
    trial = OpenTrial(judge, case.world, case.given)
    return [trial.fresh() for _ in range(deals)]

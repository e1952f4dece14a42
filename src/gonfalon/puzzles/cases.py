"""Cases of what a seat cannot see, and in which of them another answer looks better with open hands.

Sixty-four are drawn as the review draws them: worlds of the view, as often as they explain what the others have done,
with what the others answer there to a question that is asked of all. What is far-fetched is left out.

Most answers turn in none of them, and each deal that is played costs, so they are looked at in two steps. First all
cases have two deals of what nobody has seen. Where both of them tell alike that a case is good for another answer the
cases differ; where they do not it was luck. So the two say how far the answers lie apart from case to case, without
the luck, and whether another one can be ahead in any of them. Only then the best few cases are looked at again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Final

from gonfalon.bots.choice import Belief
from gonfalon.core.rng import Rng
from gonfalon.core.state import Action, State
from gonfalon.puzzles.files import OPEN_LEAD
from gonfalon.puzzles.trying import OpenTrial, Worths
from gonfalon.review.beliefs import Answers, answers
from gonfalon.review.figures import mean
from gonfalon.review.judging import Judge, Lots
from gonfalon.review.worlds import Worlds

CASES: Final = 64
"""Cases that are drawn of what a seat has to reckon with."""
FAR: Final = 20.0
"""How much likelier than a hidden fact of a case the likeliest one may be."""
RIVALS: Final = 3
"""Answers that are set against the best one: those that come nearest to it by the view."""
TOGETHER: Final = 16
"""Cases that are played side by side."""
REACH: Final = 2.0
"""By how much the clearest of the cases differ from the middle one, in standard deviations."""
NEAR: Final = 8
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
        super().__init__(judge.view, judge.pilot, judge.rng)
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
            given = answers(beliefs[number % len(beliefs)], world, judge.me, judge.rng)
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
    """The cases in which another answer looks better with open hands: the true one first, which is looked at closely
    in any case, then the clearest."""
    cases = list(likely(judge))
    tried = [best, *rivals[:RIVALS]]
    looks = [
        look for at in range(0, len(cases), TOGETHER) for look in looked(judge, cases[at : at + TOGETHER], tried, 2)
    ]
    near = [] if true is None else [true]
    if cases and max(reach(looks, best, rival) for rival in tried[1:]) > OPEN_LEAD:
        order = sorted(range(len(cases)), key=lambda n: -lead_of(looks[n], best))
        near += [cases[n] for n in order[:NEAR]]
    closer = [lead_of(look, best) for look in looked(judge, near, tried, CLOSER)]
    found = [n for n, lead in enumerate(closer) if lead > OPEN_LEAD]
    return [near[n] for n in sorted(found, key=lambda n: (near[n] is not true, -closer[n]))[:TRIES]]


def lead_of(look: Worths, best: Action) -> float:
    """How far the best of the other answers is ahead."""
    return max(look.ahead(action, best)[0] for action in look.rows if action != best)


def reach(looks: list[Worths], best: Action, rival: Action) -> float:
    """How far an answer may be ahead in the clearest of some cases that had two deals each: the middle, and what the
    cases are apart. The luck of a deal is in its own square, but not in the product of two."""
    apart = [[x - y for x, y in zip(look.rows[rival][0], look.rows[best][0], strict=True)] for look in looks]
    middle = mean([mean(pair) for pair in apart])
    return middle + REACH * sqrt(max(0.0, mean([(one - middle) * (other - middle) for one, other in apart])))


def looked(judge: Judge, cases: list[Case], actions: list[Action], deals: int) -> list[Worths]:
    """What answers come to with open hands in each of some cases, played side by side in so many deals each."""
    some = [world for case in cases for world in dealt(judge, case, deals)]
    if judge.solver is not None:
        solved = [judge.solver(world) for world in some]
        rows = {action: [chances[action] for chances in solved] for action in actions}
    else:
        given = [case.given for case in cases for _ in range(deals)]
        found = judge.play(Lots(1), some, [given], actions, judge.pilot.over)
        rows = {action: row for action, [row] in found.items()}
    worths = [Worths() for _ in cases]
    for i, one in enumerate(worths):
        one.add({action: [row[i * deals : (i + 1) * deals]] for action, row in rows.items()})
    return worths


def dealt(judge: Judge, case: Case, deals: int) -> list[State]:
    """So many deals of what nobody has seen in a case."""
    trial = OpenTrial(judge, case.world, case.given)
    return [trial.fresh() for _ in range(deals)]

"""What is best with all hands open, in the deal that was or in another that the seat has to reckon with.

A puzzle is a jewel where that is another answer. The seat decides by its view alone, so that the best answer, and the
proof of it, are the same in every deal of what it cannot see; only the open answer turns on which of them lies there.
So a puzzle whose true cards make it no jewel may be laid out with other cards, if these are likely ones:

- Sixty-four cases are drawn as the review draws them: worlds of the view, as often as they explain what the others have
  done, with what the others answer there to a question that is asked of all.
- Left out is what is far-fetched: where a hidden fact that the game tells of (such as the other's Location Card) is not
  a twentieth as likely as what it most likely is.
- The first of the others is taken whose open answer stands its proof, of those in which it is clearly ahead at a first
  look: no search for the most striking one. Such a case comes up about once in sixty-four or more often, as the true
  deals do that make jewels: of the first 225 puzzles three had one.

An open answer is proved as the answer itself is: ahead by more than `OPEN_LEAD` and two standard errors in fresh deals
of what nobody has seen, and ahead by more than two standard errors where both are played to the end. Less than that
could be noise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from gonfalon.bots.choice import Belief
from gonfalon.bots.reasons import percent
from gonfalon.core.rng import Rng
from gonfalon.core.state import Action, State
from gonfalon.puzzles.files import OPEN_LEAD, Puzzle, cards_of, deal
from gonfalon.puzzles.sorting import kind_of
from gonfalon.puzzles.trying import ENDED, FRESH, OpenTrial, Worths, clear, settled
from gonfalon.review.beliefs import Answers, answers
from gonfalon.review.judging import Judge
from gonfalon.review.worlds import Worlds

CASES: Final = 64
"""Cases that are drawn of what a seat has to reckon with."""
TRIES: Final = 4
"""In so many of them at most the proof is tried, which is what costs."""
GLANCE: Final = 8
"""Deals of a first look."""
FAR: Final = 20.0
"""How much likelier than a hidden fact of a case the likeliest one may be."""
SURPRISE: Final = 0.5
"""A hidden fact that is likelier than that explains no other answer."""
LOOK: Final = 32
"""Deals in which the best open answer is looked for."""


@dataclass(frozen=True)
class Opened:
    """Another answer that is best with open hands: how far it is ahead of the one that is best from the view."""

    best: Action
    answers: Answers
    """What the others answer there to the same question."""
    fresh: Worths
    ends: Worths
    dealt: int | None = None
    """The seed that deals the cards; None where they lie as they did."""


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


def opened(judge: Judge, state: State, given: Answers, best: Action, dealt: int | None = None) -> Opened | None:
    """The open answer of a position, where it is another one for certain."""
    trial = OpenTrial(judge, state, given)
    look = Worths()
    trial.in_worlds(look, judge.proposals(best), LOOK)
    other = look.order()[0]
    if other == best or look.ahead(other, best)[0] < OPEN_LEAD:
        return None
    fresh = settled(trial.in_worlds, other, best, OPEN_LEAD, FRESH)
    ends = settled(trial.to_the_end, other, best, 0.0, ENDED) if fresh is not None else None
    return None if fresh is None or ends is None else Opened(other, given, fresh, ends, dealt)


def dealt_anew(judge: Judge, best: Action) -> Opened | None:
    """The first of some likely cases of what a seat cannot see in which the open answer is another one."""
    found = (opened(judge, world, given, best, seed) for seed, world, given in islice(turned(judge, best), TRIES))
    return next((one for one in found if one is not None), None)


def turned(judge: Judge, best: Action) -> Iterator[tuple[int, State, Answers]]:
    """The likely cases in which another answer looks better with open hands, each with its seed."""
    tried, deals, beliefs = judge.proposals(best), Deals(judge), judge.beliefs
    facts = judge.table.insight.beliefs(judge.view)
    for number in range(CASES):
        world = deals.next()
        if is_far(judge, world, facts):
            continue
        given = answers(beliefs[number % len(beliefs)], world, judge.me, judge.rng)
        look = Worths()
        OpenTrial(judge, world, given).in_worlds(look, tried, GLANCE)
        if clear(look, look.order()[0], best, OPEN_LEAD):
            yield deals.seeds[id(world)], world, given


def is_far(judge: Judge, world: State, facts: list[Belief]) -> bool:
    """Whether something hidden is there that hardly ever would be."""
    truths = judge.table.insight.truths(world, judge.me)
    for fact in facts:
        true = truths.get(fact.about)
        if true is not None and dict(fact.likely).get(true, 0.0) * FAR < fact.likely[0][1]:
            return True
    return False


def set_open(judge: Judge, puzzle: Puzzle, state: State, found: Opened) -> Puzzle:
    """A puzzle as the jewel that it is with this open answer, in a position as it truly lies or as `found` deals it."""
    game, view = judge.table.game, judge.view
    best, second = game.parse(puzzle.best), game.parse(puzzle.second)
    lead, wrong = found.fresh.ahead(found.best, best)
    end_lead, end_wrong = found.ends.ahead(found.best, best)
    if found.dealt is not None:
        state = deal(view, found.dealt)
    return replace(
        puzzle,
        kind=kind_of(game, view, best, second, True, puzzle.agree),
        jewel=True,
        why=f"{puzzle.why} {open_words(judge, state, found)}",
        open_best=game.notation(found.best),
        open_lead=round(lead, 4),
        open_error=round(wrong, 4),
        open_end_lead=round(end_lead, 4),
        open_end_error=round(end_wrong, 4),
        others=[[seat, game.notation(action)] for seat, action in found.answers],
        dealt=found.dealt,
        cards="" if found.dealt is None else cards_of(state),
    )


def open_words(judge: Judge, state: State, found: Opened) -> str:
    """What the open cards would have said, and what lay hidden."""
    game, view = judge.table.game, judge.view
    better = f"with all cards open “{game.describe(view, found.best).rstrip('.')}” would be better"
    told = [f"the other side chooses “{game.describe(view, action).rstrip('.')}”" for _, action in found.answers]
    truths = judge.table.insight.truths(state, judge.me)
    for belief in judge.table.insight.beliefs(view):
        true, chances = truths.get(belief.about), dict(belief.likely)
        if true is not None and chances.get(true, 0.0) < SURPRISE:
            often = percent(chances[true]) if true in chances else f"less than {percent(min(chances.values()))}"
            told.append(f"{belief.about} is {true}, as it is in {often} of the cases that you have to reckon with")
    if told:
        return f"Here {', and '.join(told)}; {better}."
    return f"{better[0].upper()}{better[1:]}, but from your seat nobody can know that."

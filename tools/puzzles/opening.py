"""What is best with all hands open, in the deal that was or in another that the seat has to reckon with.

A puzzle is a jewel where that is another answer. The seat decides by its view alone, so that the best answer, and the
proof of it, are the same in every deal of what it cannot see; only the open answer turns on which of them lies there.
So a puzzle whose true cards make it no jewel may be laid out with other cards, if these are likely ones:

- Sixty-four cases are drawn, and what is far-fetched is left out: where a hidden fact that the game tells of (such as
  the other's Location Card) is not a twentieth as likely as what it most likely is (`cases.py`).
- Those few in which another answer looks best are tried, the clearest first, and the first of them is taken whose open
  answer stands its proof. Such a case comes up about once in sixty-four or more often, as the true deals do that make
  jewels: of the first 225 puzzles three had one.

An open answer is proved as the answer itself is: ahead by more than `OPEN_LEAD` and two standard errors in fresh deals
of what nobody has seen, and ahead by more than two standard errors where both are played to the end. Less than that
could be noise.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from gonfalon.bots.players.reasons import percent
from gonfalon.core.rules.state import Action, State
from gonfalon.core.rules.words import NUMBERED, OPPONENT
from gonfalon.puzzles.files import Puzzle, deal_hidden
from gonfalon.review.judging.beliefs import Answers
from gonfalon.review.judging.judging import Judge
from tools.puzzles.cases import Case, turned
from tools.puzzles.proofs import OPEN_LEAD, cards_of
from tools.puzzles.sorting import kind_of
from tools.puzzles.trying import ENDED, FRESH, OpenTrial, Worths, settled

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


def opened(judge: Judge, case: Case, best: Action) -> Opened | None:
    """The open answer of a case, where it is another one for certain."""
    trial = OpenTrial(judge, case.world, case.given)
    look = Worths()
    trial.in_worlds(look, judge.proposals(best), LOOK)
    other = look.order()[0]
    if other == best or look.ahead(other, best)[0] < OPEN_LEAD:
        return None
    fresh = settled(trial.in_worlds, other, [best], OPEN_LEAD, FRESH)
    ends = settled(trial.to_the_end, other, [best], 0.0, ENDED) if fresh is not None else None
    return None if fresh is None or ends is None else Opened(other, case.given, fresh, ends, case.seed)


def dealt_anew(judge: Judge, best: Action, rivals: list[Action], true: Case | None = None) -> Opened | None:
    """The open answer of the true case where that is another one, else of the first of some likely ones."""
    found = (opened(judge, case, best) for case in turned(judge, best, rivals, true))
    return next((one for one in found if one is not None), None)


def set_open(judge: Judge, puzzle: Puzzle, state: State, found: Opened) -> Puzzle:
    """A puzzle as the jewel that it is with this open answer, in a position as it truly lies or as `found` deals it."""
    game, view = judge.table.game, judge.view
    best, second = game.parse(puzzle.best), game.parse(puzzle.second)
    lead, wrong = found.fresh.ahead(found.best, best)
    end_lead, end_wrong = found.ends.ahead(found.best, best)
    if found.dealt is not None:
        state = deal_hidden(view, found.dealt)
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
            fact = NUMBERED.sub(OPPONENT, judge.table.insight.fact(belief.about, true))
            told.append(f"{fact}, as in {often} of the cases that you have to reckon with")
    if told:
        return f"Here {', and '.join(told)}; {better}."
    return f"{better[0].upper()}{better[1:]}, but from your seat nobody can know that."

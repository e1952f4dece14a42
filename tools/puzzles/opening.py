"""The best answer with all hands open, with the true cards or with redealt ones.

A puzzle is a jewel if that answer differs. The seat decides by its view alone, so the best answer and its proof are the
same for every deal of the hidden cards; only the open answer depends on them. So the hidden cards of a puzzle may be
redealt to make it a jewel, if the new ones are likely:

- Sixty-four cases are drawn, without far-fetched ones: a hidden fact known to the game (such as the other's Location
  Card) must be at least a twentieth as likely as its most likely value (`cases.py`).
- The few cases in which another answer looks best are tried, the clearest first. The first one whose open answer is
  proved is used. Such a case has a frequency of about one in sixty-four or more, like the true deals that make jewels:
  of the first 225 puzzles three had one.

An open answer is proved like the answer itself: ahead by more than `OPEN_LEAD` and two standard errors in fresh deals
of the unseen cards, and ahead by more than two standard errors in complete playouts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from gonfalon.bots.players.reasons import percent
from gonfalon.core.rules.state import Action, State
from gonfalon.core.rules.words import NUMBERED
from gonfalon.core.text.english import OPPONENT
from gonfalon.puzzles.files import Puzzle, deal_hidden
from gonfalon.review.judging.beliefs import Answers
from gonfalon.review.judging.judging import Judge
from tools.puzzles.cases import Case, find_turned_cases
from tools.puzzles.proofs import MIN_OPEN_LEAD, hash_cards
from tools.puzzles.sorting import find_kind
from tools.puzzles.trying import FRESH_WORLDS, PLAYOUT_WORLDS, OpenTrial, Worths, try_until_settled

SURPRISE: Final = 0.5
"""Probability from which a hidden fact does not explain another answer."""
LOOK_DEALS: Final = 32
"""Number of deals for the choice of the best open answer."""


@dataclass(frozen=True)
class Opened:
    """Another answer that is best with open hands, and its lead over the best answer from the view."""

    best: Action
    answers: Answers
    """Answers of others to the same simultaneous question."""
    fresh: Worths
    ends: Worths
    dealt: int | None = None
    """Seed of the redealt cards; None for the true cards."""


def find_open_answer(judge: Judge, case: Case, best: Action) -> Opened | None:
    """Return the open answer of a case if it clearly differs."""
    trial, look = OpenTrial(judge, case.world, case.given), Worths()
    trial.in_worlds(look, judge.list_proposals(best), LOOK_DEALS)
    other = look.order()[0]
    if other == best or look.ahead(other, best)[0] < MIN_OPEN_LEAD:
        return None
    return prove_open_answer(judge, case, other, best)


def prove_open_answer(judge: Judge, case: Case, other: Action, best: Action, times: int = 1) -> Opened | None:
    """Return the proof that another answer is best in a case; None if there is none."""
    trial = OpenTrial(judge, case.world, case.given)
    fresh = try_until_settled(trial.in_worlds, other, [best], MIN_OPEN_LEAD, times * FRESH_WORLDS)
    ends = fresh and try_until_settled(trial.to_the_end, other, [best], 0.0, times * PLAYOUT_WORLDS)
    return Opened(other, case.given, fresh, ends, case.seed) if fresh and ends else None


def find_redealt_answer(judge: Judge, best: Action, rivals: list[Action], true: Case | None = None) -> Opened | None:
    """Return the open answer of the true case if it differs, otherwise that of the first suitable likely case."""
    found = (find_open_answer(judge, case, best) for case in find_turned_cases(judge, best, rivals, true))
    return next((one for one in found if one is not None), None)


def make_jewel(judge: Judge, puzzle: Puzzle, state: State, found: Opened) -> Puzzle:
    """Return a puzzle as a jewel with this open answer, with the true or the redealt cards."""
    game, view = judge.table.game, judge.view
    best, second = game.parse(puzzle.best), game.parse(puzzle.second)
    lead, wrong = found.fresh.ahead(found.best, best)
    end_lead, end_wrong = found.ends.ahead(found.best, best)
    if found.dealt is not None:
        state = deal_hidden(view, found.dealt)
    return replace(
        puzzle,
        kind=find_kind(game, view, best, second, True, puzzle.agree),
        jewel=True,
        why=f"{puzzle.why} {explain_open_answer(judge, state)}".strip(),
        open_best=game.notation(found.best),
        open_lead=round(lead, 4),
        open_error=round(wrong, 4),
        open_end_lead=round(end_lead, 4),
        open_end_error=round(end_wrong, 4),
        others=[[seat, game.notation(action)] for seat, action in found.answers],
        dealt=found.dealt,
        cards="" if found.dealt is None else hash_cards(state),
    )


def explain_open_answer(judge: Judge, state: State) -> str:
    """Return the hidden facts that a seat would not expect, as a sentence; empty if there are none."""
    told = []
    truths = judge.table.insight.truths(state, judge.me)
    for belief in judge.table.insight.beliefs(judge.view):
        true, chances = truths.get(belief.about), dict(belief.likely)
        if true is not None and chances.get(true, 0.0) < SURPRISE:
            often = percent(chances[true]) if true in chances else f"less than {percent(min(chances.values()))}"
            fact = NUMBERED.sub(OPPONENT, judge.table.insight.fact(belief.about, true))
            told.append(f"{fact}, which has a chance of {often}")
    return f"Here {', and '.join(told)}." if told else ""

"""Laws of reviews: a decision is judged by the knowledge of its seat, with the same result each time."""

from __future__ import annotations

from time import process_time
from typing import Final

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.laws.rules.flow import format_action
from gonfalon.check.laws.secrecy.honesty import pick_questions, send_as_json
from gonfalon.check.laws.secrecy.secrecy import redeal_unseen
from gonfalon.check.observe import name_viewer
from gonfalon.check.play import GLANCE_SHARE, Bench, Case
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.review.judging.budgets import Budgets
from gonfalon.review.judging.judging import judge_decision
from gonfalon.review.judging.players import Table

SMALL_BUDGETS: Final = Budgets(proposals=3, first=4, lot=2, again=4, most=8, doubted=-2.0, referee=2, referee_most=4)
"""Budget that is enough to reach all code of a judge, the second judge included."""
MAX_POSITIONS: Final = 4
"""Maximum number of positions of a case."""


def check_reviews(bench: Bench, case: Case) -> int:
    """A review judges a decision alike in twin worlds, and the second time as the first.

    Mistake:
        An evaluation of the game reads a hidden card or keeps state between calls.
    Cure:
        Compute it from the view, or from worlds dealt from it.
    """
    game = case.game
    rng = case.rng("review")
    used = Table(game)
    deadline = bench.deadline(GLANCE_SHARE)
    checked = 0
    for at, seat in pick_questions(case, rng, MAX_POSITIONS):
        if checked and process_time() > deadline:
            break
        state = case.states[at]
        redealt = redeal_unseen(game, state, seat, rng)
        if redealt is None:
            continue
        other, twin = redealt
        view, seed = state.mask(seat), rng.seed()
        legal = view.legal(seat)
        chosen = legal[int(rng.below(len(legal)))]
        first = judge_decision(used, view, chosen, SMALL_BUDGETS, seed)
        second = judge_decision(
            Table(other), send_as_json(StateCodec(other), twin.mask(seat)), chosen, SMALL_BUDGETS, seed
        )
        if first != second:
            what = format_action(game, chosen)
            raise LawBrokenError(f"the review of {what} by {name_viewer(seat)} depends on cards they had not seen", at)
        if judge_decision(used, state.mask(seat), chosen, SMALL_BUDGETS, seed) != first:
            raise LawBrokenError(
                f"the review of {format_action(game, chosen)} by {name_viewer(seat)} differs the second time",
                at,
            )
        checked += 1
    return checked


LAWS = [Law("reviews judge alike in twin worlds, and twice", "decisions", check_reviews, share=1.0)]

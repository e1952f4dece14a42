"""Laws of reviews: a decision is judged by the knowledge of its seat, with the same result each time."""

from __future__ import annotations

from time import process_time
from typing import Final

from gonfalon.check.law import Broken, Law
from gonfalon.check.laws.rules.flow import named
from gonfalon.check.laws.secrecy.honesty import questions, sent
from gonfalon.check.laws.secrecy.secrecy import redeal
from gonfalon.check.observe import who
from gonfalon.check.play import GLANCE, Bench, Case
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.review.judging.budgets import Budgets
from gonfalon.review.judging.judging import judge
from gonfalon.review.judging.players import Table

FEW: Final = Budgets(proposals=3, first=4, lot=2, again=4, most=8, doubted=-2.0, referee=2, referee_most=4)
"""Budget that is enough to reach all code of a judge, the second referee included."""
TRIES: Final = 4
"""Maximum number of positions of a case."""


def judged_alike(bench: Bench, case: Case) -> int:
    """A review judges a decision alike in twin worlds, and the second time as the first.

    Mistake:
        An evaluation of the game reads a hidden card or keeps state between calls.
    Cure:
        Compute it from the view, or from worlds dealt from it.
    """
    game = case.game
    rng = case.rng("review")
    used = Table(game)
    deadline = bench.deadline(GLANCE)
    checked = 0
    for at, seat in questions(case, rng, TRIES):
        if checked and process_time() > deadline:
            break
        state = case.states[at]
        redealt = redeal(game, state, seat, rng)
        if redealt is None:
            continue
        other, twin = redealt
        view, seed = state.mask(seat), rng.seed()
        legal = view.legal(seat)
        chosen = legal[int(rng.below(len(legal)))]
        first = judge(used, view, chosen, FEW, seed)
        second = judge(Table(other), sent(StateCodec(other), twin.mask(seat)), chosen, FEW, seed)
        if first != second:
            what = named(game, chosen)
            raise Broken(f"the review of {what} by {who(seat)} depends on cards they had not seen", at)
        if judge(used, state.mask(seat), chosen, FEW, seed) != first:
            raise Broken(f"the review of {named(game, chosen)} by {who(seat)} has another result the second time", at)
        checked += 1
    return checked


LAWS = [Law("reviews judge alike in twin worlds, and twice", "decisions", judged_alike, share=1.0)]

"""The law of zones without order: the order of the cards in a hand is hidden from all viewers and changes no rule."""

from __future__ import annotations

from typing import Final

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.observe import describe_difference, list_viewers, name_viewer
from gonfalon.check.play import Bench, Case
from gonfalon.core.rules.state import CHANCE

CONTINUED_DECISIONS: Final = 12
"""Number of decisions for which a game is continued with a hand in another order."""


def check_hand_order(bench: Bench, case: Case) -> int:
    """The order of the cards in a hand changes nothing.

    Mistake:
        A rule takes the first card of a hand, or a view shows the order in which cards were drawn.
    Cure:
        Choose cards by kind, and list hands in `unordered_zones`.
    """
    rng = case.rng("sets")
    checked = 0
    for at in case.picks(rng, 2):
        state, twin = case.states[at].clone(), case.states[at].clone()
        twin.own()
        sets = [zone for zone in twin.unordered_zones() if len(set(zone)) > 1]
        if not sets:
            continue
        zone = sets[int(rng.below(len(sets)))]
        before = zone[:]
        rng.shuffle(zone)
        if zone == before:
            zone.reverse()
        for now in range(at, min(at + CONTINUED_DECISIONS, len(case.decisions))):
            seat, action = case.decisions[now]
            # Chance may draw a card by its place, which is another card here.
            if seat == CHANCE or not twin.is_legal(seat, action):
                break
            state.apply(seat, action)
            twin.apply(seat, action)
            for viewer in list_viewers(case.game):
                one, two = state.mask(viewer), twin.mask(viewer)
                if one.dump() != two.dump():
                    told = describe_difference(case.game, one, two)
                    raise LawBrokenError(
                        f"the order of the cards in a hand shows to {name_viewer(viewer)}: {told}", now + 1
                    )
            checked += 1
    if not checked:
        bench.note = "no hand with two different cards"
    return checked


LAWS = [Law("the order of a hand reveals nothing", "positions", check_hand_order, share=0.5)]

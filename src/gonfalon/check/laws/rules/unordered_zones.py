"""The law of sets: in which order the cards of a hand lie is nobody's knowledge, and no rule's business."""

from __future__ import annotations

from typing import Final

from gonfalon.check.law import Broken, Law
from gonfalon.check.observe import excerpt, viewers, who
from gonfalon.check.play import Bench, Case
from gonfalon.core.rules.state import CHANCE

STRIDE: Final = 12
"""So many decisions are played on with a hand in another order."""


def order_of_sets_tells_nothing(bench: Bench, case: Case) -> int:
    """The order of the cards within a hand changes nothing.

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
        for now in range(at, min(at + STRIDE, len(case.decisions))):
            seat, action = case.decisions[now]
            # Chance may well draw a card by its place: what it draws is another card then.
            if seat == CHANCE or not twin.is_legal(seat, action):
                break
            state.apply(seat, action)
            twin.apply(seat, action)
            for viewer in viewers(case.game):
                one, two = state.mask(viewer).dump(), twin.mask(viewer).dump()
                if one != two:
                    told = excerpt(repr(one), repr(two))
                    raise Broken(f"{who(viewer)} can tell in which order the cards of a hand lay: {told}", now + 1)
            checked += 1
    if not checked:
        bench.note = "no hand of two different cards"
    return checked


LAWS = [Law("the order within a hand tells nothing", "positions", order_of_sets_tells_nothing, share=0.5)]

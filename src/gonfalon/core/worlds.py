"""Full states consistent with a view: what a bot thinks in."""

from __future__ import annotations

from typing import Any, Final

from gonfalon.core.cards import KIND
from gonfalon.core.rng import Rng
from gonfalon.core.state import OPEN, State, Step

TRIES: Final = 10_000


def deal_unseen(state: State, need: int, rng: Rng) -> None:
    """Deal anew, in place, every card that lacks one of the seen bits `need`.

    What is hidden of a deck is its full list less what is seen, so the result depends on the seen
    part alone. Places that admit few kinds are filled first; with one such class of places every
    consistent deal is equally likely.
    """
    if need == 0:
        return
    binding = state.binding()
    for deck, zones in state.pools():
        left = [0] * (max(deck) + 1)
        for kind in deck:
            left[kind] += 1
        bound = False
        for zone in zones:
            for card in zone:
                if card & need == need:
                    left[card & KIND] -= 1
                elif card & binding:
                    bound = True
        unseen: list[int] = []
        for kind in range(len(left)):
            unseen += [kind] * left[kind]
        rng.shuffle(unseen)
        if bound:
            for zone in zones:
                for i in range(len(zone)):
                    if zone[i] & binding and zone[i] & need != need:
                        zone[i] = zone[i] & ~KIND | first_fit(state, zone[i] & binding, unseen)
            # Taking the first that fits leaves the others more likely to lie late.
            rng.shuffle(unseen)
        for zone in zones:
            for i in range(len(zone)):
                card = zone[i]
                if card & need != need and not card & binding:
                    zone[i] = card & ~KIND | unseen.pop()


def first_fit(state: State, flags: int, unseen: list[int]) -> int:
    """Take out of the shuffled kinds the first that a place with these flags admits."""
    for i in range(len(unseen)):
        if state.admits(flags, unseen[i]):
            return unseen.pop(i)
    raise ValueError("no unseen card fits a hidden place")


class Worlds:
    """The worlds of one view. Every sampled world has that view: `world.mask(viewer)` equals it."""

    def __init__(self, view: State) -> None:
        self.view: State = view

    def sample(self, rng: Rng) -> State:
        """A full state, uniform over the deals consistent with the view.

        A deal in which a seat could not be asked what the view says it is asked is dealt again.
        Raises ValueError when 10,000 deals in a row are such.
        """
        view = self.view
        need = view.need(view.viewer)
        for _ in range(TRIES):
            world = view.clone()
            world.viewer = OPEN
            if view.viewer != OPEN:
                deal_unseen(world, need, rng)
            steps = world.stack[:]
            log = world.log
            world.log = None
            world.settle()
            if same_steps(world.stack, steps):
                world.log = log
                return world
        raise ValueError("no world was found that fits the view")


def same_steps(a: list[Step[Any]], b: list[Step[Any]]) -> bool:
    """Steps are immutable, so a stack has moved on exactly when its length or its top has."""
    return len(a) == len(b) and (not a or a[-1] is b[-1])


def worlds(view: State) -> Worlds:
    """The worlds consistent with a view: `worlds(state.mask(0)).sample(rng)`."""
    return Worlds(view)

"""Worlds for a review: those of a view, and deals of cards that no seat has seen."""

from __future__ import annotations

from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.search.trials import WorldPool
from gonfalon.core.basics.cards import SEEN
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import Unseen, deal_decks, find_unseen, worlds
from gonfalon.core.rules.state import CHANCE, State

NO_LIMIT = 1 << 60
"""More worlds than are ever needed."""


class Worlds(WorldPool):
    """Worlds of a view, as frequent as they explain the other seats' actions. Each is returned only once."""

    def __init__(self, view: State, heuristic: Heuristic, rng: Rng) -> None:
        super().__init__(worlds(view).sample, rng, NO_LIMIT)
        self.heuristic = heuristic
        self.used = 0

    def weight(self, world: State) -> float:
        return self.heuristic.likelihood(world)

    def next(self) -> State:
        """Return the next world, which must not be changed."""
        self.used += 1
        return self.worlds[self.place(self.used - 1)]


class UnseenDeals:
    """The cards of a position that no seat has seen: luck that is still to come.

    Forgotten cards were open once, so they count as seen.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        marked = state.clone()
        marked.own()
        anybody = 0
        for seat in range(state.seats):
            anybody |= SEEN[seat]
        forgotten = [id(zone) for zone in marked.forgotten()]
        for zone in marked.zones():
            for i, card in enumerate(zone):
                # A card that one seat has seen counts as seen by all, because its luck has already happened.
                if card & anybody or id(zone) in forgotten:
                    zone[i] = card | anybody
        self.decks: list[Unseen] = find_unseen(marked, anybody)

    def sample(self, rng: Rng) -> State:
        """Return the position with another deal of the unseen cards."""
        world = self.state.clone()
        world.log = None
        deal_decks(world, self.decks, rng)
        return world


def resolve_chance(s: State, rng: Rng) -> None:
    """Apply chance until a seat is asked."""
    while s.stack and s.turn == CHANCE:
        s.apply(CHANCE, s.chance(rng))

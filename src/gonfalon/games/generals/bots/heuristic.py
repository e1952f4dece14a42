"""Steers a search through the worlds of Generals: to the Main Phase some turns on."""

from __future__ import annotations

from gonfalon.bots.players.choice import Choice
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.games.generals.bots.counters import CASES, chances
from gonfalon.games.generals.bots.explain import because, gained
from gonfalon.games.generals.bots.position_value import FITTED, TERMS, balance
from gonfalon.games.generals.bots.turns import asks_main
from gonfalon.games.generals.rules.acts.questions import DiscardOwn, Pay
from gonfalon.games.generals.rules.state import GeneralsState


class GeneralsHeuristic(Heuristic):
    """Tells worlds apart by the Counters in the other hand. `horizon` is in turns, the one under way counted."""

    def __init__(self, game: Game, horizon: int) -> None:
        super().__init__(game)
        self.horizon: int = horizon
        self.until: int = 0
        self.me: int = 0
        self.counters: list[int] = []

    def prepare(self, view: State) -> None:
        assert isinstance(view, GeneralsState)
        self.me = view.viewer
        self.until = view.number + self.horizon
        self.counters = view.setup.counters[1 - self.me]

    def is_minor(self, view: State) -> bool:
        return isinstance(view.stack[-1], (Pay, DiscardOwn))

    # ---- worlds ---------------------------------------------------------------------------------

    def facets(self) -> int:
        return len(CASES) if self.counters else 1

    def facet(self, world: State) -> int:
        assert isinstance(world, GeneralsState)
        held = 0
        for card in world.hand[1 - self.me]:
            if card & KIND in self.counters:
                held += 1
        return min(2, held)

    def chances(self, view: State) -> list[float]:
        assert isinstance(view, GeneralsState)
        return chances(view, 1 - self.me)

    def about(self) -> str:
        return "Counters in their hand"

    def case(self, facet: int) -> str:
        return CASES[facet]

    # ---- the horizon ----------------------------------------------------------------------------

    def is_leaf(self, s: State) -> bool:
        if not s.stack:
            return True
        assert isinstance(s, GeneralsState)
        return s.number >= self.until and asks_main(s)

    # ---- words ----------------------------------------------------------------------------------

    def notes(self, s: State, before: State) -> list[float]:
        """The terms of what it came to, the searching seat's less the other's."""
        assert isinstance(s, GeneralsState)
        return balance(s, self.me, False) if s.winner < 0 else [0.0] * TERMS

    def facts(self, noted: list[float], else_noted: list[float]) -> list[tuple[str, float]]:
        return gained(noted, else_noted, FITTED)

    def because(self, view: State, choice: Choice) -> str:
        return because(self.game, view, choice, self.horizon)

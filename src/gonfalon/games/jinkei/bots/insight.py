"""Reviews of Jinkei: battles are solved to the end of the round with open cards, in worlds of the view."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.insight import Insight, Solver
from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, State
from gonfalon.games.jinkei.bots.heuristic import (
    BATTLES,
    JinkeiHeuristic,
    count_lead,
    count_points_ahead,
    estimate_chance,
    estimate_spread,
)
from gonfalon.games.jinkei.bots.simple_rules import rate_actions
from gonfalon.games.jinkei.rules.state import HIGHEST, LOWEST, JinkeiState

POINT: Final = 0.1
"""The worth of a point of the score in log-odds, about."""
CLASH: Final = 0.3
"""The worth of a 12 that meets a 0 in log-odds, about."""


class JinkeiInsight(Insight):
    """The reviews of Jinkei solve battles. Formations are laid out by the rule of thumb, and then solved."""

    judge: str = "battles solved with open cards"

    def __init__(self, game: Game) -> None:
        self.jinkei: JinkeiHeuristic = JinkeiHeuristic(game)
        super().__init__(game, self.jinkei)

    def rate_simply(self, s: State) -> list[float]:
        assert isinstance(s, JinkeiState)
        return rate_actions(s)

    def judges(self, view: State) -> bool:
        """Leave the type of formation out: which one is best depends on how well a player uses it."""
        return view.stack[-1].prompt != "type"

    def solver(self, view: State) -> Solver | None:
        assert isinstance(view, JinkeiState)
        if view.stack[-1].prompt not in BATTLES:
            return None
        open_spread = estimate_spread(view)

        def chances(world: State) -> dict[Action, float]:
            assert isinstance(world, JinkeiState)
            lead = count_lead(world) if view.viewer == 0 else -count_lead(world)
            margins = self.jinkei.solve(world)
            return {action: estimate_chance(lead + margins[action], open_spread) for action in world.actions}

        return chances

    def truths(self, state: State, viewer: int) -> dict[str, str]:
        return {} if self.jinkei.facets() < 2 else {self.jinkei.about(): self.jinkei.case(self.jinkei.facet(state))}

    def numbers(self, s: State) -> list[float]:
        """Return the numbers that explain most of the worth of a deal.

        They are the lead in points, the difference of ranks in hand and on spaces, the pairs of a 12 and an opposing
        0, and the difference of 0s and of 12s.
        """
        assert isinstance(s, JinkeiState)
        setup = s.setup
        held, laid, lowest, highest = [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]
        for seat in (0, 1):
            hand = [setup.rank[card & KIND] for card in s.hand[seat]]
            spaces = [setup.rank[card & KIND] for cards in s.spaces[seat] for card in cards]
            held[seat], laid[seat] = float(sum(hand)), float(sum(spaces))
            lowest[seat] = float(hand.count(LOWEST) + spaces.count(LOWEST))
            highest[seat] = float(hand.count(HIGHEST) + spaces.count(HIGHEST))
        return [
            POINT * count_points_ahead(s),
            POINT * (held[0] - held[1]),
            POINT * (laid[0] - laid[1]),
            CLASH * (highest[1] * lowest[0] - highest[0] * lowest[1]),
            CLASH * (lowest[0] - lowest[1]),
            CLASH * (highest[0] - highest[1]),
        ]

    def progress(self, s: State) -> float:
        assert isinstance(s, JinkeiState)
        every = s.setup.rounds * s.setup.games
        fought = len(s.battles) if s.stack and s.stack[-1].prompt in BATTLES else 0  # else they may be the last round's
        gone = max(0, s.game - 1) * s.setup.rounds + max(0, s.round - 1) + fought / s.setup.hand
        return max(0.0, min(1.0, gone / every))

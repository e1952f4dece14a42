"""The review of Generals, which plays worlds on for some turns."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.insight import Insight
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.games.generals.bots.heuristic import GeneralsHeuristic
from gonfalon.games.generals.bots.inference import CASES
from gonfalon.games.generals.bots.position_value import FITTED, compute_log_odds
from gonfalon.games.generals.bots.simple_rules import rate_actions
from gonfalon.games.generals.rules.state import GeneralsState

HELD_CLAUSES: Final = ("they hold no Counter", "they hold one Counter", "they hold two Counters or more")
"""The cases of the hidden fact, as clauses."""
LONG_GAME_TURNS: Final = 30.0
"""Turns of both seats after which most games are over."""


class GeneralsInsight(Insight):
    """The insight of Generals. Its hidden fact is the number of Counters in the other hand."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, GeneralsHeuristic(game))

    def rate_simply(self, s: State) -> list[float]:
        assert isinstance(s, GeneralsState)
        return rate_actions(s)

    def truths(self, state: State, viewer: int) -> dict[str, str]:
        return (
            {self.heuristic.about(): self.heuristic.case(self.heuristic.facet(state))}
            if self.heuristic.facets() > 1
            else {}
        )

    def fact(self, about: str, case: str) -> str:
        return HELD_CLAUSES[CASES.index(case)]

    def numbers(self, s: State) -> list[float]:
        assert isinstance(s, GeneralsState)
        return [compute_log_odds(s, 0, False, FITTED)]

    def progress(self, s: State) -> float:
        assert isinstance(s, GeneralsState)
        return min(1.0, s.number / LONG_GAME_TURNS)

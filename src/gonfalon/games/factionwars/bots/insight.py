"""Estimates for reviews of Faction Wars: worlds by the likelihood of goals, played to the end of a round."""

from __future__ import annotations

from gonfalon.bots.insight import Insight
from gonfalon.bots.players.choice import Belief
from gonfalon.bots.players.noise import log_odds
from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.games.factionwars.bots.heuristic import FactionHeuristic
from gonfalon.games.factionwars.bots.simple_rules import rate_actions
from gonfalon.games.factionwars.face.thoughts import name_goal
from gonfalon.games.factionwars.rules.state import FactionState


class FactionInsight(Insight):
    """Estimates for reviews. The hidden facts are the others' goals."""

    def __init__(self, game: Game) -> None:
        self.rounds: FactionHeuristic = FactionHeuristic(game)
        super().__init__(game, self.rounds)

    def rate_simply(self, s: State) -> list[float]:
        assert isinstance(s, FactionState)
        return rate_actions(s)

    def beliefs(self, view: State) -> list[Belief]:
        assert isinstance(view, FactionState)
        return self.rounds.find_guess().list_beliefs(view, None)

    def truths(self, state: State, viewer: int) -> dict[str, str]:
        assert isinstance(state, FactionState)
        names = self.game.seat_names()
        table = self.rounds.table
        return {
            name_goal(names[seat]): table.kind_name(state.goal[seat][0] & KIND)
            for seat in range(state.seats)
            if seat != viewer and state.goal[seat]
        }

    def numbers(self, s: State) -> list[float]:
        return [log_odds(self.heuristic.win_chances(s)[0])]

    def progress(self, s: State) -> float:
        assert isinstance(s, FactionState)
        left = self.rounds.valuer.count_rounds_left(s)
        return s.round / (s.round + left) if s.round + left else 0.0

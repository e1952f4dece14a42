"""Reviews of Feint: worlds weighted by the cards played, judged at the end of the round."""

from __future__ import annotations

from gonfalon.bots.insight import Insight
from gonfalon.bots.players.choice import Belief
from gonfalon.bots.players.noise import log_odds
from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.games.feint.bots.heuristic import FeintHeuristic
from gonfalon.games.feint.bots.simple_rules import rate_actions
from gonfalon.games.feint.face import messages
from gonfalon.games.feint.rules.state import OPPONENT, FeintState


class FeintInsight(Insight):
    """The hidden fact is the other seat's Location Card."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, FeintHeuristic(game))

    def rate_simply(self, s: State) -> list[float]:
        assert isinstance(s, FeintState)
        return rate_actions(s)

    def truths(self, state: State, viewer: int) -> dict[str, str]:
        assert isinstance(state, FeintState)
        card, numbers = state.scout[OPPONENT[viewer]], state.setup.numbers
        return {messages.THEIR_LOCATION_CARD: messages.LOCATION.format(place=numbers[card[0] & KIND])} if card else {}

    def beliefs(self, view: State) -> list[Belief]:
        return [
            Belief(one.about, tuple((messages.LOCATION.format(place=case), chance) for case, chance in one.likely))
            for one in super().beliefs(view)
        ]

    def numbers(self, s: State) -> list[float]:
        return [log_odds(self.heuristic.win_chances(s)[0])]

    def progress(self, s: State) -> float:
        assert isinstance(s, FeintState)
        return min(1.0, s.round / s.end) if s.end else 0.0

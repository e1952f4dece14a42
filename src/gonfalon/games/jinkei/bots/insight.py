"""What a review of Jinkei asks: battles played to the end of the round with open cards, in worlds of the view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gonfalon.bots.insight import Insight, Solver
from gonfalon.bots.players.budget import Budget, Clock
from gonfalon.bots.players.choice import Belief
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.games.jinkei.bots.battle_solver import NONE
from gonfalon.games.jinkei.bots.battles import Battle, first_hidden
from gonfalon.games.jinkei.bots.inference import weigh
from gonfalon.games.jinkei.bots.precomputed import BATTLES, Case, Tables, chance
from gonfalon.games.jinkei.bots.rule_of_thumb import RuleOfThumb
from gonfalon.games.jinkei.bots.settings import LEVELS
from gonfalon.games.jinkei.face import thoughts
from gonfalon.games.jinkei.face.words import JinkeiWords
from gonfalon.games.jinkei.rules.state import HIGHEST, LOWEST, OPPONENT, TIE, JinkeiState

POINT: Final = 0.1
"""About how many log-odds a point of the score is worth."""
CLASH: Final = 0.3
"""The same for a 12 that meets a 0."""
ONCE: Final = Budget(1)


class OpenBattle(Battle):
    """What each action of a view comes to in any of its worlds."""

    def __init__(self, case: Case) -> None:
        super().__init__(case, LEVELS["strong"], Clock(ONCE))
        self.margins: Callable[[JinkeiState], dict[Action, float]] = self.advanced
        if self.asked != "advance":
            self.look_around()

    def look_at_worlds(self, margins: Callable[[JinkeiState], dict[Action, float]]) -> None:
        self.margins = margins

    def chances_in(self, world: State) -> dict[Action, float]:
        """The chance to win with each action in a world."""
        assert isinstance(world, JinkeiState)
        lead = self.case.standing(world)
        return {action: chance(lead + margin, self.spread) for action, margin in self.margins(world).items()}


class LaidHeuristic(Heuristic):
    """Weighs worlds by what people lay face down."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.view: JinkeiState | None = None

    def prepare(self, view: State) -> None:
        assert isinstance(view, JinkeiState)
        self.view = view

    def likelihood(self, world: State) -> float:
        assert isinstance(world, JinkeiState)
        assert self.view is not None
        if self.view.stack[-1].prompt not in BATTLES:
            return 1.0
        return weigh(world.setup, self.view, world, OPPONENT[self.view.viewer])


class JinkeiInsight(Insight):
    """Battles are judged, laying is not: nothing here says fast enough what a formation is worth. The hidden fact is
    the other's first face-down card."""

    judge: str = "battles solved with open cards"
    left_out: str = "concerned choosing or laying a formation, and nothing tells fast enough what that is worth"
    thumb: str = "the rule of thumb, which lays at first sight"
    """Trying ways to lay took nine tenths of its time, and worlds are played on by the hundred."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, LaidHeuristic(game))
        assert isinstance(game, JinkeiWords)
        self.tables: Tables = Tables(game)

    def rule_of_thumb(self) -> RuleOfThumb:
        assert isinstance(self.game, JinkeiWords)
        return RuleOfThumb(self.game, tries=1)

    def judges(self, view: State) -> bool:
        return view.stack[-1].prompt in BATTLES

    def case(self, view: State) -> Case:
        """A decision; worlds come from elsewhere."""
        assert isinstance(view, JinkeiState)
        return Case(self.tables, view, worlds(view).sample, Rng(0))

    def solver(self, view: State) -> Solver | None:
        return OpenBattle(self.case(view)).chances_in if self.judges(view) else None

    def beliefs(self, view: State) -> list[Belief]:
        if not self.judges(view):
            return []
        return list(Battle(self.case(view), LEVELS["strong"], Clock(ONCE)).beliefs())

    def truths(self, state: State, viewer: int) -> dict[str, str]:
        assert isinstance(state, JinkeiState)
        foe = OPPONENT[viewer]
        view = state.mask(viewer)
        assert isinstance(view, JinkeiState)
        kind = first_hidden(view.spaces[foe], state.spaces[foe])
        if kind == NONE:
            return {}
        rank = thoughts.rank_number(state.setup.rank[kind & KIND])
        return {thoughts.first_face_down(view): thoughts.RANKS[rank]}

    def numbers(self, s: State) -> list[float]:
        """The lead in points, the ranks that are left, those of the battles that are on, and what decides most of what
        a deal is worth: whose 12s are about when the other has a 0, and how many of both each has."""
        assert isinstance(s, JinkeiState)
        setup = s.setup
        lead = float(s.totals[0] - s.totals[1] + sum(s.scored[0]) - sum(s.scored[1]))
        if s.stack and s.stack[-1].prompt in BATTLES:
            lead += taken(s, 0) - taken(s, 1)
        held, laid, lowest, highest = [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]
        for seat in (0, 1):
            hand = [setup.rank[card & KIND] for card in s.hand[seat]]
            spaces = [setup.rank[card & KIND] for cards in s.spaces[seat] for card in cards]
            held[seat], laid[seat] = float(sum(hand)), float(sum(spaces))
            lowest[seat] = float(hand.count(LOWEST) + spaces.count(LOWEST))
            highest[seat] = float(hand.count(HIGHEST) + spaces.count(HIGHEST))
        return [
            POINT * lead,
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


def taken(s: JinkeiState, seat: Seat) -> int:
    """The points of what a seat has taken this round; of the battle that is on when both cards lie there."""
    points = s.setup.points
    total = sum(points[card & KIND] for owner in (0, 1) for card in s.taken[2 * seat + owner])
    if s.duel[0] and s.duel[1]:
        for owner in (0, 1):
            taker = owner if s.battles[-1] == TIE else s.battles[-1]
            if taker == seat:
                total += points[s.duel[owner][0] & KIND]
    return total

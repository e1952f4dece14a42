"""What players know of a box of formations before anything is dealt, and how they reckon a chance to win."""

from __future__ import annotations

from collections.abc import Callable
from math import erf, sqrt
from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import Seat, State
from gonfalon.games.jinkei.bots import matchups
from gonfalon.games.jinkei.bots.battle_solver import Shape, Shapes
from gonfalon.games.jinkei.bots.placement import Ground
from gonfalon.games.jinkei.bots.rule_of_thumb import RuleOfThumb
from gonfalon.games.jinkei.face.words import JinkeiWords
from gonfalon.games.jinkei.rules.setup import Setup
from gonfalon.games.jinkei.rules.state import OPPONENT, TIE, JinkeiState

BATTLES: Final = ("lead", "answer", "advance")
ROUND_SPREAD: Final = 9.5
"""Standard deviation of the margin of a round that is still to come, in points."""
BATTLE_SPREAD: Final = 0.55
"""The same of one battle, as far as solving open cards does not foresee it."""
SHARP: Final = 0.35
"""However little is left, a lead of half a point is not quite a win."""


class Tables:
    """The shapes of all formations, and the worth of every kind on every space of them."""

    def __init__(self, game: JinkeiWords) -> None:
        self.game: JinkeiWords = game
        self.setup: Setup = game.setup
        thumb = RuleOfThumb(game)
        self.spots: list[list[int]] = thumb.spots
        self.worth: list[list[list[float]]] = thumb.worth
        self.kept: list[float] = thumb.kept
        self.nothing: list[float] = [0.0] * game.setup.kinds
        self.shapes: Shapes = thumb.shapes
        self.full: list[Shape] = [thumb.shapes.whole(number) for number in range(len(game.setup.formations))]
        self.margins: dict[tuple[int, int], float] = matchups.read(game)
        top = max(game.setup.rank)
        self.plain: list[float] = [3.0 * rank / top for rank in game.setup.rank]
        """What a beginner takes a card for worth: its rank."""

    def ground(self, formation: int, free: list[int], keep: bool, least: int, plain: bool = False) -> Ground:
        """The free spaces of a formation."""
        kept = self.kept if keep else self.nothing
        if plain:
            rows = [[value * (1.0 - 0.1 * (space // 3)) for value in self.plain] for space in free]
            return Ground(free, rows, self.nothing, least)
        return Ground(free, [self.worth[formation][space] for space in free], kept, least)


class Case:
    """One decision: the view, who is asked, and chance."""

    def __init__(self, tables: Tables, view: JinkeiState, sample: Callable[[Rng], State], rng: Rng) -> None:
        self.tables: Tables = tables
        self.setup: Setup = tables.setup
        self.view: JinkeiState = view
        self.rng: Rng = rng
        self.draw: Callable[[Rng], State] = sample
        self.me: Seat = view.viewer
        self.foe: Seat = OPPONENT[view.viewer]
        self.legal: list[int] = view.legal(view.viewer)
        self.last: bool = view.round == self.setup.rounds  # no card is kept for another round
        rounds = self.setup.rounds
        self.to_come: int = rounds - view.round + (self.setup.games - view.game) * rounds

    def world(self) -> JinkeiState:
        """A world of the view."""
        world = self.draw(self.rng)
        assert isinstance(world, JinkeiState)
        return world

    # ---- the score --------------------------------------------------------------------------------

    def standing(self, world: JinkeiState) -> float:
        """How many points the viewer is ahead in a world, this round's included; half a point for a tie that is
        a win."""
        points, me, foe = self.setup.points, self.me, self.foe
        lead = float(world.totals[me] - world.totals[foe] + sum(world.scored[me]) - sum(world.scored[foe]))
        if self.setup.games == 1:
            lead += 0.5 if world.starter == foe else -0.5
        if world.stack[-1].prompt not in BATTLES:
            return lead  # what lies on the table has been scored
        for seat, sign in ((me, 1), (foe, -1)):
            for owner in (0, 1):
                for card in world.taken[2 * seat + owner]:
                    lead += sign * points[card & KIND]
        if world.duel[0] and world.duel[1]:
            winner = world.battles[-1]
            for owner in (0, 1):
                taker = owner if winner == TIE else winner
                lead += points[world.duel[owner][0] & KIND] * (1 if taker == me else -1)
        return lead

    def spread(self, left: int) -> float:
        """The standard deviation of what is still open when so many battles of this round are left."""
        here = SHARP + BATTLE_SPREAD * left
        return sqrt(self.to_come * ROUND_SPREAD * ROUND_SPREAD + here * here)

    @property
    def left(self) -> int:
        """How many battles of this round are to come, one that has begun included."""
        return self.setup.hand - len(self.view.battles)

    def hidden(self) -> bool:
        """Whether a card of the other's formation lies face down."""
        return any(card & KIND == HIDDEN for cards in self.view.spaces[self.foe] for card in cards)


def chance(lead: float, spread: float) -> float:
    """The chance to end ahead with this lead now."""
    return 0.5 + 0.5 * erf(lead / (spread * 1.4142135623730951))

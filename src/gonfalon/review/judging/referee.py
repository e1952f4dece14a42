"""The second judge of a decision: both actions are played to the end of the game by simple rules.

It shares neither the network nor the heuristic with the first judge. Its player follows rules of thumb from the guide
(`Insight.rate_simply`), and its worlds are as frequent as the rules deal them, without inference from what was played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from gonfalon.bots.insight import Insight
from gonfalon.bots.players.choice import Z
from gonfalon.bots.search.search import softmax
from gonfalon.bots.search.weighted_choice import drawn
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE, TOGETHER, Action, Seat, State
from gonfalon.review.figures import Loss, compute_mean, compute_standard_error
from gonfalon.review.judging.beliefs import Answers, Belief, apply_answers, sample_answers
from gonfalon.review.judging.players import MAX_DECISIONS, compute_share

SHARPNESS: Final = 2.0
"""Factor of the ratings. With less, the player errs so often that the difference between two actions is lost."""


class SimpleRules(Belief):
    """A player that follows simple rules in a world, by the knowledge of the seat in turn."""

    def __init__(self, insight: Insight) -> None:
        super().__init__("simple rules")
        self.insight = insight

    def action(self, world: State, seat: Seat, rng: Rng) -> Action:
        ratings = self.insight.rate_simply(world)
        shares = softmax([SHARPNESS * rating for rating in ratings], len(ratings))
        return world.actions[drawn(shares, rng)]


class Referee:
    """A judge that plays worlds to the end of the game.

    Args:
        player: The player of all seats.
        me: The seat whose decision is judged.
        rng: Random numbers for the players and for chance.
    """

    def __init__(self, player: Belief, me: Seat, rng: Rng) -> None:
        self.player = player
        self.me = me
        self.rng = rng
        self.apart: list[float] = []
        """The lead of one action over another in each world of `compare`."""

    def compare(self, best: Action, chosen: Action, sample: Callable[[], State], worlds: int) -> Loss:
        """Play further worlds, and return the lead of one action over another in all of them.

        Args:
            best: The action that the first judge prefers.
            chosen: The chosen action.
            sample: Returns a world, which is not changed.
            worlds: Number of worlds.
        """
        for _ in range(worlds):
            mine, other = self.play_world(sample(), [best, chosen])
            self.apart.append(mine - other)
        middle, half = compute_mean(self.apart), Z * compute_standard_error(self.apart)
        return Loss(middle, middle - half, middle + half)

    def play_world(self, world: State, actions: Sequence[Action], others: Answers | None = None) -> list[float]:
        """Return the share of the victory after each action in a world. All actions meet the same chance.

        Args:
            world: The world, which is not changed.
            actions: The actions.
            others: The answers of the other seats to the same decision; by default the player gives them.
        """
        if others is None:
            together = world.stack[-1].seat == TOGETHER
            others = sample_answers(self.player if together else None, world, self.me, self.rng)
        seed = self.rng.seed()
        shares = []
        for action in actions:
            s = world.clone()
            s.log = None
            apply_answers(s, self.me, action, others)
            self.play_on(s, Rng(seed))
            shares.append(compute_share(s, self.me))
        return shares

    def play_on(self, s: State, rng: Rng) -> None:
        """Play a world to its end in place."""
        for _ in range(MAX_DECISIONS):
            if not s.stack:
                return
            seat = s.turn
            s.apply(seat, s.chance(rng) if seat == CHANCE else self.player.action(s, seat, rng))

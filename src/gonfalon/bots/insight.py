"""A game's knowledge for reviews of finished games, beyond its rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from gonfalon.bots.players.choice import Belief
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.search.trials import believed
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.players import RuleOfThumb
from gonfalon.core.rules.state import Action, State

Solver: TypeAlias = Callable[[State], dict[Action, float]]
"""The chance to win with each action in a world, whose cards all lie open."""


class Insight:
    """The interface of a game to the judge of decisions and cards. This class serves any game.

    The heuristic gives the likelihood of worlds, the depth of playouts, and the hidden facts. If no network was trained
    for the game, `win_chances` evaluate its positions, or the end does.
    """

    judge: str = ""
    """The method that judges decisions, as a noun; empty if it is the play of the player in playouts."""

    def __init__(self, game: Game, heuristic: Heuristic | None = None) -> None:
        self.game: Game = game
        self.heuristic: Heuristic = heuristic or Heuristic(game)

    def rule_of_thumb(self) -> RuleOfThumb | None:
        """Return the player of playouts if no network was trained for the game."""
        return self.game.rule_of_thumb()

    def rate_simply(self, s: State) -> list[float]:
        """Return log-odds for `s.actions` by simple rules of play, for the second judge of reviews.

        They share nothing with the heuristic and the network of the first judge, and read only cards that the seat in
        turn may see. By default all actions are equally good.
        """
        return [0.0] * len(s.actions)

    def judges(self, view: State) -> bool:
        """Return whether a decision can be judged. Other decisions are shown without a judgment."""
        return True

    def solver(self, view: State) -> Solver | None:
        """Return a function that judges all actions of a view in a world at once, if the game has a better method than
        playouts."""
        return None

    def beliefs(self, view: State) -> list[Belief]:
        """Return the probability of each case of the hidden fact, given the view. Prepare the heuristic first."""
        return [] if self.heuristic.facets() < 2 else list(believed(self.heuristic, self.heuristic.chances(view)))

    def truths(self, state: State, viewer: int) -> dict[str, str]:
        """Return the true case of each hidden fact in the full position, for use after the end."""
        return {}

    def fact(self, about: str, case: str) -> str:
        """Return a case of a hidden fact as a clause."""
        return f"{about} is {case}"

    def numbers(self, s: State) -> list[float]:
        """Return features of the balance between two seats, from the side of the first and about as log-odds, for the
        baseline of luck. They may use the whole position."""
        return []

    def progress(self, s: State) -> float:
        """Return the progress of the game, from 0 to 1."""
        return 0.0

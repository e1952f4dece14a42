"""What the review of a finished game knows of a game beyond its rules."""

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
    """What a judge of decisions and cards asks of a game. This one serves any game.

    The heuristic says how likely worlds are, how far they are played on, and what is hidden. Where no network has
    learnt the game its `win_chances` say how it stands there, or the end does.
    """

    judge: str = ""
    """By what decisions are judged, as a noun; empty where that is the play of whoever plays worlds on."""
    left_out: str = ""
    """What `judges` leaves out, in words after "The other decisions ", with why; empty where that is nothing."""
    worlds: float = 1.0
    """How many worlds a decision gets, by the usual number: less where playing on is dear."""
    thumb: str = "the rule of thumb"
    """What `rule_of_thumb` is called."""

    def __init__(self, game: Game, heuristic: Heuristic | None = None) -> None:
        self.game: Game = game
        self.heuristic: Heuristic = heuristic or Heuristic(game)

    def rule_of_thumb(self) -> RuleOfThumb | None:
        """Who plays worlds on where no network has learnt the game."""
        return self.game.rule_of_thumb()

    def judges(self, view: State) -> bool:
        """Whether such a decision can be judged at all. Others are shown without a judgement."""
        return True

    def solver(self, view: State) -> Solver | None:
        """What judges all actions of a view in a world at once, where the game has something better than playing on."""
        return None

    def beliefs(self, view: State) -> list[Belief]:
        """How likely each case of what is hidden is, from the view. The heuristic has attended to it."""
        if self.heuristic.facets() < 2:
            return []
        return list(believed(self.heuristic, self.heuristic.chances(view)))

    def truths(self, state: State, viewer: int) -> dict[str, str]:
        """What was true of that, by what it is about: from the full position, for after the end."""
        return {}

    def fact(self, about: str, case: str) -> str:
        """A case of what is hidden, as a clause."""
        return f"{about} is {case}"

    def because(self, mine: list[float], theirs: list[float]) -> str:
        """What speaks for the better of two actions, as a sentence: from the means of what the heuristic noted at the
        ends of its worlds, and of the other one's. Empty where nothing tells."""
        return ""

    def numbers(self, s: State) -> list[float]:
        """What says how it stands between two seats, from the first one's side and about as log-odds, for the baseline
        of luck. All of a full position may go in that somebody has seen."""
        return []

    def progress(self, s: State) -> float:
        """How far the game has gone, from 0 to 1."""
        return 0.0

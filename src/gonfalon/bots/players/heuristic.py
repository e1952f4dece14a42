"""A game's heuristic: the estimates of actions and positions that all levels share, with and without search."""

from __future__ import annotations

from mypy_extensions import mypyc_attr

from gonfalon.bots.players.choice import Belief, Choice
from gonfalon.bots.players.noise import choose_with_noise
from gonfalon.bots.players.reasons import Reason, described, explain
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import TOGETHER, Action, Seat, State


@mypyc_attr(allow_interpreted_subclasses=True)
class Heuristic:
    """Estimates what a game's actions and positions are worth, and how likely worlds are.

    `prepare` is called first, with the view of the decision. The other methods get that view, its worlds, or positions
    that follow from these worlds. A world contains all cards, so an estimate for a seat must read only what that seat
    may know. This class serves any game: all actions look equally good, playouts are random and continue to the end of
    the game, and all worlds are equally likely.
    """

    def __init__(self, game: Game) -> None:
        self.game: Game = game
        self.seats: int = game.seats

    def prepare(self, view: State) -> None:
        """Prepare for the view whose worlds will be searched; `view.log` may be None."""

    def is_minor(self, view: State) -> bool:
        """Return whether the question is answered by the heuristic without search."""
        return False

    def allows_noise(self, view: State) -> bool:
        """Return whether a weak level may play a second-best action. Override it where that would be a blunder."""
        return not self.is_minor(view)

    def is_simultaneous(self, view: State) -> bool:
        """Return whether a decision is searched together with the answers of the others to the same question.

        This is not worthwhile if each seat gives several answers, one after the other.
        """
        return view.stack[-1].seat == TOGETHER

    # ---- worlds ---------------------------------------------------------------------------------

    def likelihood(self, world: State) -> float:
        """Return how likely the others would have acted as they did in this world, on any scale; the largest is 1."""
        return 1.0

    def facets(self) -> int:
        """Return the number of cases of the most important hidden fact."""
        return 1

    def facet(self, world: State) -> int:
        """Return the number of the case that is true in this world. The others know it, the viewer does not."""
        return 0

    def about(self) -> str:
        """Return the name of that fact from the viewer's side: "their Location Card"."""
        return ""

    def case(self, facet: int) -> str:
        """Return a case in words."""
        return ""

    def chances(self, view: State) -> list[float]:
        """Return the probability of each case if it can be computed from the view.

        Otherwise return an empty list: the frequencies in sampled worlds are used, which may miss possible cases.
        """
        return []

    def beliefs(self, view: State) -> tuple[Belief, ...]:
        """Return the beliefs that a player without search reports."""
        return ()

    # ---- playing on -----------------------------------------------------------------------------

    def is_leaf(self, s: State) -> bool:
        """Return whether a playout ends here."""
        return not s.stack

    def win_chances(self, s: State) -> list[float]:
        """Return each seat's chance to win, from 0 to 1, where playouts end (`is_leaf`). The chances add up to 1."""
        returns = s.returns()
        low = min(returns)
        total = sum(returns) - low * len(returns)
        return [1.0 / len(returns)] * len(returns) if total <= 0.0 else [(value - low) / total for value in returns]

    def scores(self, s: State) -> list[float]:
        """Return how good each of `s.actions` looks to `s.turn`, as log-odds; an empty list if all are alike.

        `s` is a world, or the view of `s.turn`: both must give the same scores.
        """
        return []

    def playout_action(self, s: State, rng: Rng) -> Action:
        """Return an action of `s.turn` for a playout, drawn with probabilities that follow from the scores."""
        actions = s.actions
        scores = self.scores(s)
        return actions[int(rng.below(len(actions)))] if not scores else actions[choose_with_noise(scores, 1.0, rng)]

    def public(self, s: State, seat: Seat, action: Action, viewer: Seat) -> Action:
        """Return the public form of an action, as `Game.public` does. Override it if it can be computed faster."""
        return self.game.public(s, seat, action, viewer)

    def publics(self, s: State, seat: Seat, viewer: Seat) -> list[Action]:
        """Return the public form of each of `s.actions`, the actions of a seat; the list itself if none is secret."""
        return [self.public(s, seat, action, viewer) for action in s.actions]

    # ---- words ----------------------------------------------------------------------------------

    def reasons(self, view: State, choice: Choice) -> list[Reason]:
        """Return the facts of a view that speak for a choice in sentences, the weightiest first."""
        return []

    def named(self, view: State, action: Action) -> str:
        """Return an action as a noun, for the middle of a sentence."""
        return described(self.game, view, action)

    def explain(self, view: State, choice: Choice) -> Choice:
        """Return a choice with its reason."""
        reasons, plain = self.reasons(view, choice), self.game.describe(view, choice.action)
        return explain(choice, reasons, plain)

"""A game's heuristic: one estimate of actions and positions, which levels without search, searches and networks use."""

from __future__ import annotations

from mypy_extensions import mypyc_attr

from gonfalon.bots.players.choice import Belief, Choice
from gonfalon.bots.players.noise import choose_with_noise
from gonfalon.bots.players.reasons import capital, described, sentence
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import TOGETHER, Action, Seat, State


@mypyc_attr(allow_interpreted_subclasses=True)
class Heuristic:
    """Estimates what a game's actions and positions are worth, and how likely worlds are.

    `prepare` is called first, with the view that a decision is made from. The other methods get either that view or
    worlds of it and what becomes of them. A world knows everything, so an estimate for a seat must read only what that
    seat may know. This class serves any game: all actions are alike, playouts are random and go to the end, and all
    worlds are equally likely.
    """

    def __init__(self, game: Game) -> None:
        self.game: Game = game
        self.seats: int = game.seats

    def prepare(self, view: State) -> None:
        """Look at the view whose worlds are to be searched; `view.log` may be None."""

    def is_minor(self, view: State) -> bool:
        """Return whether the question is answered by the heuristic without search."""
        return False

    def is_simultaneous(self, view: State) -> bool:
        """Return whether a decision is searched against the answers that the others give to the same question.

        That does not pay where each seat gives several answers, one after the other.
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
        """Return the case of this world, which the others know and the viewer does not."""
        return 0

    def about(self) -> str:
        """Return the name of that fact from the viewer's side: "their Location Card"."""
        return ""

    def case(self, facet: int) -> str:
        """Return a case in words."""
        return ""

    def chances(self, view: State) -> list[float]:
        """Return the probability of each case, if it can be computed from the view; otherwise an empty list, and the
        frequencies in sampled worlds count, which may miss possible cases."""
        return []

    def beliefs(self, view: State) -> tuple[Belief, ...]:
        """Return the beliefs that a player without search reports."""
        return ()

    # ---- playing on -----------------------------------------------------------------------------

    def is_leaf(self, s: State) -> bool:
        """Return whether a playout ends here."""
        return not s.stack

    def win_chances(self, s: State) -> list[float]:
        """Each seat's chance to win, from 0 to 1, where `over`; together they make 1."""
        returns = s.returns()
        low = min(returns)
        total = sum(returns) - low * len(returns)
        if total <= 0.0:
            return [1.0 / len(returns)] * len(returns)
        return [(value - low) / total for value in returns]

    def scores(self, s: State) -> list[float]:
        """Return how good each of `s.actions` looks to `s.turn`, as log-odds; an empty list if all are alike.

        `s` is a world, or the view of `s.turn`: both must give the same scores.
        """
        return []

    def playout_action(self, s: State, rng: Rng) -> Action:
        """Return an action of `s.turn` in a playout, drawn by the odds that the scores give."""
        actions = s.actions
        scores = self.scores(s)
        if not scores:
            return actions[int(rng.below(len(actions)))]
        return actions[choose_with_noise(scores, 1.0, rng)]

    def public(self, s: State, seat: Seat, action: Action, viewer: Seat) -> Action:
        """`Game.public`, where a game can give it faster."""
        return self.game.public(s, seat, action, viewer)

    def publics(self, s: State, seat: Seat, viewer: Seat) -> list[Action]:
        """Return the public form of each of `s.actions`, which are a seat's; the list itself if none is secret."""
        return [self.public(s, seat, action, viewer) for action in s.actions]

    # ---- words ----------------------------------------------------------------------------------

    def notes(self, s: State, before: State) -> list[float]:
        """Return the facts about the end of a world that are worth reporting, as numbers (such as a round won)."""
        return []

    def facts(self, noted: list[float], else_noted: list[float]) -> list[tuple[str, float]]:
        """Return the named facts for `because`, from the mean `notes` of an action and of the next best one."""
        return []

    def explain_at_first_sight(self, view: State, action: Action, other: Action | None) -> str:
        """Return why an action scores higher than another, as a sentence."""
        if other is None:
            return f"{capital(self.named(view, action))} looks best at first sight."
        return f"{capital(self.named(view, action))} looks best at first sight, and {self.named(view, other)} next."

    def named(self, view: State, action: Action) -> str:
        """An action as a noun, within a sentence."""
        return described(self.game, view, action)

    def because(self, view: State, choice: Choice) -> str:
        """Return the reason of a choice as a sentence."""
        return sentence(choice, lambda action: self.named(view, action))

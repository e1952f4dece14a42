"""Bots that search: worlds of the view, one tree, and an account of what came out of it."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Final

from gonfalon.bots.bot import Bot
from gonfalon.bots.budget import Budget, Clock
from gonfalon.bots.choice import Alternative, Basis, Belief, Choice, Estimate, Reason, around, ranked
from gonfalon.bots.search import Search, Settings
from gonfalon.bots.search_policy import Pilot
from gonfalon.core.game import Game
from gonfalon.core.players import RuleOfThumb
from gonfalon.core.rng import Rng
from gonfalon.core.state import Action, State

OTHERS: Final = 3
ENOUGH: Final = 10
"""Visits before a chance is worth telling."""
ITERATIONS: Final = {"gentle": 16, "club": 128, "expert": 1024}
"""What each level of a game that supplies no players may try out. In a game of much luck the upper ones play alike."""
LIKELY: Final = 0.03
"""A case that is less likely is not worth a counterfactual."""


class SearchBot(Bot):
    """Searches the worlds of its view, steered by a pilot; leaves what the pilot calls a small question to
    the game's rule of thumb."""

    def __init__(
        self, name: str, game: Game, budget: Budget, pilot: Pilot | None = None, settings: Settings | None = None
    ) -> None:
        super().__init__(name, game)
        self.budget = budget
        self.pilot: Pilot = pilot or Pilot(game)
        self.settings: Settings = settings or Settings()
        self.rule_of_thumb: RuleOfThumb | None = game.rule_of_thumb()

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        legal = view.legal(view.viewer)
        if len(legal) == 1:
            return Choice(legal[0], "Nothing else is legal.")
        clock = Clock(budget)
        if self.rule_of_thumb is not None and self.pilot.small(view):
            action, why = self.rule_of_thumb.choose(view, rng)
            return Choice(action, why, reason=Reason(Basis.RULE))
        self.pilot.attend(view)
        search = Search(view, self.sampler(view).sample, self.pilot, rng, self.settings)
        search.run(clock.over)
        return self.told(search, view)

    def told(self, search: Search, view: State) -> Choice:
        """The choice, with all that the search has found."""
        found = search.ranked()
        action, visits, mean, error = found[0]
        total = sum(entry[1] for entry in found)
        value = estimate(mean, error, visits)
        others = ranked(
            (Alternative(a, estimate(m, e, n) if n >= ENOUGH else None, n / total) for a, n, m, e in found[1:]), OTHERS
        )
        return Choice(
            action,
            value=value,
            policy=tuple((entry[0], entry[1] / total) for entry in sorted(found)),
            alternatives=others,
            beliefs=self.beliefs(search),
            otherwise=self.otherwise(search, action),
            iterations=search.iterations,
            worlds=min(search.dealt, search.settings.worlds),
            reason=self.reason(search, action, value, others[0]),
        )

    def reason(self, search: Search, action: Action, value: Estimate, other: Alternative) -> Reason:
        """Why the action that was tried most often, against the highest chance beside it, or what was tried most of
        those without one."""
        tries = (("tries", float(search.tries(action))), ("else", float(search.tries(other.action))))
        if other.value is not None and other.value.value > value.value:
            return Reason(Basis.TRIED, other.action, tries)
        notes = [[search.mean_note(action)], [search.mean_note(other.action)]]
        return Reason(Basis.BETTER, other.action, tuple(self.pilot.facts(*notes)))

    def words(self, view: State, choice: Choice) -> str:
        return self.pilot.because(view, choice)

    def beliefs(self, search: Search) -> tuple[Belief, ...]:
        """How likely each case of the hidden fact is: as the pilot works it out, or by the worlds dealt and what
        explains them."""
        if search.facets < 2:
            return ()
        return believed(self.pilot, self.pilot.chances(search.view) or search.belief)

    def otherwise(self, search: Search, action: Action) -> str:
        """The case in which another action would have been better, the likeliest of them."""
        total = sum(search.belief)
        order = sorted(range(search.facets), key=lambda i: -search.belief[i])
        for facet in order:
            if search.facets < 2 or search.belief[facet] < LIKELY * total:
                break
            visits, sums = search.case_visits[facet], search.case_total[facet]
            tried = {a: sums[a] / n for a, n in visits.items() if n >= ENOUGH}
            if action not in tried:
                continue
            better = max(tried, key=lambda a: (tried[a], -a))
            spread = 0.5 / sqrt(visits[better]) + 0.5 / sqrt(visits[action])
            if better != action and tried[better] > tried[action] + spread:
                about, case = self.pilot.about(), self.pilot.case(facet)
                text = self.game.describe(search.view, better)
                return f"If {about} were {case}, I would rather do this: {text}"
        return ""


def believed(pilot: Pilot, weights: list[float]) -> tuple[Belief, ...]:
    """What is told of the hidden fact, from the weights of its cases; those without any are left out."""
    total = sum(weights)
    if total <= 0.0:
        return ()
    found = [(pilot.case(i), weight / total) for i, weight in enumerate(weights) if weight > 0.0]
    found.sort(key=lambda entry: (-entry[1], entry[0]))
    return (Belief(pilot.about(), tuple(found)),)


def searchers() -> dict[str, Callable[[str, Game], Bot]]:
    """For each level of a game that supplies no players what makes the bot: the search knows no more of the game
    than its rules."""
    return dict.fromkeys(ITERATIONS, searcher)


def searcher(name: str, game: Game) -> Bot:
    """The bot of such a level."""
    return SearchBot(name, game, Budget(iterations=ITERATIONS[name]))


def estimate(mean: float, error: float, visits: int) -> Estimate:
    """A mean of so many chances to win with its interval, which few visits leave wide."""
    return around(mean, max(error, 0.5 / (visits + 1)))

"""Bots that plan turns of Generals, and their account of it."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.players.bot import ThinkingBot
from gonfalon.bots.players.budget import NO_LIMIT, Budget, Clock
from gonfalon.bots.players.choice import Alternative, Basis, Belief, Choice, Estimate, Reason, ranked, within
from gonfalon.bots.players.reasons import described
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.games.generals.bots.counters import CASES, chances
from gonfalon.games.generals.bots.explain import because, gained
from gonfalon.games.generals.bots.plans import Manner, Plan, Planner
from gonfalon.games.generals.bots.position_value import TERMS, balance, odds
from gonfalon.games.generals.bots.rule_of_thumb import spared
from gonfalon.games.generals.bots.turns import asks_main, spare
from gonfalon.games.generals.rules.acts.questions import DiscardOwn, Pay
from gonfalon.games.generals.rules.state import GeneralsState

LOOKS: Final = 8
"""Positions looked at to find plans, for each try that the budget allows."""
ENOUGH: Final = 6
"""Tries before a chance is worth telling."""
WIDE: Final = 0.35
"""How far the interval of a chance at first sight goes to either side."""


class PlannerBot(ThinkingBot):
    """Finds plans for the turn and tries them in worlds of its view; pays with what it can spare."""

    def __init__(self, name: str, game: Game, budget: Budget, manner: Manner) -> None:
        super().__init__(name, game)
        self.budget = budget
        self.manner: Manner = manner

    def consider(self, view: State, legal: list[Action], clock: Clock, rng: Rng) -> Choice:
        assert isinstance(view, GeneralsState)
        if isinstance(view.stack[-1], (Pay, DiscardOwn)):
            return Choice(*spared(view, spare(view, view.viewer, legal)), reason=Reason(Basis.RULE))
        total = clock.limit if 0 < clock.limit < NO_LIMIT else self.budget.iterations or 1
        planner = Planner(view, self.sampler(view).sample, self.manner, rng)
        planner.find(LOOKS * total)
        if len(planner.plans) > 1:
            planner.compare(total, clock.over)
        return self.told(planner, view)

    # ---- the account ----------------------------------------------------------------------------

    def told(self, planner: Planner, view: GeneralsState) -> Choice:
        """The choice, with all that was found."""
        best = planner.plans[0]
        tries = planner.tries
        others = [plan for plan in leading(planner.plans) if plan.first != best.first]
        if not others and planner.next is not None:
            others = [planner.next]
        shares: dict[Action, int] = {}
        for plan in planner.plans:
            shares[plan.first] = shares.get(plan.first, 0) + plan.count
        policy = [(a, n / tries) for a, n in sorted(shares.items()) if n] if tries else [(best.first, 1.0)]
        told = ranked(
            Alternative(
                plan.first,
                estimated(plan) if plan.count >= ENOUGH or not tries else None,
                shares.get(plan.first, 0) / tries if tries else 0.0,
            )
            for plan in others
        )
        top = next((plan for plan in others if plan.first == told[0].action), None)
        return Choice(
            best.first,
            value=estimated(best),
            policy=tuple(policy),
            alternatives=told,
            beliefs=beliefs(planner),
            otherwise=self.otherwise(view, best, others),
            iterations=tries,
            worlds=len(planner.worlds),
            reason=self.reason(planner.me, best, top),
        )

    def reason(self, me: Seat, best: Plan, other: Plan | None) -> Reason:
        """Why a plan, against the one beside it with the highest chance."""
        if other is None:
            return Reason(Basis.BETTER)
        if (other.count < ENOUGH and best.count) or estimated(other).value <= estimated(best).value:
            weights = self.manner.leaf if best.count else self.manner.weights
            return Reason(Basis.BETTER, other.first, tuple(gained(ends(best, me), ends(other, me), weights)))
        if odds(best.value) > odds(other.value):
            return Reason(Basis.SIGHT, other.first)
        return Reason(Basis.TRIED, other.first, (("tries", float(best.count)), ("else", float(other.count))))

    def words(self, view: State, choice: Choice) -> str:
        return because(self.game, view, choice, self.manner.horizon if choice.iterations else 0)

    def otherwise(self, view: GeneralsState, best: Plan, others: list[Plan]) -> str:
        """Whether a Counter in the other hand, or none, would have changed the choice."""
        for case, words in ((1, "a Counter in hand"), (0, "no Counter in hand")):
            if best.cases[case].count < ENOUGH or best.cases[1 - case].count == 0:
                continue
            mean = best.cases[case].mean()
            for plan in others:
                if plan.cases[case].count >= ENOUGH and plan.cases[case].mean() > mean + 0.02:
                    rather = described(self.game, view, plan.first)
                    return f"If I knew that they have {words}, I would rather do this: {rather}."
        return ""


def leading(plans: list[Plan]) -> list[Plan]:
    """The best plan for each beginning, best first."""
    begun: set[Action] = set()
    found = []
    for plan in plans:
        if plan.first not in begun:
            begun.add(plan.first)
            found.append(plan)
    return found


def ends(plan: Plan, me: Seat) -> list[float]:
    """The terms of what a plan comes to for a seat: the means of its tries, or what it leads to at first sight."""
    if plan.count:
        return plan.means()
    after = plan.after
    return balance(after, me, asks_main(after)) if after.winner < 0 else [0.0] * TERMS


def beliefs(planner: Planner) -> tuple[Belief, ...]:
    """How many Counters the other hand may hold."""
    foe = 1 - planner.me
    if not planner.view.setup.counters[foe]:
        return ()
    told = zip(CASES, chances(planner.view, foe), strict=True)
    found = [(case, round(chance, 4)) for case, chance in told if chance > 0.0]
    found.sort(key=lambda entry: (-entry[1], entry[0]))
    return (Belief("Counters in their hand", tuple(found)),)


def estimated(plan: Plan) -> Estimate:
    """A plan's chance to win, which first sight alone leaves wide."""
    return plan.estimate() if plan.count else within(odds(plan.value), WIDE)

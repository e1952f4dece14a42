"""The judgement of one decision, by the knowledge of its seat.

The only inputs are the view, the chosen action and a random stream, so the result cannot reveal a secret. The best
alternative is found in some worlds and compared with the chosen action in fresh ones: in the worlds of the search it
looks better than it is. Both actions are played in the same worlds, and the variance of their differences gives the
error. A mark needs the agreement of a second judge of another kind (`referee.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot, sqrt
from typing import Final

from gonfalon.bots.players.choice import Alternative, Choice, Z, ranked, within
from gonfalon.bots.players.reasons import explain, percent
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.review.figures import Loss, compute_mean, compute_standard_error
from gonfalon.review.judging.beliefs import Answers, Belief, apply_answers, give_turn, list_beliefs, sample_answers
from gonfalon.review.judging.budgets import Budgets
from gonfalon.review.judging.players import Table
from gonfalon.review.judging.referee import Referee, SimpleRules
from gonfalon.review.judging.worlds import Worlds

EXACT_ERROR: Final = 0.01
"""Standard error below which no more worlds are needed, as a chance."""
HOPELESS_FACTOR: Final = 2
"""Multiple of the worlds after which a loss is dropped that cannot earn a mark if it stays the same."""
MIN_FACTOR: Final = 4
"""Multiple of the worlds before which no mark is certain, because a few bad worlds may be chance."""
RARE_PROBABILITY: Final = 0.0005
"""Probability below which an action of the player is not tried."""
MARKS: Final = ((0.15, "blunder"), (0.08, "mistake"), (0.04, "inaccuracy"))
"""Each mark, with the smallest loss for which it is given."""
FELT: Final = 0.02
"""A loss that a person would feel. The interval of a marked loss lies above it."""
MAX_RATIO: Final = 8.0
"""The largest ratio of both judges' losses. Farther apart they contradict each other."""
LIKELY: Final = 0.5
"""Probability from which a case of something hidden can be what a loss depends on."""


@dataclass(frozen=True)
class Judgement:
    """The judgement of a decision."""

    chosen: Action
    best: Action
    second: Action | None
    value: float
    """The chance to win with the chosen action."""
    best_value: float
    """The reported chance to win with the best action, which is `value` plus the loss."""
    loss: Loss
    """The loss, by both judges if the second was asked: 0 if the best action was chosen, below 0 if the best action was
    worse in fresh worlds."""
    lead: Loss | None
    """The lead of the best action over the second; None if there was no second."""
    worlds: int
    referee: Loss | None
    """The loss by the second judge; None if it was not asked."""
    mark: str
    why: str
    """The reason for the best action as a sentence; empty if it was chosen or if there is no reason."""


@dataclass
class Outcomes:
    """Chances to win in worlds that were tried: by action and belief, one for each world."""

    beliefs: int
    rows: dict[Action, list[list[float]]] = field(default_factory=dict)
    """For each action and belief, its chance in each world."""
    cases: list[int] = field(default_factory=list)
    """The case of the hidden fact in each world; empty if the game has none."""

    def add(self, found: dict[Action, list[list[float]]]) -> None:
        """Add worlds: for each action and belief, its chance in each of them."""
        for action, by_belief in found.items():
            rows = self.rows.setdefault(action, [[] for _ in range(self.beliefs)])
            for row, chances in zip(rows, by_belief, strict=True):
                row.extend(chances)

    def compare_actions(self, a: Action, b: Action) -> list[Loss]:
        """Return the lead of one action over another for each belief."""
        found = []
        for mine, other in zip(self.rows[a], self.rows[b], strict=True):
            apart = [x - y for x, y in zip(mine, other, strict=True)]
            middle, half = compute_mean(apart), Z * compute_standard_error(apart)
            found.append(Loss(middle, middle - half, middle + half))
        return found

    def find_smallest_lead(self, a: Action, b: Action) -> Loss:
        """Return the smallest lead of one action over another among the beliefs."""
        found = self.compare_actions(a, b)
        return Loss(min(one.value for one in found), min(one.low for one in found), min(one.high for one in found))

    def estimate_value(self, action: Action) -> float:
        """Return the chance to win with an action, as the mean over the beliefs."""
        return compute_mean([compute_mean(row) for row in self.rows[action]])


class Judge:
    """A judge of one decision. The heuristic of the table is prepared for its view."""

    def __init__(self, table: Table, view: State, budgets: Budgets, rng: Rng) -> None:
        self.table = table
        self.view = view
        self.me: Seat = view.viewer
        self.budgets = budgets
        self.rng = rng
        self.heuristic = table.insight.heuristic
        self.heuristic.prepare(view)
        table.player.forget()  # results must not depend on earlier decisions
        self.worlds = Worlds(view, self.heuristic, rng)
        self.solver = table.insight.solver(view)
        self.beliefs: list[Belief | None] = [None] if self.solver else list_beliefs(table, view)

    def list_proposals(self, chosen: Action) -> list[Action]:
        """Return the chosen action, then the likeliest others by the player of worlds."""
        legal = self.view.legal(self.me)
        if self.solver is not None:  # which judges all of them at once
            return [chosen, *(action for action in legal if action != chosen)]
        s = self.worlds.next().clone()
        give_turn(s, self.me)
        likely = dict(zip(s.actions, self.table.player.policies([s])[0], strict=True))
        order = sorted(legal, key=lambda action: (-likely.get(action, 0.0), action))
        few = order[: self.budgets.proposals]
        found = [action for action in few if likely.get(action, 0.0) > RARE_PROBABILITY]
        return [chosen, *(action for action in (found if len(found) > 1 else order[:2]) if action != chosen)]

    def try_out(self, found: Outcomes, actions: list[Action], worlds: int) -> None:
        """Try actions in fresh worlds.

        Args:
            found: Receives the chances.
            actions: The actions.
            worlds: Number of worlds.
        """
        some = [self.worlds.next() for _ in range(worlds)]
        if self.heuristic.facets() > 1:
            found.cases += [self.heuristic.facet(world) for world in some]
        if self.solver is not None:
            solved = [self.solver(world) for world in some]
            found.add({action: [[chances[action] for chances in solved]] for action in actions})
        else:
            self.play_worlds(found, some, self.sample_others(some), actions)

    def sample_others(self, some: list[State]) -> list[list[Answers]]:
        """Return the answers of the other seats to the same decision, for each belief and world."""
        return [[sample_answers(belief, world, self.me, self.rng) for world in some] for belief in self.beliefs]

    def play_worlds(
        self, into: Outcomes, some: list[State], others: list[list[Answers]], actions: list[Action]
    ) -> dict[Action, list[list[float]]]:
        """Try actions in worlds by playing them, and add the chances to `into`.

        Args:
            into: Receives the chances.
            some: The worlds.
            others: For each belief, the answers of the other seats in each world.
            actions: The actions.

        Returns:
            For each action and belief, the chance in each world.
        """
        ends = {action: [self.build_branches(some, action, given) for given in others] for action in actions}
        every = [s for by_belief in ends.values() for branch in by_belief for s in branch]
        self.table.play_on(every, self.heuristic.is_leaf, self.rng)
        chances = iter(self.table.estimate_chances(every, self.me))
        found = {
            action: [[next(chances) for _ in branch] for branch in by_belief] for action, by_belief in ends.items()
        }
        into.add(found)
        return found

    def build_branches(self, some: list[State], action: Action, given: list[Answers]) -> list[State]:
        """Return the worlds after an action and the other seats' answers."""
        found = []
        for world, others in zip(some, given, strict=True):
            s = world.clone()
            apply_answers(s, self.me, action, others)
            found.append(s)
        return found

    def judge(self, chosen: Action) -> Judgement:
        """Return the judgement of the chosen action."""
        best, second = self.find_best_two(chosen)
        # Fresh worlds: the best action was selected by its luck in the first ones.
        fresh = Outcomes(len(self.beliefs))
        asked = [best, chosen] if second is None else [best, second, chosen]
        self.try_out(fresh, list(dict.fromkeys(asked)), self.budgets.again)
        worlds = self.budgets.again
        lead = None if second is None else fresh.find_smallest_lead(best, second)
        while worlds < self.budgets.most and not self.is_clear(fresh.find_smallest_lead(best, chosen), worlds):
            self.try_out(fresh, [best, chosen], self.budgets.again)
            worlds += self.budgets.again
        first, referee, mark = fresh.find_smallest_lead(best, chosen), None, ""
        loss = first
        if first.low > self.budgets.doubted:
            referee = self.ask_referee(best, chosen, first)
            loss = join_losses(first, referee)
            mark = find_mark(loss) if is_confirmed(first, referee) else ""
        value, best_value = adjust_chances(fresh.estimate_value(chosen), loss.value)
        loss = loss._replace(high=min(loss.high, max(loss.value, best_value)))  # no more than that can be lost
        return Judgement(
            chosen=chosen,
            best=best,
            second=second,
            value=value,
            best_value=best_value,
            loss=loss,
            lead=lead,
            worlds=worlds,
            referee=referee,
            mark=mark,
            why=""
            if best == chosen
            else f"{self.explain_best(fresh, best, chosen)} {self.name_guess(fresh, best, chosen)}".strip(),
        )

    def find_best_two(self, chosen: Action) -> tuple[Action, Action | None]:
        """Return the best action in the first worlds, and the second best."""
        first = Outcomes(len(self.beliefs))
        tried, half = self.list_proposals(chosen), self.budgets.first // 2
        self.try_out(first, tried, half)
        tried = self.select_better_half(first, tried)
        self.try_out(first, tried, self.budgets.first - half)
        best = max(tried, key=lambda action: rank_action(first, action, chosen))
        rest = [action for action in tried if action != best]
        return best, max(rest, key=lambda action: (first.estimate_value(action), -action)) if rest else None

    def select_better_half(self, found: Outcomes, tried: list[Action]) -> list[Action]:
        """Return the actions that deserve more worlds: the chosen one, first, and the better half of the others.

        A solver evaluates all actions at once, so it keeps all.
        """
        if self.solver is not None:
            return tried
        chosen, *others = tried
        others.sort(key=lambda action: rank_action(found, action, chosen), reverse=True)
        return [chosen, *others[: (len(others) + 1) // 2]]

    def is_clear(self, loss: Loss, worlds: int) -> bool:
        """Return whether more worlds would not change the report, or would hardly lead to a mark.

        Args:
            loss: The loss so far.
            worlds: Number of worlds so far.
        """
        low_at_last = estimate_low(loss, worlds / self.budgets.most)
        if loss.low > FELT and worlds < MIN_FACTOR * self.budgets.again:
            return False
        return (
            loss.high - loss.low <= 2.0 * Z * EXACT_ERROR
            or loss.high < FELT
            or loss.low > MARKS[0][0]
            or (worlds >= HOPELESS_FACTOR * self.budgets.again and low_at_last < FELT)
        )

    def ask_referee(self, best: Action, chosen: Action, first: Loss) -> Loss:
        """Return the loss by the second judge, in worlds that are as frequent as the rules deal them.

        It stops when it confirms the loss `first` of this judge beyond doubt, or hardly will.
        """
        most = self.budgets.referee_most
        referee, fair = Referee(SimpleRules(self.table.insight), self.me, self.rng), worlds(self.view)
        while True:
            loss = referee.compare(best, chosen, lambda: fair.sample(self.rng), self.budgets.referee)
            sure = loss.low > FELT and find_mark(join_losses(first, loss))
            done = len(referee.apart)
            hopeless = done > most // 2 and estimate_low(loss, done / most) <= 0.0
            # One standard error above the mean: with two, the same marks took half as many worlds again.
            if done >= most or sure or hopeless or (loss.value + loss.high) / 2.0 < MARKS[-1][0]:
                return loss

    def explain_best(self, found: Outcomes, best: Action, chosen: Action) -> str:
        """Return the reasons for the better of two actions in sentences; empty if there is none."""
        if found.estimate_value(best) <= found.estimate_value(chosen):
            return ""
        return self.explain_by_chances(best, {one: found.estimate_value(one) for one in (best, chosen)})

    def explain_by_chances(self, best: Action, chances: dict[Action, float]) -> str:
        """Return the reasons for an action, given the chances of actions, in sentences; empty if there is none."""
        others = ranked(Alternative(one, within(chances[one], 0.0), 0.0) for one in chances if one != best)
        value, beliefs = within(chances[best], 0.0), self.heuristic.beliefs(self.view)
        choice = Choice(best, value=value, alternatives=others, beliefs=beliefs)
        return explain(choice, self.heuristic.reasons(self.view, choice), "").why

    def name_guess(self, found: Outcomes, best: Action, chosen: Action) -> str:
        """Return the case of the hidden fact on which a loss depends, as a sentence; empty if it depends on none."""
        if not found.cases:
            return ""
        likely = max(sorted(set(found.cases)), key=found.cases.count)
        share = found.cases.count(likely) / len(found.cases)
        rows = zip(found.rows[best], found.rows[chosen], strict=True)
        leads = [(case, x - y) for mine, other in rows for case, x, y in zip(found.cases, mine, other, strict=True)]
        elsewhere = compute_mean([lead for case, lead in leads if case != likely])
        if share < LIKELY or elsewhere > FELT:
            return ""
        fact = self.table.insight.fact(self.heuristic.about(), self.heuristic.case(likely))
        return f"That is so only if {fact}, which is {percent(share)} likely."


def rank_action(found: Outcomes, action: Action, chosen: Action) -> tuple[float, bool, Action]:
    """Return a sort key that puts the best action last: its lead over the chosen one."""
    return found.find_smallest_lead(action, chosen).value, action == chosen, -action


def adjust_chances(value: float, loss: float) -> tuple[float, float]:
    """Return the chances with the chosen action and with the best one, whose difference is the reported loss.

    The reported loss is that of both judges, so it differs from the loss in the first judge's own worlds.
    """
    value = min(value, max(0.0, 1.0 - loss))
    return value, min(1.0, value + loss)


def join_losses(first: Loss, second: Loss) -> Loss:
    """Return the smaller of both judges' losses, with an interval that covers their errors and their disagreement."""
    middle = (first.value + second.value) / 2.0
    errors = hypot(first.value - first.low, second.value - second.low) / 2.0
    half = hypot(errors, (first.value - second.value) / 2.0)
    return Loss(min(first.value, second.value), middle - half, middle + half)


def estimate_low(loss: Loss, share: float) -> float:
    """Return the lower end of a loss after all worlds, given the share of them that was played and the same mean."""
    # An interval shrinks with the square root of the number of worlds.
    return loss.value - (loss.high - loss.low) / 2.0 * sqrt(share)


def is_confirmed(first: Loss, second: Loss) -> bool:
    """Return whether the second judge certainly finds a loss too, and one of about the same size."""
    return second.low > 0.0 and max(first.value, second.value) <= MAX_RATIO * min(first.value, second.value)


def find_mark(loss: Loss) -> str:
    """Return the mark for the size of a loss; empty if it earns none or if a person may not feel it."""
    return next((mark for least, mark in MARKS if loss.low > FELT and loss.value >= least), "")


def judge_decision(table: Table, view: State, chosen: Action, budgets: Budgets, seed: int) -> Judgement | None:
    """Return the judgement of a decision; None if there was no choice or if the game does not judge such decisions.

    Args:
        table: The judges.
        view: The view of the seat.
        chosen: The chosen action.
        budgets: Numbers of worlds.
        seed: The seed of the worlds.
    """
    if len(view.legal(view.viewer)) < 2 or not table.insight.judges(view):
        return None
    return Judge(table, view, budgets, Rng(seed)).judge(chosen)

"""One decision, judged by what its seat could know.

All that goes in is the view, what was chosen, and a stream of chance; so nothing hidden can come out. The best
alternative is looked for in some worlds and then set against what was chosen in fresh ones: in the worlds that it was
the best of it would look better than it is. Both are played in the same worlds, and how they differ there makes the
error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from gonfalon.bots.players.choice import Z
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.review.figures import error, mean
from gonfalon.review.judging.beliefs import Answers, Belief, answers, beliefs_of, carry_out, turn_to
from gonfalon.review.judging.budgets import Budgets
from gonfalon.review.judging.losses import Loss
from gonfalon.review.judging.players import Table, share_of
from gonfalon.review.judging.worlds import Worlds

EXACT: Final = 0.01
"""A standard error that is small enough."""
HOPELESS: Final = 2
"""After so many times the worlds a loss is left alone that would earn no mark if it stayed as it looks."""
LEAST: Final = 4
"""Before so many times the worlds no mark is sure: what looks bad in a few may be chance."""
RARE: Final = 0.0005
"""What the player does more rarely than that is no proposal."""
MARKS: Final = ((0.10, "blunder"), (0.05, "mistake"), (0.02, "inaccuracy"))
"""From where on the lower end of a loss earns which mark."""


@dataclass(frozen=True)
class Judgement:
    """What is said of a decision. `loss` is as it is told, discounted: 0 where the best one was chosen, below 0
    where what had seemed better was not so in fresh worlds."""

    chosen: Action
    best: Action
    second: Action | None
    value: float
    """The chance to win with what was chosen."""
    best_value: float
    """The chance to win with the best one, as it is told: so far above `value` as the loss is."""
    raw: Loss
    """What was lost in the judge's own worlds."""
    loss: Loss
    against: int
    """The number of the belief that is kindest to what was chosen."""
    lead: Loss | None
    """How far the best one is ahead of the second, not discounted; None where the best one was chosen."""
    worlds: int
    referee: Loss | None
    """The same loss as the second referee has it, not discounted; None where nobody asked."""
    mark: str
    why: str
    """What speaks for the best one, as a sentence; empty where it was chosen, or where nothing tells."""


@dataclass
class Outcomes:
    """Chances to win in worlds that were tried: by belief, by action, one for each world."""

    beliefs: int
    rows: dict[Action, list[list[float]]] = field(default_factory=dict)
    notes: dict[Action, list[list[float]]] = field(default_factory=dict)

    def add(self, found: dict[Action, list[list[float]]]) -> None:
        """More worlds: for each action, under each belief, its chance in each of them."""
        for action, by_belief in found.items():
            rows = self.rows.setdefault(action, [[] for _ in range(self.beliefs)])
            for row, chances in zip(rows, by_belief, strict=True):
                row.extend(chances)

    def apart(self, a: Action, b: Action) -> list[Loss]:
        """How far one action is ahead of another, by belief."""
        found = []
        for mine, other in zip(self.rows[a], self.rows[b], strict=True):
            apart = [x - y for x, y in zip(mine, other, strict=True)]
            middle, half = mean(apart), Z * error(apart)
            found.append(Loss(middle, middle - half, middle + half))
        return found

    def kindest(self, a: Action, b: Action) -> int:
        """The number of the belief against which one action is least ahead of another."""
        found = self.apart(a, b)
        return min(range(len(found)), key=lambda n: found[n].value)

    def ahead(self, a: Action, b: Action) -> Loss:
        """How far one action is ahead of another against whatever belief is kindest to that one."""
        found = self.apart(a, b)
        return Loss(min(one.value for one in found), min(one.low for one in found), min(one.high for one in found))

    def value(self, action: Action) -> float:
        """The chance to win with an action, whatever is believed."""
        return mean([mean(row) for row in self.rows[action]])

    def noted(self, action: Action) -> list[float]:
        """The means of what the heuristic noted at the ends of an action's worlds."""
        rows = self.notes.get(action, [])
        return [mean(column) for column in zip(*rows, strict=True)]


class Judge:
    """Judges one decision. The heuristic of the table attends to its view."""

    def __init__(self, table: Table, view: State, budgets: Budgets, rng: Rng) -> None:
        self.table = table
        self.view = view
        self.me: Seat = view.viewer
        self.budgets = budgets
        self.rng = rng
        self.heuristic = table.insight.heuristic
        self.heuristic.prepare(view)
        table.player.forget()
        self.worlds = Worlds(view, self.heuristic, rng)
        self.solver = table.insight.solver(view)
        self.beliefs: list[Belief | None] = [None] if self.solver else beliefs_of(table, view)

    def proposals(self, chosen: Action) -> list[Action]:
        """The chosen action and the likeliest others, as they look in a world to whoever plays worlds on."""
        legal = self.view.legal(self.me)
        if self.solver is not None:  # which judges all of them at once
            return [chosen, *(action for action in legal if action != chosen)]
        s = self.worlds.next().clone()
        turn_to(s, self.me)
        likely = dict(zip(s.actions, self.table.player.policies([s])[0], strict=True))
        order = sorted(legal, key=lambda action: (-likely.get(action, 0.0), action))
        few = order[: self.budgets.proposals]
        found = [action for action in few if likely.get(action, 0.0) > RARE]
        return [chosen, *(action for action in (found if len(found) > 1 else order[:2]) if action != chosen)]

    def try_out(self, found: Outcomes, actions: list[Action], worlds: int) -> None:
        """Try actions in so many fresh worlds."""
        some = [self.worlds.next() for _ in range(worlds)]
        if self.solver is not None:
            solved = [self.solver(world) for world in some]
            found.add({action: [[chances[action] for chances in solved]] for action in actions})
        else:
            self.play(found, some, self.others(some), actions, self.heuristic.is_leaf)

    def others(self, some: list[State]) -> list[list[Answers]]:
        """What the others answer to the same decision: by belief, in each of some worlds."""
        return [[answers(belief, world, self.me, self.rng) for world in some] for belief in self.beliefs]

    def play(
        self,
        into: Outcomes,
        some: list[State],
        others: list[list[Answers]],
        actions: list[Action],
        over: Callable[[State], bool] | None = None,
    ) -> dict[Action, list[list[float]]]:
        """Try actions in some worlds by playing on: to the end, or as far as `over` says, and valued there. Returns the
        chance of each action in each world, by belief, and adds it to what was found before."""
        valued = over is not None
        ends = {action: [self.branches(some, action, given) for given in others] for action in actions}
        every = [s for by_belief in ends.values() for branch in by_belief for s in branch]
        self.table.play_on(every, over or ended, self.rng)
        told = self.table.stands(every, self.me) if valued else [share_of(s, self.me) for s in every]
        chances = iter(told)
        found = {
            action: [[next(chances) for _ in branch] for branch in by_belief] for action, by_belief in ends.items()
        }
        into.add(found)
        if valued:
            for action, by_belief in ends.items():
                notes = [self.heuristic.notes(s, self.view) for branch in by_belief for s in branch]
                into.notes.setdefault(action, []).extend(note for note in notes if note)
        return found

    def branches(self, some: list[State], action: Action, given: list[Answers]) -> list[State]:
        """The worlds after an action and the others' answers."""
        found = []
        for world, others in zip(some, given, strict=True):
            s = world.clone()
            carry_out(s, self.me, action, others)
            found.append(s)
        return found

    def judge(self, chosen: Action) -> Judgement:
        """The judgement of what was chosen."""
        best, second = self.best_two(chosen)
        fresh = Outcomes(len(self.beliefs))
        asked = [chosen] if best == chosen else [best, chosen] if second is None else [best, second, chosen]
        self.try_out(fresh, list(dict.fromkeys(asked)), self.budgets.again)
        worlds = self.budgets.again
        lead = None if second is None or best == chosen else fresh.ahead(best, second)
        while worlds < self.budgets.most and not self.is_clear(fresh.ahead(best, chosen), worlds):
            self.try_out(fresh, [best, chosen], self.budgets.again)
            worlds += self.budgets.again
        against, raw = fresh.kindest(best, chosen), fresh.ahead(best, chosen)
        loss = self.table.scale.of(raw)
        mark, referee = mark_of(loss.low), None
        if loss.low > self.budgets.doubted:
            referee = self.second_opinion(best, chosen, against, self.budgets.referee_most)
            mark = mark_of(min(loss.low, referee.value)) if agrees(referee) else ""
        value, best_value = chances_told(fresh.value(chosen), loss.value)
        return Judgement(
            chosen=chosen,
            best=best,
            second=second,
            value=value,
            best_value=best_value,
            raw=raw,
            loss=loss,
            against=against,
            lead=lead,
            worlds=worlds,
            referee=referee,
            mark=mark,
            why="" if best == chosen else self.why(fresh, best, chosen),
        )

    def best_two(self, chosen: Action) -> tuple[Action, Action | None]:
        """What looks best beside what was chosen, and what comes next."""
        first = Outcomes(len(self.beliefs))
        tried, half = self.proposals(chosen), self.budgets.first // 2
        self.try_out(first, tried, half)
        tried = self.better_half(first, tried)
        self.try_out(first, tried, self.budgets.first - half)
        best = max(tried, key=lambda action: standing(first, action, chosen))
        rest = [action for action in tried if action != best]
        return best, max(rest, key=lambda action: (first.value(action), -action)) if rest else None

    def better_half(self, found: Outcomes, tried: list[Action]) -> list[Action]:
        """What is worth trying in more worlds: the chosen action, which comes first, and the better half of the others.
        A solver tells of all at once."""
        if self.solver is not None:
            return tried
        chosen, *others = tried
        others.sort(key=lambda action: standing(found, action, chosen), reverse=True)
        return [chosen, *others[: (len(others) + 1) // 2]]

    def is_clear(self, loss: Loss, worlds: int) -> bool:
        """Whether more worlds would change nothing that is told, or hardly earn it a mark."""
        scale, half = self.table.scale, (loss.high - loss.low) / 2.0
        at_last_half = half * sqrt(worlds / self.budgets.most)
        at_last = scale.of(Loss(loss.value, loss.value - at_last_half, loss.value + at_last_half))
        if scale.of(loss).low > MARKS[-1][0] and worlds < LEAST * self.budgets.again:
            return False
        return (
            scale.told * half <= Z * EXACT
            or loss.value <= 0.0
            or scale.told * loss.high < MARKS[-1][0]
            or scale.of(loss).low > MARKS[0][0]
            or (worlds >= HOPELESS * self.budgets.again and at_last.low < MARKS[-1][0])
        )

    def second_opinion(self, best: Action, chosen: Action, against: int, most: int, least: int = 0) -> Loss:
        """The same question to the second referee, who plays to the end: against one belief, until it is clear who is
        right or so many worlds are played."""
        found, worlds = Outcomes(1), 0
        belief = self.beliefs[against]
        while True:
            some = [self.worlds.next() for _ in range(self.budgets.referee)]
            others = [[answers(belief, world, self.me, self.rng) for world in some]]
            self.play(found, some, others, [best, chosen])
            worlds += self.budgets.referee
            loss = found.ahead(best, chosen)
            if worlds >= most or (worlds >= least and (loss.low > 0.0 or loss.high < 0.0)):
                return loss

    def why(self, found: Outcomes, best: Action, chosen: Action) -> str:
        """What speaks for the better of two, in a sentence."""
        if found.value(best) <= found.value(chosen):
            return ""
        mine, theirs = found.noted(best), found.noted(chosen)
        return self.table.insight.because(mine, theirs) if mine and theirs else ""


def standing(found: Outcomes, action: Action, chosen: Action) -> tuple[float, bool, Action]:
    """For sorting, the best action last: how far it is ahead of what was chosen."""
    return found.ahead(action, chosen).value, action == chosen, -action


def chances_told(value: float, loss: float) -> tuple[float, float]:
    """The chances with what was chosen and with the best one, which differ by the loss that is told: that is less, or
    more, than what was lost in the judge's own worlds."""
    value = min(value, max(0.0, 1.0 - loss))
    return value, min(1.0, value + loss)


def ended(s: State) -> bool:
    """Whether a game is over."""
    return not s.stack


def agrees(referee: Loss) -> bool:
    """Whether the second referee finds a loss as well, by more than its own error."""
    return referee.value > (referee.high - referee.value) / Z


def mark_of(low: float) -> str:
    """The mark for a loss whose lower end this is."""
    return next((mark for least, mark in MARKS if low > least), "")


def judge(table: Table, view: State, chosen: Action, budgets: Budgets, seed: int) -> Judgement | None:
    """The judgement of a decision by its view; None where nothing was to be decided, or can be judged."""
    if len(view.legal(view.viewer)) < 2 or not table.insight.judges(view):
        return None
    return Judge(table, view, budgets, Rng(seed)).judge(chosen)

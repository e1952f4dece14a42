"""Plans for a turn of Generals: found by a beam through the deeds of one world, tried out in many.

A plan is the deeds of the rest of a turn, in an order of which no other is looked at that leads to the same
position. What the other seat may answer is left to chance when plans are tried: its hand is dealt anew in
each world, and it counters when the hand allows it and the act deserves it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gonfalon.bots.search.trials import Tally, WorldPool
from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import Action, State
from gonfalon.games.generals.bots.position_value import TERMS, balance, odds, worth
from gonfalon.games.generals.bots.turns import EFFORT, HELD, Turns, asks_main
from gonfalon.games.generals.rules.actions import CARD, END, PASS
from gonfalon.games.generals.rules.acts.counters import Answer
from gonfalon.games.generals.rules.cards import STRATEGY
from gonfalon.games.generals.rules.state import GeneralsState

ALIKE: Final = 3
"""Plans that begin with the same answer, at most, among those that are tried."""
SOON: Final = 8
"""Tries after which a plan may be given up before its round."""
FAR_BEHIND: Final = 1.5
"""By how many standard errors of both it is then behind."""


class Plan(Tally):
    """Deeds for the rest of a turn, how good they look, and what came of them when they were tried."""

    __slots__ = ("first", "deeds", "after", "value", "sums", "cases")

    def __init__(self, first: Action, deeds: list[list[Action]], after: GeneralsState, value: float) -> None:
        super().__init__()
        self.first: Action = first
        self.deeds: list[list[Action]] = deeds
        self.after: GeneralsState = after
        self.value: float = value
        self.sums: list[float] = [0.0] * TERMS
        # Apart for worlds in which the other seat holds no Counter, and those in which it holds one.
        self.cases: list[Tally] = [Tally(), Tally()]

    def means(self) -> list[float]:
        """The means of the terms of what it came to."""
        return [total / max(1, self.count) for total in self.sums]


@dataclass(frozen=True)
class Manner:
    """How a level thinks: what a position is worth to it, how wide and far it looks."""

    weights: list[float]
    """Of a position, for what to do."""
    leaf: list[float]
    """Of a position, for who will win."""
    width: int = 1
    """Plans that are carried on at each deed."""
    depth: int = 1
    """Deeds of a plan, at most."""
    plans: int = 1
    """Plans that are tried."""
    horizon: int = 0
    """Turns that are played out, one's own counted."""
    worlds: int = 1
    """Different ones, at most."""
    trust: float = 1.0
    """How many tries the first sight of a plan counts for."""
    simple: bool = False
    """It does not think of playing Strategies and Counters."""


class Planner(WorldPool):
    """One decision, and the worlds that it is thought about in. `sample` deals one that fits the view."""

    def __init__(self, view: GeneralsState, sample: Callable[[Rng], State], manner: Manner, rng: Rng) -> None:
        super().__init__(sample, rng, manner.worlds)
        self.view: GeneralsState = view
        self.manner: Manner = manner
        self.me: int = view.viewer
        self.turns: Turns = Turns(manner.weights, rng)
        self.seeds: list[int] = []
        self.counters: list[int] = []  # in each world, Counters in the other hand
        self.tries: int = 0
        self.plans: list[Plan] = []
        self.next: Plan | None = None  # the best by first sight that begins otherwise than all that are tried

    def deal(self) -> None:
        """Deal one world, as they are all alike."""
        world = self.fresh()
        assert isinstance(world, GeneralsState)
        kinds = world.setup.counters[1 - self.me]
        self.counters.append(len([card for card in world.hand[1 - self.me] if card & KIND in kinds]))
        self.seeds.append(self.rng.seed())
        self.worlds.append(world)
        self.dealt += 1

    def world(self, at: int) -> GeneralsState:
        """The world of a place."""
        world = self.worlds[at]
        assert isinstance(world, GeneralsState)
        return world

    # ---- finding plans --------------------------------------------------------------------------

    def find(self, looks: int) -> None:
        """Find the plans worth trying, looking at so many positions at most: the best by first sight."""
        me, turns, manner = self.me, self.turns, self.manner
        world = self.world(self.place(0))
        turns.wary = False
        turns.looked = 0
        found: list[Plan] = []
        seen: set[object] = set()
        if asks_main(world):
            found.append(Plan(END, [], world, turns.value(world, me) + EFFORT))
        edge: list[Plan] = []
        for deed in turns.deeds(world, me):
            if manner.simple and clever(world, deed.path[0]):
                continue
            held = HELD if deed.path[0] == PASS else 0.0
            plan = Plan(deed.path[0], [deed.path], deed.after, deed.value + held)
            found.append(plan)
            mark = trace(deed.after)
            if mark not in seen:
                seen.add(mark)
                edge.append(plan)
        width = max(manner.width, min(len(edge), 2 * manner.width))
        for _ in range(manner.depth - 1):
            edge = [plan for plan in edge if asks_main(plan.after) and plan.after.turn == me]
            edge.sort(key=by_value)
            edge = edge[:width]
            width = manner.width
            after: list[Plan] = []
            for plan in edge:
                if turns.looked >= looks:
                    break
                for deed in turns.deeds(plan.after, me):
                    mark = trace(deed.after)
                    if mark in seen:
                        continue
                    seen.add(mark)
                    longer = Plan(plan.first, [*plan.deeds, deed.path], deed.after, deed.value)
                    found.append(longer)
                    after.append(longer)
            if not after or turns.looked >= looks:
                break
            edge = after
        found.sort(key=by_value)
        self.plans = self.chosen(found)
        begun = [plan.first for plan in self.plans]
        for plan in found:
            if plan.first not in begun:
                self.next = plan
                break

    def chosen(self, found: list[Plan]) -> list[Plan]:
        """The plans to try out of all, best first: not too many that begin alike."""
        begun: dict[Action, int] = {}
        kept: list[Plan] = []
        for plan in found:
            count = begun.get(plan.first, 0)
            if count < ALIKE and len(kept) < self.manner.plans:
                begun[plan.first] = count + 1
                kept.append(plan)
        # To stop now is always worth a thought.
        for plan in found:
            if not plan.deeds and len(kept) > 1 and plan not in kept:
                kept[len(kept) - 1] = plan
        return kept

    # ---- trying them ----------------------------------------------------------------------------

    def attempt(self, plan: Plan, number: int) -> None:
        """Try a plan in a world, play on to the horizon, and note what it came to."""
        me, turns = self.me, self.turns
        at = self.place(number)
        s = self.world(at).clone()
        turns.rng = Rng(self.seeds[at])
        turns.wary = True
        left = self.manner.horizon
        if s.active == me:
            for deed in plan.deeds:
                if s.stack and s.turn == me and s.active == me:
                    turns.perform(s, me, deed)
            if s.stack and s.active == me and s.turn == me:
                turns.end(s)
            left -= 1
        else:
            turns.perform(s, me, plan.deeds[0])
        while left > 0 and asks_main(s):
            turns.take_turn(s)
            left -= 1
        chance = odds(worth(s, me, False, self.manner.leaf))
        plan.add(chance)
        plan.cases[1 if self.counters[at] else 0].add(chance)
        if s.winner < 0:
            found = balance(s, me, False)
            for i in range(TERMS):
                plan.sums[i] += found[i]
        self.tries += 1

    def compare(self, total: int, over: Callable[[int], bool]) -> None:
        """Sequential halving: all plans are tried in the same worlds, then the better half in more of them,
        until one is left or `over(tries)`."""
        alive = self.plans
        rounds = 1
        while 1 << rounds < len(alive):
            rounds += 1
        share = max(1, total // rounds)
        number = 0
        while True:
            each = max(1, share // len(alive))
            for _ in range(each):
                for plan in alive:
                    self.attempt(plan, number)
                    if over(self.tries):
                        self.rank()
                        return
                number += 1
            alive.sort(key=self.merit)
            alive = [plan for plan in alive[: (len(alive) + 1) // 2] if not self.beaten(plan, alive[0])]
            if len({plan.first for plan in alive}) == 1:
                break  # whatever follows, the answer is the same
        self.rank()

    def beaten(self, plan: Plan, best: Plan) -> bool:
        """Whether more tries would hardly make a plan the best."""
        return plan.count >= SOON and plan.mean() < best.mean() - FAR_BEHIND * (plan.error() + best.error())

    def merit(self, plan: Plan) -> float:
        """For sorting, best first: the chance to win, first sight counting for some tries."""
        trust = self.manner.trust
        return -(plan.total + trust * odds(plan.value)) / (plan.count + trust)

    def rank(self) -> None:
        """Best first: of those that were tried most."""
        most = max([plan.count for plan in self.plans])
        self.plans.sort(key=lambda plan: (2 * plan.count < most, self.merit(plan)))


def clever(s: GeneralsState, action: Action) -> bool:
    """Whether it is to play a Strategy or a Counter."""
    if action < CARD:
        return False
    if isinstance(s.stack[-1], Answer):
        return True
    return asks_main(s) and s.setup.kinds[action - CARD].type == STRATEGY


def by_value(plan: Plan) -> float:
    """For sorting, best first."""
    return -plan.value


def trace(s: GeneralsState) -> object:
    """What tells positions of one turn apart."""
    me = s.active
    return (
        tuple(sorted(s.hand[me])),
        len(s.hand[1 - me]),
        len(s.deck[0]),
        len(s.deck[1]),
        tuple(s.zone),
        tuple(s.flags),
        tuple(s.armament),
        tuple(s.troop),
        tuple(s.lasting),
        tuple(s.marks),
        s.winner,
    )

"""A player with a trained network: it proposes, and the best proposals are played on in worlds of the view.

An iteration is one world played on with one proposal, as far as the pilot's horizon; there the network's
value says how it stands. The network's policy plays for every seat, or in a part of the worlds the game's
rule of thumb for the others: who sits there is as unknown as their cards. Many worlds are played side by
side, so that the network is asked for all of them at once. Proposals are tried in the same worlds, and the
worse half drops out, so that who is left is tried in more.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import exp, log, sqrt
from types import ModuleType
from typing import Final

from gonfalon.bots.batch import Batch
from gonfalon.bots.bot import Bot
from gonfalon.bots.budget import Budget, Clock
from gonfalon.bots.choice import Alternative, Basis, Belief, Choice, Estimate, Reason
from gonfalon.bots.network import Array, Net
from gonfalon.bots.network_input import NetworkInput, to_choice
from gonfalon.bots.search_policy import Pilot
from gonfalon.bots.searcher import OTHERS, believed, estimate
from gonfalon.bots.weights import resampled
from gonfalon.core.game import Game
from gonfalon.core.players import RuleOfThumb
from gonfalon.core.rng import Rng
from gonfalon.core.state import Action, State

BATCH: Final = 32
"""Worlds that are dealt, weighed and thinned out together; in at most so many a small question is judged."""
FEW: Final = 16
"""In so many worlds an obvious choice is tried beside the next one."""
ABREAST: Final = 64
"""Worlds that are played on side by side; between two such lots the clock is asked."""
MOST: Final = 1 << 20
LEAST: Final = 1e-4
ENOUGH: Final = 10
"""How often an action was tried in a case before that tells something."""


@dataclass(frozen=True)
class Ideas:
    """How a player uses its network."""

    iterations: int = 320
    most: int = 8
    """At most so many proposals are tried."""
    rare: float = 0.004
    """What the policy does more rarely than that is not tried."""
    trust: float = 0.02
    """How much more chance to win outweighs a policy e times as sure."""
    infers: bool = True
    """Whether worlds come as often as they explain what the others have done."""
    depth: int = 200
    """How many decisions of the network a world is played on at most."""
    thumb: float = 0.0
    """The part of the worlds in which the others follow the rule of thumb."""


class Planner(Bot):
    """Asks its network, and tries out what that proposes."""

    def __init__(self, name: str, game: Game, net: Net, sense: NetworkInput, pilot: Pilot, ideas: Ideas) -> None:
        super().__init__(name, game)
        import numpy as np

        self.np: ModuleType = np
        self.net = net
        self.sense = sense
        self.pilot = pilot
        self.ideas = ideas
        self.budget = Budget(ideas.iterations)
        self.rule_of_thumb: RuleOfThumb | None = game.rule_of_thumb()
        self.scales: Array = np.array(sense.scales(), dtype=np.float32)

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        legal = view.legal(view.viewer)
        if len(legal) == 1:
            return Choice(legal[0], "Nothing else is legal.")
        clock = Clock(budget)
        self.pilot.attend(view)
        policy = self.policies([view])[0]
        order = sorted(range(len(legal)), key=lambda i: (-policy[i], i))
        left = [i for i in order if policy[i] >= self.ideas.rare][: self.ideas.most] or order[:1]
        limit = min(clock.limit, MOST)
        trial = Trial(self, view, rng)
        if self.pilot.small(view):
            return trial.glanced(legal, policy, order[0], max(1, min(limit, BATCH)))
        if len(left) == 1:
            return trial.obvious(legal, policy, order[0], order[1], max(1, min(limit, 2 * FEW) // 2))
        stages = (len(left) - 1).bit_length()
        done = 0
        for stage in range(stages):
            each = max(1, (limit - done) // (len(left) * (stages - stage)))
            while each > 0 and not (done and clock.over(done)):
                some = min(each, max(1, ABREAST // len(left)))
                trial.play(left, some, self.ideas.depth)
                done += some * len(left)
                each -= some
            left.sort(key=lambda i: (-trial.merit(i, policy[i]), i))
            if stage < stages - 1 and not clock.over(done):
                left = left[: (len(left) + 1) // 2]
        return trial.told(legal, policy, left[0], done)

    def words(self, view: State, choice: Choice) -> str:
        return self.pilot.because(view, choice)

    def policies(self, states: list[State]) -> list[list[float]]:
        """What the network would do in each position, for whoever is asked there."""
        np = self.np
        batch = Batch.of(self.sense, states)
        known = self.sense.known
        said = self.net.policy(batch.rows[:, :known] * self.scales[:known])
        p = np.exp(batch.logp(said, batch.owner())).tolist()
        bounds = batch.starts.tolist()
        return [p[start:end] for start, end in pairwise(bounds)]

    def values(self, states: list[State], seat: int) -> list[float]:
        """A seat's chance to win in each world, as it seems to the network."""
        np = self.np
        size = self.sense.size
        room = bytearray(len(states) * size)
        sides: list[int] = []
        for i, s in enumerate(states):
            # The value has learnt to judge for who is asked; of two, that tells of the other as well.
            side = s.turn if s.seats == 2 else seat
            sides.append(side)
            self.sense.put(s, side, room, i * size)
        x = np.frombuffer(room, dtype=np.uint8).reshape(len(states), size)
        said: list[float] = np.tanh(self.net.value(x * self.scales)[:, 0]).tolist()
        return [0.5 + 0.5 * (value if side == seat else -value) for value, side in zip(said, sides, strict=True)]


class Trial:
    """What came of the proposals for one decision."""

    def __init__(self, planner: Planner, view: State, rng: Rng) -> None:
        self.planner = planner
        self.view = view
        self.me = view.viewer
        self.rng = rng
        self.sample = planner.sampler(view).sample
        self.worlds: list[State] = []
        self.belief: dict[int, float] = {}
        count = len(view.actions)
        self.tried = [0] * count
        self.totals = [0.0] * count
        self.squares = [0.0] * count
        self.noted: list[list[float]] = [[] for _ in range(count)]
        self.cases: list[dict[int, tuple[int, float]]] = [{} for _ in range(count)]

    def deal(self) -> None:
        """Deal a batch of worlds, each kept as often as its weight asks."""
        pilot = self.planner.pilot
        dealt: list[State] = []
        weights: list[float] = []
        for _ in range(BATCH):
            world = self.sample(self.rng)
            world.log = None
            weight = pilot.weight(world) if self.planner.ideas.infers else 1.0
            facet = pilot.facet(world)
            self.belief[facet] = self.belief.get(facet, 0.0) + weight
            dealt.append(world)
            weights.append(weight)
        self.worlds += [dealt[i] for i in resampled(weights, self.rng)]

    def play(self, left: list[int], count: int, depth: int) -> None:
        """Try each of the proposals that are left in so many worlds, the same for all, for so many decisions."""
        planner, rng, me = self.planner, self.rng, self.me
        pilot = planner.pilot
        first = self.tried[left[0]]
        while len(self.worlds) < first + count:
            self.deal()
        states: list[State] = []
        owners: list[int] = []
        facets: list[int] = []
        rivals: list[RuleOfThumb | None] = []
        for number in range(first, first + count):
            world = self.worlds[number]
            facet = pilot.facet(world)
            for i in left:
                s = world.clone()
                s.apply(me, self.view.actions[i])
                states.append(s)
                owners.append(i)
                facets.append(facet)
                rivals.append(self.rival(number) if depth else None)
        waiting = [(s, rival) for s, rival in zip(states, rivals, strict=True) if self.goes_on(s, rival)]
        for _ in range(depth):
            if not waiting:
                break
            policies = planner.policies([s for s, _ in waiting])
            for (s, _), policy in zip(waiting, policies, strict=True):
                s.apply(s.turn, s.actions[drawn(policy, rng)])
            waiting = [(s, rival) for s, rival in waiting if self.goes_on(s, rival)]
        open_ones = [s for s in states if s.stack]
        values = iter(planner.values(open_ones, me) if open_ones else [])
        for s, i, facet in zip(states, owners, facets, strict=True):
            value = next(values) if s.stack else 0.5 + 0.5 * s.returns()[me]
            self.tried[i] += 1
            self.totals[i] += value
            self.squares[i] += value * value
            notes = pilot.notes(s, self.view)
            self.noted[i] = [a + b for a, b in zip(self.noted[i], notes, strict=True)] if self.noted[i] else notes
            times, total = self.cases[i].get(facet, (0, 0.0))
            self.cases[i][facet] = (times + 1, total + value)

    def rival(self, number: int) -> RuleOfThumb | None:
        """Who the others follow in a world, by its number, so that the parts are kept to however few are played."""
        share = self.planner.ideas.thumb
        return self.planner.rule_of_thumb if int((number + 1) * share) > int(number * share) else None

    def goes_on(self, s: State, rival: RuleOfThumb | None) -> bool:
        """Let a world go on to the next decision of the network; False where it is over before."""
        pilot, rng, me = self.planner.pilot, self.rng, self.me
        while not pilot.over(s) and to_choice(s, rng) and not pilot.over(s):
            if rival is None or s.turn == me:
                return True
            action, _ = rival.choose(s.mask(s.turn), rng)
            s.apply(s.turn, action)
        return False

    def merit(self, i: int, share: float) -> float:
        """How good a proposal is: what it came to, and how sure the policy was of it."""
        return self.mean(i) + self.planner.ideas.trust * log(max(share, LEAST))

    def mean(self, i: int) -> float:
        return self.totals[i] / max(1, self.tried[i])

    def chance(self, i: int) -> Estimate:
        """What a proposal came to, with its interval."""
        n = self.tried[i]
        mean = self.mean(i)
        return estimate(mean, sqrt(max(0.0, self.squares[i] / n - mean * mean) / n), n)

    def notes(self, i: int) -> list[float]:
        return [sums / max(1, self.tried[i]) for sums in self.noted[i]]

    def glanced(self, legal: list[Action], policy: list[float], best: int, count: int) -> Choice:
        """A small question: what the policy does most, with what the value makes of it in so many worlds."""
        self.play([best], count, 0)
        return Choice(
            legal[best],
            value=self.chance(best),
            policy=shares(legal, policy),
            beliefs=self.beliefs(),
            iterations=count,
            worlds=len(self.worlds),
            reason=Reason(Basis.HABIT, None, (("share", policy[best]),)),
        )

    def obvious(self, legal: list[Action], policy: list[float], best: int, next: int, count: int) -> Choice:
        """The only thing to do, as the policy has it. It is tried beside the next one all the same, a few times each,
        so that there is something to tell."""
        self.play([best, next], count, self.planner.ideas.depth)
        reason = Reason(Basis.HABIT, legal[next], (("share", policy[best]),))
        if self.chance(next).value <= self.chance(best).value:
            facts = self.planner.pilot.facts(self.notes(best), self.notes(next))
            reason = Reason(Basis.BETTER, legal[next], tuple(facts))
        return Choice(
            legal[best],
            value=self.chance(best),
            policy=shares(legal, policy),
            alternatives=(Alternative(legal[next], self.chance(next), 0.5),),
            beliefs=self.beliefs(),
            iterations=2 * count,
            worlds=len(self.worlds),
            reason=reason,
        )

    def told(self, legal: list[Action], policy: list[float], best: int, done: int) -> Choice:
        """The choice, with all that was found."""
        tried = [i for i in range(len(legal)) if self.tried[i]]
        others = sorted((i for i in tried if i != best), key=lambda i: (-self.chance(i).value, -self.tried[i], i))
        top = max(self.merit(i, policy[i]) for i in tried)
        odds = [
            exp((self.merit(i, policy[i]) - top) / self.planner.ideas.trust) if self.tried[i] else 0.0
            for i in range(len(legal))
        ]
        return Choice(
            legal[best],
            value=self.chance(best),
            policy=shares(legal, odds),
            alternatives=tuple(Alternative(legal[i], self.chance(i), self.tried[i] / done) for i in others[:OTHERS]),
            beliefs=self.beliefs(),
            otherwise=self.otherwise(legal, best, tried),
            iterations=done,
            worlds=len(self.worlds),
            reason=self.reason(legal, policy, best, others[0] if others else best),
        )

    def reason(self, legal: list[Action], policy: list[float], best: int, other: int) -> Reason:
        """Why the best one, against the highest chance beside it."""
        if other == best:
            return Reason(Basis.BETTER)
        if self.chance(other).value <= self.chance(best).value:
            facts = self.planner.pilot.facts(self.notes(best), self.notes(other))
            return Reason(Basis.BETTER, legal[other], tuple(facts))
        if self.merit(other, policy[other]) <= self.merit(best, policy[best]):
            shares = (("share", policy[best]), ("else", policy[other]))
            return Reason(Basis.LEARNT, legal[other], shares)
        tries = (("tries", float(self.tried[best])), ("else", float(self.tried[other])))
        return Reason(Basis.TRIED, legal[other], tries)

    def beliefs(self) -> tuple[Belief, ...]:
        """How likely each case of the hidden fact is."""
        pilot = self.planner.pilot
        if pilot.facets() < 2:
            return ()
        return believed(pilot, pilot.chances(self.view) or [self.belief.get(i, 0.0) for i in range(pilot.facets())])

    def otherwise(self, legal: list[Action], best: int, tried: list[int]) -> str:
        """The likeliest case in which another action would have been better."""
        pilot = self.planner.pilot
        if pilot.facets() < 2:
            return ""
        for facet in sorted(self.belief, key=lambda i: (-self.belief[i], i)):
            known = {i: self.cases[i][facet] for i in tried if self.cases[i].get(facet, (0, 0.0))[0] >= ENOUGH}
            if best not in known:
                continue
            better = max(known, key=lambda i: (known[i][1] / known[i][0], -i))
            gain = known[better][1] / known[better][0] - known[best][1] / known[best][0]
            if better != best and gain > 0.5 / sqrt(known[better][0]) + 0.5 / sqrt(known[best][0]):
                text = self.planner.game.describe(self.view, legal[better])
                return f"If {pilot.about()} were {pilot.case(facet)}, I would rather do this: {text}"
        return ""


def drawn(policy: list[float], rng: Rng) -> int:
    """A number by a policy."""
    mark = rng.random()
    for i, chance in enumerate(policy):
        mark -= chance
        if mark < 0.0:
            return i
    return len(policy) - 1


def shares(legal: list[Action], odds: list[float]) -> tuple[tuple[Action, float], ...]:
    """A policy as a choice tells it."""
    total = sum(odds)
    return tuple((action, one / total) for action, one in zip(legal, odds, strict=True))

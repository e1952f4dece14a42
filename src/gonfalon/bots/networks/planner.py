"""A player with a trained network: it proposes, and the best proposals are played on in worlds of the view.

An iteration is one world played on with one proposal, as far as the heuristic's horizon; there the network's
value says how it stands. The network's policy plays for every seat, or in a part of the worlds the game's
rule of thumb for the others: who sits there is as unknown as their cards. Many worlds are played side by
side, so that the network is asked for all of them at once. Proposals are tried in the same worlds, and the
worse half drops out, so that who is left is tried in more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, log
from typing import Final

from gonfalon.bots.networks.adviser import Adviser
from gonfalon.bots.networks.network import Net
from gonfalon.bots.networks.network_input import NetworkInput, to_choice
from gonfalon.bots.players.bot import ThinkingBot
from gonfalon.bots.players.budget import NO_LIMIT, Budget, Clock
from gonfalon.bots.players.choice import OTHERS, Alternative, Basis, Choice, Estimate, Reason
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.search.trials import BATCH, Tally, Trials
from gonfalon.bots.search.weighted_choice import drawn
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.players import RuleOfThumb
from gonfalon.core.rules.state import Action, State

FEW: Final = 16
"""In so many worlds an obvious choice is tried beside the next one."""
ABREAST: Final = 64
"""Worlds that are played on side by side; between two such lots the clock is asked."""
DEPTH: Final = 200
"""Decisions of the network for which a world is played on, at most."""
MOST: Final = 1 << 20
LEAST: Final = 1e-4


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
    rule_of_thumb_share: float = 0.0
    """The part of the worlds in which the others follow the rule of thumb."""


class Planner(ThinkingBot):
    """Asks its network, and tries out what that proposes."""

    def __init__(
        self, name: str, game: Game, net: Net, sense: NetworkInput, heuristic: Heuristic, ideas: Ideas
    ) -> None:
        super().__init__(name, game)
        self.adviser = Adviser(net, sense)
        self.heuristic = heuristic
        self.ideas = ideas
        self.budget = Budget(ideas.iterations)
        self.rule_of_thumb: RuleOfThumb | None = game.rule_of_thumb()

    def consider(self, view: State, legal: list[Action], clock: Clock, rng: Rng) -> Choice:
        self.heuristic.prepare(view)
        self.adviser.forget()
        policy = dict(zip(legal, self.adviser.shares([view])[0], strict=True))
        best, second = sorted(legal, key=lambda action: -policy[action])[:2]
        limit = min(clock.limit, MOST)
        trial = Trial(self, view, policy, rng)
        if self.heuristic.is_minor(view):
            return trial.glanced(best, max(1, min(limit, BATCH)))
        left = trial.proposals()
        if len(left) == 1:
            return trial.obvious(best, second, max(1, min(limit, 2 * FEW) // 2))
        trial.halve(left, clock, limit)
        return trial.told(left[0])

    def words(self, view: State, choice: Choice) -> str:
        return self.heuristic.because(view, choice)


class Trial(Trials):
    """What came of the proposals for one decision."""

    def __init__(self, planner: Planner, view: State, policy: dict[Action, float], rng: Rng) -> None:
        super().__init__(view, planner.sampler(view).sample, planner.heuristic, rng, planner.ideas.infers, NO_LIMIT)
        self.planner = planner
        self.ideas = planner.ideas
        self.policy = policy
        self.tried = {action: Tally() for action in policy}
        self.done = 0

    def proposals(self) -> list[Action]:
        """What the policy does often enough, the likeliest first."""
        order = sorted(self.policy, key=lambda action: -self.policy[action])
        return [action for action in order if self.policy[action] >= self.ideas.rare][: self.ideas.most] or order[:1]

    def halve(self, left: list[Action], clock: Clock, limit: int) -> None:
        """Try proposals in the same worlds, then the better half of them in more; the best one comes first."""
        stages = (len(left) - 1).bit_length()
        for stage in range(stages):
            each = max(1, (limit - self.done) // (len(left) * (stages - stage)))
            while each > 0 and not (self.done and clock.over(self.done)):
                some = min(each, max(1, ABREAST // len(left)))
                self.play(left, some, DEPTH)
                each -= some
            left.sort(key=lambda action: (-self.merit(action), action))
            if stage < stages - 1 and not clock.over(self.done):
                del left[(len(left) + 1) // 2 :]

    def play(self, left: list[Action], count: int, depth: int) -> None:
        """Try each of the proposals that are left in so many worlds, the same for all, for so many decisions."""
        first = self.tried[left[0]].count
        paths: list[Path] = []
        for number in range(first, first + count):
            at = self.place(number)
            for action in left:
                s = self.worlds[at].clone()
                s.apply(self.me, action)
                paths.append(Path(s, action, self.facet_of[at], self.rival(number) if depth else None))
        self.play_on(paths, depth)
        open_ones = [path.s for path in paths if path.s.stack]
        values = iter(self.planner.adviser.values(open_ones, self.me) if open_ones else [])
        for path in paths:
            value = next(values) if path.s.stack else 0.5 + 0.5 * path.s.returns()[self.me]
            self.tried[path.action].add(value)
            self.note(path.action, path.facet, path.s, value)
        self.done += len(paths)

    def play_on(self, paths: list[Path], depth: int) -> None:
        """Play worlds on side by side, for so many decisions of the network at most."""
        waiting = [path for path in paths if self.goes_on(path)]
        for _ in range(depth):
            if not waiting:
                break
            policies = self.planner.adviser.shares([path.s for path in waiting])
            for path, policy in zip(waiting, policies, strict=True):
                path.s.apply(path.s.turn, path.s.actions[drawn(policy, self.rng)])
            waiting = [path for path in waiting if self.goes_on(path)]

    def rival(self, number: int) -> RuleOfThumb | None:
        """Who the others follow in a world, by its number, so that the parts are kept to however few are played."""
        share = self.ideas.rule_of_thumb_share
        return self.planner.rule_of_thumb if int((number + 1) * share) > int(number * share) else None

    def goes_on(self, path: Path) -> bool:
        """Let a world go on to the next decision of the network; False where it is over before."""
        s, rng = path.s, self.rng
        while not self.heuristic.is_leaf(s) and to_choice(s, rng) and not self.heuristic.is_leaf(s):
            if path.rival is None or s.turn == self.me:
                return True
            action, _ = path.rival.choose(s.mask(s.turn), rng)
            s.apply(s.turn, action)
        return False

    def merit(self, action: Action) -> float:
        """How good a proposal is: what it came to, and how sure the policy was of it."""
        return self.tried[action].mean() + self.ideas.trust * log(max(self.policy[action], LEAST))

    def chance(self, action: Action) -> Estimate:
        """What a proposal came to, with its interval."""
        return self.tried[action].estimate()

    def glanced(self, best: Action, count: int) -> Choice:
        """A small question: what the policy does most, with what the value makes of it in so many worlds."""
        self.play([best], count, 0)
        return self.choice(best, self.policy, Reason(Basis.HABIT, None, (("share", self.policy[best]),)))

    def obvious(self, best: Action, next: Action, count: int) -> Choice:
        """The only thing to do, as the policy has it. It is tried beside the next one all the same, a few times each,
        so that there is something to tell."""
        self.play([best, next], count, DEPTH)
        reason = Reason(Basis.HABIT, next, (("share", self.policy[best]),))
        if self.chance(next).value <= self.chance(best).value:
            reason = Reason(Basis.BETTER, next, self.facts(best, next))
        return self.choice(best, self.policy, reason, [next])

    def told(self, best: Action) -> Choice:
        """The choice, with all that was found."""
        tried = [action for action, tally in self.tried.items() if tally.count]
        others = sorted(
            (action for action in tried if action != best),
            key=lambda action: (-self.chance(action).value, -self.tried[action].count, action),
        )
        top = max(self.merit(action) for action in tried)
        odds = {
            action: exp((self.merit(action) - top) / self.ideas.trust) if tally.count else 0.0
            for action, tally in self.tried.items()
        }
        reason = self.reason(best, others[0]) if others else Reason(Basis.BETTER)
        return self.choice(best, odds, reason, others[:OTHERS], self.otherwise(best))

    def choice(
        self,
        best: Action,
        odds: dict[Action, float],
        reason: Reason,
        others: Iterable[Action] = (),
        otherwise: str = "",
    ) -> Choice:
        """What was found for the best action and others, which may be drawn by these odds."""
        total = sum(odds.values())
        return Choice(
            best,
            value=self.chance(best),
            policy=tuple((action, one / total) for action, one in odds.items()),
            alternatives=tuple(Alternative(a, self.chance(a), self.tried[a].count / self.done) for a in others),
            beliefs=self.beliefs(),
            otherwise=otherwise,
            iterations=self.done,
            worlds=len(self.worlds),
            reason=reason,
        )

    def reason(self, best: Action, other: Action) -> Reason:
        """Why the best one, against the highest chance beside it."""
        if self.chance(other).value <= self.chance(best).value:
            return Reason(Basis.BETTER, other, self.facts(best, other))
        if self.merit(other) <= self.merit(best):
            return Reason(Basis.LEARNT, other, (("share", self.policy[best]), ("else", self.policy[other])))
        tries = (("tries", float(self.tried[best].count)), ("else", float(self.tried[other].count)))
        return Reason(Basis.TRIED, other, tries)


@dataclass
class Path:
    """A world that is played on from a proposal."""

    s: State
    action: Action
    facet: int
    rival: RuleOfThumb | None
    """Whom the others follow; None: the network."""

"""A bot with a trained network: the policy proposes actions, and the best proposals are tried in worlds of the view.

An iteration is one rollout: a world is played on from one proposal to the horizon of the heuristic, where the network's
value estimates the position. The policy plays for all seats. Many worlds are played side by side, so that the network
is evaluated once for all of them. Proposals are tried in the same worlds, and the worse half is dropped again and
again (sequential halving). In a simultaneous decision the other seats answer as the heuristic expects, and the
action is drawn from the policy as the rollouts have changed it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log
from typing import Final

from gonfalon.bots.networks.evaluator import Evaluator
from gonfalon.bots.networks.network import Net
from gonfalon.bots.networks.network_input import NetworkInput, advance_to_choice
from gonfalon.bots.players.bot import ThinkingBot
from gonfalon.bots.players.budget import NO_LIMIT, Budget, Clock
from gonfalon.bots.players.choice import Alternative, Belief, Choice, ranked
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.players.noise import choose_with_noise
from gonfalon.bots.search.simultaneous import beliefs_about_answers, drop_rare, expect_answers, go_astray
from gonfalon.bots.search.trials import BATCH, ENOUGH, Tally, Trials
from gonfalon.bots.search.weighted_choice import drawn
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import TOGETHER, Action, State

OBVIOUS_WORLDS: Final = 16
"""Worlds in which an obvious choice and the next one are tried."""
PARALLEL_WORLDS: Final = 64
"""Worlds that are played side by side; between two such batches the clock is read."""
MAX_DEPTH: Final = 200
"""The maximum number of decisions in one rollout."""
MAX_ITERATIONS: Final = 1 << 20
MIN_PROBABILITY: Final = 1e-4


@dataclass(frozen=True)
class PlannerSettings:
    """The settings of a `Planner`: its budget, and its use of the network."""

    iterations: int = 320
    """The budget of a decision: the number of rollouts."""
    max_proposals: int = 8
    min_probability: float = 0.004
    """Actions with a lower probability of the policy are not tried."""
    trust: float = 0.02
    """The chance to win that outweighs a policy probability e times as high."""
    noise: float = 0.0
    """The score by which a tried action may be worse than the best and still be played a third as often."""
    infers: bool = True
    """Whether worlds are weighted by how well they explain the actions of the other seats."""


class Planner(ThinkingBot):
    """Tries the proposals of a network's policy in worlds of the view."""

    def __init__(
        self, name: str, game: Game, net: Net, encoder: NetworkInput, heuristic: Heuristic, settings: PlannerSettings
    ) -> None:
        super().__init__(name, game)
        self.evaluator = Evaluator(net, encoder)
        self.heuristic = heuristic
        self.settings = settings
        self.budget = Budget(settings.iterations)

    def consider(self, view: State, legal: list[Action], clock: Clock, rng: Rng) -> Choice:
        self.heuristic.prepare(view)
        self.evaluator.clear_cache()
        policy = dict(zip(legal, self.evaluator.policies([view])[0], strict=True))
        best, second = sorted(legal, key=lambda action: -policy[action])[:2]
        # A budget of seconds has no limit of iterations, but `halve` needs one to divide among its stages.
        limit = min(clock.limit, MAX_ITERATIONS)
        trial = Trial(self, view, policy, rng)
        if self.heuristic.is_minor(view):
            return trial.choose_minor(best, max(1, min(limit, BATCH)))
        proposals = trial.proposals()
        if len(proposals) == 1:
            return trial.choose_obvious(best, second, max(1, min(limit, 2 * OBVIOUS_WORLDS) // 2))
        trial.halve(proposals, clock, limit)
        return trial.choose_tried(proposals[0])

    def explain(self, view: State, choice: Choice) -> Choice:
        return self.heuristic.explain(view, choice)


class Trial(Trials):
    """The rollouts of the proposals for one decision."""

    def __init__(self, planner: Planner, view: State, policy: dict[Action, float], rng: Rng) -> None:
        super().__init__(view, planner.sampler(view).sample, planner.heuristic, rng, planner.settings.infers, NO_LIMIT)
        self.planner = planner
        self.settings = planner.settings
        self.together = view.stack[-1].seat == TOGETHER and not planner.heuristic.is_minor(view)
        if self.together:  # the others may play unlike those that the network was trained with
            policy = dict(zip(policy, go_astray(list(policy.values())), strict=True))
        self.policy = policy
        self.tried = {action: Tally() for action in policy}
        self.done = 0
        self.expected: list[dict[Action, float]] = [{} for _ in range(view.seats)]
        """The sums of the others' probabilities of simultaneous answers."""

    def proposals(self) -> list[Action]:
        """Return the actions that are probable enough, the most probable first."""
        order = sorted(self.policy, key=lambda action: -self.policy[action])
        if self.together:
            return order[: self.settings.max_proposals]
        probable = [action for action in order if self.policy[action] >= self.settings.min_probability]
        return probable[: self.settings.max_proposals] or order[:1]

    def halve(self, left: list[Action], clock: Clock, limit: int) -> None:
        """Try proposals in the same worlds, then the better half of them in more, and sort the best one first."""
        stages = (len(left) - 1).bit_length()
        for stage in range(stages):
            each = max(1, (limit - self.done) // (len(left) * (stages - stage)))
            # Something is tried even if the time is already up.
            while each > 0 and not (self.done and clock.over(self.done)):
                some = min(each, max(1, PARALLEL_WORLDS // len(left)))
                self.play(left, some, MAX_DEPTH)
                each -= some
            left.sort(key=lambda action: (-self.score(action), action))
            if stage < stages - 1 and not clock.over(self.done):
                del left[(len(left) + 1) // 2 :]

    def play(self, left: list[Action], count: int, depth: int) -> None:
        """Try each proposal in the next `count` worlds, for at most `depth` decisions."""
        first = self.tried[left[0]].count
        paths: list[Path] = []
        for number in range(first, first + count):
            at = self.place(number)
            world = self.worlds[at]
            priors = expect_answers(self.heuristic, world, self.me, self.expected) if self.together else []
            # All proposals meet the same answers, so that they differ in nothing but themselves.
            answers = [(seat, found[drawn(shares, self.rng)]) for seat, found, shares in priors]
            for action in left:
                s = world.clone()
                s.apply(self.me, action)
                for seat, answer in answers:
                    s.apply(seat, answer)
                paths.append(Path(s, action))
        self.play_on(paths, depth)
        unfinished = [path.s for path in paths if path.s.stack]
        # Finished games need no network, so there are values for the unfinished ones only.
        values = iter(self.planner.evaluator.values(unfinished, self.me) if unfinished else [])
        for path in paths:
            value = next(values) if path.s.stack else 0.5 + 0.5 * path.s.returns()[self.me]
            self.tried[path.action].add(value)
        self.done += len(paths)

    def play_on(self, paths: list[Path], depth: int) -> None:
        """Play worlds on side by side, for at most `depth` decisions of the network."""
        waiting = [path for path in paths if self.advance(path)]
        for _ in range(depth):
            if not waiting:
                break
            policies = self.planner.evaluator.policies([path.s for path in waiting])
            for path, policy in zip(waiting, policies, strict=True):
                path.s.apply(path.s.turn, path.s.actions[drawn(policy, self.rng)])
            waiting = [path for path in waiting if self.advance(path)]

    def advance(self, path: Path) -> bool:
        """Play a world on to the network's next decision. Return False if the rollout ends before."""
        s = path.s
        return not self.heuristic.is_leaf(s) and advance_to_choice(s, self.rng) and not self.heuristic.is_leaf(s)

    def score(self, action: Action) -> float:
        """Return the quality of a proposal: its mean value and its probability."""
        # A probability may round to 0, which has no logarithm.
        return self.tried[action].mean() + self.settings.trust * log(max(self.policy[action], MIN_PROBABILITY))

    def choose_minor(self, best: Action, count: int) -> Choice:
        """Return the policy's most probable action, with the value right after it in `count` worlds."""
        self.play([best], count, 0)
        return self.choice(best, self.policy)

    def choose_obvious(self, best: Action, next: Action, count: int) -> Choice:
        """Return the policy's only proposal. It is compared with the next action a few times, to explain it."""
        self.play([best, next], count, MAX_DEPTH)
        return self.choice(best, self.policy)

    def choose_tried(self, best: Action) -> Choice:
        """Return the best proposal with the results of all rollouts."""
        tried = [action for action, tally in self.tried.items() if tally.count]
        # With the best score subtracted no exponent is positive, so `exp` cannot overflow.
        top = max(self.score(action) for action in tried)
        odds = {
            action: exp((self.score(action) - top) / self.settings.trust) if tally.count else 0.0
            for action, tally in self.tried.items()
        }
        if self.together:
            shares = drop_rare([one / sum(odds.values()) for one in odds.values()])
            odds = dict(zip(odds, shares, strict=True))
            best = list(odds)[drawn(shares, self.rng)]
        elif self.settings.noise:
            best = tried[choose_with_noise([self.score(action) for action in tried], self.settings.noise, self.rng)]
        else:  # a proposal that was dropped after few worlds may have been lucky in them
            odds = {action: min(one, odds[best]) for action, one in odds.items()}
        return self.choice(best, odds)

    def choice(self, best: Action, odds: dict[Action, float]) -> Choice:
        """Return a choice with the results for the best action and for the others that were tried, drawn with these
        odds."""
        total = sum(odds.values())
        return Choice(
            best,
            value=self.tried[best].estimate(),
            policy=tuple((action, one / total) for action, one in odds.items()),
            alternatives=ranked(
                Alternative(action, tally.estimate() if tally.count >= ENOUGH else None, tally.count / self.done)
                for action, tally in self.tried.items()
                if tally.count and action != best
            ),
            beliefs=self.beliefs(),
            iterations=self.done,
            worlds=len(self.worlds),
        )

    def beliefs(self) -> tuple[Belief, ...]:
        """Return the beliefs of any search, and in a simultaneous decision the expected answers of the others."""
        return beliefs_about_answers(self.heuristic, self.view, self.expected) + super().beliefs()


@dataclass
class Path:
    """A rollout: a world that is played on from a proposal."""

    s: State
    action: Action

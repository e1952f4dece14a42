"""Search for a decision that several seats make at once (a `Together` step), for any game.

Each own action is tried in the same worlds against the same answers of the others, who answer as the heuristic scores
their actions there. Between two seats all answers of the other come in turn, which fills a payoff matrix, and regret
matching finds the own policy: in part for the answers that are expected, in part so that little is lost if it is
foreseen. Among more seats the answers are drawn, and each own action is worth its mean result against them. All that
follows is searched like any other decision (`search.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from gonfalon.bots.players.choice import Belief
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.search.search import WORLDS, Node, Search, softmax
from gonfalon.bots.search.trials import Tally
from gonfalon.bots.search.weighted_choice import drawn
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import Action, Seat, State

ASTRAY: Final = 0.15
"""The share of the others' answers that follows no estimate."""
TRUST: Final = 0.8
"""The weight of the expected answers in the own policy. The rest is for an opponent who foresees it."""
STEPS: Final = 400
"""Steps of regret matching. They solve a matrix of three by three to a thousandth."""
RARE: Final = 0.08
"""Actions with a lower probability are not played."""

Prior: TypeAlias = tuple[Seat, list[Action], list[float]]
"""A seat, its answers, and their probabilities."""


class SimultaneousSearch(Search):
    """A search at a simultaneous decision."""

    def __init__(
        self,
        view: State,
        sample: Callable[[Rng], State],
        heuristic: Heuristic,
        rng: Rng,
        infers: bool = True,
        most: int = WORLDS,
    ) -> None:
        super().__init__(view, sample, heuristic, rng, infers, most)
        self.actions: list[Action] = view.actions
        self.duel: bool = view.seats == 2
        self.at: int = 0  # the place of the world that is being tried
        self.begun: int = 0  # worlds
        self.waiting: list[Action] = []  # answers of the other that are still to be tried in it
        self.priors: list[Prior] = []  # how likely the others answer it how
        self.answers: list[tuple[Seat, Action]] = []  # those that are being tried
        self.expected: list[dict[Action, float]] = [{} for _ in range(view.seats)]  # sums of these, by seat
        self.columns: dict[Action, list[Tally]] = {}  # by the other's answer, then by own action
        self.tallies: list[Tally] = []  # those of the answer that is being tried
        self.shares: list[float] = []  # the own policy, once it was worked out

    # ---- iterations -----------------------------------------------------------------------------

    def iterate(self) -> int:
        """Try the next own action. All own actions are tried in the same world and against the same answers."""
        i = self.iterations % len(self.actions)
        if i == 0:
            self.choose_answers()
        self.iterations += 1
        self.tallies[i].add(self.try_out(self.actions[i]))
        return 1

    def choose_answers(self) -> None:
        """Choose a world, and answers of the others, to try the own actions against."""
        if not self.waiting:
            self.at = self.place(self.begun)
            self.begun += 1
            self.priors = expect_answers(self.heuristic, self.worlds[self.at], self.me, self.expected)
            if self.duel and self.priors:
                # Reversed, because answers are taken from the end.
                self.waiting = self.priors[0][1][::-1]
        self.answers = []
        column = -1
        for seat, answers, shares in self.priors:
            answer = self.waiting.pop() if self.duel else answers[drawn(shares, self.rng)]
            self.answers.append((seat, answer))
            if self.duel:
                column = answer
        if column not in self.columns:
            self.columns[column] = [Tally() for _ in self.actions]
        self.tallies = self.columns[column]

    def try_out(self, action: Action) -> float:
        """Return the chance to win with an action against the chosen answers, by playing the world on."""
        s = self.worlds[self.at].clone()
        facet = self.facet_of[self.at]
        s.apply(self.me, action)
        for seat, answer in self.answers:
            s.apply(seat, answer)
        node = self.root.kids.get(action)
        if node is None:
            node = Node()
            self.root.kids[action] = node
        return self.follow(s, facet, node)[self.me]

    # ---- the result -----------------------------------------------------------------------------

    def ranked(self) -> list[tuple[Action, Tally]]:
        """Return the own actions with their results against the expected answers: first the one to play, drawn from
        the policy, then the others, best first."""
        found = list(zip(self.actions, self.values(), strict=True))
        self.shares = self.mix([tally.mean() for _, tally in found])
        chosen = found.pop(drawn(self.shares, self.rng))
        found.sort(key=lambda entry: (-entry[1].mean(), entry[0]))
        return [chosen, *found]

    def policy(self) -> list[tuple[Action, float]]:
        """Return the probability of each action. Called after `ranked`."""
        return list(zip(self.actions, self.shares, strict=True))

    def weights(self) -> list[float]:
        """Return the probabilities of the `columns`."""
        if not self.duel:
            return [1.0]
        sums = self.expected[1 - self.me]
        # The column -1 of a seat that is not asked has no expectation and counts as 1.
        total = sum([sums.get(answer, 1.0) for answer in self.columns])
        return [sums.get(answer, 1.0) / total for answer in self.columns]

    def values(self) -> list[Tally]:
        """Return the results of each own action against all answers, weighted by the probabilities of the answers."""
        weights = self.weights()
        found: list[Tally] = []
        for i in range(len(self.actions)):
            mean = 0.0
            variance = 0.0
            count = 0
            for weight, tallies in zip(weights, self.columns.values(), strict=True):
                mean += weight * tallies[i].mean()
                variance += weight * tallies[i].variance()
                count += tallies[i].count
            whole = Tally()
            whole.count = count
            whole.total = count * mean
            # The sums are chosen so that the tally has the mean and the variance computed here.
            whole.squares = count * (variance + mean * mean)
            found.append(whole)
        return found

    def mix(self, values: list[float]) -> list[float]:
        """Return the own policy: good against the expected answers, and losing little if it is foreseen."""
        payoffs: list[list[float]] = []
        for i in range(len(values)):
            row = [tallies[i].mean() for tallies in self.columns.values()]
            payoffs.append([TRUST * values[i] + (1.0 - TRUST) * payoff for payoff in row])
        return drop_rare(solve(payoffs, STEPS)[0])

    def beliefs(self) -> tuple[Belief, ...]:
        """Return the expected answers of the others, then the beliefs of any search."""
        return beliefs_about_answers(self.heuristic, self.view, self.expected) + super().beliefs()


def expect_answers(heuristic: Heuristic, world: State, me: Seat, expected: list[dict[Action, float]]) -> list[Prior]:
    """Return the probabilities of the others' answers in a world, scored by the knowledge of each seat.

    They are added to the sums of `expected`, by seat.
    """
    found: list[Prior] = []
    for seat in range(world.seats):
        answers = world.legal(seat)
        if seat == me or not answers:
            continue
        s = world.clone()
        # Heuristics score `s.actions` for `s.turn`, so the seat is made the one that is asked.
        s.turn = seat
        s.actions = answers
        shares = go_astray(softmax(heuristic.scores(s), len(answers)))
        sums = expected[seat]
        for answer, share in zip(answers, shares, strict=True):
            sums[answer] = sums.get(answer, 0.0) + share
        found.append((seat, answers, shares))
    return found


def go_astray(shares: list[float]) -> list[float]:
    """Mix estimated probabilities of answers with equal ones, because players do not follow the estimate exactly."""
    return [(1.0 - ASTRAY) * share + ASTRAY / len(shares) for share in shares]


def drop_rare(shares: list[float]) -> list[float]:
    """Return a policy without the actions that it chooses rarely."""
    least = min(RARE, max(shares))
    return normalized([share if share >= least else 0.0 for share in shares])


def beliefs_about_answers(heuristic: Heuristic, view: State, expected: list[dict[Action, float]]) -> tuple[Belief, ...]:
    """Return the expected answers of the others as beliefs.

    Args:
        heuristic: Names the answers.
        view: The view that the decision is made from.
        expected: For each seat the sums of its answers' probabilities. Seats with answers that are not actions of the
            viewer too are left out, because the viewer may have no name for them.
    """
    names = heuristic.game.seat_names()
    told: list[Belief] = []
    for seat, sums in enumerate(expected):
        if not sums or not set(sums).issubset(view.actions):
            continue
        total = sum(list(sums.values()))
        likely: dict[str, float] = {}
        for answer, weight in sums.items():
            name = heuristic.named(view, answer)
            likely[name] = likely.get(name, 0.0) + weight / total
        told.append(Belief(f"{names[seat]}'s choice", tuple(sorted(likely.items(), key=lambda one: (-one[1], one[0])))))
    return tuple(told)


class RegretMatching:
    """A policy that learns from the values of all its actions (regret matching plus, with linear averaging)."""

    def __init__(self, count: int) -> None:
        self.regrets: list[float] = [0.0] * count
        self.sums: list[float] = [0.0] * count
        self.steps: int = 0

    def shares(self) -> list[float]:
        """Return the current policy. Without any regret all actions are equally likely."""
        return normalized(self.regrets)

    def learn(self, values: list[float]) -> None:
        """Update the regrets by the value of each action."""
        shares = self.shares()
        mean = 0.0
        for i in range(len(values)):
            mean += shares[i] * values[i]
        for i in range(len(values)):
            # Regrets are kept from becoming negative, so that an action that turns good again returns quickly.
            self.regrets[i] = max(0.0, self.regrets[i] + values[i] - mean)
        self.steps += 1
        shares = self.shares()
        for i in range(len(values)):
            self.sums[i] += self.steps * shares[i]

    def average(self) -> list[float]:
        """Return the mean policy, in which later steps weigh more. It converges to an equilibrium."""
        return normalized(self.sums)


def normalized(weights: list[float]) -> list[float]:
    """Return the weights scaled to a sum of 1, or equal shares if all are 0."""
    total = sum(weights)
    return [1.0 / len(weights)] * len(weights) if total <= 0.0 else [weight / total for weight in weights]


def solve(payoffs: list[list[float]], steps: int) -> tuple[list[float], list[float]]:
    """Solve a matrix game whose payoffs the first player maximizes and the second minimizes.

    Returns:
        Both mixed policies, near an equilibrium after some hundred steps.
    """
    rows, columns = RegretMatching(len(payoffs)), RegretMatching(len(payoffs[0]))
    for _ in range(steps):
        theirs = columns.shares()
        values: list[float] = []
        for row in payoffs:
            value = 0.0
            for j in range(len(row)):
                value += row[j] * theirs[j]
            values.append(value)
        rows.learn(values)
        mine = rows.shares()
        losses = [0.0] * len(theirs)
        for i in range(len(mine)):
            for j in range(len(losses)):
                losses[j] -= mine[i] * payoffs[i][j]
        columns.learn(losses)
    return rows.average(), columns.average()

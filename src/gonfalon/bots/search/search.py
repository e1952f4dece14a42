"""Tree search through the worlds of a view, for any game.

Information-set Monte Carlo tree search. Every iteration takes a world that fits the view and descends through one tree
for all worlds, whose branches are what the searching seat would see. Where the tree ends, a quick playout follows, and
its result is added to all nodes on the way. A branch counts as offered only in worlds in which it is legal.

All secret actions of another seat that look alike are one branch (`Game.public`). Their results are kept separately for
each case of the most important fact that this seat knows and the searcher does not (a facet). So the other seat may act
on that fact, and the searcher may not.

The worlds come from the sampler of the core (`trials.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, sqrt
from typing import Final

from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.search.trials import Tally, Trials
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE, TOGETHER, Action, Seat, State

DEEPEST: Final = 200
EXPLORE: Final = 0.4
"""The weight of exploration."""
FIRST: Final = 0.1
"""The amount by which an untried action is rated below its node."""
WORLDS: Final = 256
"""The maximum number of different worlds."""


class Stat(Tally):
    """The results of an action at a node, for one facet: the acting seat's chances to win."""

    __slots__ = ("offered", "prior")

    def __init__(self, prior: float) -> None:
        super().__init__()
        self.offered: int = 0  # how often it could have been chosen
        self.prior: float = prior


class Node:
    """A node of the tree: an information set of the searching seat."""

    __slots__ = ("stats", "kids", "visits", "total")

    def __init__(self) -> None:
        self.stats: dict[int, Stat] = {}  # by what is seen of the action, and the facet
        self.kids: dict[int, Node] = {}  # by what is seen of the action
        self.visits: int = 0
        self.total: float = 0.0  # of the searching seat's chances


class Search(Trials):
    """The search for one decision: call `iterate` until the time is up, then read the results."""

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
        self.spread: int = len(self.belief)  # numbers of a branch, one a facet
        self.root: Node = Node()
        self.iterations: int = 0

    # ---- iterations -----------------------------------------------------------------------------

    def iterate(self) -> int:
        """Play one world down the tree and on to its end, and record the result. Return 1, the number of iterations."""
        at = self.place(self.iterations)
        self.iterations += 1
        facet = self.facet_of[at]
        s = self.worlds[at].clone()
        self.follow(s, facet, self.root)
        return 1

    def follow(self, s: State, facet: int, start: Node) -> list[float]:
        """Play a world on from a node of the tree to its end, and return the chances to win there.

        They are added to all nodes on the way.
        """
        nodes: list[Node] = [start]
        stats: list[Stat] = []
        seats: list[Seat] = []
        self.descend(s, facet, nodes, stats, seats)
        self.play_on(s)
        values = self.heuristic.win_chances(s)
        for i in range(len(stats)):
            stats[i].add(values[seats[i]])
        mine = values[self.me]
        for passed in nodes:
            passed.visits += 1
            passed.total += mine
        return values

    def descend(self, s: State, facet: int, nodes: list[Node], stats: list[Stat], seats: list[Seat]) -> None:
        """Play a world on until it is over or has left the tree, and record the nodes, results and seats on the way."""
        heuristic, rng, me = self.heuristic, self.rng, self.me
        node = nodes[0]
        for _ in range(DEEPEST):
            if heuristic.is_leaf(s):
                break
            seat = s.turn
            actions = s.actions
            if seat == CHANCE:
                s.apply(seat, s.chance(rng))
                continue
            # Only the searcher's own forced actions are skipped: what is forced for another seat in one world is a
            # choice in another.
            if seat == me:
                if len(actions) == 1:
                    s.apply(seat, actions[0])
                    continue
            elif s.stack[-1].seat == TOGETHER:
                # No answer is shown before all seats have answered, so the searcher cannot branch on it.
                s.apply(seat, actions[0] if len(actions) == 1 else heuristic.playout_action(s, rng))
                continue
            action, key, stat = self.select(node, s, seat, facet)
            stats.append(stat)
            seats.append(seat)
            s.apply(seat, action)
            kid = node.kids.get(key)
            if kid is None:
                kid = Node()
                node.kids[key] = kid
            node = kid
            nodes.append(node)
            # An untried action ends the descent, so that each iteration adds one node.
            if stat.count == 0:
                break

    def play_on(self, s: State) -> None:
        """Play a world that has left the tree to its end, quickly."""
        heuristic, rng = self.heuristic, self.rng
        while not heuristic.is_leaf(s):
            seat = s.turn
            if seat == CHANCE:
                s.apply(seat, s.chance(rng))
            elif len(s.actions) == 1:
                s.apply(seat, s.actions[0])
            else:
                s.apply(seat, heuristic.playout_action(s, rng))

    def select(self, node: Node, s: State, seat: Seat, facet: int) -> tuple[Action, int, Stat]:
        """Return the action to follow, its public form, and its statistics."""
        actions = s.actions
        mine = seat == self.me
        keys = actions if mine else self.heuristic.publics(s, seat, self.me)
        unlike = actions
        if keys is not actions and keys != actions:
            unlike = list(dict.fromkeys(keys))
        secret = unlike is not actions
        group = 0 if mine else facet
        # Looking a number up in a dict is what costs here: once for each action.
        stats: list[Stat] = []
        for key in unlike:
            known = node.stats.get(key * self.spread + group)
            if known is None:
                break
            stats.append(known)
        missing = len(stats) < len(unlike)
        shares: list[float] = []
        if missing or secret:
            shares = softmax(self.heuristic.scores(s), len(actions))
        if missing:
            stats = self.stats_of(node, unlike, keys, shares, group)
        guess = node.total / node.visits if node.visits else 0.5
        if not mine:
            # A node counts the searcher's chances, and the other seats share the rest.
            guess = (1.0 - guess) / (s.seats - 1)
        at = self.best(stats, guess - FIRST)
        action = self.among(actions, keys, unlike[at], shares) if secret else unlike[at]
        return action, unlike[at], stats[at]

    def stats_of(self, node: Node, unlike: list[int], keys: list[int], shares: list[float], group: int) -> list[Stat]:
        """Return the statistics of each distinguishable action, created if missing."""
        stats: list[Stat] = []
        for at, key in enumerate(unlike):
            # One int stands for action and facet, because a tuple would have to be built for every lookup.
            number = key * self.spread + group
            known = node.stats.get(number)
            if known is None:
                prior = shares[at]
                if len(unlike) < len(keys):
                    prior = 0.0
                    for i in range(len(keys)):
                        if keys[i] == key:
                            prior += shares[i]
                known = Stat(prior)
                node.stats[number] = known
            stats.append(known)
        return stats

    def best(self, stats: list[Stat], guess: float) -> int:
        """Return the index of the action to try now, by its results, its prior and its number of tries. `guess` is the
        value of untried actions."""
        most = -1e9
        best = 0
        for i, stat in enumerate(stats):
            # Worlds offer different actions, so exploration counts the offers and not the visits of the node.
            stat.offered += 1
            value = stat.total / stat.count if stat.count else guess
            value += EXPLORE * stat.prior * sqrt(stat.offered) / (1 + stat.count)
            if value > most:
                most = value
                best = i
        return best

    def among(self, actions: list[Action], keys: list[int], key: int, shares: list[float]) -> Action:
        """Return one of the actions that look alike, drawn in proportion to their shares."""
        total = 0.0
        for i in range(len(keys)):
            if keys[i] == key:
                total += shares[i]
        mark = total * self.rng.random()
        # Rounding may leave a rest of `mark`. Then the last action that looks alike is taken.
        found = -1
        for i in range(len(keys)):
            if keys[i] == key:
                found = actions[i]
                mark -= shares[i]
                if mark < 0.0:
                    break
        return found

    # ---- the result -----------------------------------------------------------------------------

    def ranked(self) -> list[tuple[Action, Tally]]:
        """Return the actions at the root with their statistics: the most tried first, then the better, then the smaller
        number."""
        stats = self.root.stats
        untried = Tally()
        found = [(action, stats.get(action * self.spread, untried)) for action in self.view.actions]
        return sorted(found, key=lambda entry: (-entry[1].count, -entry[1].mean(), entry[0]))

    def policy(self) -> list[tuple[Action, float]]:
        """Return the share of the tries that each action got."""
        stats = self.root.stats
        untried = Tally()
        counts = [stats.get(action * self.spread, untried).count for action in self.view.actions]
        total = sum(counts)
        return [(action, count / total) for action, count in zip(self.view.actions, counts, strict=True)]


def softmax(scores: list[float], count: int) -> list[float]:
    """Return log-odds as shares that add up to 1; equal shares if there are no log-odds."""
    if not scores:
        return [1.0 / count] * count
    top = scores[0]
    for score in scores:
        if score > top:
            top = score
    shares: list[float] = []
    total = 0.0
    for score in scores:
        # The limit keeps every share above 0, so that the search can still try the action.
        share = exp(max(-30.0, score - top))
        shares.append(share)
        total += share
    return [share / total for share in shares]

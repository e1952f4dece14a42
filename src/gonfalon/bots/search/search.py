"""Tree search through the worlds of a view, for any game.

Information-set Monte Carlo tree search. Every iteration takes a world that fits the view, goes down
one common tree, in which a branch is what the searching seat would see, plays on fast from where the
tree ends, and takes the worth of that end back up. Branches are counted only where the world offers
them. What another seat does in secret is one branch (`Game.public`), and what it does is remembered
apart for each case of the most important fact that it knows and the searcher does not (a facet), so
it may act on that fact while the searcher may not.

Worlds come from the view by the sampler of the core (`trials.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, sqrt
from typing import Final

from gonfalon.bots.players.choice import Basis, Estimate, Reason
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
    """An action at a place of the tree, for one facet: the acting seat's chances to win."""

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
    """One decision being thought about: `iterate` until the clock says so, then read."""

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
        self.first: Action = -1  # the searcher's action at the root in the last iteration

    # ---- iterations -----------------------------------------------------------------------------

    def iterate(self) -> int:
        """One world down the tree, out of it to its end, and back."""
        at = self.place(self.iterations)
        self.iterations += 1
        facet = self.facet_of[at]
        s = self.worlds[at].clone()
        values = self.follow(s, facet, self.root)
        self.note(self.first, facet, s, values[self.me])
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
        """Play a world on until it is over or has left the tree, and note the way."""
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
                # Nothing of it shows before all have answered: the searcher has nothing to branch on.
                s.apply(seat, actions[0] if len(actions) == 1 else heuristic.playout_action(s, rng))
                continue
            action, key, stat = self.select(node, s, seat, facet)
            if node is self.root:
                self.first = action
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
        """Out of the tree: fast to the end."""
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
        """One of the actions that look alike, in proportion to their first sight."""
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

    def reason(self, action: Action, value: Estimate, other: Action, rival: Estimate | None) -> Reason:
        """Return why the most tried action is played rather than another one, whose chance `rival` is the highest
        beside it."""
        if rival is None or rival.value <= value.value:
            return Reason(Basis.BETTER, other, self.facts(action, other))
        return Reason(Basis.TRIED, other, (("tries", float(self.tries(action))), ("else", float(self.tries(other)))))


def softmax(scores: list[float], count: int) -> list[float]:
    """Shares that add up to 1 from log-odds; equal ones when there are none."""
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

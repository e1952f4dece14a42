"""Solvers of tiny games: each iteration brings the policy nearer to one that nobody can exploit.

`cfr+`: counterfactual regret minimisation with regrets that never fall below 0, seats by turns, and an average in which
later iterations count for more (Tammelin 2014, arXiv:1407.5042).

`mccfr`: the same regrets from samples. An iteration follows one draw of chance and of the others, and all actions of
the seat that learns (external sampling: Lanctot, Waugh, Zinkevich and Bowling 2009).

`mmd`: magnetic mirror descent. Each step goes where the values point, but stays near the policy of before and near a
magnet, which follows slowly, so the last policy, and no average, is what is learnt (Sokota et al. 2022,
arXiv:2206.05825).

Information sets are views, as for any bot. In a game whose views forget what would matter a solver need not come to 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from gonfalon.bots.network import Array
from gonfalon.bots.weights import drawn
from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE, Seat
from gonfalon.learn.baselines.tree import Tree
from gonfalon.learn.exact import Mixture

STEP: Final = 0.1
"""How far a step of `mmd` goes."""
PULL: Final = 0.2
"""How strongly its magnet pulls."""
FOLLOW: Final = 0.02
"""How much nearer the magnet comes in a step."""
LEAST: Final = 1e-26
"""No action is less likely than that for `mmd`, so that logarithms stay finite."""


class Solver:
    """Makes a policy for all seats of a tree."""

    def __init__(self, tree: Tree, rng: Rng) -> None:
        self.tree = tree
        self.rng = rng
        self.iterations = 0

    def run(self, iterations: int) -> None:
        """So many iterations more."""
        for _ in range(iterations):
            self.iterations += 1
            self.iterate()

    def iterate(self) -> None:
        """One more."""
        raise NotImplementedError

    def policy(self) -> Array:
        """What came of it."""
        raise NotImplementedError

    def mixtures(self) -> dict[bytes, Mixture]:
        """The same, for the key of each view."""
        return self.tree.mixtures(self.policy())


class Regrets(Solver):
    """By regrets: the policy to be played is the average of all that were."""

    def __init__(self, tree: Tree, rng: Rng) -> None:
        super().__init__(tree, rng)
        self.regrets = np.zeros(tree.size)
        self.summed = np.zeros(tree.size)

    def policy(self) -> Array:
        return self.tree.shares(self.summed)


class CfrPlus(Regrets):
    """Counterfactual regret minimisation plus."""

    def iterate(self) -> None:
        tree = self.tree
        for seat in range(tree.seats):
            policy = tree.shares(self.regrets)
            look = tree.look(policy)
            worths, _ = tree.worths(look, seat)
            better = self.regrets + worths - tree.sums(policy * worths)
            self.regrets = np.where(tree.slots_of[seat], np.maximum(better, 0.0), self.regrets)
            moves = tree.moves[seat]
            self.summed += self.iterations * np.bincount(tree.slots[moves], look.reach[seat, moves], tree.size)


class Sampled(Regrets):
    """Monte Carlo counterfactual regret minimisation with external sampling."""

    def __init__(self, tree: Tree, rng: Rng) -> None:
        super().__init__(tree, rng)
        self.kids: list[list[int]] = [[] for _ in tree.parents]
        for node, parent in enumerate(tree.parents.tolist()[1:], 1):
            self.kids[parent].append(node)
        self.movers, self.slots, self.chances = (x.tolist() for x in (tree.movers, tree.slots, tree.chances))
        self.returns = dict(zip(tree.ends.tolist(), tree.returns.T.tolist(), strict=True))

    def iterate(self) -> None:
        for seat in range(self.tree.seats):
            self.walk(0, seat)

    def walk(self, node: int, seat: Seat) -> float:
        """What the seat gets from a node in this sample; regrets and sums are brought up to date on the way."""
        kids = self.kids[node]
        if not kids:
            return float(self.returns[node][seat])
        mover = self.movers[kids[0]]
        if mover == CHANCE:
            return self.walk(kids[drawn([self.chances[kid] for kid in kids], self.rng)], seat)
        first = self.slots[kids[0]]
        some = slice(first, first + len(kids))
        positive = np.maximum(self.regrets[some], 0.0)
        whole = positive.sum()
        shares = positive / whole if whole > 0.0 else np.full(len(kids), 1.0 / len(kids))
        if mover != seat:
            self.summed[some] += shares
            return self.walk(kids[drawn(shares.tolist(), self.rng)], seat)
        gained = np.array([self.walk(kid, seat) for kid in kids])
        mean = float(shares @ gained)
        self.regrets[some] += gained - mean
        return mean


class Magnetic(Solver):
    """Magnetic mirror descent."""

    def __init__(self, tree: Tree, rng: Rng) -> None:
        super().__init__(tree, rng)
        self.current = self.magnet = tree.shares(np.zeros(tree.size))

    def iterate(self) -> None:
        tree = self.tree
        look = tree.look(self.current)
        pulled = np.log(self.current) + STEP * PULL * np.log(self.magnet)
        for seat in range(tree.seats):
            gained, led = tree.worths(look, seat)
            pulled += STEP * np.where(led > 0.0, gained / np.where(led > 0.0, led, 1.0), 0.0)
        self.current = self.likely(pulled / (1.0 + STEP * PULL))
        self.magnet = self.likely((1.0 - FOLLOW) * np.log(self.magnet) + FOLLOW * np.log(self.current))

    def likely(self, odds: Array) -> Array:
        """A policy from log-odds."""
        tree = self.tree
        odds = odds - np.maximum.reduceat(odds, tree.starts)[tree.set_of]
        return tree.shares(np.maximum(np.exp(odds), LEAST))

    def policy(self) -> Array:
        return self.current


SOLVERS: Final[Mapping[str, type[Solver]]] = {"cfr+": CfrPlus, "mccfr": Sampled, "mmd": Magnetic}

"""Every line of a tiny game in arrays, so that a solver walks it in a few milliseconds.

A node is a position with the way to it; the root is node 0, and the nodes of a level follow on those of the level
before. An information set is a view of the seat that is asked, as bots know it. A slot is an action at an information
set, and a policy is an array with a share for each slot, which add up to 1 in each set.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gonfalon.bots.network import Array
from gonfalon.core.errors import OptionError
from gonfalon.core.game import Game
from gonfalon.core.state import CHANCE, Action, Seat, State
from gonfalon.learn.exact import MOST, Mixture, after, key, likely

NONE = -1


class Look(NamedTuple):
    """What a policy makes of a tree."""

    reach: Array
    """[seats + 1, nodes]: what each seat adds to how likely a node is; in the last row, chance."""
    values: Array
    """[seats, nodes]: what each seat gets from there on average."""


class Tree:
    """The tree of a game. Raises OptionError for one that is too large, or that shuffles by seeds."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.seats = game.seats
        self.views: list[bytes] = []
        """Of each set the key of its view,"""
        self.asked: list[Seat] = []
        """who is asked there,"""
        self.actions: list[list[Action]] = []
        """and what is legal."""
        self.levels: list[tuple[int, int]] = []
        """The first node of each level, and the first behind it."""
        self._sets: dict[bytes, int] = {}
        self._starts = [0]
        # For each node where it comes from, by whom, in which slot or how likely by chance; and of each end its node
        # and returns.
        self._parents, self._movers, self._slots, self._chances = [NONE], [CHANCE], [NONE], [1.0]
        ends: list[int] = []
        returns: list[list[float]] = []
        level = [game.start()]
        while level:
            first = len(self._parents) - len(level)
            self.levels.append((first, len(self._parents)))
            following: list[State] = []
            for node, state in enumerate(level, first):
                if state.stack:
                    following += self._grow(node, state)
                else:
                    ends.append(node)
                    returns.append(state.returns())
            if len(self._parents) > MOST:
                raise OptionError(f"{game.title} is too large to be solved.")
            level = following
        self.parents, self.movers = np.array(self._parents), np.array(self._movers)
        self.slots, self.chances = np.array(self._slots), np.array(self._chances)
        self.ends, self.returns = np.array(ends), np.array(returns).T
        self.starts = np.array(self._starts[:-1])
        """The first slot of each set."""
        self.size = self._starts[-1]
        """How many slots there are."""
        self.set_of = np.repeat(np.arange(len(self.views)), np.diff(self._starts))
        """Of each slot its set."""
        self.moves = [np.flatnonzero(self.movers == seat) for seat in range(self.seats)]
        """The nodes that each seat's actions lead to."""
        self.slots_of = [np.array(self.asked)[self.set_of] == seat for seat in range(self.seats)]
        """Which slots are each seat's."""

    def _grow(self, node: int, state: State) -> list[State]:
        """Write down what follows on a position."""
        if state.turn == CHANCE:
            mixture = likely(self.game, state)
            self._slots += [NONE] * len(mixture)
            self._chances += [share for _, share in mixture]
        else:
            view = key(state.mask(state.turn))
            number = self._sets.setdefault(view, len(self.views))
            if number == len(self.views):
                self.views.append(view)
                self.asked.append(state.turn)
                self.actions.append(list(state.actions))
                self._starts.append(self._starts[-1] + len(state.actions))
            self._slots += range(self._starts[number], self._starts[number + 1])
            self._chances += [1.0] * len(state.actions)
        self._parents += [node] * len(state.actions)
        self._movers += [state.turn] * len(state.actions)
        return [after(state, action) for action in state.actions]

    def shares(self, weights: Array) -> Array:
        """A policy that is as likely as the weights say; where a set has none all actions are alike."""
        whole = self.sums(weights)
        return np.where(whole > 0.0, weights / np.where(whole > 0.0, whole, 1.0), 1.0 / self.sums(np.ones(self.size)))

    def sums(self, numbers: Array) -> Array:
        """For each slot the sum over its set."""
        found: Array = np.add.reduceat(numbers, self.starts)[self.set_of]
        return found

    def look(self, policy: Array) -> Look:
        """Walk down with a policy of all seats, and back up."""
        shares = np.where(self.slots == NONE, self.chances, policy[self.slots])
        reach = np.ones((self.seats + 1, len(self.parents)))
        values = np.zeros((self.seats, len(self.parents)))
        values[:, self.ends] = self.returns
        for first, end in self.levels[1:]:
            reach[:, first:end] = reach[:, self.parents[first:end]]
            reach[self.movers[first:end], np.arange(first, end)] *= shares[first:end]
        for first, end in self.levels[:0:-1]:
            parents = self.parents[first:end]
            base = parents[0]
            for row in values:
                summed = np.bincount(parents - base, shares[first:end] * row[first:end])
                row[base : base + len(summed)] += summed
        return Look(reach, values)

    def worths(self, look: Look, seat: Seat) -> tuple[Array, Array]:
        """For each of a seat's slots what it gets there, weighed by how likely chance and the others lead there, and
        how likely that is; 0 for the slots of others."""
        moves = self.moves[seat]
        others = np.delete(look.reach, seat, axis=0)[:, moves].prod(axis=0)
        slots = self.slots[moves]
        gained: Array = np.bincount(slots, others * look.values[seat, moves], self.size)
        return gained, np.bincount(slots, others, self.size)

    def mixtures(self, policy: Array) -> dict[bytes, Mixture]:
        """For the key of each view how likely which action is."""
        shares = policy.tolist()
        return {
            view: list(zip(self.actions[i], shares[self._starts[i] : self._starts[i + 1]], strict=True))
            for i, view in enumerate(self.views)
        }

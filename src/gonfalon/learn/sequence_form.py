"""The sequence form of a game for two: its complete tree as flat arrays (von Stengel 1996).

A sequence is an information set of a seat with one of its actions, or the empty sequence, number 0. A behavior gives
each sequence the probability of its action in its information set; a plan gives it the product along the way. The
expected result is linear in the plan of either seat, so a best response is one sweep over the sequences.

Information sets have perfect recall, and are those of the bridges (`gonfalon.core.knowledge.recall`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gonfalon.bots.search.mixed_bot import Mixture
from gonfalon.bridges.numbers import Numbers
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.knowledge.fingerprint import Fingerprints
from gonfalon.core.knowledge.recall import Recall
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, SEED, Action, State

Floats: TypeAlias = npt.NDArray[np.float64]
"""A number for each sequence of a seat."""
Ints: TypeAlias = npt.NDArray[np.int64]
Player: TypeAlias = Callable[[State], Mixture]
"""A function from the view of the deciding seat to its mixture."""

MAX_POSITIONS: Final = 3_000_000
"""Maximum number of positions of a tree."""


class InformationSet(NamedTuple):
    """Positions that a seat cannot distinguish. Its sequences have the numbers from `first` on."""

    view: int
    actions: list[Action]
    first: int
    parent: int
    """The sequence of the seat that leads here."""
    depth: int
    """Number of earlier decisions of the seat."""


class Level(NamedTuple):
    """The information sets of a seat with the same number of earlier decisions."""

    sets: list[InformationSet]
    sequences: Ints
    starts: Ints
    """Position in `sequences` at which each set begins."""
    sizes: Ints
    parents: Ints


class Treeplex:
    """The information sets and sequences of one seat."""

    def __init__(self) -> None:
        self.sets: dict[object, InformationSet] = {}
        self.depths = [0]
        """Number of decisions in each sequence."""
        self.views: dict[bytes, tuple[int, State]] = {}
        """Distinct views of the seat by their fingerprints, each with its number."""
        self.levels: list[Level] = []

    @property
    def size(self) -> int:
        """The number of sequences."""
        return len(self.depths)

    def find(self, key: object, parent: int, state: State, prints: Fingerprints) -> InformationSet:
        """Return the information set of a position, which is added when it is met for the first time."""
        found = self.sets.get(key)
        if found is None:
            view = state.mask(state.turn)
            number, _ = self.views.setdefault(prints.of(view), (len(self.views), view))
            depth = self.depths[parent]
            found = self.sets[key] = InformationSet(number, state.actions, self.size, parent, depth)
            self.depths += [depth + 1] * len(state.actions)
        return found

    def finish(self) -> None:
        """Arrange the sequences in levels."""
        for depth in range(max(self.depths)):
            sets = [found for found in self.sets.values() if found.depth == depth]
            sizes = np.array([len(found.actions) for found in sets])
            sequences = np.concatenate([np.arange(found.first, found.first + len(found.actions)) for found in sets])
            parents = np.array([found.parent for found in sets])
            self.levels.append(Level(sets, sequences, np.cumsum(sizes) - sizes, sizes, parents))

    def ask(self, player: Player) -> Floats:
        """Return the behavior of a player, which is asked once in each view that it can reach."""
        behavior, plan = self.match(np.zeros(self.size)), np.ones(self.size)
        views, asked = list(self.views.values()), dict[int, dict[Action, float]]()
        for level in self.levels:
            for found in level.sets:
                if len(found.actions) > 1 and plan[found.parent] > 0:
                    if found.view not in asked:
                        asked[found.view] = dict(player(views[found.view][1]))
                    shares = asked[found.view]
                    end = found.first + len(found.actions)
                    behavior[found.first : end] = [shares.get(action, 0.0) for action in found.actions]
            self._extend(plan, behavior, level)
        return behavior

    def plan(self, behavior: Floats) -> Floats:
        """Return the plan of a behavior."""
        plan = np.ones(self.size)
        for level in self.levels:
            self._extend(plan, behavior, level)
        return plan

    def _extend(self, plan: Floats, behavior: Floats, level: Level) -> None:
        plan[level.sequences] = np.repeat(plan[level.parents], level.sizes) * behavior[level.sequences]

    def match(self, weights: Floats) -> Floats:
        """Return the behavior proportional to weights, uniform where all are 0 (regret matching)."""
        behavior = np.ones(self.size)
        for level in self.levels:
            own = weights[level.sequences]
            sums = np.add.reduceat(own, level.starts)
            shares = np.where(sums > 0, 1 / np.where(sums > 0, sums, 1), 0)
            uniform = np.where(sums > 0, 0, 1 / level.sizes)
            behavior[level.sequences] = own * np.repeat(shares, level.sizes) + np.repeat(uniform, level.sizes)
        return behavior

    def respond(self, gains: Floats) -> tuple[float, Floats]:
        """Return the value of the best response to the gains of all sequences, and its behavior."""
        totals, behavior = gains.copy(), np.ones(self.size)
        for level in reversed(self.levels):
            np.add.at(totals, level.parents, self._choose_best(behavior, totals, level))
        return float(totals[0]), behavior

    def purify(self, weights: Floats) -> Floats:
        """Return the behavior that chooses the action with the greatest weight in each information set."""
        behavior = np.ones(self.size)
        for level in self.levels:
            self._choose_best(behavior, weights, level)
        return behavior

    def _choose_best(self, behavior: Floats, weights: Floats, level: Level) -> Floats:
        """Choose the first action with the greatest weight in each set of a level, and return these weights."""
        own = weights[level.sequences]
        best: Floats = np.maximum.reduceat(own, level.starts)
        top = np.flatnonzero(own == np.repeat(best, level.sizes))
        behavior[level.sequences] = 0
        behavior[level.sequences[top[np.searchsorted(top, level.starts)]]] = 1
        return best

    def regrets(self, gains: Floats, behavior: Floats) -> Floats:
        """Return the counterfactual regret of each sequence."""
        totals, regrets = gains.copy(), np.zeros(self.size)
        for level in reversed(self.levels):
            own = totals[level.sequences]
            mean = np.add.reduceat(own * behavior[level.sequences], level.starts)
            regrets[level.sequences] = own - np.repeat(mean, level.sizes)
            np.add.at(totals, level.parents, mean)
        return regrets


@dataclass
class Node:
    """Positions that are equal and that both seats reached by equal information."""

    recall: Recall
    chance: float
    """The probability of the decisions of chance that lead here."""
    last: tuple[int, int]
    """The last sequence of each seat."""


class SequenceForm:
    """The tree of a zero-sum game for two seats.

    Raises:
        OptionError: The game has another number of seats, is too large, is not zero-sum or has no exact chance.
    """

    def __init__(self, game: Game) -> None:
        if game.seats != 2:
            raise OptionError(f"An exact best response needs a game for two, not for {game.seats}.")
        self.game = game
        self.seats = Treeplex(), Treeplex()
        self.positions = 0
        numbers = Numbers(game)
        self.prints = Fingerprints(numbers.layout.writer.steps)
        recall = Recall(self.prints, numbers.ids, game.public, game.start())
        payoffs: dict[tuple[int, int], float] = {}
        level: dict[object, Node] = {b"": Node(recall, 1.0, (0, 0))}
        for seat in range(2):
            recall.watch(seat)
        while level:
            following: dict[object, Node] = {}
            for node in level.values():
                state = node.recall.state
                if not state.stack:
                    payoffs[node.last] = payoffs.get(node.last, 0.0) + node.chance * self._result(state)
                for child in self._expand(node):
                    self.positions += 1
                    if self.positions > MAX_POSITIONS:
                        raise OptionError(f"{game.title} is too large for an exact best response.")
                    past = [(memory.past, tuple(memory.moves)) for memory in child.recall.memories]
                    # Equal positions with equal pasts continue alike, so only their probabilities are added.
                    same = following.setdefault((self.prints.of(child.recall.state), *past), child)
                    if same is not child:
                        same.chance += child.chance
            level = following
        for treeplex in self.seats:
            treeplex.finish()
        self.last = np.array(list(payoffs)).T
        self.payoffs = np.array(list(payoffs.values()))

    def _result(self, state: State) -> float:
        """Return the result of the first seat."""
        one, two = state.returns()
        if one != -two:
            raise OptionError(f"{self.game.title} is not zero-sum.")
        return one

    def _expand(self, node: Node) -> Iterator[Node]:
        """Yield the positions after each action."""
        state = node.recall.state
        first, weights = 0, state.weights()
        if state.turn == CHANCE:
            if state.actions[0] == SEED:
                raise OptionError(
                    f"{self.game.title} shuffles by seeds here. An exact best response needs the option `exact`."
                )
        elif state.stack:
            memory = node.recall.memories[state.turn]
            key = memory.past, tuple(memory.moves)
            first = self.seats[state.turn].find(key, node.last[state.turn], state, self.prints).first
        for i, action in enumerate(state.actions):
            recall = node.recall.copy()
            recall.step(action)
            if state.turn == CHANCE:
                yield Node(recall, node.chance * weights[i] / sum(weights), node.last)
            else:
                last = (first + i, node.last[1]) if state.turn == 0 else (node.last[0], first + i)
                yield Node(recall, node.chance, last)

    def gains(self, seat: int, other: Floats) -> Floats:
        """Return the expected result of a seat by its last sequence, against the plan of the other seat."""
        results = (self.payoffs if seat == 0 else -self.payoffs) * other[self.last[1 - seat]]
        gains: Floats = np.bincount(self.last[seat], results, self.seats[seat].size).astype(np.float64)
        return gains

    def best_responses(self, behaviors: list[Floats]) -> tuple[float, float]:
        """Return the result of a best response in each seat to the behavior of the other.

        Their mean is the exploitability of the behaviors, and the value of the game for the first seat is between the
        first and the negative second.
        """
        plans = [treeplex.plan(own) for treeplex, own in zip(self.seats, behaviors, strict=True)]
        one, two = (self.seats[seat].respond(self.gains(seat, plans[1 - seat]))[0] for seat in range(2))
        return one, two

    def solve(self, iterations: int) -> list[Floats]:
        """Return the average behaviors of CFR+ with alternating updates and linear weights (Tammelin 2014)."""
        regrets = [np.zeros(treeplex.size) for treeplex in self.seats]
        sums = [np.zeros(treeplex.size) for treeplex in self.seats]
        behaviors = [treeplex.match(own) for treeplex, own in zip(self.seats, regrets, strict=True)]
        plans = [treeplex.plan(own) for treeplex, own in zip(self.seats, behaviors, strict=True)]
        for iteration in range(1, iterations + 1):
            for seat, treeplex in enumerate(self.seats):
                sums[seat] += iteration * plans[seat]
                gains = self.gains(seat, plans[1 - seat])
                regrets[seat] = np.maximum(0, regrets[seat] + treeplex.regrets(gains, behaviors[seat]))
                behaviors[seat] = treeplex.match(regrets[seat])
                plans[seat] = treeplex.plan(behaviors[seat])
        return [treeplex.match(own) for treeplex, own in zip(self.seats, sums, strict=True)]

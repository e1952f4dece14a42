"""Play the weights of a trained baseline on the board of its task again, with numpy alone.

    python -m examples.weights docs/learning/weights/jinkei-small-v1-ppo-11.npz --opponent greedy

The file has the task, and a policy network with two hidden layers as 16-bit numbers. The same file, seed and number of
games give the same score.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from gonfalon.bots import Bot
from gonfalon.core.rules.game import Game
from gonfalon.vector import Array, Vector

DEALS: Final = 4 * 10**6
"""The seed of measured deals, on which nothing was tuned. Tuning uses those of 10**6."""
Policy: TypeAlias = Callable[[Array, Array], Array]
"""A function from the rows and the masks of games to the probabilities of all actions."""


def compress(rows: Array) -> tuple[Array, Array]:
    """Return the columns that are not 0 in all rows, as floats with logarithms of large counts, and their places."""
    columns = np.bitwise_or.reduce(rows, 0).nonzero()[0]
    numbers = rows.take(columns, 1).astype(np.float32)
    return np.sign(numbers) * np.log1p(np.abs(numbers)), columns


def save(path: Path, task: str, arrays: dict[str, Array]) -> None:
    """Write the arrays of a policy, floats as 16-bit numbers."""
    small = {name: array.astype("f2" if array.dtype.kind == "f" else "i2") for name, array in arrays.items()}
    np.savez_compressed(path, allow_pickle=False, task=np.array(task), **small)


def load(path: Path) -> tuple[str, Policy]:
    """Return the task of a file and its policy."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    task, columns = str(arrays.pop("task")), arrays.pop("columns")
    layers = {name: array.astype(np.float32) for name, array in arrays.items()}
    # A number that was always 0 in training has no weights.
    place = np.full(np.iinfo(np.int16).max, -1)
    place[columns] = np.arange(len(columns))

    def answer(rows: Array, masks: Array) -> Array:
        numbers, seen = compress(rows)
        known = place[seen] >= 0
        first = layers["first"][:, place[seen[known]]]
        found = np.maximum(numbers[:, known] @ first.T + layers["first_bias"], 0)
        found = np.maximum(found @ layers["second"].T + layers["second_bias"], 0)
        logits = np.where(masks, found @ layers["policy"].T + layers["policy_bias"], -np.inf)
        policy = np.exp(logits - logits.max(1, keepdims=True))
        shares: Array = policy / policy.sum(1, keepdims=True)
        return shares

    return task, answer


def measure(policy: Policy, task: str | Game, opponent: str | Bot, games: int, seed: int) -> Array:
    """Return the scores of games from all seats in turn against one opponent. The policy draws, and a win counts 1."""
    tables = Vector(task, games, seed, learners="spread", opponents=opponent, once=True)
    tables.reset()
    chance = np.random.default_rng(seed)
    seats = np.array([seats[0] for seats in tables.learners])
    returns = np.zeros(games)
    while (going := np.flatnonzero(tables.turns >= 0)).size:
        drawn = chance.random(games)[going, None]
        sums = policy(tables.arrays["observations"][going], tables.arrays["masks"][going]).cumsum(1)
        actions = np.zeros(games, np.int64)
        # The first action whose sum exceeds the number drawn. It has a probability, so it is legal.
        actions[going] = (sums <= drawn * sums[:, -1:]).sum(1)
        tables.step_actions(actions)
        returns += tables.rewards[np.arange(games), seats]
    scores: Array = (returns + 1) / 2
    return scores


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Play the weights of a baseline on the board of its task.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--opponent", default="random", help="a level")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--deals", type=int, default=DEALS, help="seed of the deals")
    args = parser.parse_args(arguments)
    task, policy = load(args.file)
    scores = measure(policy, task, args.opponent, args.games, args.deals)
    error = 1.96 * scores.std() / len(scores) ** 0.5
    print(f"{task} against {args.opponent}: {scores.mean():.1%} (±{error:.1%}) of {len(scores)} games")
    return 0


if __name__ == "__main__":
    sys.exit(main())

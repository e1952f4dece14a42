"""A policy of jax that learns over `gonfalon.vector`, whose arrays it reads where they lie.

    python examples/vector_jax.py

What `vector_torch.py` does, in jax: one small network with action masks against `random`, trained by advantage
actor-critic on what games end with.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from gonfalon.vector import Array, Vector

Weights = list[dict[str, Any]]


def shared(array: Array | None) -> jax.Array:
    """An array of numpy over the same memory. For jax arrays never change, so it is taken anew after each step, and
    what is worked out from it is waited for before the next."""
    assert array is not None
    found = jax.dlpack.from_dlpack(array, copy=False)
    assert found.unsafe_buffer_pointer() == array.ctypes.data
    return found


def fresh(key: jax.Array, inputs: int, actions: int, width: int = 128) -> Weights:
    """The weights of two layers, and of scores and value together."""
    sizes = (inputs, width), (width, width), (width, actions + 1)
    scales = 1.4, 1.4, 0.1
    keys = jax.random.split(key, 3)
    return [
        {"w": jax.random.normal(k, size) * scale / size[0] ** 0.5, "b": jnp.zeros(size[1])}
        for k, size, scale in zip(keys, sizes, scales, strict=True)
    ]


def forward(weights: Weights, rows: jax.Array, masks: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Scores of the legal actions, and a value."""
    numbers = rows.astype(jnp.float32)
    found = jnp.sign(numbers) * jnp.log1p(jnp.abs(numbers))
    for layer in weights[:-1]:
        found = jax.nn.relu(found @ layer["w"] + layer["b"])
    found = found @ weights[-1]["w"] + weights[-1]["b"]
    return jnp.where(masks == 0, -1e9, found[..., :-1]), found[..., -1]


@jax.jit
def act(weights: Weights, rows: jax.Array, masks: jax.Array, key: jax.Array) -> jax.Array:
    """An action in each game, by the policy."""
    return jax.random.categorical(key, forward(weights, rows, masks)[0])


def loss(weights: Weights, played: tuple[jax.Array, ...], last: tuple[jax.Array, jax.Array]) -> jax.Array:
    """How far values are from returns, and how little the chosen actions are liked that gained."""
    rows, masks, actions, rewards, dones = played
    ahead = jax.lax.stop_gradient(forward(weights, *last)[1])

    def back(ahead: jax.Array, step: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        found = step[0] + 0.97 * ahead * ~step[1]
        return found, found

    _, returns = jax.lax.scan(back, ahead, (rewards, dones), reverse=True)
    scores, values = forward(weights, rows, masks)
    logs = jax.nn.log_softmax(scores)
    chosen = jnp.take_along_axis(logs, actions[..., None], axis=-1)[..., 0]
    gained = returns - values
    spread = -(jnp.exp(logs) * logs).sum(-1).mean()
    return -(chosen * jax.lax.stop_gradient(gained)).mean() + 0.5 * jnp.square(gained).mean() - 0.01 * spread


@partial(jax.jit, static_argnames="rate")
def learn(weights: Weights, moments: Any, played: Any, last: Any, count: jax.Array, rate: float) -> tuple[Weights, Any]:
    """One step of Adam."""
    gradients = jax.grad(loss)(weights, played, last)
    mean = jax.tree.map(lambda m, g: m + 0.1 * (g - m), moments[0], gradients)
    square = jax.tree.map(lambda s, g: s + 0.001 * (g * g - s), moments[1], gradients)
    right = rate * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
    changed = jax.tree.map(lambda w, m, s: w - right * m / (jnp.sqrt(s) + 1e-8), weights, mean, square)
    return changed, (mean, square)


def train(game: str, steps: int, seed: int, opponents: str, lanes: int = 128, length: int = 32) -> Weights:
    """Learn for so many decisions."""
    games = Vector(game, lanes, seed, learners="spread", opponents=opponents)
    games.reset()
    mine = np.arange(lanes), np.array([seats[0] for seats in games.learners])
    key = jax.random.key(seed)
    weights = fresh(key, games.numbers.size, games.numbers.count)
    zeros = jax.tree.map(jnp.zeros_like, weights)
    moments: Any = zeros, zeros
    updates = max(1, steps // (lanes * length))
    ends: list[npt.NDArray[np.float32]] = []
    for number in range(1, updates + 1):
        kept: list[tuple[Array, ...]] = []
        for _ in range(length):
            key, draw = jax.random.split(key)
            actions = np.asarray(act(weights, shared(games.observations), shared(games.masks), draw))
            rows, masks = games.arrays["observations"].copy(), games.arrays["masks"].copy()
            games.step_actions(actions)
            kept.append((rows, masks, actions, games.rewards[mine], games.dones.copy()))
        played = tuple(map(np.stack, zip(*kept, strict=True)))
        last = games.arrays["observations"].copy(), games.arrays["masks"].copy()
        weights, moments = learn(weights, moments, played, last, jnp.asarray(number), 1e-3)
        ends.append(played[3][played[4]])
        if number % max(1, updates // 10) == 0:
            found = np.concatenate(ends[-max(1, updates // 10) :])
            print(f"step {number * lanes * length:>8}: {np.mean(found > 0):.1%} of {len(found)} games won", flush=True)
    return weights


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="A masked policy in jax over gonfalon.vector.")
    parser.add_argument("game", nargs="?", default="jinkei")
    parser.add_argument("--steps", type=int, default=500_000, help="decisions of the learner")
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    train(args.game, args.steps, args.seed, args.opponents)
    return 0


if __name__ == "__main__":
    sys.exit(main())

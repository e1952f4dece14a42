"""Gradient descent for a fully connected network, with Adam."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np

from gonfalon.bots.networks.network import Array, Layers

ADAM_DECAYS: Final = (0.9, 0.999)
"""Decay rates of Adam's two moments."""
ADAM_EPSILON: Final = 1e-8
"""Adam's epsilon."""
MAX_GRADIENT_NORM: Final = 1.0
"""Maximum norm of a gradient; longer ones are scaled down."""


def find_filled_columns(rows: Array) -> Array:
    """Return the columns in which some row is not zero, in order.

    At most a tenth of all columns is filled, mostly the same ones. The others have no gradient.
    """
    return np.flatnonzero(rows.max(axis=0))  # For bytes this is faster than any().


def reduce_columns(layers: Layers, columns: Array) -> Layers:
    """Return the network for rows reduced to these columns."""
    return Layers([layers.weights[0][columns], *layers.weights[1:]], layers.biases)


class Learner:
    """A trainable network. Its last layer starts at zero, so that its first output is zero."""

    def __init__(self, sizes: list[int], rng: np.random.Generator) -> None:
        weights = []
        biases = []
        for i in range(len(sizes) - 1):
            # He initialization for rectified linear units.
            spread = np.sqrt(2.0 / sizes[i]) if i < len(sizes) - 2 else 0.0
            weights.append((spread * rng.standard_normal((sizes[i], sizes[i + 1]))).astype(np.float32))
            biases.append(np.zeros(sizes[i + 1], dtype=np.float32))
        self.layers = Layers(weights, biases)
        self.kept: list[Array] = []
        """Input of each layer in the last forward pass."""
        self.first: list[Array] = [np.zeros_like(p) for p in self.parameters()]
        self.second: list[Array] = [np.zeros_like(p) for p in self.parameters()]
        self.steps = 0

    def begin_as(self, layers: Layers) -> None:
        """Continue from a trained network."""
        self.layers = Layers([w.copy() for w in layers.weights], [b.copy() for b in layers.biases])
        # Adam's moments belong to the weights that were replaced.
        self.first = [np.zeros_like(p) for p in self.parameters()]
        self.second = [np.zeros_like(p) for p in self.parameters()]

    def parameters(self) -> list[Array]:
        """Return all weights, then all biases."""
        return [*self.layers.weights, *self.layers.biases]

    def copy(self) -> Layers:
        """Return a copy of the current network."""
        return Layers([w.copy() for w in self.layers.weights], [b.copy() for b in self.layers.biases])

    @contextmanager
    def narrowed(self, columns: Array) -> Iterator[None]:
        """Train on rows reduced to these columns within the context. The weights of the other columns remain."""
        whole = self.layers.weights[0], self.first[0], self.second[0]
        self.layers.weights[0], self.first[0], self.second[0] = (numbers[columns] for numbers in whole)
        try:
            yield
        finally:
            # Indexing has copied the columns, so the trained numbers are written back.
            for numbers, narrow in zip(whole, (self.layers.weights[0], self.first[0], self.second[0]), strict=True):
                numbers[columns] = narrow
            self.layers.weights[0], self.first[0], self.second[0] = whole

    def forward(self, x: Array) -> Array:
        """Return the output for a batch, and keep the inputs for `backward`."""
        weights, biases = self.layers.weights, self.layers.biases
        self.kept = [x]
        for i in range(len(weights) - 1):
            x = x @ weights[i]
            x += biases[i]
            np.maximum(x, 0.0, out=x)
            self.kept.append(x)
        x = x @ weights[-1]
        x += biases[-1]
        return x

    def slopes(self, slope: Array) -> list[Array]:
        """Return the gradient of each parameter, given the gradient of the output of `forward`."""
        weights = self.layers.weights
        by_weight: list[Array] = []
        by_bias: list[Array] = []
        for i in range(len(weights) - 1, -1, -1):
            by_weight.append(self.kept[i].T @ slope)
            by_bias.append(slope.sum(axis=0))
            if i:
                slope = slope @ weights[i].T
                # Derivative of the rectifier.
                slope *= self.kept[i] > 0.0
        return by_weight[::-1] + by_bias[::-1]

    def backward(self, slope: Array, rate: float) -> None:
        """Take a step against the gradient."""
        slopes = self.slopes(slope)
        norm = float(np.sqrt(sum(float(np.vdot(g, g)) for g in slopes)))
        if norm > MAX_GRADIENT_NORM:
            for g in slopes:
                g *= MAX_GRADIENT_NORM / norm
        self.steps += 1
        a, b = ADAM_DECAYS
        # Adam's bias correction of both moments.
        scale = rate * np.sqrt(1.0 - b**self.steps) / (1.0 - a**self.steps)
        for p, g, m, v in zip(self.parameters(), slopes, self.first, self.second, strict=True):
            m *= a
            m += (1.0 - a) * g
            v *= b
            v += (1.0 - b) * g * g
            p -= (scale * m / (np.sqrt(v) + ADAM_EPSILON)).astype(np.float32)

"""Learning by gradients: a network of full layers, and Adam."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np

from gonfalon.bots.networks.network import Array, Layers

KEEP: Final = (0.9, 0.999)
TINY: Final = 1e-8
STEEPEST: Final = 1.0
"""The longest gradient that is followed in full."""


def filled(rows: Array) -> Array:
    """The columns in which some row has a number other than zero, in order. Of a position a tenth of all columns or
    less is filled, mostly the same ones: nothing is to be learnt from the others."""
    return np.flatnonzero(rows.max(axis=0))  # of bytes, faster than any()


def reading(layers: Layers, columns: Array) -> Layers:
    """The network for rows of which only these columns are left."""
    return Layers([layers.weights[0][columns], *layers.weights[1:]], layers.biases)


class Learner:
    """A network that can be taught. Its last layer begins at zero, so that it begins by saying nothing."""

    def __init__(self, sizes: list[int], rng: np.random.Generator) -> None:
        weights = []
        biases = []
        for i in range(len(sizes) - 1):
            spread = np.sqrt(2.0 / sizes[i]) if i < len(sizes) - 2 else 0.0
            weights.append((spread * rng.standard_normal((sizes[i], sizes[i + 1]))).astype(np.float32))
            biases.append(np.zeros(sizes[i + 1], dtype=np.float32))
        self.layers = Layers(weights, biases)
        self.kept: list[Array] = []
        """What came into each layer when it was last asked."""
        self.first: list[Array] = [np.zeros_like(p) for p in self.parameters()]
        self.second: list[Array] = [np.zeros_like(p) for p in self.parameters()]
        self.steps = 0

    def begin_as(self, layers: Layers) -> None:
        """Go on from a network that was taught before."""
        self.layers = Layers([w.copy() for w in layers.weights], [b.copy() for b in layers.biases])
        self.first = [np.zeros_like(p) for p in self.parameters()]
        self.second = [np.zeros_like(p) for p in self.parameters()]

    def parameters(self) -> list[Array]:
        """All weights, then all biases."""
        return [*self.layers.weights, *self.layers.biases]

    def copy(self) -> Layers:
        """The network as it is now."""
        return Layers([w.copy() for w in self.layers.weights], [b.copy() for b in self.layers.biases])

    @contextmanager
    def narrowed(self, columns: Array) -> Iterator[None]:
        """Meanwhile it learns from rows of which only these columns are left; what it knows of the others stays."""
        whole = self.layers.weights[0], self.first[0], self.second[0]
        self.layers.weights[0], self.first[0], self.second[0] = (numbers[columns] for numbers in whole)
        try:
            yield
        finally:
            for numbers, narrow in zip(whole, (self.layers.weights[0], self.first[0], self.second[0]), strict=True):
                numbers[columns] = narrow
            self.layers.weights[0], self.first[0], self.second[0] = whole

    def forward(self, x: Array) -> Array:
        """Like asking the network, but ready for `backward`."""
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
        """The gradient by each of the parameters, given that of the loss by what came out of `forward`."""
        weights = self.layers.weights
        by_weight: list[Array] = []
        by_bias: list[Array] = []
        for i in range(len(weights) - 1, -1, -1):
            by_weight.append(self.kept[i].T @ slope)
            by_bias.append(slope.sum(axis=0))
            if i:
                slope = slope @ weights[i].T
                slope *= self.kept[i] > 0.0
        return by_weight[::-1] + by_bias[::-1]

    def backward(self, slope: Array, rate: float) -> None:
        """Take a step against the gradient."""
        slopes = self.slopes(slope)
        norm = float(np.sqrt(sum(float(np.vdot(g, g)) for g in slopes)))
        if norm > STEEPEST:
            for g in slopes:
                g *= STEEPEST / norm
        self.steps += 1
        a, b = KEEP
        scale = rate * np.sqrt(1.0 - b**self.steps) / (1.0 - a**self.steps)
        for p, g, m, v in zip(self.parameters(), slopes, self.first, self.second, strict=True):
            m *= a
            m += (1.0 - a) * g
            v *= b
            v += (1.0 - b) * g * g
            p -= (scale * m / (np.sqrt(v) + TINY)).astype(np.float32)

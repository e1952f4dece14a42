"""Proximal policy optimization by self-play, for any game with a `NetworkInput`.

Before each decision the policy adds its log-odds to the game's priors. The value network, which sees all cards,
provides the baseline.

A lot of games is always played by the network of one update ago. So another process can play it while this one learns
from the previous lot, and the result is the same either way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter
from typing import Final

import numpy as np

from gonfalon.bots.networks.batch import Batch
from gonfalon.bots.networks.network import Array, Net, blas
from gonfalon.bots.networks.network_input import NetworkInput
from gonfalon.learn.layers import Learner, find_filled_columns
from gonfalon.learn.selfplay import HEURISTIC_RIVAL, Lot, Version
from gonfalon.learn.settings import Settings

FINAL_RATE_SHARE: Final = 0.1  # the rate of learning at the end, as a share of that at the beginning
"""-"""

OrderLot = Callable[[Version], Callable[[], Lot]]
"""A function that orders a lot played with a version, and returns a function that waits for it."""


class Training:
    """A network that learns from the lots that it orders."""

    def __init__(
        self, encoder: NetworkInput, order: OrderLot, seed: int, settings: Settings, begun: Net | None = None
    ) -> None:
        """Prepare a training. `begun` is a network to continue from; without one the network starts from scratch."""
        self.encoder = encoder
        self.order = order
        self.settings = settings
        self.dice = np.random.default_rng(seed)
        self.scales = np.array(encoder.scales(), dtype=np.float32)
        self.policy = Learner([encoder.known, *encoder.policy_layers, encoder.outputs], self.dice)
        self.value = Learner([encoder.size, *encoder.value_layers, 1], self.dice)
        if begun is not None:
            self.policy.begin_as(begun.policy)
            self.value.begin_as(begun.value)
        self.known: Array = np.arange(encoder.known)
        """Columns that the policy currently reads."""
        self.decisions = 0
        self.finished = 0
        self.updates = 0
        self.scores: dict[int, list[float]] = {}
        """Scores against the first version and the heuristic since the last report."""

    def version(self) -> Version:
        """Return the current network."""
        return Version(self.policy.copy(), self.value.copy(), self.updates)

    @contextmanager
    def narrowed(self, batch: Batch) -> Iterator[tuple[Batch, Array]]:
        """Yield the positions reduced to the columns that some of them fill, and the scales of these columns.

        Within the context both networks train on these columns alone.
        """
        columns = find_filled_columns(batch.rows)
        whole, self.known = self.known, columns[columns < self.encoder.known]
        try:
            with blas().limit(limits=1), self.policy.narrowed(self.known), self.value.narrowed(columns):
                yield replace(batch, rows=batch.rows[:, columns]), self.scales[columns]
        finally:
            self.known = whole

    def learn(self, lot: Lot, done: float) -> dict[str, float]:
        """Learn from a lot, and return the mean figures of its steps. `done` is the finished part of the training."""
        settings = self.settings
        count = len(lot.picks)
        surprise = float(np.var(lot.surplus) / max(1e-9, float(np.var(lot.target))))
        # Normalized advantages make the size of a step independent of how close the games are.
        surplus = (lot.surplus - lot.surplus.mean()) / (lot.surplus.std() + 1e-6)
        rate = settings.rate * (1.0 - (1.0 - FINAL_RATE_SHARE) * min(1.0, done))
        curious = settings.curious * (1.0 - 0.8 * min(1.0, done))
        found = {"even": 0.0, "moved": 0.0, "value": 0.0}
        steps = 0
        with self.narrowed(lot.batch) as (narrow, scales):
            for _ in range(settings.passes):
                mixed = self.dice.permutation(count)
                # A rest of at most half a part is left out, because its gradient would be noisy.
                for first in range(0, count - settings.part // 2, settings.part):
                    some = mixed[first : first + settings.part]
                    batch = narrow.select(some)
                    full = batch.rows * scales
                    found["value"] += self.learn_value(full, lot.target[some], rate)
                    even, moved = self.learn_policy(batch, full, lot, some, surplus[some], rate, curious)
                    found["even"] += even
                    found["moved"] += moved
                    steps += 1
        self.updates += 1
        self.decisions += lot.decisions
        self.finished += lot.finished
        for rival, scores in lot.scores.items():
            self.scores.setdefault(rival, []).extend(scores)
        return {name: total / max(1, steps) for name, total in found.items()} | {"surprise": surprise}

    def learn_value(self, full: Array, target: Array, rate: float) -> float:
        """Train the value network for one step, and return its mean squared error."""
        y = np.tanh(self.value.forward(full))
        wrong = y[:, 0] - target
        slope = (2.0 / len(target)) * wrong[:, None] * (1.0 - y * y)
        self.value.backward(slope.astype(np.float32), rate)
        return float(np.mean(wrong * wrong))

    def learn_policy(
        self, batch: Batch, full: Array, lot: Lot, some: Array, good: Array, rate: float, curious: float
    ) -> tuple[float, float]:
        """Train the policy for one step, and return its entropy and its distance from the previous policy."""
        size = len(some)
        owner = batch.owners()
        said = self.policy.forward(np.ascontiguousarray(full[:, : len(self.known)]))
        logp = batch.log_probabilities(said, owner)
        p = np.exp(logp)
        picked = batch.starts[:-1] + lot.picks[some]
        ratio = np.exp(logp[picked] - lot.before[some])
        # The gradient is cut where the ratio has already left the clipping range.
        free = np.where(good > 0.0, ratio < 1.0 + self.settings.clip, ratio > 1.0 - self.settings.clip)
        pull = np.where(free, -good * ratio, 0.0) / size
        even = -np.add.reduceat(p * logp, batch.starts[:-1])
        by_odds = -pull[owner] * p + self.calm(batch, owner, p, logp, curious)
        by_odds[picked] += pull
        slope = np.zeros_like(said)
        # Several actions may share an output. `add.at` adds all of them, while an indexed sum would keep one.
        np.add.at(slope, (owner, batch.answers), by_odds)
        self.policy.backward(slope, rate)
        return float(even.mean()), float(np.mean(lot.before[some] - logp[picked]))

    def calm(self, batch: Batch, owner: Array, p: Array, logp: Array, curious: float) -> Array:
        """Return the gradient of the entropy bonus for the log-odds of each action."""
        even = -np.add.reduceat(p * logp, batch.starts[:-1])
        fall: Array = (curious / len(batch.rows)) * p * (logp + even[owner])
        return fall

    def run(self, over: Callable[[], float], tell: Callable[[str], None]) -> None:
        """Order lots and learn from them until `over`, the finished part, reaches 1."""
        began = perf_counter()
        done = over()
        ordered = self.order(self.version())
        while done < 1.0:
            # Order the next lot before learning, so that both can run at the same time.
            lot = ordered()
            ordered = self.order(self.version())
            found = self.learn(lot, done)
            done = over()
            if self.updates % 10 == 0 or done >= 1.0:
                told = " ".join(f"{name} {value:.4f}" for name, value in found.items())
                for rival, name in ((0, "first"), (HEURISTIC_RIVAL, "thumb")):
                    scores = self.scores.pop(rival, [0.0])
                    told += f" {name} {50 + 50 * sum(scores) / len(scores):.1f} % of {len(scores)}"
                pace = self.decisions / (perf_counter() - began)
                counted = f"{self.updates} updates, {self.finished} games, {self.decisions} decisions"
                tell(f"{counted} ({pace:.0f} a second); {told}")

    def net(self, about: Mapping[str, object]) -> Net:
        """Return the trained network."""
        return Net(self.policy.copy(), self.value.copy(), about)

"""One network plays against itself over `gonfalon.vector`, in plain numpy.

    python examples/vector_selfplay.py

All seats of all games are the learner's. A game ends with somebody's move, but everybody gets a reward then, so what
each seat has decided is kept by game and seat until its game is over, and credited with what that seat got. Now and
then the network meets `random` in other games, where it has one seat.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gonfalon.vector import Vector

Floats = npt.NDArray[np.float32]
FADES = 0.95
"""How much less a decision answers for what comes a decision of its seat later."""


class Decision(NamedTuple):
    """What a seat was shown, and what it did."""

    row: npt.NDArray[np.int8]
    mask: npt.NDArray[np.int8]
    action: int


class Network:
    """Scores of the actions and a value, from one hidden layer; Adam learns its weights."""

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator, width: int = 128) -> None:
        scale = np.sqrt(2 / 300)  # of a row some 300 numbers are not 0
        self.weights: list[Floats] = [
            (scale * rng.standard_normal((inputs, width))).astype(np.float32),
            np.zeros(width, np.float32),
            (0.01 * rng.standard_normal((width, actions + 1))).astype(np.float32),
            np.zeros(actions + 1, np.float32),
        ]
        self.moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self.steps = 0

    def look(self, rows: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> tuple[Floats, Floats, Floats, Floats]:
        """The numbers of rows, the hidden layer, how likely each action is, and the value."""
        x = np.sign(rows) * np.log1p(np.abs(rows.astype(np.float32)))
        hidden = np.maximum(x @ self.weights[0] + self.weights[1], 0)
        out = hidden @ self.weights[2] + self.weights[3]
        scores = np.where(masks != 0, out[:, :-1], -1e9)
        likely = np.exp(scores - scores.max(axis=1, keepdims=True))
        return x, hidden, likely / likely.sum(axis=1, keepdims=True), np.tanh(out[:, -1])

    def act(self, rows: npt.NDArray[np.int8], masks: npt.NDArray[np.int8], rng: np.random.Generator) -> list[int]:
        """An action for each row, drawn by the policy."""
        shares = self.look(rows, masks)[2].cumsum(axis=1)
        drawn = rng.random((len(rows), 1)) * shares[:, -1:]
        return [int(action) for action in (shares <= drawn).sum(axis=1)]

    def learn(self, decisions: list[Decision], got: Floats, rate: float = 1e-3, entropy: float = 0.01) -> None:
        """One step of the policy gradient, with the value as the baseline."""
        masks = np.stack([one.mask for one in decisions])
        x, hidden, likely, value = self.look(np.stack([one.row for one in decisions]), masks)
        at = np.arange(len(decisions)), np.array([one.action for one in decisions])
        logs = np.log(np.maximum(likely, 1e-9))
        spread = -(likely * logs).sum(axis=1, keepdims=True)
        upward = -likely * (got - value)[:, None]
        upward[at] += got - value
        upward -= entropy * likely * (logs + spread)
        out = np.hstack([-upward, ((value - got) * (1 - value**2))[:, None]]) / len(decisions)
        back = (out @ self.weights[2].T) * (hidden > 0)
        self.steps += 1
        slopes = [x.T @ back, back.sum(axis=0), hidden.T @ out, out.sum(axis=0)]
        for weight, slope, (mean, square) in zip(self.weights, slopes, self.moments, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            sure = np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            weight -= rate * (mean / (1 - 0.9**self.steps)) / sure


class SelfPlay:
    """Games whose seats are all the learner's, and what was decided in those that go on."""

    def __init__(self, game: str, lanes: int, seed: int) -> None:
        self.games = Vector(game, lanes, seed)
        self.games.reset()
        self.open: list[list[list[Decision]]] = [[[] for _ in range(self.games.game.seats)] for _ in range(lanes)]

    def lot(self, network: Network, size: int, rng: np.random.Generator) -> tuple[list[Decision], Floats]:
        """At least so many decisions of games that are over, and what each is credited with."""
        decisions: list[Decision] = []
        got: list[float] = []
        while len(decisions) < size:
            rows, masks = self.games.arrays["observations"].copy(), self.games.arrays["masks"].copy()
            actions = network.act(rows, masks, rng)
            for lane, (seat, action) in enumerate(zip(self.games.turns, actions, strict=True)):
                self.open[lane][seat].append(Decision(rows[lane], masks[lane], action))
            self.games.step_actions(np.array(actions))
            for lane in map(int, np.flatnonzero(self.games.dones)):
                for seat, own in enumerate(self.open[lane]):
                    reward = float(self.games.rewards[lane, seat])
                    got += [reward * FADES**later for later in reversed(range(len(own)))]
                    decisions += own
                self.open[lane] = [[] for _ in self.open[lane]]
        return decisions, np.array(got, np.float32)


def won(network: Network, game: str, count: int, rng: np.random.Generator) -> float:
    """The part of so many games that it wins from `random`."""
    games = Vector(game, count, 1, learners="spread", opponents="random", once=True)
    games.reset()
    seats = np.array([seats[0] for seats in games.learners])
    ended = np.zeros(count)
    while (games.turns >= 0).any():
        going = games.turns >= 0
        actions = np.zeros(count, np.int64)
        actions[going] = network.act(games.arrays["observations"][going], games.arrays["masks"][going], rng)
        games.step_actions(actions)
        ended += games.rewards[np.arange(count), seats]
    return float(np.mean(ended > 0))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Self-play in numpy over gonfalon.vector.")
    parser.add_argument("game", nargs="?", default="jinkei")
    parser.add_argument("--lots", type=int, default=200, help="how often it learns")
    parser.add_argument("--size", type=int, default=2048, help="decisions in a lot")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    rng = np.random.default_rng(args.seed)
    play = SelfPlay(args.game, 64, args.seed)
    network = Network(play.games.numbers.size, play.games.numbers.count, rng)
    for number in range(args.lots + 1):
        if number % max(1, args.lots // 5) == 0:
            print(
                f"after {number:>4} lots: {won(network, args.game, 200, rng):.0%} of 200 games from random", flush=True
            )
        if number < args.lots:
            network.learn(*play.lot(network, args.size, rng))
    return 0


if __name__ == "__main__":
    sys.exit(main())

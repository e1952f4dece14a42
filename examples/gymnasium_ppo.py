"""A player of Jinkei learned by proximal policy optimisation with action masks, in plain numpy.

    python examples/gymnasium_ppo.py

One small network sits at a random seat against the level `random`, in several environments at once, and
learns from the results of games and, on the way there, from its lead in rounds and battles. Then it plays
games that it has not seen. Everything is in
this file, in the manner of CleanRL; a library such as sb3-contrib finds the masks where it looks for
them, in `action_masks()`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gonfalon.bridges.gymnasium import SeatEnv

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Masks = npt.NDArray[np.bool_]


def scaled(observations: npt.NDArray[np.int8]) -> Floats:
    """Counts and points on one scale."""
    numbers = observations.astype(np.float32)
    return np.asarray(np.sign(numbers) * np.log1p(np.abs(numbers)), np.float32)


class Network:
    """Two layers of rectified units, from which a policy and a value are read; trained by Adam."""

    def __init__(self, inputs: int, actions: int, width: int, rng: np.random.Generator) -> None:
        def layer(rows: int, columns: int, scale: float) -> Floats:
            return np.asarray(rng.standard_normal((rows, columns)) * scale / np.sqrt(rows), np.float32)

        self.weights: list[npt.NDArray[Any]] = [
            layer(inputs, width, 1.4),
            np.zeros(width, np.float32),
            layer(width, width, 1.4),
            np.zeros(width, np.float32),
            layer(width, actions, 0.01),
            np.zeros(actions, np.float32),
            layer(width, 1, 1.0),
            np.zeros(1, np.float32),
        ]
        self.means = [np.zeros_like(weight) for weight in self.weights]
        self.squares = [np.zeros_like(weight) for weight in self.weights]
        self.updates = 0

    def forward(self, x: Floats, masks: Masks) -> tuple[Floats, Floats, list[Floats]]:
        """Probabilities of the legal actions, values, and what `backward` needs."""
        w = self.weights
        h1 = np.maximum(x @ w[0] + w[1], 0)
        h2 = np.maximum(h1 @ w[2] + w[3], 0)
        logits = np.where(masks, h2 @ w[4] + w[5], -1e9)
        exp = np.exp(logits - logits.max(axis=1, keepdims=True))
        policy = exp / exp.sum(axis=1, keepdims=True)
        values = (h2 @ w[6] + w[7])[:, 0]
        return policy.astype(np.float32), values, [x, h1, h2]

    def backward(self, kept: list[Floats], d_logits: Floats, d_values: Floats) -> list[Floats]:
        """The gradients of all weights."""
        w = self.weights
        x, h1, h2 = kept
        d_value = d_values[:, None]
        d_h2 = (d_logits @ w[4].T + d_value @ w[6].T) * (h2 > 0)
        d_h1 = (d_h2 @ w[2].T) * (h1 > 0)
        heads = [h2.T @ d_logits, d_logits.sum(0), h2.T @ d_value, d_value.sum(0)]
        return [x.T @ d_h1, d_h1.sum(0), h1.T @ d_h2, d_h2.sum(0), *heads]

    def adam(self, gradients: list[Floats], rate: float, limit: float = 0.5) -> None:
        """One step, with the gradients' length limited."""
        self.updates += 1
        length = float(np.sqrt(sum(float((g * g).sum()) for g in gradients)))
        scale = min(1.0, limit / (length + 1e-8))
        for weight, mean, square, gradient in zip(self.weights, self.means, self.squares, gradients, strict=True):
            g = gradient * scale
            mean += 0.1 * (g - mean)
            square += 0.001 * (g * g - square)
            right = np.sqrt(1 - 0.999**self.updates) / (1 - 0.9**self.updates)
            weight -= rate * right * mean / (np.sqrt(square) + 1e-8)


def draw(policy: Floats, rng: np.random.Generator) -> Ints:
    """An action for each row, by its probabilities."""
    totals = policy.cumsum(axis=1)
    return np.asarray((totals < rng.random((len(policy), 1)) * totals[:, -1:]).sum(axis=1), np.int64)


class Tables:
    """Several environments that begin anew by themselves. The result of a game is paid, and before the end
    `share` for every point by which our lead has grown, so that what was done early is paid for early."""

    def __init__(self, count: int, seed: int, share: float = 0.0, **settings: Any) -> None:
        self.envs = [SeatEnv(seat=None, **settings) for _ in range(count)]
        self.results: list[float] = []
        self.share = share
        self.leads = [0.0] * count
        first = [env.reset(seed=seed + number) for number, env in enumerate(self.envs)]
        self.seen = np.stack([observation for observation, _ in first])
        self.masks = np.stack([info["action_mask"] for _, info in first]).astype(np.bool_)
        places = self.envs[0].named(np.arange(self.seen.shape[1])) if share else {}
        self.rounds, self.battles = places.get("scored"), places.get("battles")

    def lead(self, observation: npt.NDArray[np.int8]) -> float:
        """Our points in finished rounds less the other's; a battle of the round counts for three."""
        mine, theirs = observation[self.rounds].sum(axis=1)
        won, lost, _ = observation[self.battles].sum(axis=0)
        return float(mine - theirs + 3 * (won - lost))

    def step(self, actions: Ints) -> tuple[Floats, Floats]:
        """Rewards, and a one where a game has ended."""
        rewards, ends = np.zeros(len(self.envs), np.float32), np.zeros(len(self.envs), np.float32)
        for i, env in enumerate(self.envs):
            observation, reward, over, _, info = env.step(int(actions[i]))
            lead = 0.0
            if over:
                rewards[i], ends[i] = reward, 1
                self.results.append(reward)
                observation, info = env.reset()
            elif self.share:
                lead = self.lead(observation)
                rewards[i] = self.share * (lead - self.leads[i])
            self.leads[i] = lead
            self.seen[i], self.masks[i] = observation, info["action_mask"]
        return rewards, ends


def train(
    game: str, steps: int, seed: int, rate: float, share: float, tables: int = 16, length: int = 128, width: int = 128
) -> Network:
    """Learn for so many steps of our own."""
    rng = np.random.default_rng(seed)
    table = Tables(tables, seed, share, game=game)
    network = Network(table.seen.shape[1], table.masks.shape[1], width, rng)
    rounds = max(1, steps // (tables * length))
    for number in range(rounds):
        seen: list[Floats] = []
        masks: list[Masks] = []
        actions, chances, values, rewards, ends = (np.zeros((length, tables), np.float32) for _ in range(5))
        for t in range(length):
            seen.append(scaled(table.seen))
            masks.append(table.masks.copy())
            policy, values[t], _ = network.forward(seen[t], masks[t])
            chosen = draw(policy, rng)
            actions[t], chances[t] = chosen, policy[np.arange(tables), chosen]
            rewards[t], ends[t] = table.step(chosen)
        _, last, _ = network.forward(scaled(table.seen), table.masks)
        advantages = advantage(rewards, values, ends, last)
        learn(
            network,
            np.concatenate(seen),
            np.concatenate(masks),
            actions.reshape(-1).astype(np.int64),
            chances.reshape(-1),
            advantages.reshape(-1),
            (advantages + values).reshape(-1),
            rate * (1 - number / rounds),
            rng,
        )
        if (number + 1) % max(1, rounds // 10) == 0 and table.results:
            recent = table.results[-400:]
            won = sum(result > 0 for result in recent) / len(recent)
            print(f"step {(number + 1) * tables * length:>8}: {won:.0%} of the last {len(recent)} won", flush=True)
    return network


def advantage(
    rewards: Floats, values: Floats, ends: Floats, last: Floats, trace: float = 0.95, discount: float = 0.95
) -> Floats:
    """Generalised advantage estimates; what comes later counts for less, by `discount` a step."""
    out = np.zeros_like(rewards)
    ahead, following = np.zeros_like(last), last
    for t in reversed(range(len(rewards))):
        goes_on = 1 - ends[t]
        surprise = rewards[t] + discount * following * goes_on - values[t]
        ahead = out[t] = surprise + discount * trace * goes_on * ahead
        following = values[t]
    return out


def learn(
    network: Network,
    seen: Floats,
    masks: Masks,
    actions: Ints,
    before: Floats,
    advantages: Floats,
    targets: Floats,
    rate: float,
    rng: np.random.Generator,
    epochs: int = 4,
    batch: int = 512,
    clip: float = 0.2,
    entropy: float = 0.01,
) -> None:
    """Some epochs of clipped policy improvement over what was played."""
    for _ in range(epochs):
        order = rng.permutation(len(seen))
        for at in range(0, len(order), batch):
            rows = order[at : at + batch]
            gained = advantages[rows]
            gained = (gained - gained.mean()) / (gained.std() + 1e-8)
            policy, values, kept = network.forward(seen[rows], masks[rows])
            places = np.arange(len(rows))
            ratio = policy[places, actions[rows]] / before[rows]
            free = ((gained > 0) & (ratio < 1 + clip)) | ((gained < 0) & (ratio > 1 - clip))
            # d loss / d logits of the chosen action's log-probability, and of the entropy.
            d_logits = policy * (ratio * gained * free)[:, None]
            d_logits[places, actions[rows]] -= ratio * gained * free
            logs = np.log(policy + 1e-9)
            d_logits += entropy * policy * (logs - (policy * logs).sum(1, keepdims=True))
            d_values = 0.5 * (values - targets[rows])
            scale = np.float32(1 / len(rows))
            network.adam(network.backward(kept, d_logits * scale, d_values * scale), rate)


def evaluate(network: Network, game: str, level: str, games: int, seed: int) -> int:
    """Games that the network's likeliest actions win, from both seats in turn."""
    won = 0
    tables = [SeatEnv(game, seat, bots=level) for seat in (0, 1)]
    for number in range(games):
        table = tables[number % 2]
        observation, info = table.reset(seed=seed + number // 2)
        over, reward = False, 0.0
        while not over:
            policy, _, _ = network.forward(scaled(observation[None]), info["action_mask"][None].astype(np.bool_))
            observation, reward, over, _, info = table.step(int(policy[0].argmax()))
        won += reward > 0
    return won


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Masked PPO in numpy.")
    parser.add_argument("game", nargs="?", default="jinkei")
    parser.add_argument("--steps", type=int, default=300_000)
    parser.add_argument("--games", type=int, default=1000, help="to play afterwards against each level")
    parser.add_argument("--levels", default="random,greedy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=1e-3, help="of learning")
    parser.add_argument("--share", type=float, default=0.1, help="paid for a point of lead; Jinkei alone")
    args = parser.parse_args(arguments)
    network = train(args.game, args.steps, args.seed, args.rate, args.share)
    for level in args.levels.split(","):
        won = evaluate(network, args.game, level, args.games, 10**6)
        share = won / args.games
        spread = 1.96 * (share * (1 - share) / args.games) ** 0.5
        print(f"against {level}: {won} of {args.games} won ({share:.1%}, plus or minus {spread:.1%})", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Baselines of the named tasks by self-play, in PyTorch on one CPU thread: masked PPO, MMD, and an R-NaD-like method.

    python -m examples.selfplay --task gonfalon/feint-small-v1 --method ppo --seed 1 --decisions 200000

One network plays all seats of 64 games. The three methods differ in their losses, and R-NaD in its rewards. The script
prints the score against fixed opponents before, during and after training; `--write FOLDER` saves it as CSV, and the
weights as 16-bit numbers, which `python -m examples.weights FILE` plays without PyTorch.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Callable, Sequence
from copy import deepcopy  # noqa: TID251 (of a network, not of a state)
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from examples.weights import compress, measure, save
from gonfalon.bridges.numbers import Numbers
from gonfalon.core.rules.game import Game
from gonfalon.vector import Array, Vector

LANES, LENGTH, EPOCHS, MINIBATCH = 64, 32, 4, 256
"""Games side by side, decisions of each between two updates, and how an update is divided."""
NONZERO = 40
"""About how many numbers of a row are not 0."""
DISCOUNT, TRACE = 1.0, 0.95
CLIP, ENTROPY = 0.2, 0.01
"""Of PPO (Schulman et al. 2017): the clip range of the ratio, and the weight of the entropy."""
MAGNET, PROXIMITY = 0.01, 0.1
"""Of MMD (Sokota et al. 2023): the weights of the divergence from the uniform policy, and from the last policy."""
REGULARIZATION, PERIOD = 0.02, 10
"""Of R-NaD (Perolat et al. 2022): the weight of the log-ratio to the regularization policy in rewards, and the number
of updates after which the current policy replaces it."""
LOGIT_LIMIT, WEIGHT_LIMIT = 8.0, 10.0
"""Of NeuRD: the logit beyond which it is not pushed further, and the largest inverse probability of an action."""


class Agent(nn.Module):
    """The policy and the value of a row, which are those of the seat to act."""

    def __init__(self, inputs: int, actions: int, width: int = 64) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(inputs, width), nn.Linear(width, width)
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        # Few numbers of a row differ from 0, so the default, which follows from its length, is too small.
        nn.init.normal_(self.first.weight, std=(2 / NONZERO) ** 0.5)
        nn.init.orthogonal_(self.policy.weight, 0.01)
        self.seen = torch.zeros(inputs, dtype=torch.bool)

    def forward(self, rows: Tensor, columns: Tensor, masks: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits of actions and the values.

        Args:
            rows: Numbers of observations, without the columns that are 0 in all of them.
            columns: The other columns.
            masks: The legal ones of these actions.
            legal: The numbers of the actions.
        """
        found = linear(rows, self.first.weight.index_select(1, columns), self.first.bias).relu()
        found = self.second(found).relu()
        logits = linear(found, self.policy.weight.index_select(0, legal), self.policy.bias[legal])
        return logits.masked_fill(masks == 0, -1e9), self.value(found)[..., 0]

    @torch.no_grad()
    def answer(self, rows: Array, masks: Array) -> Array:
        """Return the probabilities of all actions."""
        every = torch.arange(masks.shape[1])
        policy: Array = self(*map(torch.from_numpy, (*compress(rows), masks)), every)[0].softmax(-1).numpy()
        return policy

    def list_weights(self) -> dict[str, Array]:
        """Return the arrays of the policy. Weights of numbers that were always 0 in training are left out."""
        columns = self.seen.nonzero()[:, 0]
        layers = {"first": self.first, "second": self.second, "policy": self.policy}
        found = {name: layer.weight.detach().numpy() for name, layer in layers.items()}
        found |= {f"{name}_bias": layer.bias.detach().numpy() for name, layer in layers.items()}
        return {**found, "first": found["first"][:, columns], "columns": columns.numpy()}


class Batch(NamedTuple):
    """Decisions and the facts that losses use."""

    rows: Tensor
    """The numbers of a row, without the columns that are 0 in all of them."""
    masks: Tensor
    actions: Tensor
    logs: Tensor
    """Log-probabilities of all actions when the decision was made."""
    advantages: Tensor
    returns: Tensor


def estimate(
    rewards: Tensor, dones: Tensor, turns: Tensor, values: Tensor, discount: float = DISCOUNT, trace: float = TRACE
) -> Tensor:
    """Return the advantages of decisions in zero-sum games of two seats (generalized advantage estimation).

    The value of a decision of the other seat counts negatively.

    Args:
        rewards: By time and game, of the seat that decided.
        dones: Whether the decision ended the game.
        turns: The seats that decided, with one entry of time more.
        values: The values of the deciding seats, with one entry of time more.
        discount: The factor of each decision.
        trace: The weight of later decisions, lambda.
    """
    advantages = torch.zeros_like(rewards)
    ahead = torch.zeros_like(rewards[0])
    for t in reversed(range(len(rewards))):
        sign = torch.where(turns[t] == turns[t + 1], 1.0, -1.0) * ~dones[t] * discount
        ahead = rewards[t] + sign * values[t + 1] - values[t] + sign * trace * ahead
        advantages[t] = ahead
    return advantages


def ppo_loss(logs: Tensor, logits: Tensor, batch: Batch) -> Tensor:
    """Return the clipped surrogate with an entropy bonus."""
    ratio = (pick(logs, batch.actions) - pick(batch.logs, batch.actions)).exp()
    gained = (batch.advantages - batch.advantages.mean()) / (batch.advantages.std() + 1e-8)
    clipped = torch.minimum(ratio * gained, ratio.clamp(1 - CLIP, 1 + CLIP) * gained)
    return -clipped.mean() - ENTROPY * entropy(logs)


def mmd_loss(logs: Tensor, logits: Tensor, batch: Batch) -> Tensor:
    """Return the mirror-descent objective: close to the last policy, and to the uniform one as a magnet."""
    ratio = (pick(logs, batch.actions) - pick(batch.logs, batch.actions)).exp()
    moved = (logs.exp() * (logs - batch.logs) * batch.masks).sum(-1).mean()
    return -(ratio * batch.advantages).mean() - MAGNET * entropy(logs) + PROXIMITY * moved


def rnad_loss(logs: Tensor, logits: Tensor, batch: Batch) -> Tensor:
    """Return the NeuRD loss, which moves logits and not probabilities, within the clip range of PPO. Its rewards are
    regularized."""
    legal = batch.masks.float()
    centered = logits - (logits * legal).sum(-1, keepdim=True) / legal.sum(-1, keepdim=True)
    chosen = pick(centered, batch.actions)
    push = batch.advantages * pick(batch.logs, batch.actions).neg().exp().clamp(max=WEIGHT_LIMIT)
    moved = pick(logs, batch.actions) - pick(batch.logs, batch.actions)
    up = (chosen < LOGIT_LIMIT) & (moved < CLIP)
    down = (chosen > -LOGIT_LIMIT) & (moved > -CLIP)
    return -(chosen * push * torch.where(push > 0, up, down)).mean()


METHODS: dict[str, Callable[[Tensor, Tensor, Batch], Tensor]] = {"ppo": ppo_loss, "mmd": mmd_loss, "rnad": rnad_loss}


def pick(table: Tensor, actions: Tensor) -> Tensor:
    """Return the entries of the chosen actions."""
    return table.gather(-1, actions[..., None])[..., 0]


def entropy(logs: Tensor) -> Tensor:
    """Return the mean entropy of policies."""
    return -(logs.exp() * logs.clamp(min=-30)).sum(-1).mean()


class Games(Protocol):
    """Games side by side, as arrays that each step writes again."""

    numbers: Numbers
    arrays: dict[str, Array]

    def step_actions(self, actions: Array) -> None:
        """Apply an action in each game."""


class Trainer:
    """Games, the network that plays all their seats, and its optimizer."""

    def __init__(self, task: str | Game, method: str, seed: int, rate: float) -> None:
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        self.method = method
        games = Vector(task, LANES, seed)
        games.reset()
        self.games: Games = games
        self.agent = Agent(self.games.numbers.size, self.games.numbers.count)
        self.regular = deepcopy(self.agent)
        self.adam = torch.optim.Adam(self.agent.parameters(), rate)
        self.updates = 0

    @torch.no_grad()
    def collect(self) -> tuple[Batch, Tensor]:
        """Play, and return the decisions of all seats, and the columns of their rows."""
        games, arrays, seen, kept = self.games, self.games.arrays, [], []
        every = torch.arange(games.numbers.count)
        for _ in range(LENGTH):
            seen.append(arrays["observations"].copy())
            rows, columns = map(torch.from_numpy, compress(seen[-1]))
            masks = torch.tensor(arrays["masks"])
            logits, values = self.agent(rows, columns, masks, every)
            logs = logits.log_softmax(-1)
            actions = torch.multinomial(logs.exp(), 1)[:, 0]
            turns = torch.tensor(arrays["turns"])
            games.step_actions(actions.numpy())
            rewards = torch.from_numpy(arrays["rewards"]).gather(1, turns[:, None].long())[:, 0]
            if self.method == "rnad":
                before = self.regular(rows, columns, masks, every)[0].log_softmax(-1)
                rewards = rewards - REGULARIZATION * (pick(logs, actions) - pick(before, actions))
            kept.append((masks, actions, logs, turns, values, rewards, torch.tensor(arrays["dones"])))
        masks, actions, logs, turns, values, rewards, dones = map(torch.stack, zip(*kept, strict=True))
        last = self.agent(*map(torch.from_numpy, (*compress(arrays["observations"]), arrays["masks"])), every)[1]
        turns = torch.cat([turns, torch.tensor(arrays["turns"])[None]])
        advantages = estimate(rewards, dones, turns, torch.cat([values, last[None]]))
        rows, columns = map(torch.from_numpy, compress(np.concatenate(seen)))
        self.agent.seen[columns] = True
        found = (masks, actions, logs, advantages, advantages + values)
        return Batch(rows, *(one.flatten(0, 1) for one in found)), columns

    def learn(self) -> None:
        """Play, and improve the network by its decisions."""
        batch, columns = self.collect()
        # Actions that were never legal cost time and change nothing.
        legal = batch.masks.any(0).nonzero()[:, 0]
        batch = batch._replace(masks=batch.masks[:, legal], logs=batch.logs[:, legal])
        batch = batch._replace(actions=torch.searchsorted(legal, batch.actions))
        for _ in range(EPOCHS):
            for chosen in torch.randperm(len(batch.actions)).split(MINIBATCH):
                part = Batch(*(one[chosen] for one in batch))
                logits, values = self.agent(part.rows, columns, part.masks, legal)
                loss = METHODS[self.method](logits.log_softmax(-1), logits, part)
                loss = loss + 0.5 * (values - part.returns).square().mean()
                self.adam.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.agent.parameters(), 0.5)
                self.adam.step()
        self.updates += 1
        if self.updates % PERIOD == 0:
            self.regular = deepcopy(self.agent)


def write_curve(path: Path, curve: Sequence[dict[str, float]]) -> None:
    """Write the points of a curve as CSV."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, curve[0])
        writer.writeheader()
        writer.writerows(curve)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Self-play in PyTorch on a named task.")
    parser.add_argument("--task", default="gonfalon/jinkei-small-v1")
    parser.add_argument("--method", choices=METHODS, default="ppo")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--decisions", type=int, default=200_000, help="of all seats in training")
    parser.add_argument("--rate", type=float, default=2e-3, help="of learning")
    parser.add_argument("--reports", type=int, default=5, help="measurements after the one before training")
    parser.add_argument("--games", type=int, default=500, help="games of a measurement against each opponent")
    parser.add_argument("--opponents", default="random,greedy")
    # A seed of its own, so that no measured deal is one of training.
    parser.add_argument("--deals", type=int, default=10**6, help="seed of the measured deals")
    parser.add_argument("--write", type=Path, help="folder for the curve and the weights")
    args = parser.parse_args(arguments)
    trainer = Trainer(args.task, args.method, args.seed, args.rate)
    updates = max(1, args.decisions // (LANES * LENGTH))
    marks = {updates * report // args.reports for report in range(args.reports + 1)}
    curve: list[dict[str, float]] = []
    spent = 0.0
    for update in range(updates + 1):
        if update in marks:
            point = {"decisions": update * LANES * LENGTH, "seconds": round(spent, 1)}
            for opponent in args.opponents.split(","):
                results = measure(trainer.agent.answer, args.task, opponent, args.games, args.deals)
                point[opponent] = float(results.mean())
            print(", ".join(f"{name} {value:.4g}" for name, value in point.items()), flush=True)
            curve.append(point)
        if update < updates:
            began = time.process_time()
            trainer.learn()
            spent += time.process_time() - began
    if args.write:
        args.write.mkdir(parents=True, exist_ok=True)
        name = f"{args.task.split('/')[-1]}-{args.method}-{args.seed}"
        save(args.write / f"{name}.npz", args.task, trainer.agent.list_weights())
        write_curve(args.write / f"{name}.csv", curve)
    return 0


if __name__ == "__main__":
    sys.exit(main())

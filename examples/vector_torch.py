"""A policy of PyTorch that learns over `gonfalon.vector`, whose arrays it reads where they lie.

    python examples/vector_torch.py

Many games are stepped in one call, in each of which the learner has another seat against `random`. One small network
with action masks is trained by advantage actor-critic on what games end with.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from gonfalon.vector import Array, Vector


def shared(array: Array | None) -> Tensor:
    """An array as a tensor over the same memory."""
    assert array is not None
    tensor = torch.from_numpy(array)
    assert tensor.data_ptr() == array.ctypes.data
    return tensor


class Policy(nn.Module):
    """Scores of the legal actions, and a value."""

    def __init__(self, inputs: int, actions: int, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.scores, self.value = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(self, rows: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        numbers = rows.float()
        found = self.body(numbers.sign() * numbers.abs().log1p())
        return self.scores(found).masked_fill(masks == 0, -1e9), self.value(found)[..., 0]


class Player:
    """Games, and the network that plays and learns."""

    def __init__(self, game: str, lanes: int, seed: int, opponents: str, rate: float = 1e-3) -> None:
        torch.manual_seed(seed)
        self.games = Vector(game, lanes, seed, learners="spread", opponents=opponents)
        self.games.reset()
        self.rows, self.masks = shared(self.games.observations), shared(self.games.masks)
        self.rewards, self.dones = shared(self.games.rewards), shared(self.games.dones)
        self.mine = torch.arange(lanes), torch.tensor([seats[0] for seats in self.games.learners])
        self.policy = Policy(self.rows.shape[1], self.masks.shape[1])
        self.adam = torch.optim.Adam(self.policy.parameters(), rate)

    def act(self) -> Tensor:
        """An action in each game, by the policy."""
        with torch.no_grad():
            scores, _ = self.policy(self.rows, self.masks)
            return torch.multinomial(scores.softmax(dim=1), 1)[:, 0]

    def learn(self, length: int, discount: float = 0.97, entropy: float = 0.01) -> npt.NDArray[np.float32]:
        """Play some steps and learn from them; how the games ended that were over."""
        kept: list[tuple[Tensor, ...]] = []
        for _ in range(length):
            rows, masks = self.rows.clone(), self.masks.clone()  # the next step writes over them
            actions = self.act()
            self.games.step_actions(actions.numpy())
            kept.append((rows, masks, actions, self.rewards[self.mine], self.dones.clone()))
        rows, masks, actions, rewards, dones = map(torch.stack, zip(*kept, strict=True))
        with torch.no_grad():
            ahead = self.policy(self.rows, self.masks)[1]
        returns = torch.zeros_like(rewards)
        for t in reversed(range(length)):
            ahead = returns[t] = rewards[t] + discount * ahead * ~dones[t]
        scores, values = self.policy(rows, masks)
        logs = scores.log_softmax(dim=-1)
        chosen = logs.gather(-1, actions[..., None])[..., 0]
        gained = returns - values
        spread = -(logs.exp() * logs).sum(-1).mean()
        loss = -(chosen * gained.detach()).mean() + 0.5 * gained.square().mean() - entropy * spread
        self.adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
        self.adam.step()
        return np.asarray(rewards[dones])


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="A masked policy in PyTorch over gonfalon.vector.")
    parser.add_argument("game", nargs="?", default="jinkei")
    parser.add_argument("--steps", type=int, default=500_000, help="decisions of the learner")
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    lanes, length = 128, 32
    player = Player(args.game, lanes, args.seed, args.opponents)
    updates = max(1, args.steps // (lanes * length))
    ends: list[npt.NDArray[np.float32]] = []
    for number in range(1, updates + 1):
        ends.append(player.learn(length))
        if number % max(1, updates // 10) == 0:
            found = np.concatenate(ends[-max(1, updates // 10) :])
            print(f"step {number * lanes * length:>8}: {np.mean(found > 0):.1%} of {len(found)} games won", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

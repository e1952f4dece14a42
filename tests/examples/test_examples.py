"""The examples run with small settings in seconds. Their README holds their results."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("pyspiel")
pytest.importorskip("gymnasium")


import numpy as np

from examples import gymnasium_ppo, openspiel_cfr, openspiel_ismcts

pytestmark = pytest.mark.extended


@pytest.mark.parametrize(("method", "iterations", "bound"), [("cfr+", 60, 0.01), ("mmd", 60, 0.1)])
def test_openspiel_finds_an_equilibrium_of_a_tiny_feint(
    method: str, iterations: int, bound: float, capsys: pytest.CaptureFixture[str]
) -> None:
    """A random player can be exploited by 0.63 there."""
    asked = ["gonfalon_feint(tiny=1)", "--method", method, "--iterations", str(iterations), "--reports", "3"]
    assert openspiel_cfr.main(asked) == 0
    said = capsys.readouterr().out
    found = [float(number) for number in re.findall(r"exploitability ([\d.]+)", said)]
    assert len(found) == 3
    assert found[0] > found[-1]
    assert found[-1] < bound
    assert re.search(r"^Actions: .*ash@5", said, re.MULTILINE)


def test_search_plays_the_rule_of_thumb(capsys: pytest.CaptureFixture[str]) -> None:
    assert openspiel_ismcts.main(["gonfalon_jinkei(tiny=1)", "--simulations", "8", "--games", "2"]) == 0
    assert "; " in capsys.readouterr().out.splitlines()[-1]


def test_a_player_learns(capsys: pytest.CaptureFixture[str]) -> None:
    assert gymnasium_ppo.main(["--steps", "2048", "--games", "6", "--levels", "random"]) == 0
    assert re.search(r"against random: \d+ of 6 won", capsys.readouterr().out)


# ---- the learner's arithmetic ---------------------------------------------------------------------------


def test_the_gradients_are_those_of_small_differences() -> None:
    rng = np.random.default_rng(1)
    network = gymnasium_ppo.Network(5, 4, 6, rng)
    network.weights = [weight + rng.standard_normal(weight.shape) * 0.3 for weight in network.weights]
    x = rng.standard_normal((3, 5)).astype(np.float32)
    masks = np.array([[1, 1, 0, 1], [1, 1, 1, 1], [0, 1, 1, 0]], bool)
    pull, push = rng.standard_normal((3, 4)).astype(np.float32), rng.standard_normal(3).astype(np.float32)

    def loss() -> float:
        policy, values, _ = network.forward(x, masks)
        return float((policy * pull).sum() + (values * push).sum())

    policy, _, kept = network.forward(x, masks)
    d_logits = policy * (pull - (policy * pull).sum(1, keepdims=True))
    gradients = network.backward(kept, d_logits, push)
    for weight, gradient in zip(network.weights, gradients, strict=True):
        place = np.unravel_index(int(np.abs(gradient).argmax()), gradient.shape)
        before, weight[place] = weight[place], weight[place] + 1e-3
        above = loss()
        weight[place] = before - 1e-3
        below = loss()
        weight[place] = before
        assert (above - below) / 2e-3 == pytest.approx(float(gradient[place]), rel=0.01, abs=1e-3)


def test_advantages_end_with_the_game() -> None:
    """By hand: trace 0.5, values 0, a game that ends with 1 at the second step, then one that continues. With a
    discount of 0.5 the last is worth half of 0.4, and the first a quarter of 1."""
    rewards = np.array([[0], [1], [0]], np.float32)
    ends = np.array([[0], [1], [0]], np.float32)
    values = np.zeros((3, 1), np.float32)
    found = gymnasium_ppo.advantage(rewards, values, ends, np.array([0.4], np.float32), 0.5, 1.0)
    assert found[:, 0].tolist() == pytest.approx([0.5, 1.0, 0.4])
    found = gymnasium_ppo.advantage(rewards, values, ends, np.array([0.4], np.float32), 0.5, 0.5)
    assert found[:, 0].tolist() == pytest.approx([0.25, 1.0, 0.2])

"""The examples run, on settings so small that they take seconds; what they find is in their README."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytest.importorskip("pyspiel")
pytest.importorskip("gymnasium")

import numpy as np

from examples import gymnasium_ppo, openspiel_cfr, openspiel_ismcts


@pytest.mark.parametrize(("method", "iterations", "bound"), [("cfr+", 60, 0.01), ("mccfr", 600, 0.1), ("mmd", 60, 0.1)])
def test_openspiel_finds_an_equilibrium_of_a_tiny_feint(
    method: str, iterations: int, bound: float, capsys: pytest.CaptureFixture[str]
) -> None:
    """A player at random can be exploited by 0.63 there."""
    asked = ["gonfalon_feint(tiny=1)", "--method", method, "--iterations", str(iterations), "--reports", "3"]
    assert openspiel_cfr.main(asked) == 0
    said = capsys.readouterr().out
    found = [float(number) for number in re.findall(r"exploitability ([\d.]+)", said)]
    assert len(found) == 3
    assert found[0] > found[-1]
    assert found[-1] < bound
    assert re.search(r"^Actions: .*ash@5", said, re.MULTILINE)


def test_cfr_finds_an_equilibrium_of_a_part_of_a_tiny_jinkei(capsys: pytest.CaptureFixture[str]) -> None:
    """Four of the six cards are dealt beforehand: the whole tree would take minutes."""
    game = "start_at(history=0;2;3;4;2,game=gonfalon_jinkei(tiny=1))"
    assert openspiel_cfr.main([game, "--iterations", "4", "--reports", "4"]) == 0
    found = [float(number) for number in re.findall(r"exploitability ([\d.]+)", capsys.readouterr().out)]
    assert found[0] > 0.2
    assert found[-1] < found[0] / 3


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


def test_only_legal_actions_are_drawn() -> None:
    rng = np.random.default_rng(1)
    network = gymnasium_ppo.Network(5, 4, 6, rng)
    masks = np.zeros((200, 4), bool)
    masks[:, [1, 3]] = True
    policy, _, _ = network.forward(rng.standard_normal((200, 5)).astype(np.float32), masks)
    assert np.allclose(policy.sum(1), 1, atol=1e-5)
    drawn = gymnasium_ppo.draw(policy, rng)
    assert set(drawn.tolist()) == {1, 3}


def test_advantages_end_with_the_game() -> None:
    """By hand: trace 0.5, values 0, a game that ends with 1 at the second step, then one that goes on. With
    a discount of 0.5 the last is worth half of 0.4, and the first a quarter of 1."""
    rewards = np.array([[0], [1], [0]], np.float32)
    ends = np.array([[0], [1], [0]], np.float32)
    values = np.zeros((3, 1), np.float32)
    found = gymnasium_ppo.advantage(rewards, values, ends, np.array([0.4], np.float32), 0.5, 1.0)
    assert found[:, 0].tolist() == pytest.approx([0.5, 1.0, 0.4])
    found = gymnasium_ppo.advantage(rewards, values, ends, np.array([0.4], np.float32), 0.5, 0.5)
    assert found[:, 0].tolist() == pytest.approx([0.25, 1.0, 0.2])


def test_a_lead_is_paid_on_the_way() -> None:
    """So far the learner has always been paid its lead: points of the rounds that are over, and three for a
    battle of this one. At the end it is paid the result."""
    tables = gymnasium_ppo.Tables(1, 4, 0.5, game="jinkei")
    [env] = tables.envs
    paid, leads = 0.0, set()
    for _ in range(300):
        reward, end = tables.step(tables.masks.argmax(1))
        if end[0]:
            assert reward[0] == tables.results[-1]
            paid = 0.0
            continue
        paid += float(reward[0])
        state: Any = env.session.state
        mine, theirs = (sum(state.scored[seat]) + 3 * state.battles.count(seat) for seat in (env.seat, 1 - env.seat))
        assert paid == pytest.approx(0.5 * (mine - theirs))
        leads.add(mine - theirs)
    assert len(tables.results) > 2
    assert len(leads) > 4


def test_learning_raises_what_paid() -> None:
    rng = np.random.default_rng(3)
    network = gymnasium_ppo.Network(4, 3, 16, rng)
    seen = np.eye(4, dtype=np.float32)[rng.integers(0, 4, 256)]
    masks = np.ones((256, 3), bool)
    for _ in range(40):
        policy, values, _ = network.forward(seen, masks)
        actions = gymnasium_ppo.draw(policy, rng)
        paid = (actions == seen.argmax(1) % 3).astype(np.float32)
        before = policy[np.arange(256), actions]
        gymnasium_ppo.learn(network, seen, masks, actions, before, paid - values, paid, 3e-3, rng)
    policy, values, _ = network.forward(np.eye(4, dtype=np.float32), np.ones((4, 3), bool))
    assert policy.argmax(1).tolist() == [0, 1, 2, 0]
    assert np.allclose(values, 1, atol=0.3)

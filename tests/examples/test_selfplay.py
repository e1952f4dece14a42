"""The baselines by self-play and the exploiter: their arithmetic, and short runs of each method."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.extended
torch = pytest.importorskip("torch")

from examples import best_response, exploit, selfplay, weights  # noqa: E402
from gonfalon.games.feint.game import Feint  # noqa: E402
from gonfalon.learn.sequence_form import SequenceForm  # noqa: E402


def column(*values: float) -> Any:
    return torch.tensor(values)[:, None]


def test_advantages_change_sign_with_the_seat_and_end_with_the_game() -> None:
    """By hand, with a discount of 1 and a trace of 0.5.

    The third decision is the first of a new game, and -0.4 is the value of the other seat, which decides next: its
    advantage is 0 + 0.4 - 0.1 = 0.3. The second wins the game: 1 - 0.2 = 0.8. The first is of the other seat: 0 - 0.2 -
    0.5 - 0.5 * 0.8 = -1.1.
    """
    found = selfplay.estimate(
        rewards=torch.tensor([[0.0], [1.0], [0.0]]),
        dones=torch.tensor([[False], [True], [False]]),
        turns=torch.tensor([[0], [1], [0], [1]]),
        values=torch.tensor([[0.5], [0.2], [0.1], [-0.4]]),
        discount=1.0,
        trace=0.5,
    )
    assert found[:, 0].tolist() == pytest.approx([-1.1, 0.8, 0.3])


def make_batch(advantage: float) -> selfplay.Batch:
    """Return one decision for the first of two legal actions, of three, which was made with a chance of one half."""
    logs = torch.log(torch.tensor([[0.5, 0.5, 1e-9]]))
    masks = torch.tensor([[1, 1, 0]], dtype=torch.int8)
    numbers = torch.tensor([advantage])
    return selfplay.Batch(torch.zeros(1, 1), masks, torch.tensor([0]), logs, numbers, numbers)


@pytest.mark.parametrize("method", ["mmd", "rnad"])
@pytest.mark.parametrize("advantage", [1.0, -1.0])
def test_a_good_action_becomes_likelier(method: str, advantage: float) -> None:
    logits = torch.tensor([[0.0, 0.0, -1e9]], requires_grad=True)
    loss = selfplay.METHODS[method](logits.log_softmax(-1), logits, make_batch(advantage))
    loss.backward()
    slope = logits.grad[0].tolist()
    assert slope[0] * advantage < 0 < slope[1] * advantage
    assert slope[2] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(("logit", "ratio", "pushed"), [(0.5, 1.0, True), (8.1, 1.0, False), (0.5, 1.3, False)])
def test_neurd_pushes_within_the_limits_of_logits_and_ratios(logit: float, ratio: float, pushed: bool) -> None:
    """The limits are 8 for a logit, and 1.2 for the ratio to the chance when the decision was made."""
    logits = torch.tensor([[logit, -logit, -1e9]], requires_grad=True)
    logs = logits.log_softmax(-1)
    batch = make_batch(1.0)._replace(logs=logs.detach() - np.log(ratio))
    selfplay.rnad_loss(logs, logits, batch).backward()
    assert bool(logits.grad[0].any()) == pushed


@pytest.mark.parametrize("method", sorted(selfplay.METHODS))
def test_each_method_plays_learns_and_writes_what_plays_again(
    method: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = "gonfalon/feint-full-v1" if method == "ppo" else "gonfalon/jinkei-small-v1"
    asked = ["--task", task, "--method", method, "--decisions", "2048", "--reports", "1", "--games", "4"]
    assert selfplay.main([*asked, "--opponents", "random", "--write", str(tmp_path)]) == 0
    name = f"{task.split('/')[1]}-{method}-1"
    with (tmp_path / f"{name}.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["decisions"]) for row in rows] == [0, 2048]
    # Four games have a score of whole quarters, or halves of them for draws.
    assert all(float(row["random"]) * 8 % 1 == 0 for row in rows)
    assert weights.main([str(tmp_path / f"{name}.npz"), "--games", "4", "--deals", "1000000"]) == 0
    # Rounding to 16 bits changes no drawn action of these games.
    assert f"{task} against random: {float(rows[1]['random']):.1%}" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["random", "pure"])
def test_the_exact_value_of_an_exploiter_is_the_mean_of_played_games(name: str) -> None:
    """With large weights the network always plays its likeliest action. A result deviates by at most 1 from the mean of
    1,000, so six standard errors are below 0.19."""
    form = SequenceForm(Feint.tiny()[0])
    exploiter = best_response.Exploiter(form, best_response.freeze_opponent(name, form, 1), 1, 5e-3)
    exploiter.agent.policy.weight.data *= 1e5
    played = weights.measure(exploiter.agent.answer, form.game, exploiter.opponent, 1000, 7)
    assert 2 * played.mean() - 1 == pytest.approx(exploiter.measure(), abs=0.19)


def test_an_exploiter_learns_and_writes_its_curve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of the benchmark has the exact value against `random`: 0.5625."""
    monkeypatch.setattr(Feint, "solved", Feint.tiny)
    asked = ["feint", "--decisions", "6144", "--reports", "1", "--seeds", "1", "--rate", "0.005"]
    assert best_response.main([*asked, "--write", str(tmp_path / "curve")]) == 0
    before, after = (line.split(",") for line in (tmp_path / "curve").read_text().splitlines()[1:])
    assert [before[1], before[4], after[1], after[4]] == ["0", "0.5625", "6144", "0.5625"]
    assert float(before[3]) < float(after[3]) <= 0.5625


def test_an_untrained_exploiter_plays_like_its_advisor() -> None:
    """Both games of a deal between equal players without randomness have opposite results, so the score is 0.5."""
    task = "gonfalon/factionwars-small-v1"
    exploiter = exploit.Exploiter(task, "greedy", "greedy", 1, 1e-3)
    scores = exploit.measure(exploiter.agent.answer, task, "greedy", "greedy", 8, 5)
    assert scores.tolist() == [0.5] * 4

"""The examples that use a vector run if their libraries are installed, and read its arrays in place."""

from __future__ import annotations

import re

import numpy as np
import pytest

from gonfalon.vector import Vector

pytestmark = pytest.mark.extended


def test_pytorch_learns_from_the_arrays_as_they_lie(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    from examples import vector_torch

    player = vector_torch.Player("jinkei", 4, 1, "random")
    rows = player.rows.clone()
    mask = player.masks[range(4), player.act()]
    assert mask.all()
    player.games.step(np.zeros(4, np.int64))
    assert (player.rows.numpy() == player.games.observations).all()
    assert (player.rows != rows).any()
    before = [weight.clone() for weight in player.policy.parameters()]
    player.learn(2)
    assert all((weight != old).any() for weight, old in zip(player.policy.parameters(), before, strict=True))
    assert vector_torch.main(["--steps", "4096"]) == 0
    assert re.search(r"step +4096: [\d.]+% of \d+ games won", capsys.readouterr().out)


def test_jax_learns_from_the_arrays_as_they_lie(capsys: pytest.CaptureFixture[str]) -> None:
    random = pytest.importorskip("jax").random
    from examples import vector_jax

    games = Vector("jinkei", 4, 1)
    games.reset()
    weights = vector_jax.fresh(random.key(1), games.numbers.size, games.numbers.count)
    rows, masks = vector_jax.shared(games.observations), vector_jax.shared(games.masks)
    actions = vector_jax.act(weights, rows, masks, random.key(2))
    assert games.arrays["masks"][range(4), np.asarray(actions)].all()
    assert vector_jax.main(["--steps", "4096"]) == 0
    assert re.search(r"step +4096: [\d.]+% of \d+ games won", capsys.readouterr().out)


def test_pufferlib_plays_legally(capsys: pytest.CaptureFixture[str]) -> None:
    """An illegal action would lose a game. At random about half of them are won."""
    pytest.importorskip("pufferlib.vector")
    from examples import vector_puffer

    assert vector_puffer.main([]) == 0
    found = re.search(r"128 games side by side; of those that ended (\d+)% were won", capsys.readouterr().out)
    assert found
    assert 30 < int(found[1]) < 70
    games = vector_puffer.Games(lanes=3)
    seen, _ = games.reset(seed=4)
    beside = Vector("jinkei", 3, 4, learners="spread", opponents="random")
    beside.reset(4)
    assert (seen == np.hstack([beside.arrays["observations"], beside.arrays["masks"]])).all()


def test_self_play_credits_each_seat_with_its_reward(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from examples import vector_selfplay

    rng = np.random.default_rng(1)
    play = vector_selfplay.SelfPlay("jinkei", 4, 1)
    network = vector_selfplay.Network(play.games.numbers.size, play.games.numbers.count, rng)
    heard: list[float] = []
    step = play.games.step_actions

    def listening(actions: object) -> None:
        step(actions)
        for lane in np.flatnonzero(play.games.dones):
            heard.extend(play.games.rewards[lane])

    monkeypatch.setattr(play.games, "step_actions", listening)
    decisions, got = play.lot(network, 200, rng)
    assert len(decisions) == len(got) >= 200
    assert all(one.mask[one.action] for one in decisions)
    later = np.log(np.abs(got)) / np.log(vector_selfplay.FADES)  # how many decisions of its seat come after each
    assert np.allclose(later, np.round(later), atol=1e-3)
    last = np.flatnonzero(np.round(later) == 0)
    assert last[-1] == len(got) - 1
    for begin, end in zip([0, *(last[:-1] + 1)], last, strict=True):  # each seat of each game
        assert np.allclose(later[begin : end + 1], np.arange(end - begin, -1, -1), atol=1e-3)
        assert len(set(np.sign(got[begin : end + 1]))) == 1
    assert got[last].tolist() == heard, "what the games said that each seat got, in their order"
    assert any(own for lane in play.open for own in lane), "games that go on are credited later"
    assert vector_selfplay.main(["--lots", "1", "--size", "64"]) == 0
    assert re.search(r"after +1 lots: \d+% of 200 games from random", capsys.readouterr().out)

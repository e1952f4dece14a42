"""The examples that use a vector run if their libraries are installed, and read its arrays in place."""

from __future__ import annotations

import re

import numpy as np
import pytest

from gonfalon.vector import Vector

pytestmark = pytest.mark.extended


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

"""`python -m tools.benchmarks.learning`: both of its learners are shown the same, and its figures make its table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gonfalon import Rng, games
from gonfalon.bots.batch import Batch
from gonfalon.bots.network import load
from gonfalon.bots.network_input import to_choice
from gonfalon.bridges.numbers import Numbers
from gonfalon.core.state import State
from gonfalon.games import feint
from gonfalon.vector.networks import RowInput
from tools.benchmarks import learning

pytestmark = pytest.mark.long


@pytest.mark.parametrize("name", learning.OPTIONS)
def test_rows_and_masks_make_the_batch_that_positions_make(name: str) -> None:
    game, rng = games.game(name, **learning.OPTIONS[name]), Rng(5)
    numbers, sense = Numbers(game), RowInput(game)
    states: list[State] = []
    state = game.start()
    while len(states) < 20 and to_choice(state, rng):
        states.append(state.clone())
        state.apply(state.turn, state.actions[rng.below(len(state.actions))])
    rows = np.stack([numbers.of_seat(state, state.turn) for state in states])
    masks = np.stack([numbers.mask(state.actions) for state in states])
    made, wanted = learning.batch_of(rows, masks), Batch.of(sense, states)
    assert (made.rows == wanted.rows).all()
    assert (made.starts == wanted.starts).all()
    for first, end in zip(made.starts[:-1], made.starts[1:], strict=True):
        assert sorted(wanted.answers[first:end].tolist()) == made.answers[first:end].tolist()


@pytest.mark.parametrize("face", [learning.Vectors, learning.Singles])
def test_games_come_to_an_end_and_go_on(face: type[learning.Vectors], monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody wins what the other loses, and each row shown is that of a choice."""
    monkeypatch.setattr(learning, "LANES", 2)
    shown = face(games.game("feint", **learning.OPTIONS["feint"]))
    ended: list[tuple[int, list[float]]] = []
    for _ in range(400):
        assert (shown.masks.sum(axis=1) > 1).all()
        ended += shown.step(shown.masks.sum(axis=1) - 1)
    assert {lane for lane, _ in ended} == {0, 1}
    assert all(sum(returns) == 0 for _, returns in ended)


@pytest.mark.parametrize("face", [learning.Vectors, learning.Singles])
def test_who_goes_on_from_a_network_is_shown_what_that_is_shown(
    face: type[learning.Vectors], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is learnt the network plays as it did: Feint's own is better than even against `greedy`, and one
    that has learnt nothing is not."""
    monkeypatch.setattr(learning, "LANES", 2)
    monkeypatch.setattr(learning, "PAIRS", 5)
    monkeypatch.setattr(learning, "PARTS", (0.0, 1.0))
    monkeypatch.setattr(learning, "SETTINGS", replace(learning.SETTINGS, batch=100, part=50))
    shipped = load(Path(feint.__file__).with_name("bots") / "network.npz")
    points = learning.curve("feint", face, 0.1, shipped)
    assert points[0].decisions == 0
    assert points[0].score > 0.5
    assert [point.seconds for point in points] == sorted(point.seconds for point in points)
    assert points[-1].decisions >= 100
    assert learning.curve("feint", face, 0.1, None)[0].score < 0.2


def test_figures_make_a_table() -> None:
    """800 decisions in 2 seconds are 400 a second, four times the 100 that 300 in 3 seconds are."""
    point = {"score": 0.5, "low": 0.4, "high": 0.6}
    curves: dict[str, Any] = {
        "feint": {
            "in one call": [{**point, "seconds": 2.0, "decisions": 800}],
            "one by one": [{**point, "seconds": 3.0, "decisions": 300}],
        }
    }
    lines = learning.page({"date": "2026-11-27", "machine": "one", "build": "plain", "curves": curves})
    assert "| feint | in one call | 2 | 800 | 50.0 (40.0 to 60.0) |" in lines
    assert lines[-1] == "feint: 400 decisions a second for 100: 4.00 times as many."

"""`python -m tools.benchmarks.learning`: both of its learners get the same data, and its figures make its table."""

from __future__ import annotations

import numpy as np
import pytest

from gonfalon import Rng, games
from gonfalon.bots.networks.batch import Batch
from gonfalon.bots.networks.network_input import advance_to_choice
from gonfalon.bridges.numbers import Numbers
from gonfalon.core.rules.state import State
from gonfalon.vector.networks import RowInput
from tools.benchmarks import learning

pytestmark = pytest.mark.long


@pytest.mark.parametrize("name", learning.OPTIONS)
def test_rows_and_masks_make_the_batch_that_positions_make(name: str) -> None:
    game, rng = games.game(name, **learning.OPTIONS[name]), Rng(5)
    numbers, encoder = Numbers(game), RowInput(game)
    states: list[State] = []
    state = game.start()
    while len(states) < 20 and advance_to_choice(state, rng):
        states.append(state.clone())
        state.apply(state.turn, state.actions[rng.below(len(state.actions))])
    rows = np.stack([numbers.of_seat(state, state.turn) for state in states])
    masks = np.stack([numbers.mask(state.actions) for state in states])
    made, wanted = learning.make_batch(rows, masks), Batch.from_states(encoder, states)
    assert (made.rows == wanted.rows).all()
    assert (made.starts == wanted.starts).all()
    for first, end in zip(made.starts[:-1], made.starts[1:], strict=True):
        assert sorted(wanted.answers[first:end].tolist()) == made.answers[first:end].tolist()


@pytest.mark.parametrize("face", [learning.Vectors, learning.Singles])
def test_games_come_to_an_end_and_go_on(face: type[learning.Vectors], monkeypatch: pytest.MonkeyPatch) -> None:
    """One seat's win is the other's loss, and each row is that of a choice."""
    monkeypatch.setattr(learning, "GAME_COUNT", 2)
    shown = face(games.game("feint", **learning.OPTIONS["feint"]))
    ended: list[tuple[int, list[float]]] = []
    for _ in range(400):
        assert (shown.masks.sum(axis=1) > 1).all()
        ended += shown.step(shown.masks.sum(axis=1) - 1)
    assert {lane for lane, _ in ended} == {0, 1}
    assert all(sum(returns) == 0 for _, returns in ended)

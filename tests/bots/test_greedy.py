"""Concepts that the rule-of-thumb player of Feint understands."""

from __future__ import annotations

import pytest

from gonfalon import Rng
from gonfalon.bots import make
from gonfalon.games.feint import Feint
from gonfalon.lab.run.match import play_match


def test_greedy_beats_random_with_every_faction() -> None:
    result = play_match("greedy", "random", "feint", pairs=60, seed=1)
    assert result.low > 0.85
    assert len(result.table) == 5
    assert all(score > 0.5 for row in result.table.values() for score in row.values())


@pytest.mark.parametrize("seed", range(3))
def test_long_games_other_boxes_and_tiny_ones(seed: int) -> None:
    """It plays every configuration, not only the one it was tuned for."""
    for game in [*Feint.samples()[-4:], *Feint.tiny()]:
        bot = make("greedy", game)
        rng = Rng(seed)
        state = game.start()
        while not state.over:
            seat = state.turn
            state.apply(seat, bot.choose(state.mask(seat), None, rng).action if seat >= 0 else state.chance(rng))
        assert state.outcome() is not None

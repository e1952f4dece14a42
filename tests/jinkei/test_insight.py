"""Jinkei's hooks for reviews."""

from __future__ import annotations

import pytest

from gonfalon.core.rules.state import State
from gonfalon.games.jinkei import Jinkei
from gonfalon.games.jinkei.bots.insight import JinkeiInsight
from gonfalon.games.jinkei.rules.state import JinkeiState
from gonfalon.testing import random_record


@pytest.mark.parametrize("games", [1, 2])
def test_progress_grows_from_the_first_card_to_the_last(games: int) -> None:
    """After the first of three rounds progress is a third, in a match of two games a sixth."""
    game = Jinkei(games=games)
    insight = JinkeiInsight(game)
    states: list[State] = [state.clone() for state, _, _ in random_record(game, 3).steps()]
    gone = [insight.progress(s) for s in states]
    assert gone == sorted(gone)
    assert gone[0] == 0.0
    assert gone[-1] > 0.9
    second = next(n for n, s in enumerate(states) if isinstance(s, JinkeiState) and s.round == 2)
    assert gone[second] == pytest.approx(1 / (3 * games))


def test_the_type_of_formation_is_not_judged() -> None:
    """Which one is best depends on the players. The formations of a round are judged."""
    game = Jinkei()
    insight = JinkeiInsight(game)
    judged = {
        state.stack[-1].prompt: insight.judges(state.mask(seat))
        for state, seat, _ in random_record(game, 3).steps()
        if seat >= 0
    }
    assert not judged.pop("type")
    assert all(judged.values())
    assert "formation" in judged

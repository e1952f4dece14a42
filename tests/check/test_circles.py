"""The kit finds all kinds of endless turns and reports no others."""

from __future__ import annotations

import pytest

from gonfalon.check import run
from gonfalon.check.laws.rules.endless_loops import LAWS as CIRCLES
from tests.check.bazaar import LOOPS, SOUND, Bazaar


@pytest.mark.parametrize("loop", LOOPS)
def test_a_turn_that_need_not_end_is_found(loop: str) -> None:
    [result] = run([Bazaar(loop=loop)], 0, laws=CIRCLES, rounds=3)
    assert "the game need not end, because this can be repeated forever: Seat" in result.failure


@pytest.mark.parametrize("loop", SOUND)
def test_finite_turns_are_not_reported(loop: str) -> None:
    [result] = run([Bazaar(loop=loop)], 0, laws=CIRCLES, rounds=4)
    assert result.ok
    assert result.checked > 500

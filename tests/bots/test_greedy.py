"""Concepts that the rule-of-thumb player of Feint understands."""

from __future__ import annotations

from gonfalon.lab.run.match import play_match


def test_greedy_beats_random_with_every_faction() -> None:
    result = play_match("greedy", "random", "feint", pairs=60, seed=1)
    assert result.low > 0.85
    assert len(result.table) == 5
    assert all(score > 0.5 for row in result.table.values() for score in row.values())

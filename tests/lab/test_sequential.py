"""The sequential test of matches against its formula, computed by hand."""

from __future__ import annotations

import pytest

from gonfalon.lab.run.match import play_match
from gonfalon.lab.run.match import test_scores as judge_scores


def test_too_few_deals_say_nothing() -> None:
    assert judge_scores([1.0] * 19, 0.5, 0.62) == 0


def test_the_verdict_is_where_the_ratio_passes_log_19() -> None:
    """20 deals of 1 and 5 of 0: mean 0.8, variance 25 * 0.16 / 24 = 1/6. Between 0.5 and 0.6 the ratio is 25 * 0.1 *
    (1.6 - 1.1) / (2/6) = 3.75, more than log 19 = 2.944. With one deal in four lost, 15 and 5, it is 20 * 0.1 * (1.5
    - 1.1) / (2 * 20 * 0.1875 / 19) = 2.03, less."""
    assert judge_scores([1.0] * 20 + [0.0] * 5, 0.5, 0.6) == 1
    assert judge_scores([1.0] * 15 + [0.0] * 5, 0.5, 0.6) == 0
    assert judge_scores([0.0] * 20 + [1.0] * 5, 0.4, 0.5) == -1


@pytest.mark.usefixtures("near")
def test_a_match_stops_at_a_clear_result() -> None:
    options = {"end_round": 2}
    result = play_match("greedy", "random", "feint", options, pairs=500, between=(0.5, 0.62))
    assert 20 <= result.pairs < 100
    assert result.score > 0.62
    again = play_match("greedy", "random", "feint", options, pairs=500, workers=2, between=(0.5, 0.62))
    assert again == result

"""Calibration: errors computed by hand, and scales that correct them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gonfalon import OptionError, Rng, games
from gonfalon.bots import Alternative, Bot, Choice, Estimate
from gonfalon.bots.players.calibration import Scale
from gonfalon.core.rules.state import CHANCE
from gonfalon.lab.studies import calibration as lab
from gonfalon.lab.studies.calibration import add_sums, calibration_error, measure_levels, sum_bins

CHOICE = Choice(7, "Why not.", Estimate(0.5, 0.25, 0.75), alternatives=(Alternative(8, Estimate(0.25, 0.2, 0.5), 0.3),))


def test_the_error_by_hand() -> None:
    """A forecast of 0.2 was given four times, and one came true: an error of 0.05. One of 0.9 did not come true: an
    error of 0.9. (4 * 0.05 + 0.9) / 5 = 0.22."""
    sums = add_sums([sum_bins([(0.2, 1.0), (0.2, 0.0)]), sum_bins([(0.2, 0.0), (0.2, 0.0), (0.9, 0.0)])])
    assert calibration_error(sums) == pytest.approx(0.22)
    # Bins that are off by what they were found to be off are not off at all by chance.
    assert calibration_error(sums, sums) == pytest.approx(0.0)
    assert calibration_error(add_sums([sum_bins([(1.0, 1.0), (0.0, 0.0)])])) == 0.0


def test_the_interval_counts_games_and_not_decisions() -> None:
    """Two hundred decisions of two games, each with a forecast of 0.5, give two independent results."""
    found = lab.summarize_level("club", "club", [[(0.5, 1.0)] * 100, [(0.5, 0.0)] * 100], 3, None)
    assert (found.games, found.decisions, found.silent, found.error) == (2, 200, 3, 0.0)
    assert (found.low, found.high) == (0.0, 0.5)
    assert found.by_chance == pytest.approx(0.25, abs=0.05)
    assert [(b.low, b.count, b.told, b.came) for b in found.bins] == [(0.5, 200, 0.5, 0.5)]


BENT = Scale(((0.2, 0.3), (0.6, 0.5)))


def test_a_scale_is_a_line_with_corners() -> None:
    """From 0.3 at 0.2 it rises by half to 0.5 at 0.6. Outside of these it is 0.1 above and 0.1 below."""
    assert [BENT.of(x) for x in (0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9]
    low = Scale(((0.2, 0.1), (0.8, 0.95)))  # where there is no room it ends at 0, and at 1
    assert [low.of(x) for x in (0.0, 0.1, 1.0)] == [0.0, 0.05, 1.0]
    found = BENT.told(CHOICE)
    assert found.value == Estimate(0.45, 0.325, 0.65)
    assert found.alternatives == (Alternative(8, Estimate(0.325, 0.3, 0.45), 0.3),)
    assert replace(found, value=CHOICE.value, alternatives=CHOICE.alternatives) == CHOICE
    silent = replace(CHOICE, value=None)
    assert BENT.told(silent) is silent


def test_a_bot_scales_its_chances() -> None:
    class Sure(Bot):
        def think(self, view: object, budget: object, rng: object) -> Choice:
            return replace(CHOICE, action=legal[0], alternatives=())

    game = games.game("jinkei")
    state = game.start()
    while state.turn == CHANCE:
        state.apply(CHANCE, state.chance(Rng(1)))
    seat = state.turn
    legal = state.legal(seat)
    bot = Sure("sure", game)
    view = state.mask(seat)
    assert bot.choose(view, None, Rng(1)).value == CHOICE.value
    bot.scale = BENT
    assert bot.choose(view, None, Rng(1)).value == Estimate(0.45, 0.325, 0.65)


@pytest.mark.usefixtures("near")
def test_any_number_of_workers_and_either_seat() -> None:
    options = {"games": 1}
    one, two = (measure_levels("jinkei", ["club"], options, 3, 2, workers) for workers in (1, 2))
    assert one.levels == two.levels
    assert one.levels[0].games == 3
    against = measure_levels("jinkei", ["club"], options, 3, 2, against="random").levels[0]
    assert against.against == "random"
    assert 0 < against.decisions < one.levels[0].decisions
    with pytest.raises(OptionError, match="estimates no win chances"):
        measure_levels("jinkei", ["random"], options, 2)

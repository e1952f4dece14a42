"""Bots' forecasts of the other Location Card are calibrated and name every possible card."""

from __future__ import annotations

import pytest

from gonfalon import Rng
from gonfalon.bots import Budget, make
from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.rules.state import CHANCE
from gonfalon.games.feint import Feint
from gonfalon.games.feint.rules.state import FeintState
from gonfalon.lab.studies.calibration import add_sums, calibration_error, sum_bins

LITTLE = Budget(iterations=32)
OTHERS = ("gentle", "casual", "club", "greedy")


def possible(view: FeintState) -> set[str]:
    """Return the possible numbers of the second player's Location Card, which is not in any visible place."""
    card = view.scout[1][0]
    left = view.setup.location_deck[:]
    for seen in [*view.pile[1], *view.used[1]]:
        if seen & SEEN[0]:
            left.remove(seen & KIND)
    kinds = [card & KIND] if card & SEEN[0] else left
    return {str(view.setup.numbers[kind]) for kind in kinds}


def forecasts(level: str, games: int, rarely: int) -> list[tuple[dict[str, float], set[str], str]]:
    """Return a level's forecasts for a sample of questions with the possible and the true values, against all levels in
    turn."""
    rng = Rng(3)
    found = []
    for number in range(games):
        game = Feint()
        asked, thumb, other = make(level, game), make("greedy", game), make(OTHERS[number % 4], game)
        state = game.start()
        while not state.over:
            seat = state.turn
            if seat == CHANCE:
                state.apply(seat, state.chance(rng))
                continue
            view = state.mask(seat)
            if seat == 0 and len(view.actions) > 1 and rng.below(rarely) == 0:
                assert isinstance(view, FeintState)
                assert isinstance(state, FeintState)
                for belief in asked.choose(view, LITTLE, rng).beliefs:
                    came = str(state.setup.numbers[state.scout[1][0] & KIND])
                    found.append((dict(belief.likely), possible(view), came))
            state.apply(seat, (thumb if seat == 0 else other).choose(view, LITTLE, rng).action)
    return found


@pytest.mark.parametrize(
    ("level", "games", "rarely"),
    [("gentle", 4, 1), ("casual", 4, 1), ("club", 8, 1), ("strong", 8, 1), ("expert", 6, 2)],
)
def test_location_forecasts_are_calibrated_and_complete(level: str, games: int, rarely: int) -> None:
    """The bound is loose for this few games. Over 120 of them the error is 0.02."""
    found = forecasts(level, games, rarely)
    assert len(found) > 50
    for likely, may, came in found:
        assert came in may
        assert set(likely) == may
        assert all(0.0 < p < 1.0 for p in likely.values()) or len(may) == 1
    told = [(p, float(case == came)) for likely, _, came in found for case, p in likely.items()]
    assert calibration_error(add_sums([sum_bins(told)])) < 0.12

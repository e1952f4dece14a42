"""Bots' forecasts of people's picks are calibrated and never certain."""

from __future__ import annotations

import pytest

from gonfalon import Rng
from gonfalon.bots import Budget, make
from gonfalon.core.rules.state import CHANCE
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.face.thoughts import name_action

LITTLE = Budget(iterations=12)
BINS = 10


def error_of(chances: list[tuple[float, bool]]) -> float:
    """Return the expected calibration error: the mean distance, in ten bins, of probabilities from frequencies."""
    bins = [[0.0, 0.0] for _ in range(BINS)]
    for chance, came in chances:
        found = bins[min(BINS - 1, int(BINS * chance))]
        found[0] += chance
        found[1] += came
    return sum(abs(chance - came) for chance, came in bins) / len(chances)


def forecasts(level: str, seats: int, games: int) -> list[tuple[float, bool]]:
    """Return a level's forecasts of others' picks and whether they came true, in games against all levels in turn."""
    game = FactionWars(seats=seats)
    asked, thumb = make(level, game), make("greedy", game)
    rng = Rng(11)
    found = []
    for name in ("gentle", "casual", "club", "greedy"):
        other = make(name, game)
        for _ in range(games):
            state = game.start()
            beliefs: dict[str, dict[str, float]] = {}
            while not state.over:
                seat = state.turn
                if seat == CHANCE:
                    state.apply(seat, state.chance(rng))
                    continue
                view = state.mask(seat)
                select = view.stack[-1].prompt == "select"
                if select and seat == 0:
                    beliefs = {belief.about: dict(belief.likely) for belief in asked.choose(view, LITTLE, rng).beliefs}
                action = (thumb if seat == 0 else other).choose(view, None, rng).action
                if select and seat > 0:
                    picked = name_action(game, state, action)
                    likely = beliefs.get(f"Player {seat + 1}'s choice", {})  # none where there was one card to pick
                    found += [(chance, card == picked) for card, chance in likely.items()]
                state.apply(seat, action)
    return found


@pytest.mark.parametrize(("level", "seats", "games"), [("expert", 2, 2), ("strong", 2, 1), ("expert", 4, 1)])
def test_forecasts_of_people_are_calibrated_and_never_certain(level: str, seats: int, games: int) -> None:
    """The bound is loose for this few games."""
    found = forecasts(level, seats, games)
    assert len(found) > 200
    assert error_of(found) < 0.08
    unsure = [chance for chance, _ in found if chance < 1.0]  # equal cards at all places are the one sure thing
    assert len(found) - len(unsure) <= 0.01 * len(found)
    assert min(unsure) > 0.01
    assert max(unsure) < 0.99

"""Parameters of players fitted to games: by hand, and to a few games."""

from __future__ import annotations

import json
from math import log
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.bots import make
from gonfalon.bots.players import calibration as scales
from gonfalon.bots.players.calibration import Scale
from gonfalon.games.generals.bots.position_value import HAND, LETHAL, LIFE, TERM_COUNT, WEIGHTS
from tools.fitting import chances
from tools.fitting.chances import fit_scale, learn_scales
from tools.fitting.generals_weights import fit_regression

pytestmark = pytest.mark.long


def test_overconfident_forecasts_are_reduced() -> None:
    """Forecasts alternate between 0.1 and 0.9. One in four of the low ones comes true, and three in four of the high
    ones. Four games' worth of decisions come as predicted: (250 + 4 * 0.1) / 1004 for each 1000, which is 0.2494."""
    played = [[(0.1, float(i % 4 == 0)), (0.9, float(i % 4 != 0))] for i in range(1000)]
    assert fit_scale(played) == Scale(((0.1, 0.2494), (0.9, 0.7506)))
    # What falls is taken together: told 0.2 and 0.4, of which 0.5 and 0.3 came.
    fallen = fit_scale([[(0.2, float(i < 50)), (0.4, float(i < 30))] for i in range(100)])
    assert fallen == Scale(((0.3, pytest.approx(0.3962, abs=1e-4)),))  # type: ignore[arg-type]
    # One game says little, and moves little: one decision came true for four that came as told.
    assert fit_scale([[(0.5, 1.0)]]).corners == ((0.5, 0.6),)


def test_scales_are_found_beside_the_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.game("jinkei")
    (tmp_path / "bots").mkdir()
    monkeypatch.setattr(type(game), "folder", tmp_path)
    assert make("club", game).scale is None
    scales.kept.cache_clear()
    errors = [0.2, 0.1, 0.1, 0.1]  # before and after, twice
    monkeypatch.setattr(chances, "calibration_error", lambda _: errors.pop(0))
    learn_scales("jinkei", ["club", "random"], {"games": 1}, 2, 9, 1, tmp_path / "bots" / scales.FILE)
    held = json.loads((tmp_path / "bots" / scales.FILE).read_text("utf-8"))
    assert held["learned"] == {"2": {"club": {"games": 2, "rules": type(game).version, "seed": 9}}}
    assert list(held["scales"]["2"]) == ["club"]
    found = make("club", game).scale
    assert found is not None
    assert [list(corner) for corner in found.corners] == held["scales"]["2"]["club"]
    assert make("strong", game).scale is None
    # What makes the error no smaller is not kept.
    learn_scales("jinkei", ["club"], {"games": 1}, 2, 9, 1, tmp_path / "bots" / scales.FILE)
    assert make("club", game).scale is None
    scales.kept.cache_clear()


def test_a_regression_finds_the_odds() -> None:
    """It won 3 of 4 times with one card more, 1 of 4 times with one less, so a card is log-odds of ln 3. A card of
    RESOURCE makes no difference for hands that agree half the time."""
    rows, won = [], []
    for life, hand, wins in ((1.0, 1.0, 3), (1.0, -1.0, 3), (-1.0, 1.0, 1), (-1.0, -1.0, 1)):
        row = [0.0] * TERM_COUNT
        row[LIFE], row[HAND] = life, hand
        for n in range(1000):
            rows.append(row)
            won.append(float(n % 4 < wins))
    found = fit_regression(rows, [0.0] * len(rows), won)
    assert found[LIFE] == pytest.approx(log(3), abs=0.04)
    assert found[HAND] == pytest.approx(0, abs=1e-6)
    assert found[LETHAL] == WEIGHTS[LETHAL]  # by hand
    # What was to be expected anyway is nothing to be learned.
    given = [log(3) * row[LIFE] for row in rows]
    assert fit_regression(rows, given, won)[LIFE] == pytest.approx(0, abs=1e-6)

"""Calibration: errors worked out by hand, scales that put right what is wrong, and files that can be read."""

from __future__ import annotations

import json
from dataclasses import replace
from math import log
from pathlib import Path

import pytest

from gonfalon import OptionError, Rng, games
from gonfalon.bots import Alternative, Bot, Choice, Estimate, make
from gonfalon.bots import scale as scales
from gonfalon.bots.scale import Scale
from gonfalon.core.state import CHANCE
from gonfalon.lab import calibration as lab
from gonfalon.lab.calibration import added, binned, error_of, fit, learn, measure
from tests.cli.conftest import Run, run

__all__ = ["run"]

CHOICE = Choice(7, "Why not.", Estimate(0.5, 0.25, 0.75), alternatives=(Alternative(8, Estimate(0.25, 0.2, 0.5), 0.3),))


def test_the_error_by_hand() -> None:
    """Told 0.2 four times, and one came true: 0.05 off. Told 0.9 once, and it did not: 0.9 off.
    (4 * 0.05 + 0.9) / 5 = 0.22."""
    sums = added([binned([(0.2, 1.0), (0.2, 0.0)]), binned([(0.2, 0.0), (0.2, 0.0), (0.9, 0.0)])])
    assert error_of(sums) == pytest.approx(0.22)
    # Bins that are off by what they were found to be off are not off at all by chance.
    assert error_of(sums, sums) == pytest.approx(0.0)
    assert error_of(added([binned([(1.0, 1.0), (0.0, 0.0)])])) == 0.0


def test_the_interval_counts_games_and_not_decisions() -> None:
    """Two hundred decisions of two games, in which each told 0.5: an end or two, and no more than that."""
    found = lab.calibration("club", "club", [[(0.5, 1.0)] * 100, [(0.5, 0.0)] * 100], 3, None)
    assert (found.games, found.decisions, found.silent, found.error) == (2, 200, 3, 0.0)
    assert (found.low, found.high) == (0.0, 0.5)
    assert found.by_chance == pytest.approx(0.25, abs=0.05)
    assert [(b.low, b.count, b.told, b.came) for b in found.bins] == [(0.5, 200, 0.5, 0.5)]


def test_a_scale_goes_through_the_odds() -> None:
    """Odds of 1 to 1 tripled are 3 to 1; those of 3 to 1 halved as a power are 1.732 to 1."""
    assert Scale(log(3), 1.0).of(0.5) == 0.75
    assert Scale(0.0, 0.5).of(0.75) == pytest.approx(0.634, abs=1e-4)
    assert Scale().of(0.31) == 0.31
    found = Scale(log(3), 1.0).told(CHOICE)
    assert found.value == Estimate(0.75, 0.5, 0.9)
    assert found.alternatives == (Alternative(8, Estimate(0.5, 0.4286, 0.75), 0.3),)
    assert replace(found, value=CHOICE.value, alternatives=CHOICE.alternatives) == CHOICE
    silent = replace(CHOICE, value=None)
    assert Scale(1.0, 2.0).told(silent) is silent


def test_a_scale_keeps_order_and_bounds() -> None:
    found = [Scale(0.7, 0.6).of(i / 20) for i in range(21)]
    assert found == sorted(found)
    assert len(set(found)) == 21
    assert 0.0 < found[0] < found[-1] < 1.0


def test_what_is_too_sure_is_learned_to_be_less_so() -> None:
    """Told odds are the square of the true ones, which are 3 to 1 and 1 to 3: slope a half."""
    rng = Rng(3)
    played = []
    for _ in range(2000):
        true = 0.75 if rng.below(2) else 0.25
        told = 0.9 if true == 0.75 else 0.1
        played.append([(told, 1.0 if rng.random() < true else 0.0)])
    found = fit(played)
    assert found.slope == pytest.approx(0.5, abs=0.06)
    assert found.shift == pytest.approx(0.0, abs=0.12)
    # One game says little, and moves little.
    assert abs(fit([[(0.5, 1.0)] * 30]).shift) < 2.0


def test_scales_are_found_beside_the_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.game("jinkei")
    (tmp_path / "players").mkdir()
    monkeypatch.setattr(type(game), "folder", tmp_path)
    assert make("club", game).scale is None
    scales.kept.cache_clear()
    learn("jinkei", ["club", "greedy"], {"games": 1}, 4, 9, 1, tmp_path / "players" / scales.FILE)
    held = json.loads((tmp_path / "players" / scales.FILE).read_text("utf-8"))
    assert held["learned"] == {"2": {"club": {"games": 4, "rules": type(game).version, "seed": 9}}}
    assert list(held["scales"]["2"]) == ["club"]
    found = make("club", game).scale
    assert found is not None
    assert [found.shift, found.slope] == held["scales"]["2"]["club"]
    assert make("strong", game).scale is None
    scales.kept.cache_clear()


def test_a_bot_tells_its_chances_by_its_scale() -> None:
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
    bot.scale = Scale(log(3), 1.0)
    assert bot.choose(view, None, Rng(1)).value == Estimate(0.75, 0.5, 0.9)


def test_any_number_of_workers_and_either_seat() -> None:
    options = {"games": 1}
    one, two = (measure("jinkei", ["gentle"], options, 4, 2, workers) for workers in (1, 2))
    assert one.levels == two.levels
    assert one.levels[0].games == 4
    against = measure("jinkei", ["gentle"], options, 4, 2, against="random").levels[0]
    assert against.against == "random"
    assert 0 < against.decisions < one.levels[0].decisions
    with pytest.raises(OptionError, match="tells no chances"):
        measure("jinkei", ["greedy"], options, 2)


def test_the_command_writes_what_can_be_read(run: Run, tmp_path: Path) -> None:
    argv = ["lab", "calibration", "jinkei", "gentle", "--games", "3", "--option", "games=1", "--write", str(tmp_path)]
    code, out, err = run(*argv)
    assert (code, err) == (0, "")
    assert "| gentle | gentle | 3 |" in out
    held = json.loads((tmp_path / "jinkei-calibration.json").read_text("utf-8"))
    [level] = held["levels"]
    assert sum(b["count"] for b in level["bins"]) == level["decisions"]
    assert "jinkei-calibration.svg" in (tmp_path / "jinkei-calibration.md").read_text("utf-8")
    assert (tmp_path / "jinkei-calibration.svg").read_text("utf-8").startswith("<svg ")

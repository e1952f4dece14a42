"""Calibration: errors worked out by hand, scales that put right what is wrong, and files that can be read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from gonfalon import OptionError, Rng, games
from gonfalon.bots import Alternative, Bot, Choice, Estimate, make
from gonfalon.bots import calibration as scales
from gonfalon.bots.calibration import Scale
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


BENT = Scale(((0.2, 0.3), (0.6, 0.5)))


def test_a_scale_is_a_line_with_corners() -> None:
    """From 0.3 at 0.2 it rises by half to 0.5 at 0.6; outside of these it is 0.1 above, and 0.1 below."""
    assert [BENT.of(x) for x in (0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9]
    low = Scale(((0.2, 0.1), (0.8, 0.95)))  # where there is no room it ends at 0, and at 1
    assert [low.of(x) for x in (0.0, 0.1, 1.0)] == [0.0, 0.05, 1.0]
    found = BENT.told(CHOICE)
    assert found.value == Estimate(0.45, 0.325, 0.65)
    assert found.alternatives == (Alternative(8, Estimate(0.325, 0.3, 0.45), 0.3),)
    assert replace(found, value=CHOICE.value, alternatives=CHOICE.alternatives) == CHOICE
    silent = replace(CHOICE, value=None)
    assert BENT.told(silent) is silent


def test_a_scale_keeps_order() -> None:
    found = [BENT.of(i / 20) for i in range(21)]
    assert found == sorted(found)
    assert len(set(found)) == 21


def test_what_is_too_sure_is_learned_to_be_less_so() -> None:
    """Told 0.1 and 0.9 by turns; one in four of the low ones comes true, and three in four of the high ones. Four
    games' worth of decisions come as told: (250 + 4 * 0.1) / 1004 for each 1000, which is 0.2494."""
    played = [[(0.1, float(i % 4 == 0)), (0.9, float(i % 4 != 0))] for i in range(1000)]
    assert fit(played) == Scale(((0.1, 0.2494), (0.9, 0.7506)))
    # What falls is taken together: told 0.2 and 0.4, of which 0.5 and 0.3 came.
    fallen = fit([[(0.2, float(i < 50)), (0.4, float(i < 30))] for i in range(100)])
    assert fallen == Scale(((0.3, pytest.approx(0.3962, abs=1e-4)),))  # type: ignore[arg-type]
    # One game says little, and moves little: one decision came true for four that came as told.
    assert fit([[(0.5, 1.0)]]).corners == ((0.5, 0.6),)


def test_scales_are_found_beside_the_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.game("jinkei")
    (tmp_path / "bots").mkdir()
    monkeypatch.setattr(type(game), "folder", tmp_path)
    assert make("gentle", game).scale is None
    scales.kept.cache_clear()
    errors = [0.2, 0.1, 0.1, 0.1]  # before and after, twice
    monkeypatch.setattr(lab, "error_of", lambda _: errors.pop(0))
    learn("jinkei", ["gentle", "random"], {"games": 1}, 2, 9, 1, tmp_path / "bots" / scales.FILE)
    held = json.loads((tmp_path / "bots" / scales.FILE).read_text("utf-8"))
    assert held["learned"] == {"2": {"gentle": {"games": 2, "rules": type(game).version, "seed": 9}}}
    assert list(held["scales"]["2"]) == ["gentle"]
    found = make("gentle", game).scale
    assert found is not None
    assert [list(corner) for corner in found.corners] == held["scales"]["2"]["gentle"]
    assert make("strong", game).scale is None
    # What makes the error no smaller is not kept.
    learn("jinkei", ["gentle"], {"games": 1}, 2, 9, 1, tmp_path / "bots" / scales.FILE)
    assert make("gentle", game).scale is None
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
    bot.scale = BENT
    assert bot.choose(view, None, Rng(1)).value == Estimate(0.45, 0.325, 0.65)


@pytest.mark.usefixtures("near")
def test_any_number_of_workers_and_either_seat() -> None:
    options = {"games": 1}
    one, two = (measure("jinkei", ["gentle"], options, 3, 2, workers) for workers in (1, 2))
    assert one.levels == two.levels
    assert one.levels[0].games == 3
    against = measure("jinkei", ["gentle"], options, 3, 2, against="random").levels[0]
    assert against.against == "random"
    assert 0 < against.decisions < one.levels[0].decisions
    with pytest.raises(OptionError, match="tells no chances"):
        measure("jinkei", ["random"], options, 2)


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

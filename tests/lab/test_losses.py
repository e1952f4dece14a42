"""The scale of losses, fitted to losses whose truth is known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.core.errors import OptionError
from gonfalon.core.record import Record
from gonfalon.core.rng import Rng
from gonfalon.lab import reviews
from gonfalon.lab.losses import LEAST, SCALED, fitted, holding
from gonfalon.lab.notebook import Notebook
from gonfalon.lab.reviews import NARROW, Judged, holds, judge_game, study_of
from gonfalon.review.held import LOSSES, held_file
from gonfalon.review.losses import Loss, Scale
from tests.review.guess import DAVID, Guess


def loss(raw: float, referee: float, raw_half: float = 0.01, half: float = 0.02) -> Judged:
    return Judged(0.0, 0.0, 0.0, raw, raw_half, "mistake", referee, half)


def test_a_scale_is_the_line_through_losses() -> None:
    """What is claimed comes true by half everywhere: so half of it is told, and no error is left beside the doubt."""
    found = fitted([loss(0.3 + 0.01 * n, 0.15 + 0.005 * n) for n in range(30)])
    assert (found.told, found.floor) == (0.5, 0.0)


def test_its_floor_holds_nineteen_of_twenty() -> None:
    """A loss of 0.4 comes true by 0.28, by 0.12 less or 0.12 more: 0.7 of it on the whole. The doubt alone reaches
    1.96 * 0.18 * 0.4 = 0.141; of 0.6, by 0.24 less or more, it would reach 0.212: the floor has to reach the rest,
    the root of 0.24² - 0.212² = 0.113, which is 1.96 * 0.058."""
    truths = [-0.24, 0.0, 0.24]
    found = fitted([loss(0.6, 0.42 + truths[n % 3], 0.0, 0.001) for n in range(90)])
    assert found.told == pytest.approx(0.7, abs=0.01)
    assert found.floor == pytest.approx(0.06, abs=0.003)


def test_an_interval_counts_the_referees_error_in() -> None:
    """0.05 away from what is told: within 0.03 and 0.04 together, as 0.05 is the root of both squares, not within
    0.03 and 0.03."""
    told = Loss(0.1, 0.07, 0.13)
    assert holds(told, loss(0.1, 0.1499, half=0.04))
    assert not holds(told, loss(0.1, 0.1499, half=0.03))
    assert holding([loss(0.1, 0.1499, 0.03, 0.04), loss(0.1, 0.1499, 0.03, 0.03)], Scale(1.0, 0.0, 0.0)) == 0.5


def test_few_losses_say_nothing() -> None:
    rng = Rng(1)
    with pytest.raises(OptionError, match="judge more decisions"):
        fitted([loss(0.2, 0.001 * int(rng.below(200))) for _ in range(LEAST - 1)])


def test_losses_that_its_own_scale_leaves_open_say_nothing() -> None:
    """By the narrow scale 0.75 * 0.2 = 0.15 ± 0.092 is certain. But what comes of it lies anywhere within 0.4 of that:
    with so wide an interval none of them is."""
    losses = [loss(0.2, 0.15 + 0.4 * (n % 3 - 1), 0.0, 0.001) for n in range(3 * LEAST)]
    with pytest.raises(OptionError, match="Only 0 losses are certain"):
        fitted(losses)


@pytest.mark.parametrize("name", games.names())
def test_a_scale_that_ships_rests_on_enough_losses(name: str) -> None:
    file = held_file(games.game(name), LOSSES)
    assert file is None or json.loads(file.read_text("utf-8"))["about"]["losses"] >= LEAST


def test_a_scale_that_is_there_has_no_say_in_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To name one of four cards loses 1/4 beside naming half of them: certain, unless a scale has no end of a floor."""
    game = Guess()
    record = Record(game, decisions=[(-1, -6), (DAVID, 3)])
    monkeypatch.setattr(reviews, "game_of", lambda *_: game)
    monkeypatch.setattr(reviews, "game_between", lambda *_: record)
    found = []
    for scale in (NARROW, Scale(1.0, 0.0, 10.0)):
        monkeypatch.setattr("gonfalon.review.players.scale_of", lambda *_, scale=scale: scale)
        [one] = judge_game("guess", [{}], "gentle", 20, 1, True, 0).judged
        found.append((one.raw, one.raw_half, one.referee))
        Notebook(tmp_path / "notes", study_of(games.game("jinkei"), {}, 20, 1, SCALED))
    assert found[0] == found[1]
    assert found[0][2] is not None

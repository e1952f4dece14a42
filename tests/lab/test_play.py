"""Random play: the same games with any number of workers."""

from __future__ import annotations

import json

import pytest

from gonfalon import OptionError
from gonfalon.lab.run.random_play import BLOCK_GAMES, play_random_games
from tests.cli.conftest import Run, run

__all__ = ["run"]

COUNT = 2 * BLOCK_GAMES + 10


def test_any_number_of_workers_plays_the_same_games() -> None:
    one = play_random_games("jinkei", count=COUNT, seed=5)
    assert play_random_games("jinkei", count=COUNT, seed=5, workers=2) == one
    assert play_random_games("jinkei", count=COUNT, seed=6).digest != one.digest


def test_every_game_is_counted_once() -> None:
    tally = play_random_games("jinkei", count=COUNT)
    assert tally.games == COUNT
    assert sum(tally.endings.values()) == COUNT
    assert sum(tally.wins) == pytest.approx(COUNT)
    # Three rounds of seven battles, each with a lead and an answer, and the cards laid before them.
    assert tally.decisions > 42 * COUNT


def test_options_are_refused_before_anything_is_played() -> None:
    with pytest.raises(OptionError):
        play_random_games("feint", {"factions": "wu,wolves"}, count=1_000_000_000)


def test_the_command_says_so(run: Run) -> None:
    argv = ["lab", "play", "jinkei", "--games", "20", "--seed", "3"]
    code, out, err = run(*argv)
    assert (code, err) == (0, "")
    assert "20 random games" in out
    found = [json.loads(run(*argv, "--json", "--workers", workers)[1]) for workers in ("1", "all")]
    assert [one.pop("run")["seed"] for one in found] == [3, 3]
    assert found[0] == found[1]
    assert found[0]["digest"] in out

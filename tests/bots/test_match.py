"""Matches: paired, repeatable, the same with any number of workers."""

from __future__ import annotations

import json

import pytest

from gonfalon import OptionError
from gonfalon.bots import Budget
from gonfalon.lab.match import entrant, game_of, interval, match, matchups
from tests.cli.conftest import Run, run, small

__all__ = ["run", "small"]


def test_one_and_two_workers_play_the_same_match() -> None:
    one = match("greedy", "random", "feint", pairs=20, seed=3)
    two = match("greedy", "random", "feint", pairs=20, seed=3, workers=2)
    assert one == two
    assert one.games == 40
    assert match("greedy", "random", "feint", pairs=20, seed=4) != one


def test_all_ordered_pairs_of_factions_take_turns() -> None:
    setups = matchups("feint", {"capacity": "11"})
    assert len(setups) == len({setup["factions"] for setup in setups}) == 20
    assert all(setup["capacity"] == "11" for setup in setups)
    assert matchups("feint", {"factions": "wu,keion"}) == [{"factions": "wu,keion"}]


def test_a_level_against_itself_is_even_by_seats() -> None:
    result = match("random", "random", "feint", {"factions": "wu,keion"}, pairs=40, seed=1)
    assert result.low < 0.5 < result.high
    assert set(result.sides) == {"wu", "keion"}
    assert sum(result.endings.values()) == 80


def test_unknown_levels_are_refused() -> None:
    with pytest.raises(OptionError):
        match("greedy", "champion", "feint", pairs=1)


def test_a_level_may_be_told_its_iterations() -> None:
    game = game_of("feint", {})
    assert entrant("greedy:200", game).budget == Budget(iterations=200)
    assert entrant("greedy", game).budget == Budget()
    for text in ("greedy:", "greedy:0", "greedy:-5", "greedy:²", "greedy:99999999999"):
        with pytest.raises(OptionError, match="a number of iterations"):
            entrant(text, game)


def test_the_interval_holds_the_mean_and_narrows() -> None:
    p, low, high = interval([1.0, 0.5, 1.0, 0.5] * 25)
    assert low < p == 0.75 < high
    assert high - low < 0.15
    assert interval([1.0] * 100)[1] > 0.95
    assert interval([0.0])[2] < 1.0
    assert interval([0.5] * 10)[0] == 0.5


def test_the_command_prints_a_table(run: Run) -> None:
    argv = ["lab", "match", "greedy", "random", "--game", "feint", "--pairs", "20", "--seed", "1"]
    code, out, err = run(*argv)
    assert (code, err) == (0, "")
    assert "A scores" in out
    assert "engineers" in out
    code, out, _ = run(*argv, "--json", "--workers", "2")
    assert code == 0
    assert json.loads(out)["games"] == 40


@pytest.mark.usefixtures("small")
def test_with_three_seats_a_sits_in_each_once(run: Run) -> None:
    code, out, _ = run("lab", "match", "random", "random", "--game", "bids", "--pairs", "10", "--json")
    assert code == 0
    body = json.loads(out)
    assert body["games"] == 30
    assert len(body["seats"]) == 3

"""A frozen and thawed game of a vector continues as before."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gonfalon
from gonfalon import games
from gonfalon.core.basics.errors import GonfalonError, OptionError, RecordError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE
from gonfalon.vector import Vector, VectorError
from tests.vector.test_vector import picks_of

Seen = list[dict[str, bytes]]


def row(vector: Vector, game: int) -> dict[str, bytes]:
    return {name: array[game].tobytes() for name, array in vector.arrays.items() if name != "actions"}


def list_observations(vector: Vector, game: int, count: int) -> Seen:
    """Return the observations of a game and its successors."""
    found = [row(vector, game)]
    for turn in range(count):
        picks = np.zeros(vector.n, np.int64)
        picks[game] = turn * 104729 % 1009 * int(vector.counts[game]) // 1009
        vector.step(picks)
        found.append(row(vector, game))
    return found


@pytest.mark.parametrize("shown", [("observations", "masks"), ("sparse", "candidates")], ids=" and ".join)
@pytest.mark.parametrize("name", games.names())
def test_a_thawed_game_and_those_after_it_go_on_as_they_would_have(name: str, shown: tuple[str, str]) -> None:
    """In another vector, in another place."""

    def stream(n: int, seed: int) -> Vector:
        return Vector(name, n, seed=seed, shown=shown)

    one, two = stream(3, 1), stream(2, 2)
    one.reset()
    two.reset()
    for turn in range(9):
        one.step(picks_of(one, turn))
    two.thaw(1, one.freeze(2))
    assert row(two, 1) == row(one, 2)
    ends = list_observations(one, 2, 150)
    assert list_observations(two, 1, 150) == ends
    assert any(any(seen["dones"]) for seen in ends)


def test_nothing_but_the_thawed_game_changes() -> None:
    vector = Vector("jinkei", 3, seed=1, forced=True)
    vector.reset()
    data = vector.freeze(0)
    for turn in range(400):
        vector.step(picks_of(vector, turn))
        if vector.dones[1]:
            break
    before = [row(vector, game) for game in range(3)]
    assert any(before[1]["dones"])
    vector.thaw(0, data)
    assert [row(vector, game) for game in (1, 2)] == before[1:]
    assert vector.freeze(0) == data


def test_a_game_goes_on_otherwise_with_another_seed() -> None:
    """Chance from here on follows only from the seed."""
    ends: list[Seen] = []
    for _ in range(2):
        for seed in (1, 2):
            vector = Vector("feint", 2, seed=len(ends))
            vector.reset()
            state = gonfalon.game("feint").start()
            state.apply(CHANCE, state.chance(Rng(7)))
            vector.thaw(1, gonfalon.freeze(state), seed)
            ends.append(list_observations(vector, 1, 60))
    assert ends[:2] == ends[2:]
    assert ends[0] != ends[1]
    assert ends[0][0] == ends[1][0], "both begin with the same state"


def test_opponents_go_on_as_they_would_have() -> None:
    def stream() -> Vector:
        return Vector("jinkei", 2, seed=5, learners="spread", opponents="random")

    one, two = stream(), stream()
    one.reset()
    two.reset(99)
    one.step(picks_of(one, 0))
    for game in (0, 1):
        two.thaw(game, one.freeze(game))
    assert list_observations(two, 1, 40) == list_observations(one, 1, 40)


@pytest.mark.extended
def test_other_processes_freeze_and_thaw_too() -> None:
    with Vector("jinkei", 4, seed=1) as one, Vector("jinkei", 4, seed=1, processes=2) as two:
        for vector in (one, two):
            vector.reset()
            vector.step(picks_of(vector, 0))
        assert [one.freeze(game) for game in range(4)] == [two.freeze(game) for game in range(4)]
        two.thaw(3, one.freeze(0))
        with pytest.raises(RecordError):
            two.thaw(3, b"")
        assert row(two, 3) == row(one, 0)
        assert list_observations(two, 3, 5) == list_observations(one, 0, 5)


def test_invalid_frozen_games_are_refused_and_change_nothing() -> None:
    vector = Vector("jinkei", 2, seed=1)
    with pytest.raises(VectorError, match="Reset the vector before"):
        vector.freeze(0)
    vector.reset()
    before = row(vector, 0)
    data = vector.freeze(0)
    over = gonfalon.game("jinkei").start()
    over.play_out(Rng(1))
    refusals: list[tuple[int, Any, int | None, type[GonfalonError], str]] = [
        (2, data, None, OptionError, "games 0 to 1, not 2"),
        (0, "text", None, OptionError, "must be bytes, not 'text'"),
        (0, b"", None, RecordError, "not a frozen state"),
        (0, data[:-1], None, RecordError, "damaged"),
        (0, gonfalon.freeze(gonfalon.game("feint").start()), 1, RecordError, "another game"),
        (0, gonfalon.freeze(gonfalon.game("jinkei").start()), None, OptionError, "hold only a state"),
        (0, gonfalon.freeze(gonfalon.game("jinkei").start(), {"seed": 1}), None, RecordError, "damaged"),
        (0, gonfalon.freeze(over), 1, OptionError, "is over"),
    ]
    for game, given, seed, kind, words in refusals:
        with pytest.raises(kind, match=words):
            vector.thaw(game, given, seed)
    assert vector.freeze(np.int64(0)) == data, "as numpy counts lanes"
    assert row(vector, 0) == before
    vector.step(picks_of(vector, 0))

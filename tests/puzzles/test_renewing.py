"""Puzzles of a file proved anew: the lead is over the best of all other answers, and what falls is struck."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.cli import main
from gonfalon.puzzles.files import PuzzleError, read, write
from gonfalon.puzzles.renewing import filled, renew
from gonfalon.puzzles.trying import Worths
from tests.puzzles.test_jewels import found
from tests.review.guess import Guess


def test_the_next_best_is_the_nearest_of_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lower half is right in 1/2, each card in 1/4: no card gives away less than the lead that is told."""
    path = tmp_path / "found.jsonl"
    [puzzle] = found(False, False)
    # Another answer is called the second, and all that is told is as if it were.
    write(path, [replace(puzzle, second="card-0", lead=0.9, losses={**puzzle.losses, "card-0": 0.9})])
    monkeypatch.setattr(games, "game", lambda *_, **__: Guess())
    [(number, one)] = list(renew(path, [], 4, 7, 1))
    assert number == 1
    assert one is not None
    assert read(path) == [one]
    assert min(one.losses.values()) == one.losses[one.second] == pytest.approx(one.lead, abs=0.001)
    assert one.lead == pytest.approx(0.25, abs=0.1)
    assert one.worlds == one.end_worlds == 4 * 128
    assert "the next best" in one.why


def test_what_falls_is_struck_and_the_last_takes_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "found.jsonl"
    [puzzle] = found(False, False)
    wrong = replace(puzzle, best="card-0", open_best="card-0", second="low")
    write(path, [wrong, puzzle, replace(puzzle, why="The last.")])
    monkeypatch.setattr(games, "game", lambda *_, **__: Guess())
    assert main(["puzzles", "prove", str(path), "1"]) == 0
    assert capsys.readouterr().out == "puzzle 1: FALLS\n1 struck, 2 are in found.jsonl\n"
    assert [one.why for one in read(path)] == ["The last.", puzzle.why]


def test_gaps_are_filled_from_the_end() -> None:
    a, b = (replace(found(False, False)[0], why=word) for word in "ab")
    assert filled([None, a, b]) == [b, a]
    assert filled([a, None, None]) == [a]
    assert filled([None]) == []


@pytest.mark.parametrize("number", [0, 2])
def test_a_number_that_is_not_there_is_refused(tmp_path: Path, number: int) -> None:
    path = tmp_path / "found.jsonl"
    write(path, found(False, False))
    with pytest.raises(PuzzleError, match="has the puzzles 1 to 1"):
        list(renew(path, [number], 1, 0, 1))
    with pytest.raises(PuzzleError, match="no puzzles"):
        list(renew(tmp_path / "none.jsonl", [], 1, 0, 1))


def test_chances_are_told_by_the_belief_that_the_lead_is_taken_by() -> None:
    worths = Worths()
    worths.add({1: [[0.75], [0.5]], 2: [[0.25], [0.25]]})
    # Ahead by 0.5 against the first belief, by 0.25 against the second, which is the kinder one.
    assert worths.both(1, 2) == (0.5, 0.25)
    assert worths.ahead(1, 2)[0] == 0.25

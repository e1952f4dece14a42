"""The tool that finds puzzles, in a game whose chances are computed by hand, and its proofs.

David names one of four cards, or the lower half. By his view the half is right in 1/2, a card in 1/4. With open cards
the half is as good as any answer if its card is dealt. Otherwise the card is right for certain, and the half wrong.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gonfalon import games
from gonfalon.core.files.record import Record
from gonfalon.lessons.shelf import make_game
from gonfalon.puzzles import shelf
from gonfalon.puzzles.files import Position, Puzzle, PuzzleError, read_puzzles
from tests.puzzles.test_data import of
from tests.review.guess import DAVID, LOW_HALF, Guess
from tools.puzzles.__main__ import main
from tools.puzzles.finding import Finder
from tools.puzzles.mining import find_first_new
from tools.puzzles.proofs import append_puzzles, check_puzzle, is_proved
from tools.puzzles.renewing import renew_puzzle
from tools.puzzles.trying import Worths

pytestmark = pytest.mark.long
FEINT = games.find_game_class("feint")
SEED = 4
"""A seed with a puzzle. In a deal of 128 worlds a lead of a quarter is sometimes less than two errors."""


def guessed(high: bool) -> Record:
    """Return a finished game with the card in the lower half, or not."""
    for seed in range(20):
        record = Record(Guess())
        state = record.game.start()
        for decision in ((-1, -1 - seed), (DAVID, LOW_HALF)):
            state.apply(*decision)
            record.decisions.append(decision)
        if (state.zones()[0][0] & 3 >= 2) == high:
            return record
    raise AssertionError


def find_puzzles(high: bool, jewels: bool) -> list[Puzzle]:
    return list(Finder(guessed(high), {"proof_seed": SEED}, SEED, jewels=jewels).find())


def test_the_cards_as_they_lay_make_a_jewel() -> None:
    [puzzle] = find_puzzles(True, False)
    position = Position(puzzle, lambda *_, **__: Guess())
    card = position.state.zones()[0][0] & 3
    assert (puzzle.best, puzzle.open_best, puzzle.jewel) == ("low", f"card-{card}", True)
    # 1 against 0 in every deal of what nobody has seen, and so to the end.
    assert (puzzle.open_lead, puzzle.open_error, puzzle.open_end_lead, puzzle.open_end_error) == (1.0, 0.0, 1.0, 0.0)
    assert puzzle.lead == pytest.approx(0.25, abs=0.13)
    assert (puzzle.dealt, puzzle.cards) == (None, "")
    assert check_puzzle(puzzle, lambda *_, **__: Guess()).state.dump() == position.state.dump()


def test_other_cards_that_are_as_likely_make_one() -> None:
    [puzzle] = find_puzzles(False, True)
    [plain] = find_puzzles(False, False)
    assert puzzle.jewel
    assert puzzle.dealt is not None
    position, true = Position(puzzle, lambda *_, **__: Guess()), Position(plain, lambda *_, **__: Guess())
    card = position.state.zones()[0][0] & 3
    assert card >= 2 > true.state.zones()[0][0] & 3
    assert puzzle.open_best == f"card-{card}"
    # What the seat sees, and all that was proved of its answer, is the same.
    assert position.view.dump() == true.view.dump()
    opened = {"jewel", "kind", "open_best", "dealt", "cards"}
    changed = {name for name in plain.__dict__ if getattr(plain, name) != getattr(puzzle, name)}
    assert changed | {"kind"} == opened | {"open_lead", "open_end_lead"}


def test_failed_puzzles_are_removed_and_the_last_takes_the_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "found.jsonl"
    [puzzle] = find_puzzles(False, False)
    wrong = replace(puzzle, best="card-0", open_best="card-0", second="low")
    append_puzzles(path, [wrong, puzzle, replace(puzzle, why="The last.")])
    monkeypatch.setattr(games, "game", lambda *_, **__: Guess())
    assert main(["prove", str(path), "1"]) == 0
    assert capsys.readouterr().out == "puzzle 1: FALLS\n1 struck, 2 are in found.jsonl\n"
    assert [one.why for one in read_puzzles(path)] == ["The last.", puzzle.why]


def test_answers_are_explained_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game without reasons of its own explains nothing."""
    path = tmp_path / "found.jsonl"
    [puzzle] = find_puzzles(False, False)
    append_puzzles(path, [replace(puzzle, why="Because of an older reason.")])
    monkeypatch.setattr(games, "game", lambda *_, **__: Guess())
    assert main(["explain", str(path)]) == 0
    assert capsys.readouterr().out == f"puzzle 1: {puzzle.best}. \n"
    assert read_puzzles(path) == [replace(puzzle, why="")]


def test_a_jewel_is_proved_again_with_its_open_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A jewel with an open answer that does not fit its cards gets likely cards that do; none of the high cards makes
    `card-0` the best."""
    monkeypatch.setattr(games, "game", lambda *_, **__: Guess())
    [jewel] = find_puzzles(True, False)
    again = renew_puzzle(4, SEED, jewel)
    assert again is not None
    assert (again.jewel, again.open_best, again.open_end_lead) == (True, jewel.open_best, 1.0)
    wrong = replace(jewel, open_best="card-0", open_lead=0.5)
    redealt = renew_puzzle(4, SEED, wrong)
    assert redealt is not None
    card = Position(redealt, lambda *_, **__: Guess()).state.zones()[0][0] & 3
    assert (redealt.open_best, redealt.open_lead, card >= 2) == (f"card-{card}", 1.0, True)


def test_a_game_with_a_solver_proves_answers() -> None:
    assert renew_puzzle(1, SEED, of("jinkei")) is not None


def test_a_lead_is_taken_against_the_belief_that_is_kindest_to_the_other_answer() -> None:
    worths = Worths()
    # By the first belief 7 is ahead by 0.5 in each of two worlds, by the other one behind by 0.25.
    worths.add({7: [[0.75, 0.75], [0.25, 0.25]], 8: [[0.25, 0.25], [0.5, 0.5]]})
    assert worths.ahead(7, 8) == (-0.25, 0.0)
    assert worths.both(7, 8) == (0.25, 0.5)
    assert worths.nearest(7) == 8
    assert worths.value(7) == 0.5
    assert worths.order() == [7, 8]
    # In two of the four worlds it is at least as good.
    assert worths.agree(7, 8) == 0.5


@pytest.mark.parametrize(
    "change",
    [
        {"lead": 0.08},
        # Half of what it has to be must be left: 0.2 less two errors of 0.085 is 0.03.
        {"error": 0.085},
        {"end_lead": 0.04},
    ],
)
def test_unclear_leads_are_not_proved(change: dict[str, Any]) -> None:
    puzzle = replace(of("feint"), lead=0.2, error=0.02, end_lead=0.1, end_error=0.03, losses={"pass": 0.2, "@6": 0.3})
    assert is_proved(puzzle)
    assert not is_proved(replace(puzzle, **change))
    assert not is_proved(replace(puzzle, losses={**puzzle.losses, puzzle.best: 0.1}))
    assert not is_proved(replace(puzzle, losses={**puzzle.losses, "pass": 0.19}))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"kind": "riddle"}, "riddle"),
        ({"seat": 1 - of("feint").seat}, "has no choice"),
        ({"lead": 0.01}, "do not prove"),
        ({"jewel": not of("feint").jewel}, "jewel"),
    ],
)
def test_a_spoilt_puzzle_is_refused_in_a_sentence(change: dict[str, object], says: str) -> None:
    with pytest.raises(PuzzleError, match=says):
        check_puzzle(replace(of("feint"), **change), partial(make_game, FEINT))  # type: ignore[arg-type]


def test_a_file_is_written_and_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "found.jsonl"
    assert read_puzzles(path) == []
    some = list(shelf.list_puzzles(FEINT)[:2])
    for puzzle in some:
        append_puzzles(path, [puzzle])
    assert read_puzzles(path) == some
    # The games of this seed are gone on with after the last one that is there, those of others from the beginning.
    last = replace(some[0], source={"seed": 5, "number": 11})
    append_puzzles(path, [last])
    assert find_first_new(path, 5) == 12
    assert find_first_new(path, 6) == 0
    path.write_text("{}\n", "utf-8")
    with pytest.raises(PuzzleError, match="line 1"):
        read_puzzles(path)

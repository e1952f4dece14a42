"""Puzzles as files, by kinds and by days; and what is proved of one."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gonfalon import games
from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE
from gonfalon.lessons.shelf import made
from gonfalon.puzzles import shelf
from gonfalon.puzzles.course import ANSWERED, ASKED, proof_of, stakes
from gonfalon.puzzles.files import Position, PuzzleError, check, proved, read, write
from gonfalon.puzzles.mining import first_new
from gonfalon.puzzles.sorting import BLUFF, READING, TACTICS, TEMPO, hides, kind_of
from gonfalon.puzzles.trying import Worths
from tests.puzzles.test_data import GAMES, of

FEINT = games.kind("feint")


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
        {"error": 0.2, "lead": 0.3},
        # Half of what it has to be must be left: 0.2 less two errors of 0.085 is 0.03.
        {"error": 0.085},
        {"end_error": 0.045},
        {"end_lead": 0.04},
        {"end_error": 0.2, "end_lead": 0.3},
    ],
)
def test_what_is_not_clear_is_not_proved(change: dict[str, Any]) -> None:
    puzzle = replace(of("feint"), lead=0.2, error=0.02, end_lead=0.1, end_error=0.03, losses={"pass": 0.2, "@6": 0.3})
    assert proved(puzzle)
    assert not proved(replace(puzzle, **change))
    assert not proved(replace(puzzle, losses={**puzzle.losses, puzzle.best: 0.1}))
    assert not proved(replace(puzzle, losses={**puzzle.losses, "pass": 0.19}))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"kind": "riddle"}, "riddle"),
        ({"seat": 1 - of("feint").seat}, "nothing to choose"),
        ({"lead": 0.01}, "do not prove"),
        ({"jewel": not of("feint").jewel}, "jewel"),
    ],
)
def test_a_spoilt_puzzle_is_refused_in_a_sentence(change: dict[str, object], says: str) -> None:
    with pytest.raises(PuzzleError, match=says):
        check(replace(of("feint"), **change), partial(made, FEINT))  # type: ignore[arg-type]


def test_a_file_is_written_and_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "found.jsonl"
    assert read(path) == []
    some = list(shelf.of_game(FEINT)[:2])
    for puzzle in some:
        write(path, [puzzle])
    assert read(path) == some
    # The games of this seed are gone on with after the last one that is there, those of others from the beginning.
    last = replace(some[0], source={"seed": 5, "number": 11})
    write(path, [last])
    assert first_new(path, 5) == 12
    assert first_new(path, 6) == 0
    path.write_text("{}\n", "utf-8")
    with pytest.raises(PuzzleError, match="line 1"):
        read(path)


def test_each_day_has_another_puzzle_until_all_have_had_theirs() -> None:
    count, day = len(shelf.of_game(FEINT)), date(2026, 11, 25)
    numbers = [shelf.today(FEINT, day + timedelta(n)) for n in range(count)]
    assert sorted(numbers) == list(range(1, count + 1))
    assert shelf.today(FEINT, day + timedelta(count)) == numbers[0]


def test_kinds_are_told_by_what_the_answers_are() -> None:
    game = FEINT(factions=["agents", "keion"])
    state = game.start()
    while state.turn == CHANCE:
        state.apply(CHANCE, state.chance(Rng(1)))
    view = state.mask(state.turn)
    # Ability Covert: played face down, so that another Covert card would look the same. A Patriot lies open.
    covert, patriot, waiting = (game.parse(text) for text in ("smoke-n-screen@4", "patriot@5", "pass"))
    assert hides(game, view, covert)
    assert not hides(game, view, patriot)
    assert kind_of(game, view, covert, waiting, True, 0.5) == BLUFF
    assert kind_of(game, view, patriot, waiting, True, 0.5) == TEMPO
    assert kind_of(game, view, patriot, patriot, True, 1.0) == READING
    assert kind_of(game, view, patriot, patriot, False, 0.79) == READING
    assert kind_of(game, view, patriot, patriot, False, 0.8) == TACTICS


@pytest.mark.parametrize("name", GAMES)
def test_only_the_best_answer_is_right(name: str) -> None:
    course = shelf.course(games.kind(name), 1)
    position = course.position
    assert course.answer(ASKED, [position.best]).right == 1
    assert course.answer(ASKED, []).why == "Choose something first."
    assert course.answer(ANSWERED, [position.best]).right == 0
    for answer, loss in position.puzzle.losses.items():
        ruling = course.answer(ASKED, [position.game.parse(answer)])
        assert ruling.right == 0
        # What is lost is told, and not what would be right.
        assert ruling.why is not None
        assert f" {100 * loss:.0f} percentage point" in ruling.why
        assert position.game.describe(position.view, position.best) not in ruling.why
    illegal = next(a for a in position.game.all_actions() if not position.view.is_legal(position.seat, a))
    assert course.answer(ASKED, [illegal]).why


@pytest.mark.parametrize(("lead", "end_lead", "least"), [(0.097, 0.064, 6), (0.262, 0.469, 26), (0.099, 0.2, 9)])
def test_any_other_answer_gives_away_what_is_said_by_both_measures(lead: float, end_lead: float, least: int) -> None:
    puzzle = replace(of("feint"), lead=lead, end_lead=end_lead)
    told = stakes(Position(puzzle, partial(made, FEINT)))
    assert f"any other gives away at least {least} percentage points." in told


def test_a_lead_played_to_the_end_is_told_as_one_of_other_chances() -> None:
    """It may be larger than the chance that is told."""
    puzzle = replace(of("feint"), lead=0.262, error=0.005, worlds=128, end_lead=0.469, end_error=0.046)
    told = proof_of(Position(puzzle, partial(made, FEINT)))
    assert "gives it 26 percentage points (± 1) more than the next best, in 128 deals" in told
    assert "both come to chances of their own: there the lead is 47 percentage points (± 9)." in told
    assert "%" not in told

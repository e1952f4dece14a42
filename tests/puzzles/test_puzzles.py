"""Daily puzzles, and the texts for their player."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from functools import partial

import pytest

from gonfalon import games
from gonfalon.lessons.shelf import make_game
from gonfalon.puzzles import shelf
from gonfalon.puzzles.course import ANSWERED, ASKED, format_proof, format_stakes
from gonfalon.puzzles.files import Position
from tests.puzzles.test_data import GAMES, of

FEINT = games.find_game_class("feint")


def test_each_day_has_another_puzzle_until_all_have_had_theirs() -> None:
    count, day = len(shelf.list_puzzles(FEINT)), date(2026, 11, 25)
    numbers = [shelf.choose_daily_puzzle(FEINT, day + timedelta(n)) for n in range(count)]
    assert sorted(numbers) == list(range(1, count + 1))
    assert shelf.choose_daily_puzzle(FEINT, day + timedelta(count)) == numbers[0]


@pytest.mark.parametrize("name", GAMES)
def test_only_the_best_answer_is_right(name: str) -> None:
    course = shelf.load_course(games.find_game_class(name), 1)
    position = course.position
    assert course.answer(ASKED, [position.best]).right == 1
    assert course.answer(ASKED, []).why == "Choose a move first."
    assert course.answer(ANSWERED, [position.best]).right == 0
    for answer, loss in position.puzzle.losses.items():
        ruling = course.answer(ASKED, [position.game.parse(answer)])
        assert ruling.right == 0
        # What is lost is told, and not what would be right.
        assert ruling.why is not None
        assert f" wins {100 * loss:.0f} games fewer in 100." in ruling.why
        assert position.game.describe(position.view, position.best) not in ruling.why
    illegal = next(a for a in position.game.all_actions() if not position.view.is_legal(position.seat, a))
    assert course.answer(ASKED, [illegal]).why


def test_the_stakes_are_the_chance_with_the_best_move() -> None:
    """The smallest loss would be read as that of the next best move, which is larger as the first judge sees it."""
    stakes = format_stakes(replace(of("feint"), value=0.856))
    assert stakes == "The best move wins 86 %, every other clearly less."


def test_a_lead_played_to_the_end_is_stated_separately() -> None:
    """It may be larger than the stated chance."""
    puzzle = replace(of("feint"), lead=0.262, error=0.005, worlds=128, end_lead=0.469, end_error=0.046)
    told = format_proof(Position(puzzle, partial(make_game, FEINT)))
    assert "Of 100 games it wins 26 fewer (± 1) in 128 deals of the cards that you could not see" in told
    assert "and 47 fewer (± 9) when bots play to the end." in told

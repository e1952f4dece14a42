"""The built-in puzzles: each position follows the rules, its answer is legal, and its figures prove it."""

from __future__ import annotations

from functools import partial

import pytest

from gonfalon import games
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import OPEN
from gonfalon.core.rules.words import NUMBERED, names_for
from gonfalon.lessons.shelf import make_game
from gonfalon.puzzles import shelf
from gonfalon.puzzles.course import format_proof
from gonfalon.puzzles.files import Position, Puzzle
from gonfalon.puzzles.sorting import BLUFF, KINDS
from gonfalon.review.judging.budgets import Budgets
from gonfalon.review.judging.judging import Judge
from tools.puzzles.cases import is_far
from tools.puzzles.proofs import check_puzzle
from tools.reviews.baselines import get_table

GAMES = [name for name in games.names() if shelf.list_puzzles(games.find_game_class(name))]


@pytest.mark.parametrize("name", GAMES)
def test_every_puzzle_is_laid_out_and_proved(name: str) -> None:
    kind = games.find_game_class(name)
    seen: set[str] = set()
    for puzzle in shelf.list_puzzles(kind):
        position = check_puzzle(puzzle, partial(make_game, kind))
        # No other puzzle is the same to its player.
        text = position.game.text(position.view, position.game.seat_names())
        assert text not in seen
        seen.add(text)
        assert {puzzle.best, *puzzle.losses} == {
            position.game.notation(action) for action in position.view.legal(position.seat)
        }
        # With two answers a wrong guess tells the right one.
        assert puzzle.jewel or len(puzzle.losses) >= 2
        # Nothing gives away less than the lead over the next best.
        assert min(puzzle.losses.values()) == puzzle.losses[puzzle.second]
        assert puzzle.losses[puzzle.second] == pytest.approx(puzzle.lead, abs=0.001)
        assert puzzle.worlds >= 128
        assert puzzle.end_worlds >= 128
        assert not position.state.over
        assert position.state.mask(OPEN).viewer == OPEN


@pytest.mark.parametrize("name", GAMES)
def test_a_jewel_looks_to_its_seat_as_the_game_did(name: str) -> None:
    """Its other cards are not in the view. `check` above proves its open answer."""
    for puzzle in shelf.list_puzzles(games.find_game_class(name)):
        if puzzle.dealt is None:
            assert puzzle.cards == ""
            continue
        assert puzzle.jewel
        position = Position(puzzle, partial(make_game, games.find_game_class(name)))
        true = position.record.replay()
        assert position.view.dump() == true.mask(puzzle.seat).dump()
        assert position.state.mask(OPEN).dump() != true.mask(OPEN).dump()


@pytest.mark.extended
@pytest.mark.parametrize("name", GAMES)
def test_no_jewel_is_dealt_implausible_cards(name: str) -> None:
    for puzzle in shelf.list_puzzles(games.find_game_class(name)):
        if puzzle.dealt is not None:
            position = Position(puzzle, partial(make_game, games.find_game_class(name)))
            judge = Judge(get_table(position.game), position.view, Budgets(), Rng(0))
            facts = judge.table.insight.beliefs(judge.view)
            assert {fact.about for fact in facts} & set(judge.table.insight.truths(position.state, judge.me))
            assert not is_far(judge, position.state, facts)


def test_all_goals_of_faction_wars_are_reckoned_with() -> None:
    """There are ten goals, minus the player's own."""
    puzzle = of("factionwars")
    position = Position(puzzle, partial(make_game, games.find_game_class("factionwars")))
    judge = Judge(get_table(position.game), position.view, Budgets(), Rng(0))
    facts = judge.table.insight.beliefs(judge.view)
    assert [len(fact.likely) for fact in facts] == [9] * (position.game.seats - 1)
    assert all(sum(chance for _, chance in fact.likely) == pytest.approx(1.0) for fact in facts)


@pytest.mark.parametrize("name", GAMES)
def test_every_jewel_states_its_open_answer(name: str) -> None:
    kind = games.find_game_class(name)
    for puzzle in shelf.list_puzzles(kind):
        if puzzle.jewel:
            position = Position(puzzle, partial(make_game, kind))
            other = position.game.describe(position.view, position.game.parse(puzzle.open_best)).rstrip(".")
            assert other in format_proof(position)


def test_puzzles_are_distinct() -> None:
    found = {puzzle.kind for name in GAMES for puzzle in shelf.list_puzzles(games.find_game_class(name))}
    assert found == set(KINDS) - {BLUFF}  # no bluff was confirmed by the second judge


def of(name: str) -> Puzzle:
    """Return any puzzle of a game."""
    return shelf.list_puzzles(games.find_game_class(name))[0]


@pytest.mark.extended
@pytest.mark.parametrize("name", GAMES)
def test_no_player_in_a_puzzle_is_a_number(name: str) -> None:
    """If a game has no names for its seats the other one is "your opponent" on the board, in the log and in texts."""
    for number in range(1, len(shelf.list_puzzles(games.find_game_class(name))) + 1):
        course = shelf.load_course(games.find_game_class(name), number)
        game, seat = course.noted.game, course.position.seat
        names = names_for(game, seat, course.noted.record.names)
        for step in course.steps:
            assert step.note is not None
            told = [step.note.text, game.text(step.view, names), game.prompt(step.view, names)]
            told += [game.words(event, step.view, names) for event in step.view.log or ()]
            told += [game.describe(step.view, action) for action in course.position.view.legal(seat)]
            assert not NUMBERED.search("\n".join(told)), number

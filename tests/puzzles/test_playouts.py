"""Answers of puzzles played on: a line by hand, the choice of deals, and that they follow from the view alone."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.core.files.record import Record
from gonfalon.lessons.shelf import make_game
from gonfalon.puzzles import playouts, shelf
from gonfalon.puzzles.files import Position, deal_hidden, read_puzzles
from gonfalon.puzzles.playouts import BEST, OPENLY, OWN_DEAL, SECOND, YOURS, Playouts
from tests.puzzles.test_data import GAMES


def find_numbers(name: str, jewel: bool) -> list[int]:
    """Return the puzzles of a game that are jewels, or the others."""
    puzzles = shelf.list_puzzles(games.find_game_class(name))
    return [n for n, puzzle in enumerate(puzzles, 1) if puzzle.jewel == jewel]


def make_playouts(name: str, number: int) -> Playouts:
    return Playouts(shelf.load_course(games.find_game_class(name), number).position)


def play_kept(number: int) -> Playouts:
    """Return the answers of a puzzle that is kept for these tests, so that they do not depend on the shelf."""
    puzzle = read_puzzles(Path(__file__).with_name("played_out.jsonl"))[number]
    return Playouts(Position(puzzle, partial(make_game, games.find_game_class(puzzle.game))))


def test_a_round_of_feint_is_played_out_in_two_deals() -> None:
    """You have 2 Morale left, a Master of Earth to play, and Locations 3, 4 and 6 with room. Their Punisher rules out a
    battle at your Location 2. Each Master of Earth brings the spare Capacity of its Location.

    If their Location is 3 you lose 6 x 3 = 18 to 3 x 3 = 9, and with it the 13 Morale of all your cards. With the new
    card at 6 you first gain 1 at Location 3, 7 at 4 and 4 at 6: 2 + 12 - 13 = 1. With it at 4 you gain 1 and twice 4:
    2 + 9 - 13 = -2, so the game is lost. If their Location is 5 you win 6 x 5 = 30 to 3 x 5 = 15.
    """
    plays = play_kept(0)
    frames = plays.list_frames()
    assert [frame.text.partition(":")[0] for frame in frames] == [
        f"{label}, {deal}" for deal in ("first deal", "second deal") for label in (BEST, SECOND) for _ in range(2)
    ]
    assert ["18 to 9" in frame.news for frame in frames] == [False, True] * 2 + [False] * 4
    assert ["30 to 15" in frame.news for frame in frames] == [False] * 4 + [False, True] * 2
    seat = plays.position.seat
    assert [plays.game.score(frame.view)[seat] for frame in frames[1::2]] == [1, -2, 14, 11]
    assert frames[3].text == f"{SECOND}, first deal: you lose"


@pytest.mark.parametrize("name", GAMES)
def test_every_line_has_one_to_five_steps(name: str) -> None:
    for number in (find_numbers(name, False)[0], find_numbers(name, True)[0]):
        plays = make_playouts(name, number)
        other = OPENLY if plays.position.puzzle.jewel else SECOND
        labels = [frame.text.partition(":")[0] for frame in plays.list_frames()]
        for deal in playouts.ORDINALS:
            assert all(1 <= labels.count(f"{label}, {deal}") <= 5 for label in (BEST, other))
        assert all(frame.news and frame.view.viewer < 0 for frame in plays.list_frames())


def test_the_first_step_tells_all_that_the_answer_did() -> None:
    """The card that leaves the board with it, too."""
    first, second, *_ = play_kept(1).list_frames()
    assert first.news.startswith("You play Trojan Bit to 5. You put Burly Bit from 3 under your deck. You draw ")
    assert second.news.startswith("Tribe Wu plays ")


def test_a_step_for_each_act_and_the_left_out_ones_are_counted() -> None:
    news = [frame.news for frame in play_kept(3).list_frames() if frame.text.startswith(f"{BEST}, first")]
    assert news == [
        "Your Dian Wei attacks your opponent's Huang Zhong.",
        "5 against 4: your Dian Wei wins. Your opponent's Huang Zhong falls.",
        "Your Xiahou Dun moves to ENEMY'S BORDER.",
        "6 more plays. Your opponent loses 5 cards of RESOURCE.",
        "RESOURCE: your opponent 24, you 32.",
    ]


@pytest.mark.parametrize("name", GAMES)
def test_a_jewel_begins_with_its_own_cards_and_no_other_puzzle_does(name: str) -> None:
    for jewel in (False, True):
        plays = make_playouts(name, find_numbers(name, jewel)[0])
        puzzle = plays.position.puzzle
        deals = plays.choose_deals(plays.game.parse(puzzle.open_best if jewel else puzzle.second))
        assert (deals[0] == OWN_DEAL) == jewel
        assert OWN_DEAL not in deals[1:]
        assert deals[0] != deals[1]


@pytest.mark.parametrize("name", GAMES)
def test_the_deals_follow_from_the_view_alone(name: str) -> None:
    """In a twin position, with other hidden cards, all steps are the same."""
    position = shelf.load_course(games.find_game_class(name), find_numbers(name, False)[0]).position
    twin = Position.__new__(Position)
    twin.puzzle, twin.game, twin.seat = position.puzzle, position.game, position.seat
    twin.best, twin.others, twin.record = position.best, position.others, Record(position.game)
    twin.record.names = position.record.names
    twin.state = deal_hidden(position.view, 99)
    shown, told = ([(f.view.dump(), f.news, f.text) for f in Playouts(one).list_frames()] for one in (position, twin))
    assert shown == told


def test_the_readers_own_wrong_answer_is_shown_too() -> None:
    plays = play_kept(2)
    puzzle = plays.position.puzzle
    own = next(answer for answer in puzzle.losses if answer != puzzle.second)
    labels = {frame.text.partition(",")[0] for frame in plays.list_frames(plays.game.parse(own))}
    assert labels == {BEST, SECOND, YOURS}
    assert YOURS not in {frame.text.partition(",")[0] for frame in plays.list_frames(plays.game.parse(puzzle.second))}

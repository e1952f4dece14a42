"""The search at a simultaneous decision: mixed if predictability would hurt, and against the expected play of the
others."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from gonfalon import Rng, State
from gonfalon.bots import Budget, Choice
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.search.searcher import SearchBot
from gonfalon.bots.search.simultaneous import RARE, solve
from gonfalon.core.rules.simple import SimpleGame, SimpleState
from gonfalon.core.rules.state import Action, Seat, Step, Together


class ThrowsState(SimpleState):
    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self.thrown: list[int] = []

    def points(self) -> list[int]:
        """Rock, scissors, paper for two. Among three, the player with a unique choice wins."""
        if self.seats == 2:
            return [int((theirs - mine) % 3 == 1) for mine, theirs in (self.thrown, self.thrown[::-1])]
        return [int(self.thrown.count(mine) == 1) for mine in self.thrown]


class Throw(Together[ThrowsState]):
    prompt: ClassVar[str] = "throw"

    def options_of(self, s: ThrowsState, seat: Seat) -> list[Action]:
        return [] if s.answers[seat] else [0, 1, 2]

    def finish(self, s: ThrowsState) -> None:
        s.thrown += [answer for [answer] in s.answers]


class Throws(SimpleGame[ThrowsState]):
    name: ClassVar[str] = "throws"
    title: ClassVar[str] = "Throws"
    version: ClassVar[str] = "1"
    seat_counts: ClassVar[tuple[int, ...]] = (2,)
    state_class = ThrowsState
    steps: ClassVar[tuple[type[Step[Any]], ...]] = (Throw,)
    card_names = ("Rock", "Scissors", "Paper")
    card_texts = ("", "", "")
    asks: ClassVar[dict[str, tuple[str, str]]] = {"throw": ("Which?", "Throw {card}.")}

    def deck(self) -> list[int]:
        return []

    def set_up(self, s: ThrowsState) -> None:
        s.stack = [Throw(list(range(s.seats)))]


class ThreeThrows(Throws):
    seat_counts: ClassVar[tuple[int, ...]] = (3,)


class Likes(Heuristic):
    """Players that choose one action nearly always."""

    def __init__(self, game: Throws, liked: Action) -> None:
        super().__init__(game)
        self.liked = liked

    def scores(self, s: State) -> list[float]:
        return [9.0 if action == self.liked else 0.0 for action in s.actions]

    def named(self, view: State, action: Action) -> str:
        return ("rock", "scissors", "paper")[action]


def throw(seats: int, liked: Action | None, seed: int = 1) -> Choice:
    game = Throws() if seats == 2 else ThreeThrows()
    heuristic = Heuristic(game) if liked is None else Likes(game, liked)
    bot = SearchBot("search", game, Budget(270), heuristic)
    return bot.choose(game.start().mask(0), None, Rng(seed))


def test_rock_scissors_paper_is_played_by_thirds() -> None:
    mine, theirs = solve([[0.5, 1.0, 0.0], [0.0, 0.5, 1.0], [1.0, 0.0, 0.5]], 400)
    assert mine == pytest.approx([1 / 3] * 3, abs=0.01)
    assert theirs == pytest.approx([1 / 3] * 3, abs=0.01)


def test_a_matrix_without_a_pure_solution() -> None:
    """The first gets 3 or 0 with its first action, 1 or 2 with the second. With p on the first the columns cost 3p + 1
    - p and 2 - 2p, which are equal at p = 1/4. With q on the first column the rows bring 3q and 2 - q, which are
    equal at q = 1/2."""
    mine, theirs = solve([[3.0, 0.0], [1.0, 2.0]], 2000)
    assert mine == pytest.approx([1 / 4, 3 / 4], abs=0.01)
    assert theirs == pytest.approx([1 / 2, 1 / 2], abs=0.01)


def test_against_anything_all_throws_are_mixed() -> None:
    choice = throw(2, None)
    assert dict(choice.policy) == pytest.approx(dict.fromkeys(range(3), 1 / 3), abs=0.02)
    assert {throw(2, None, seed).action for seed in range(12)} == {0, 1, 2}
    assert choice.value is not None
    assert choice.value.value == pytest.approx(0.5, abs=0.02)
    assert choice.iterations == 270


def test_a_favorite_of_the_other_is_answered() -> None:
    """Paper beats rock."""
    choice = throw(2, 0)
    assert choice.action == 2
    assert sum(share for _, share in choice.policy) == pytest.approx(1.0)
    assert all(share == 0.0 or share >= RARE for _, share in choice.policy)
    assert choice.value is not None
    assert choice.value.value > 0.85
    [belief] = choice.beliefs
    assert belief.about == "Seat 2's choice"
    assert belief.likely[0][0] == "rock"
    assert belief.likely[0][1] > 0.85
    assert sum(chance for _, chance in belief.likely) == pytest.approx(1.0)


def test_among_three_it_goes_where_the_others_do_not() -> None:
    choice = throw(3, 1)
    assert choice.action in (0, 2)
    assert dict(choice.policy)[1] == 0.0
    assert choice.value is not None
    assert choice.value.value > 0.6
    assert [belief.about for belief in choice.beliefs] == ["Seat 2's choice", "Seat 3's choice"]

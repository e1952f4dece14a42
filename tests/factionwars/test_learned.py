"""The player `learned` of Faction Wars: between two it tries rounds out, and asks a network for first sights and
for what the rounds have come to."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon import Rng
from gonfalon.bots import Budget, make
from gonfalon.bots.levels import levels_for, opponents
from gonfalon.bots.net import Judge, load
from gonfalon.bots.sense import to_choice
from gonfalon.core.errors import OptionError
from gonfalon.core.worlds import worlds
from gonfalon.games.factionwars import FactionWars, players
from gonfalon.games.factionwars.players.fast_sense import NetValuer
from gonfalon.games.factionwars.players.ideas import WEIGHTS
from gonfalon.games.factionwars.players.learner import Learner
from gonfalon.games.factionwars.state import FactionState


def position(game: FactionWars, after: int = 12) -> FactionState:
    """A line-up in random play, after so many decisions of players."""
    rng = Rng(3)
    state = game.start()
    while to_choice(state, rng) and (after > 0 or state.stack[-1].prompt != "select"):
        after -= 1
        state.apply(state.turn, state.actions[int(rng.below(len(state.actions)))])
    return state


@pytest.mark.parametrize("options", [{"seats": 3}, {"seats": 2, "revision": "later"}])
def test_elsewhere_there_is_no_such_player(options: dict[str, Any]) -> None:
    assert "learned" not in levels_for(FactionWars(**options))


def test_it_is_there_for_two_with_numpy_and_not_offered_to_people(monkeypatch: pytest.MonkeyPatch) -> None:
    game = FactionWars(seats=2)
    assert "learned" in levels_for(game)
    assert "learned" not in opponents(game)
    monkeypatch.setattr(players, "find_spec", lambda name: None)
    assert "learned" not in levels_for(game)


def test_it_knows_the_cards_of_the_box_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FactionWars, "version", "other")
    with pytest.raises(OptionError, match="cards of the box"):
        make("learned", FactionWars(seats=2))


def test_it_tells_what_it_tried() -> None:
    game = FactionWars(seats=2)
    bot = make("learned", game)
    state = position(game)
    choice = bot.choose(state.mask(state.turn), Budget(iterations=48), Rng(1))
    assert choice == bot.choose(state.mask(state.turn), Budget(iterations=48), Rng(1))
    assert choice.iterations >= 48
    assert choice.value is not None
    assert 0.0 <= choice.value.low <= choice.value.value <= choice.value.high <= 1.0
    assert choice != make("expert", game).choose(state.mask(state.turn), Budget(iterations=48), Rng(1))


def test_a_policy_rests_on_what_its_seat_knows() -> None:
    game = FactionWars(seats=2)
    bot = make("learned", game)
    assert isinstance(bot, Learner)
    state = position(game)
    view = state.mask(0)
    assert isinstance(view, FactionState)
    policy = bot.policy([view], 0)
    assert sum(policy) == pytest.approx(1.0)
    rng = Rng(4)
    dealt = worlds(view)
    goals = set()
    for _ in range(5):
        world = dealt.sample(rng)
        assert isinstance(world, FactionState)
        assert bot.policy([world], 0) == policy
        goals.add(world.goal[1][0])
    assert len(goals) > 1


def test_a_policy_is_moved_to_what_was_better() -> None:
    """The other goes to the first place in one of four: 0.4 * 1/4 + 0.6 * 3/4 is 0.55, and 0.45 for the other pick. A
    tenth more outweighs e times as sure, so 1/4 and 3/4 become e/4 and 3/4 of their sum: 0.475 and 0.525."""
    bot = make("learned", FactionWars(seats=2))
    assert isinstance(bot, Learner)
    mine, theirs = bot.mixed([[0.4, 0.6], [0.6, 0.4]], [0.25, 0.75], [0.25, 0.75])
    assert mine == pytest.approx([0.4754, 0.5246], abs=1e-4)
    assert theirs == [0.25, 0.75]


def test_two_chances_make_one_and_follow_the_network() -> None:
    """The network says 0.2 between -1 and 1, which is three to two."""
    game = FactionWars(seats=2)
    state = position(game)
    sight = players.sense(game)
    rooms: list[bytearray] = []

    def judge(room: bytearray) -> float:
        rooms.append(room)
        return 0.2

    valuer = NetValuer(game.setup, WEIGHTS[2], sight, judge)
    assert valuer.chances(state) == pytest.approx([0.6, 0.4])
    [room] = rooms
    assert len(room) == sight.size
    assert -1.0 <= Judge(load(players.TRAINED), sight)(room) <= 1.0
    state.play_out(Rng(1))
    assert sum(valuer.chances(state)) == pytest.approx(1.0)
    assert len(rooms) == 1  # at the end the rules say who has won

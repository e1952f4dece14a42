"""The five levels: the factors each considers, in positions computed by hand, and its reasons."""

from __future__ import annotations

import json

import pytest

from gonfalon.bots import Budget, Choice, make
from gonfalon.check import run
from gonfalon.check.laws.secrecy.honesty import LAWS, send_as_json
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.core.rules.state import CHANCE, State
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.bots.heuristic import FactionHeuristic
from gonfalon.games.factionwars.bots.levels import SETTINGS
from gonfalon.games.factionwars.bots.position_value import WEIGHTS, Valuer
from gonfalon.games.factionwars.rules import events
from gonfalon.games.factionwars.rules.rounds import RESOLVE
from tests.factionwars.scenario import Player, Table

LEVELS = ["gentle", "casual", "club", "strong", "expert"]
SEARCHING = ["strong", "expert"]
SMALL = Budget(iterations=90)


def choose(player: Player, level: str, budget: Budget | None = SMALL, seed: int = 1) -> Choice:
    return make(level, player.table.game).choose(player.view, budget, Rng(seed))


def does(player: Player, level: str, seed: int = 1) -> str:
    return player.table.game.notation(choose(player, level, seed=seed).action)


def last_round(table: Table, *names: str) -> Table:
    """Return the last round with this line-up."""
    table.state.last = events.BY_DECK
    return table.lines_up(*names)


# ---- all levels ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"seats": 2}, {"seats": 3, "revision": "later"}, {"seats": 5, "bonus": "apart"}])
def test_every_level_answers_every_question_the_same_from_a_view_that_went_through_json(
    options: dict[str, object],
) -> None:
    game = FactionWars(**options)
    codec = StateCodec(game)
    rng = Rng(4)
    state: State = game.start()
    budget = Budget(iterations=12)
    asked: dict[str, int] = {}
    while not state.over:
        decision = state.decisions()[0]
        action = decision.sample(rng)
        if decision.seat != CHANCE and len(decision.actions) > 1 and asked.get(decision.prompt, 0) < 3:
            asked[decision.prompt] = asked.get(decision.prompt, 0) + 1
            view = state.mask(decision.seat)
            for level in LEVELS:
                choice = make(level, game).choose(view, budget, Rng(5))
                assert choice.action in decision.actions
                assert choice.why.endswith(".")
                assert choice == make(level, game).choose(
                    send_as_json(codec, state.mask(decision.seat)), budget, Rng(5)
                )
                json.dumps([choice.why, choice.otherwise, [belief.likely for belief in choice.beliefs]])
        state.apply(decision.seat, action)
    assert len(asked) >= 2


def test_the_laws_of_honesty_hold() -> None:
    results = run(FactionWars(seats=3), 3.0, laws=LAWS, rounds=1)
    assert [result.law for result in results if result.failure] == []


def test_thinking_ends_at_once_when_it_is_to_end() -> None:
    table = Table(seats=4).lines_up("jarl", "gambler", "bystander", "blade", "outlaw")
    choice = choose(table.may, "expert", Budget(iterations=100_000, halt=lambda: True))
    assert choice.iterations <= 3 * 5


# ---- levels without a search -----------------------------------------------------------------------------


def test_club_plays_the_second_best_but_nothing_hopeless() -> None:
    """The Marshal and the Jarl are worth at least 5 points, the Bystander almost nothing."""
    table = Table(seats=2).lines_up("bystander", "marshal", "jarl")
    assert {does(table.may, "club", seed) for seed in range(40)} == {"take:2", "take:3"}


# ---- what a position is worth --------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_chances_make_one_and_the_better_army_has_the_better_one(seats: int) -> None:
    table = Table(seats=seats)
    table.may.owns("marshal", "jarl")
    table.david.owns("ranch-hand")
    chances = Valuer(table.game.setup, WEIGHTS[seats]).estimate_chances(table.state)
    assert sum(chances) == pytest.approx(1.0)
    assert chances[0] > chances[1] > 0.0


def test_after_the_end_the_value_is_the_result() -> None:
    table = Table(seats=2)
    table.david.owns("marshal", "outlaw", "jarl", "blade")
    table.score()
    assert Valuer(table.game.setup, WEIGHTS[2]).estimate_chances(table.state) == [0.0, 1.0]


# ---- Strong and Expert -----------------------------------------------------------------------------------


@pytest.mark.parametrize("level", SEARCHING)
def test_in_the_last_round_they_take_the_winning_card(level: str) -> None:
    """David leads by 2. Only the Marshal can turn the game, and it is his best card
    too."""
    table = Table(seats=2)
    table.may.has_goal("two-leaders")
    table.david.has_goal("shield-biters").owns("lookout")
    table.may.draws("blade")
    last_round(table, "bystander", "marshal", "ranch-hand")
    choice = choose(table.may, level)
    assert table.game.notation(choice.action) == "take:2"
    assert choice.value is not None
    assert choice.value.low <= choice.value.value <= choice.value.high
    assert "Marshal" in choice.why


@pytest.mark.parametrize("level", SEARCHING)
def test_a_bystander_goes_where_it_wins_the_game(level: str) -> None:
    """May has 5 points, David 6, Ann 1. Two points off David's score make May the winner, and two off Ann's make David
    the winner."""
    table = Table(seats=3)
    table.may.has_goal("two-leaders").owns("marshal")
    table.david.has_goal("shield-biters").owns("blade", "lookout")
    table.ann.has_goal("clean-hands").owns("gambler", "bystander")
    table.state.last = events.BY_DECK
    table.state.discard += table.state.lineup
    table.state.lineup.clear()
    table.state.stack[:] = [RESOLVE]
    table.collects(table.may, "bystander")
    choice = choose(table.may, level)
    assert table.game.notation(choice.action) == "to:1"
    assert "Player 2" in choice.why


@pytest.mark.parametrize("level", SEARCHING)
def test_with_two_seats_picks_are_mixed_where_foresight_would_hurt(level: str) -> None:
    """There are two cards of 4 points, and David wins any battle. A predictable May gets nothing, so both choose either
    card equally often. (A network can evaluate the cards differently.)"""
    table = Table(seats=2)
    table.may.has_goal("clean-hands").draws("rock")
    table.david.draws("marshal")
    table.lines_up("outlaw", "blade", "bystander")
    bot = SETTINGS[level].make_bot(level, table.game, FactionHeuristic(table.game))
    choice = bot.choose(table.may.view, Budget(iterations=450), Rng(1))
    shares = dict(choice.policy)
    assert min(shares[0], shares[1]) > 0.2
    assert shares[2] < min(shares[0], shares[1])


def test_its_words_match_its_results() -> None:
    table = Table(seats=3).lines_up("jarl", "lookout", "bystander", "ranch-hand")
    choice = choose(table.may, "expert", Budget(iterations=400))
    assert choice.value is not None
    assert [other.value.value for other in choice.alternatives if other.value] == sorted(
        [other.value.value for other in choice.alternatives if other.value], reverse=True
    )
    about = [belief.about for belief in choice.beliefs]
    assert about == ["Player 2's choice", "Player 3's choice", "Player 2's goal", "Player 3's goal"]
    for belief in choice.beliefs[:2]:
        assert sum(chance for _, chance in belief.likely) == pytest.approx(1.0)
    assert choice.iterations == 400
    assert choice.worlds > 0

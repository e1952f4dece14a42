"""Requirements of every bot: a legal answer, from its own view alone, and the same answer to the same question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gonfalon import OPEN, SPECTATOR, OptionError, Record, Rng, worlds
from gonfalon.bots import (
    Bot,
    BotError,
    Budget,
    Choice,
    choose_default_level,
    find_level,
    list_offered_levels,
    list_playable_levels,
    make,
)
from gonfalon.bots.players.driver import Driver
from gonfalon.bots.players.uniform import RandomBot
from gonfalon.bots.search.searcher import SearchBot
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.games import game, names
from gonfalon.games.feint import Feint
from tests.cli.bids import Bids
from tests.stranger.gonfalon_duel import Duel

PAIRS = [("engineers", "mibits"), ("wu", "agents")]


def list_views(game: Game, seed: int) -> Iterator[State]:
    """Return the views of the deciding seats in a game between random and the level above it."""
    rng = Rng(seed)
    other = make(list_playable_levels(game)[1], game)
    state: State = game.start()
    while not state.over:
        seat = state.turn
        if seat >= 0:
            view = state.mask(seat)
            yield view
            state.apply(seat, other.choose(view, None, rng).action if rng.below(3) else state.sample(rng))
        else:
            state.apply(seat, state.chance(rng))


def search_of(iterations: int) -> Callable[[str, Game], Bot]:
    return lambda name, game: SearchBot(name, game, Budget(iterations=iterations))


class School(Bids):
    """Three Bids with players for two of the levels."""

    def players(self) -> dict[str, Any]:
        return {"strong": search_of(40), "gentle": search_of(4)}


class Alone(Bids):
    """Three Bids without any players except random."""

    def players(self) -> dict[str, Any]:
        return {}


class Taught(Feint):
    def players(self) -> dict[str, Any]:
        return {"club": search_of(4)}


def test_a_game_has_the_levels_that_it_supplies() -> None:
    assert list_playable_levels(Alone()) == ["random"]
    assert list_playable_levels(School()) == ["random", "gentle", "strong"]
    assert list_playable_levels(Taught()) == ["random", "club", "greedy"]
    with pytest.raises(OptionError, match=r"Three Bids has no level club\. Its levels are random, gentle, strong"):
        make("club", School())


def test_a_game_that_says_nothing_of_players_is_searched() -> None:
    """The search has three levels of increasing effort, also with a rule of thumb."""
    assert list_playable_levels(Bids()) == ["random", "gentle", "club", "expert"]
    assert list_playable_levels(Duel()) == ["random", "gentle", "club", "greedy", "expert"]
    assert list_offered_levels(Duel()) == ["gentle", "club", "expert"]
    assert choose_default_level(Duel()) == "club"
    found = [make(level, Duel()) for level in ("gentle", "club", "expert")]
    assert [type(bot) for bot in found] == [SearchBot] * 3
    assert [bot.budget.iterations for bot in found] == [16, 128, 1024]


def test_an_unknown_level_is_refused() -> None:
    class Odd(Duel):
        def players(self) -> dict[str, Any]:
            return {"sturdy": RandomBot}

    with pytest.raises(OptionError, match="'sturdy', which is none of random, gentle"):
        list_playable_levels(Odd())


def test_searching_a_strangers_game_beats_playing_it_at_random() -> None:
    """In a game of much luck a rule of thumb wins two games of three, in deals of fixed seeds from both sides."""
    game, won = Duel(), 0.0
    for seed in range(30):
        for seat in (0, 1):
            bots = [make("random", game), make("random", game)]
            bots[seat] = make("club", game)
            driver = Driver(Record(game), bots, seed)
            driver.advance()
            won += (driver.state.returns()[seat] + 1) / 2
    assert won / 60 > 0.55


def test_people_are_offered_the_numbered_levels_where_there_are_any() -> None:
    assert list_offered_levels(Alone()) == ["random"]
    assert list_offered_levels(School()) == ["gentle", "strong"]
    assert list_offered_levels(Taught()) == ["club"]
    assert choose_default_level(Taught()) == "club"
    for name in names():
        assert list_offered_levels(game(name)) == ["gentle", "casual", "club", "strong", "expert"]


def test_people_get_the_strength_that_is_measured_within_their_time() -> None:
    bot = make("strong", School())
    assert bot.name == "strong"
    assert bot.budget == Budget(iterations=40)
    assert bot.patience == Budget(iterations=40, seconds=find_level("strong").seconds)
    view = next(list_views(School(), 2))
    assert bot.choose(view, None, Rng(1)).iterations == 40
    assert bot.choose(view, Budget(iterations=7), Rng(1)).iterations == 7


def test_an_unknown_level_is_refused_with_a_hint() -> None:
    with pytest.raises(OptionError, match="Did you mean greedy"):
        make("gredy", Feint())
    with pytest.raises(OptionError, match="random, gentle, casual, club, greedy, strong, expert"):
        make("champion", Feint())


@pytest.mark.parametrize("level", ["random", "greedy"])
def test_a_bot_takes_the_view_of_a_seat_that_is_asked(level: str) -> None:
    game = Feint()
    bot = make(level, game)
    state = game.start()
    state.apply(-1, state.chance(Rng(1)))
    for viewer in (OPEN, SPECTATOR):
        with pytest.raises(BotError, match="one seat"):
            bot.choose(state.mask(viewer), None, Rng(1))
    with pytest.raises(BotError, match="one seat"):
        bot.choose(state, None, Rng(1))
    with pytest.raises(BotError, match="asked nothing"):
        bot.choose(state.mask(1 - state.turn), None, Rng(1))


def test_an_illegal_answer_is_noticed() -> None:
    class Rogue(Bot):
        def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
            return Choice(3)

    game = Feint()
    state = game.start()
    state.apply(-1, state.chance(Rng(1)))
    with pytest.raises(BotError, match="not legal"):
        Rogue("rogue", game).choose(state.mask(state.turn), None, Rng(1))


@pytest.mark.parametrize("factions", PAIRS)
@pytest.mark.parametrize("level", ["random", "greedy"])
def test_twin_worlds_get_the_same_choice(level: str, factions: tuple[str, str]) -> None:
    """With all hidden cards dealt again and the same random stream, action and reason are the same."""
    game = Feint(factions=factions)
    bot = make(level, game)
    deals = Rng(5)
    count = 0
    for number, view in enumerate(list_views(game, 3)):
        before = view.dump()
        choice = bot.choose(view, None, Rng(number))
        assert view.dump() == before
        twin = worlds(view).sample(deals).mask(view.viewer)
        assert bot.choose(twin, None, Rng(number)) == choice
        assert choice.action in view.legal(view.viewer)
        assert choice.why
        count += 1
    assert count > 30


def test_the_driver_stops_at_a_person_and_goes_on_with_a_record() -> None:
    game = Feint()
    record = Record(game)
    driver = Driver(record, [None, make("greedy", game)], seed=4)
    assert driver.advance() == 0
    driver.act(0, 0)
    again = Driver(record, [make("random", game), make("random", game)], seed=4)
    assert again.state.dump()[0] == driver.state.dump()[0]
    assert again.advance() is None
    assert record.result is not None
    assert record.replay().over


def test_bots_cannot_foresee_chance() -> None:
    """The bots' random streams are independent of chance's."""
    driver = Driver(Record(Feint()), [None, None], seed=4)
    words = [rng.clone().word() for rng in (driver.chance, *driver.streams)]
    assert len(set(words)) == 3

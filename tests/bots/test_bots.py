"""What every bot owes: a legal answer, from its own view alone, the same when asked again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gonfalon import OPEN, SPECTATOR, OptionError, Record, Rng, worlds
from gonfalon.bots import Bot, BotError, Choice, levels, levels_for, make
from gonfalon.bots.driver import Driver
from gonfalon.core.state import State
from gonfalon.games.feint import Feint
from tests.cli.bids import Bids

PAIRS = [("engineers", "mibits"), ("mibits", "wu"), ("wu", "agents"), ("agents", "keion"), ("keion", "engineers")]


def asked(game: Feint, seed: int) -> Iterator[State]:
    """The views of the seats that are asked in a game that greedy and random play."""
    rng = Rng(seed)
    greedy = make("greedy", game)
    state: State = game.start()
    while not state.over:
        seat = state.turn
        if seat >= 0:
            view = state.mask(seat)
            yield view
            state.apply(seat, greedy.choose(view, rng).action if rng.below(3) else state.sample(rng))
        else:
            state.apply(seat, state.chance(rng))


def test_the_levels_by_name() -> None:
    assert levels() == ["random", "greedy"]
    assert levels_for(Feint()) == ["random", "greedy"]
    assert levels_for(Bids()) == ["random"]


def test_an_unknown_level_is_refused_with_a_hint() -> None:
    with pytest.raises(OptionError, match="Did you mean greedy"):
        make("gredy", Feint())
    with pytest.raises(OptionError, match="random, greedy"):
        make("champion", Feint())


def test_greedy_needs_a_heuristic() -> None:
    with pytest.raises(OptionError, match="Three Bids has no heuristic"):
        make("greedy", Bids())


@pytest.mark.parametrize("level", levels())
def test_a_bot_takes_the_view_of_a_seat_that_is_asked(level: str) -> None:
    game = Feint()
    bot = make(level, game)
    state = game.start()
    state.apply(-1, state.chance(Rng(1)))
    for viewer in (OPEN, SPECTATOR):
        with pytest.raises(BotError, match="one seat"):
            bot.choose(state.mask(viewer), Rng(1))
    with pytest.raises(BotError, match="one seat"):
        bot.choose(state, Rng(1))
    with pytest.raises(BotError, match="asked nothing"):
        bot.choose(state.mask(1 - state.turn), Rng(1))


def test_an_illegal_answer_is_noticed() -> None:
    class Rogue(Bot):
        def think(self, view: State, rng: Rng) -> Choice:
            return Choice(3)

    game = Feint()
    state = game.start()
    state.apply(-1, state.chance(Rng(1)))
    with pytest.raises(BotError, match="not legal"):
        Rogue("rogue", game).choose(state.mask(state.turn), Rng(1))


@pytest.mark.parametrize("factions", PAIRS)
@pytest.mark.parametrize("level", levels())
def test_twin_worlds_get_the_same_choice(level: str, factions: tuple[str, str]) -> None:
    """Everything hidden dealt anew, the same stream: the same action for the same reason."""
    game = Feint(factions=factions)
    bot = make(level, game)
    deals = Rng(5)
    count = 0
    for number, view in enumerate(asked(game, 3)):
        before = view.dump()
        choice = bot.choose(view, Rng(number))
        assert view.dump() == before
        twin = worlds(view).sample(deals).mask(view.viewer)
        assert bot.choose(twin, Rng(number)) == choice
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
    """The bots' streams and chance's are different ones."""
    driver = Driver(Record(Feint()), [None, None], seed=4)
    words = [rng.clone().word() for rng in (driver.chance, *driver.streams)]
    assert len(set(words)) == 3

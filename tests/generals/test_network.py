"""Expert of Generals, which asks a trained network and tests its proposals."""

from __future__ import annotations

import pytest

from gonfalon import Rng
from gonfalon.bots import Budget, make
from gonfalon.bots.networks.network_input import network_input_of
from gonfalon.bots.networks.planner import Planner
from gonfalon.bots.search.searcher import SearchBot
from gonfalon.bots.search.trials import BATCH
from gonfalon.core.rules.state import State
from gonfalon.games.generals import Generals
from gonfalon.games.generals.bots.heuristic import HORIZON, GeneralsHeuristic
from gonfalon.games.generals.bots.network_input import PROMPTS, UNITS_PER_COPY, GeneralsNetworkInput
from gonfalon.games.generals.rules.state import GeneralsState
from tests.bots.planners import check_choice, positions
from tests.generals.scenario import Table
from tests.measured import measured


def row(encoder: GeneralsNetworkInput, state: State, seat: int) -> bytearray:
    """Return the network input of a seat."""
    room = bytearray(encoder.size)
    encoder.write_row(state, seat, room, 0)
    return room


def test_with_rules_that_the_network_has_not_learnt_it_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(make("expert", measured("generals", decks=("alliance", "little-conqueror"))), Planner)
    monkeypatch.setattr(Generals, "version", "other")
    assert isinstance(make("expert", Generals()), SearchBot)


def test_it_reports_its_trials() -> None:
    game = measured("generals", decks=("plans-of-wei", "red-cliffs"))
    bot = make("expert", game)
    found = [check_choice(bot, state) for state in positions(game, "main", 6, 3)]
    assert sum(choice.alternatives != () for choice in found) >= 2
    assert {belief.about for choice in found for belief in choice.beliefs} == {"Counters in their hand"}


def test_payments_are_answered_at_once_and_with_a_chance() -> None:
    game = measured("generals", decks=("plans-of-wei", "red-cliffs"))
    bot = make("expert", game)
    for state in positions(game, "pay", 3, 3):
        choice = check_choice(bot, state)
        assert (choice.iterations, choice.worlds) == (24, BATCH)
        assert choice.alternatives == ()
        assert choice.value is not None


def test_it_stops_on_request() -> None:
    """It stops after the first worlds, about 64 in parallel. Obvious decisions are not searched."""
    game = measured("generals")
    bot = make("expert", game)
    budget = Budget(iterations=100_000, halt=lambda: True)
    tried = [bot.choose(s.mask(s.turn), budget, Rng(1)).iterations for s in positions(game, "main", 4, 3)]
    assert BATCH < max(tried) <= 64


def test_every_question_that_a_seat_can_be_asked_has_its_place() -> None:
    asked = {kind.prompt for kind in Generals.steps if "prompt" in vars(kind)}
    assert {"main", "answer", "take-away", "mulligan"} <= asked
    assert asked - set(PROMPTS) == {"toss", "shuffle", "deal", "random-discard", "recover"}, "these are chance's"


def test_its_rows_describe_the_table() -> None:
    """Guan Yu (Might 7, Wits 4) is at May's BORDER facing an enemy, with two cards in her hand and one unseen in
    David's."""
    table = Table(lists="open")
    table.may.has("Guan Yu", at="BORDER").holds("Militia", "Militia")
    table.david.has("Xu Chu", at="ENEMY_BORDER").holds("Archers").lost("Liu Bei")
    encoder = network_input_of(table.game)
    assert isinstance(encoder, GeneralsNetworkInput)
    room = row(encoder, table.state, 0)

    def kind(name: str) -> int:
        card = table.game.pool.find(name)
        assert card is not None
        return card.kind

    def general(name: str, side: int) -> int:
        return side * encoder.generals + encoder.general[kind(name)]

    assert room[PROMPTS.index("main")] == 1
    assert list(room[encoder.head_at + 2 : encoder.head_at + 4]) == [2, 1]
    assert room[encoder.hands_at + kind("Militia")] == 2
    assert sum(room[encoder.hands_at : encoder.hands_at + 2 * encoder.kinds]) == 2, "the other hand is not seen"
    for name, side in (("Guan Yu", 0), ("Xu Chu", 1)):
        at = encoder.zones_at + 4 * general(name, side)
        assert list(room[at : at + 4]) == [0, 1, 0, 0], "both stand at May's BORDER"
    might = encoder.now_at + 2 * general("Guan Yu", 0)
    assert list(room[might : might + 2]) == [7, 4]
    assert room[encoder.fallen_at + general("Liu Bei", 1)] == 1
    assert sum(room[encoder.fallen_at : encoder.fallen_at + 2 * encoder.generals]) == 1
    # Two copies of each in the deck list, less those that are seen.
    assert room[encoder.unseen_at + kind("Militia")] == 0
    assert room[encoder.unseen_at + kind("Guan Yu")] == UNITS_PER_COPY
    assert room[encoder.unseen_at + encoder.kinds + kind("Archers")] == 2 * UNITS_PER_COPY
    # What David holds follows for the value alone.
    assert sum(room[encoder.known : encoder.known + encoder.kinds]) == 1
    assert room[encoder.known + kind("Archers")] == 1


def test_it_plays_on_to_the_main_phase_so_many_turns_on() -> None:
    game = Generals()
    heuristic = GeneralsHeuristic(game)
    (state,) = positions(game, "act", 1, 3)
    assert isinstance(state, GeneralsState)
    heuristic.prepare(state.mask(state.turn))
    began = state.number
    rng = Rng(4)
    while state.stack and not heuristic.is_leaf(state):
        seat = state.turn
        state.apply(seat, state.sample(rng))
    assert state.number == began + HORIZON
    assert state.stack[-1].prompt == "main"

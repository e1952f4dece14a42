"""Invariants of every game: cards are conserved, games end, sums are right, legal actions are accepted."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gonfalon.core.basics.errors import NotationError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE
from gonfalon.games.generals import Generals
from gonfalon.games.generals.cards.decks import GeneralsDecks, random_deck
from gonfalon.games.generals.face import preview
from gonfalon.games.generals.rules import events
from gonfalon.games.generals.rules.actions import ACTIVE, END, PASS
from gonfalon.games.generals.rules.cards import Active, Kind
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.games.generals.rules.turn import ChooseAct
from gonfalon.games.generals.ruleset import compile_standard
from gonfalon.testing import rule
from tests.generals.folk import NUMBERS, plain

WORDS = ("strict_blocking", "counter_chain", "mulligan", "strategy_overdeplete_loses", "qun_counts", "exact")
SEEDS = st.integers(min_value=0, max_value=2**32 - 1)


@cache
def drawn_game(number: int) -> Generals:
    """Return a game with random decks and options."""
    pool = compile_standard().pool
    tools = GeneralsDecks(pool)
    rng = Rng(number)
    pair = tuple(tools.code(random_deck(pool, rng)) for _ in (0, 1))
    return Generals(decks=pair, **{word: bool(rng.below(2)) for word in WORDS})


GAMES = st.integers(min_value=0, max_value=7).map(drawn_game)


def act(state: GeneralsState, rng: Rng) -> int:
    """Return a random action. Ending the turn is less likely, so that turns are longer."""
    actions = state.actions
    if state.turn != CHANCE and actions[0] == END and len(actions) > 1 and rng.below(4):
        return actions[1 + int(rng.below(len(actions) - 1))]
    return state.sample(rng)


@rule("generals", 54, 56)
@settings(max_examples=20)
@given(SEEDS, GAMES)
def test_upkeep_and_hand_limit_of_every_turn(seed: int, game: Generals) -> None:
    """At the end of each turn the announced Upkeep leaves RESOURCE completely or not at all, and the hand fits the
    limit."""
    state = game.start(log=True)
    rng = Rng(seed)
    number = 1
    while not state.over:
        state.apply(state.turn, act(state, rng))
        if state.number > number and state.turn >= 0 and state.stack[-1].prompt == "main":
            number, other = state.number, 1 - state.turn
            assert len(state.hand[other]) <= game.setup.limits[other]
    log = state.log or []
    due = [(at, event[2], event[4]) for at, event in enumerate(log) if event[0] == events.UPKEEP]
    for at, seat, amount in due:
        assert amount >= 0
        after = log[at + 1] if at + 1 < len(log) else (-1, 0, 0, 0, 0, 0)
        if amount and after[0] != events.OVER:
            assert (after[0], after[2], after[4]) == (events.DEPLETED, seat, amount)
        elif after[0] == events.OVER:
            assert (after[2], after[4]) == (1 - seat, events.BY_UPKEEP)
            assert len(state.deck[seat]) < amount


@rule("generals", 54)
@settings(max_examples=25)
@given(
    st.lists(st.sampled_from([name for name, *_ in NUMBERS]), unique=True, max_size=9),
    st.integers(min_value=0, max_value=12),
)
def test_upkeep_is_one_for_each_general(army: list[str], left: int) -> None:
    table = plain()
    table.may.has(*army).resource(size=left)
    table.may.ends()
    if len(army) > left:
        assert table.winner is table.david
    else:
        assert table.may.resources == left - len(army)


@rule("generals", 14, 16, 23)
@settings(max_examples=25)
@given(st.sampled_from(NUMBERS), st.sampled_from(NUMBERS), st.integers(0, 2), st.integers(0, 2))
def test_melees_by_arithmetic(
    mine: tuple[str, str, int, int, int], theirs: tuple[str, str, int, int, int], cheers: int, resource: int
) -> None:
    """Might plus one for each Reward the Army is compared with Might, and a surviving attacker besieges."""
    table = plain()
    table.may.has(mine[0], at="ENEMY_BORDER").has("Lu Su", at="ENEMY_BORDER")
    table.may.holds(*["Reward the Army"] * cheers, *["Archers"] * cheers)
    table.david.has(theirs[0], at="BORDER").resource(size=resource)
    for _ in range(cheers):
        table.may.does("reward-the-army")
        if table.may.asked == "pay":
            table.may.does("archers")
    x, y = mine[3] + cheers, theirs[3]
    table.may.does(f"{mine[0].lower()}#1", f"{theirs[0].lower()}#2")
    assert table.may.fallen == ([mine[0]] if x <= y else [])
    assert table.david.fallen == ([theirs[0]] if x >= y else [])
    if x >= y:
        amount = table.may.might("Lu Su")
        table.may.does("lu-su#1", "siege")
        assert table.over is (amount > resource)


ONLY_PAID = (events.ACTIVATED, events.PAID, events.PAID_RESOURCE, events.SACRIFICED, events.FIZZLED)
COUNTED = (events.DREW, events.LOOKED, events.DISCARDED, events.RECOVERED, events.DEPLETED)
"""Events that name no card if they affected none."""


def unchanged(before: GeneralsState, after: GeneralsState, seat: int, active: Active) -> bool:
    """Return whether only the payment, now face down in DISCARD, changed for any seat."""
    hands, decks, discards = ([*map(len, zones)] for zones in (before.hand, before.deck, before.discard))
    hands[seat] -= active.hand
    decks[seat] -= active.resource
    discards[seat] += active.hand + active.resource
    paid = [[*map(len, zones)] for zones in (after.hand, after.deck, after.discard)]
    return paid == [hands, decks, discards] and list_open_cards(after) == list_open_cards(before)


def list_open_cards(state: GeneralsState) -> list[list[Any]]:
    """Return the zones of open cards and the lasting effects."""
    open_ = [*state.casualty, *state.field, *state.gear, *state.flight, *state.out]
    return [*open_, state.zone, state.armament, state.troop, state.marks, state.lasting]


def use_effect(state: GeneralsState, action: int) -> GeneralsState:
    """Return the state after an active effect, paid with any cards and not countered."""
    after = state.clone()
    after.log = []
    after.apply(after.turn, action)
    while not after.over and after.stack[-1].prompt in ("pay", "answer"):
        after.apply(after.turn, PASS if after.stack[-1].prompt == "answer" else after.actions[0])
    return after


def check_idleness(state: GeneralsState, kinds: list[Kind]) -> Counter[bool]:
    """Check that each usable active effect is marked idle exactly if it does nothing. Return the counts."""
    met: Counter[bool] = Counter()
    due, seat = state.stack[-1], state.turn
    if not isinstance(due, ChooseAct):
        return met
    actives = kinds[state.setup.kind[due.unit]].actives
    for number in (action - ACTIVE for action in state.actions if 0 <= action - ACTIVE < len(actives)):
        view = state.mask(seat)
        assert isinstance(view, GeneralsState)
        idle = preview.is_idle_active(view, due.unit, actives[number])
        after = use_effect(state, ACTIVE + number)
        told = [event for event in after.log or [] if event[0] not in ONLY_PAID + COUNTED * (event[4] == 0)]
        asks = after.over or after.stack[-1].prompt != "main"
        name = kinds[state.setup.kind[due.unit]].name
        if idle:
            assert (told, asks) == ([], False), name
            assert unchanged(state, after, seat, actives[number]), name
        else:
            assert told or asks, name
        met[idle] += 1
    return met


def test_an_effect_is_called_idle_where_it_does_nothing_and_nowhere_else() -> None:
    """Looking at a hand (Sima Yi) counts as an effect because it is reported."""
    met: Counter[bool] = Counter()
    for game in Generals.samples():
        for seed in range(16):
            state, rng = game.start(), Rng(seed)
            while not state.over:
                assert isinstance(state, GeneralsState)
                met += check_idleness(state, state.setup.kinds)
                state.apply(state.turn, state.sample(rng))
    assert min(met[True], met[False]) > 25


@rule("generals", 29, 30, 31)
@settings(max_examples=25)
@given(st.lists(st.sampled_from([name for name, *_ in NUMBERS]), unique=True, max_size=8), st.booleans())
def test_costs_by_arithmetic(army: list[str], recruit: bool) -> None:
    table = plain(commandments=("D01" if recruit else "X99", "X99"))
    table.may.has(*army)
    faction = {name: mark for name, mark, *_ in NUMBERS}
    for name, mark, cost, *_ in NUMBERS:
        help = sum(faction[other] == mark != "NONE" for other in army)
        assert table.may.cost(name) == max(0, cost - help - recruit)


@pytest.mark.parametrize(
    "text",
    [
        *("", "a b", "ends", "12", "nobody", "#1", "@", "@home", "first:2", "seed:x", "seed:-1", "siege:1"),
        *("active:0", "active:9", "active:", "order:0", "order:99", "militia#1"),
        *("guan-yu#3", "guan-yu#0", "guan-yu#", "guan-yu#1"),
    ],
)
def test_invalid_notation(text: str) -> None:
    """Guan Yu is not in the first deck, Militia is no general."""
    with pytest.raises(NotationError, match="not an action of Generals"):
        Generals(decks=("red-cliffs", "brothers-in-arms")).parse(text)

"""Invariants of every game: the plain rules, conservation, scores, copies, notation, the end."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.errors import NotationError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE, Together
from gonfalon.games.factionwars import FactionWars, box
from gonfalon.games.factionwars.rules import events as ev
from gonfalon.games.factionwars.rules.actions import ACTION_LIMIT, CARD
from gonfalon.games.factionwars.rules.state import WORD_KINDS, FactionState, name_kinds
from gonfalon.testing import check_record, random_record
from tests.factionwars.plain import KNOWN, Options, Plain

SEEDS = st.integers(min_value=0, max_value=2**32 - 1)
OPTIONS: list[dict[str, Any]] = [
    *[{"seats": seats} for seats in (2, 3, 4, 5)],
    {"seats": 3, "shuffle": "deck", "bonus": "safe", "bystander": "out", "tie": "broken"},
    {"seats": 4, "shuffle": "deck", "end": "at-once", "bonus": "apart"},
    {"seats": 2, "end": "at-once", "bystander": "out"},
    {"seats": 5, "symbols": "always"},
    {"seats": 3, "exhausted": "ends"},
    {"seats": 2, "revision": "later"},
    {"seats": 5, "revision": "later", "end": "at-once", "shuffle": "deck"},
    {"seats": 4, "revision": "later", "bystander": "out"},
]
FAST = [FactionWars(**options) for options in OPTIONS]


def name_options(game: FactionWars) -> str:
    """Return a test's name for the options of a game."""
    return "-".join(str(value) for name, value in game.options.items() if name != "cards")


def known_cards() -> dict[str, Any]:
    """Return the built-in cards without those whose ability these rules do not implement."""
    raw: dict[str, Any] = json.loads(json.dumps(box.read_box(None).alone))
    for table in [*raw["faction"], raw]:
        name = "neutral" if table is raw else "cards"
        table[name] = [card for card in table[name] if card.get("ability", "") in KNOWN]
    return raw


EXACT = [FactionWars(exact=True, cards=known_cards(), **options) for options in OPTIONS]


@pytest.mark.parametrize("game", EXACT, ids=name_options)
@settings(max_examples=5)
@given(SEEDS)
def test_the_plain_rules_say_the_same(game: FactionWars, seed: int) -> None:
    """In a complete random game the second implementation agrees on the seats to decide, the options, the probabilities
    of chance, and finally every army, score and winner."""
    state = game.start()
    rng = Rng(seed)
    tape: list[tuple[int, str, Options]] = []
    while not state.over:
        seat = state.turn
        weights = state.weights() if seat == CHANCE else [1] * len(state.actions)
        names = [game.notation(action) for action in state.actions]
        action = state.sample(rng)
        tape.append((seat, game.notation(action), dict(zip(names, weights, strict=True))))
        state.apply(seat, action)
    played = iter(tape)

    def decide(seat: int, choices: Options) -> str:
        asked, answer, offered = next(played)
        assert (asked, offered) == (seat, choices)
        return answer

    options = {name: value for name, value in game.options.items() if name not in ("seats", "exact", "cards")}
    plain = Plain(game.box.raw, game.seats, decide, late=True, **options).play()
    assert next(played, None) is None
    for seat in range(game.seats):
        owned = state.count_owned(seat)
        assert Counter(plain.army(seat)) == Counter({game.entries[k]["slug"]: n for k, n in enumerate(owned) if n})
    outcome = state.outcome()
    assert outcome is not None
    assert state.totals == plain.scores()
    assert outcome.winners == plain.winners()
    assert state.depleted == plain.depleted


def cards_of(state: FactionState) -> Counter[int]:
    """Return every card on the table in any zone."""
    middle = [state.deck, state.discard, state.lineup, state.table, state.aside]
    return Counter(card & KIND for zone in [*middle, *state.army, *state.pile] for card in zone)


@settings(max_examples=20)
@given(SEEDS, st.sampled_from(FAST))
def test_invariants(seed: int, game: FactionWars) -> None:
    """All cards are accounted for, selecting players have a battle deck, every army has its conscripts, each question
    has an answer, and the game ends within its bound."""
    setup = game.setup
    everything = Counter(setup.deck) + Counter(setup.conscripts * game.seats)
    state = game.start()
    rng = Rng(seed)
    decisions = 0
    while not state.over:
        assert cards_of(state) == everything
        assert state.actions
        assert state.actions == sorted(set(state.actions))
        assert state.depleted <= setup.depletions
        for seat in range(game.seats):
            lies = Counter(card & KIND for card in [*state.army[seat], *state.pile[seat]])
            assert all(lies[kind] == 1 for kind in setup.conscripts)
            assert state.army[seat] or state.stack[-1].prompt != "select"
        state.apply(state.turn, state.sample(rng))
        decisions += 1
    assert decisions <= game.bound
    assert cards_of(state) == everything
    assert state.last >= 0


@settings(max_examples=20)
@given(SEEDS, st.sampled_from(FAST))
def test_the_score_is_the_sum_of_its_parts(seed: int, game: FactionWars) -> None:
    """The reported parts add up to the total, the best total wins, and the returns add up."""
    state = game.start(log=True)
    rng = Rng(seed)
    while not state.over:
        assert state.outcome() is None
        assert state.returns() == [0.0] * game.seats
        state.apply(state.turn, state.sample(rng))
    assert state.log is not None
    outcome = state.outcome()
    assert outcome is not None
    for seat in range(game.seats):
        told = sum(event[5] for event in state.log if event[0] == ev.SCORED and event[2] == seat)
        assert told == state.totals[seat]
    best = {seat for seat in range(game.seats) if state.totals[seat] == max(state.totals)}
    assert set(outcome.winners) <= best
    assert game.options["tie"] == "broken" or set(outcome.winners) == best
    won = 2 / len(outcome.winners) - 1
    assert state.returns() == [won if seat in outcome.winners else -1.0 for seat in range(game.seats)]


@given(st.sampled_from([0, 1, 24, WORD_KINDS, WORD_KINDS + 1, 300]), st.lists(st.integers(0, 400)))
def test_kinds_are_named_once_and_in_order(count: int, kinds: list[int]) -> None:
    """Boxes with more kinds than bits in a machine word are included. Kinds beyond the limit are omitted."""
    cards = [kind | 7 << 10 for kind in kinds]
    assert name_kinds(count, cards, CARD) == sorted({CARD + kind for kind in kinds if kind < count})


@settings(max_examples=20)
@given(SEEDS, st.sampled_from(FAST))
def test_a_clone_is_equal_and_shares_nothing(seed: int, game: FactionWars) -> None:
    rng = Rng(seed)
    state = game.start(log=True)
    moves = int(rng.below(200))
    while moves and not state.over:
        state.apply(state.turn, state.sample(rng))
        moves -= 1
    before = state.dump()
    twin = state.clone()
    assert twin.dump() == before
    while not twin.over:
        twin.apply(twin.turn, twin.sample(rng))
    assert state.dump() == before


@pytest.mark.parametrize("game", FAST + EXACT[2:5], ids=name_options)
def test_who_is_asked_at_once_is_asked_as_if_anew(game: FactionWars) -> None:
    """A step that asks its successor directly must give the question that the top step would find by itself."""
    state, rng = game.start(), Rng(1)
    while not state.over:
        step = state.stack[-1]
        if not isinstance(step, Together):
            assert (state.turn, state.actions) == (step.seat, step.options(state))
        state.apply(state.turn, state.sample(rng))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_random_play_is_that_of_a_loop_from_outside(seats: int) -> None:
    """All players' selectors are drawn at once with the same outcome as seat by seat, also if some have already
    selected."""
    for seed in range(8):
        state, rng = FactionWars(seats=seats).start(), Rng(seed)
        for _ in range(10 + seed):
            state.apply(state.turn, state.sample(rng))
        slow, others = state.clone(), rng.clone()
        made, word = 0, 0
        while not slow.over:
            if slow.turn == CHANCE:
                slow.apply(CHANCE, slow.chance(others))
                continue
            if word < 2**16:
                word = others.word()
            word, digit = divmod(word, len(slow.actions))
            slow.apply(slow.turn, slow.actions[digit])
            made += 1
        assert state.play_out(rng) == made
        assert state.dump() == slow.dump()
        assert rng.word() == others.word()


@given(SEEDS, st.sampled_from(FAST[:2] + FAST[-1:] + EXACT[4:5]))
@settings(max_examples=20)
def test_notation_and_records_round_trip(seed: int, game: FactionWars) -> None:
    check_record(random_record(game, seed), any_case=True)


def test_every_number_has_one_notation_or_none() -> None:
    game = FactionWars(seats=5)
    texts = {}
    for action in range(-3, ACTION_LIMIT + 70):
        try:
            texts[action] = game.notation(action)
        except NotationError:
            continue
        assert game.parse(texts[action]) == action
    assert len(set(texts.values())) == len(texts)
    # 3 seeds, 6 places, 5 players. Each card may be chosen, picked out of either part of an army, or dealt.
    assert len(texts) == 3 + 6 + 5 + 4 * len(game.entries)


WRONG = ["", "take", "take:", "take:0", "take:5", "take:1.5", "take:-1", "to:3", "to:x", "seed:", "seed:-1"]
WRONG += ["steal:", "steal:nobody", "jarl:1", "deal:jarl jarl", "12"]


@pytest.mark.parametrize("text", WRONG)
def test_invalid_notation(text: str) -> None:
    with pytest.raises(NotationError, match="no action of Faction Wars"):
        FactionWars(seats=3).parse(text)

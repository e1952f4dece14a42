"""The flow of a state and its masks, on a game small enough to see through."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.basics.errors import Refusal
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.state import CHANCE, OPEN, SEED, SPECTATOR, State
from tests.stranger.gonfalon_duel import CARD, Duel, DuelState

seeds = st.integers(0, 2**32)


def deal_duel(seed: int, **options: object) -> DuelState:
    state = Duel(**options).start(log=True)
    state.apply(CHANCE, -1 - seed)
    return state


def advance(state: State, rng: Rng, count: int) -> None:
    for _ in range(count):
        if state.over:
            return
        decision = state.decisions()[int(rng.below(len(state.decisions())))]
        state.apply(decision.seat, decision.sample(rng))


def test_chance_is_asked_first_and_takes_any_seed() -> None:
    state = Duel().start()
    assert state.asked() == [CHANCE]
    assert state.legal(CHANCE) == [SEED]
    assert state.is_legal(CHANCE, -1 - 4711)
    assert not state.is_legal(CHANCE, 1)
    assert not state.is_legal(0, -5)
    assert state.weights() == [1]


def test_both_are_asked_until_the_last_has_answered() -> None:
    state = deal_duel(1)
    assert state.asked() == [0, 1]
    assert [decision.seat for decision in state.decisions()] == [0, 1]
    state.apply(1, state.legal(1)[0])
    assert state.asked() == [0, 1]
    assert [decision.seat for decision in state.decisions()] == [0]
    assert state.why_not(1, CARD) == "You have already answered. Other players are still deciding."
    assert state.turn == 0


def test_a_refusal_says_why_and_changes_nothing() -> None:
    state = deal_duel(1)
    dump = state.dump()
    missing = next(kind for kind in range(5) if CARD + kind not in state.legal(0))
    with pytest.raises(Refusal, match="in your hand"):
        state.play(0, CARD + missing)
    with pytest.raises(Refusal, match="not your decision"):
        state.play(CHANCE, -1)
    assert state.dump() == dump
    assert state.why_not(0, state.legal(0)[0]) is None


def test_no_seat_is_asked_after_the_end() -> None:
    state = deal_duel(3)
    advance(state, Rng(1), 200)
    assert state.over
    assert not state.asked()
    assert not state.decisions()
    assert state.why_not(0, CARD) == "The game is over."
    assert state.outcome() is not None


@given(seeds, st.integers(0, 25))
def test_a_mask_holds_only_seen_cards(seed: int, count: int) -> None:
    state = deal_duel(seed)
    advance(state, Rng(seed), count)
    for viewer in (0, 1, SPECTATOR):
        view = state.mask(viewer)
        assert view.viewer == viewer
        need = state.need(viewer)
        for zone in [*view.ordered_zones(), *view.unordered_zones()]:
            assert all((card & KIND == HIDDEN) == (card & need != need) for card in zone)
        for event in view.log or []:
            assert event[3] & KIND == HIDDEN or event[3] & need == need
            assert event[1] == -1 or (viewer >= 0 and event[1] >> viewer & 1)
        assert view.mask(viewer).dump() == view.dump()
        assert [view.legal(seat) for seat in (0, 1)] == [state.legal(seat) if seat == viewer else [] for seat in (0, 1)]
    assert state.mask(OPEN).dump() == state.dump()


@given(seeds)
def test_an_answer_is_seen_by_its_seat_alone(seed: int) -> None:
    state = deal_duel(seed)
    others = [state.mask(viewer).dump() for viewer in (0, SPECTATOR)]
    state.apply(1, state.legal(1)[-1])
    assert [state.mask(viewer).dump() for viewer in (0, SPECTATOR)] == others
    view = state.mask(1)
    assert view.answers[1] == state.answers[1] != []
    assert view.decisions() == []


@given(seeds, st.integers(0, 25))
def test_a_clone_is_equal_and_apart(seed: int, count: int) -> None:
    state = deal_duel(seed)
    advance(state, Rng(seed), count)
    dump, twin = state.dump(), state.clone()
    assert twin.dump() == dump
    advance(twin, Rng(seed + 1), 10)
    assert state.dump() == dump


@given(seeds, st.integers(0, 25), st.sampled_from([0, 1, SPECTATOR]))
def test_a_world_has_the_view_it_was_dealt_from(seed: int, count: int, viewer: int) -> None:
    state = deal_duel(seed)
    advance(state, Rng(seed), count)
    view = state.mask(viewer)
    world = worlds(view).sample(Rng(seed))
    assert world.viewer == OPEN
    assert world.mask(viewer).dump() == view.dump()
    assert sorted(card & KIND for zone in world.pools()[0][1] for card in zone) == world.pools()[0][0]
    if not world.over:
        assert world.decisions()


def test_worlds_vary() -> None:
    state = deal_duel(6)
    source = worlds(state.mask(0))
    rng = Rng(1)
    assert len({str(source.sample(rng).dump()) for _ in range(30)}) > 10
    assert state.dump() not in [source.sample(rng).dump() for _ in range(30)]


def test_exact_chance_has_weights() -> None:
    state = Duel(exact=True).start()
    assert state.asked() == [CHANCE]
    assert state.weights() == [3, 3, 3, 3, 2]
    counts = [0] * 5
    rng = Rng(3)
    for _ in range(1400):
        counts[state.chance(rng) - CARD] += 1
    assert all(abs(count - 100 * weight) < 60 for count, weight in zip(counts, [3, 3, 3, 3, 2], strict=True))

"""The compiled loops match a loop in Python."""

from __future__ import annotations

import pytest

import gonfalon
from gonfalon.core.arrays.loops import play_noted, play_out, run_on
from gonfalon.core.rules.state import CHANCE, Together


def by_hand(name: str, seed: int) -> tuple[list[int], int]:
    """Return the actions of a random game and the number of players' choices. A word of 32 bits is written in digits
    with a base of the number of actions. The remainder is used while it is at least 2**16."""
    state, rng = gonfalon.game(name).start(), gonfalon.Rng(seed)
    actions, made, word = [], 0, 0
    while not state.over:
        seat = state.turn
        if seat == CHANCE:
            action = state.chance(rng)
        else:
            made += 1
            if word < 2**16:
                word = rng.word()
            word, digit = divmod(word, len(state.actions))
            action = state.actions[digit]
        actions.append(action)
        state.apply(seat, action)
    return actions, made


def fnv(actions: list[int]) -> int:
    """FNV-1a of 32 bits over complete actions, as published by its authors."""
    noted = 2166136261
    for action in actions:
        noted = ((noted ^ action % 2**32) * 16777619) % 2**32
    return noted


@pytest.mark.parametrize("name", gonfalon.names())
def test_random_play_is_that_of_a_loop_from_outside(name: str) -> None:
    for seed in range(3):
        actions, made = by_hand(name, seed)
        state = gonfalon.game(name).start()
        assert play_out(state, gonfalon.Rng(seed)) == made
        assert state.over
        assert play_noted(gonfalon.game(name).start(), gonfalon.Rng(seed)) == (made, fnv(actions))


@pytest.mark.parametrize("name", ["factionwars", "feint", "jinkei"])
def test_simultaneous_options_equal_recomputed_ones(name: str) -> None:
    """`options_after` may use shortcuts, but its options equal those computed from the state alone, and the first seat
    that has not answered is asked."""
    asked = 0
    for seed in range(8):
        state, rng = gonfalon.game(name).start(), gonfalon.Rng(seed)
        while not state.over:
            step = state.stack[-1]
            if isinstance(step, Together):
                options = {seat: step.options_of(state, seat) for seat in step.seats}
                first = next(seat for seat in step.seats if options[seat])
                assert (state.turn, state.actions) == (first, options[first])
                # Now and then another seat answers before the one whose turn it is.
                seat = next((seat for seat in step.seats if options[seat] and rng.below(3) == 0), first)
                state.apply(seat, options[seat][rng.below(len(options[seat]))])
                asked += 1
            else:
                state.apply(state.turn, state.sample(rng))
    assert asked > 20


@pytest.mark.parametrize("name", gonfalon.names())
def test_seats_without_a_stream_are_waited_for(name: str) -> None:
    """Each seat that acts at random draws from its own stream, and chance from another."""
    fast, slow = gonfalon.game(name).start(), gonfalon.game(name).start()
    ours, theirs = (([gonfalon.Rng(seat) for seat in range(fast.seats)], gonfalon.Rng(99)) for _ in range(2))
    streams: list[gonfalon.Rng | None] = [None, *ours[0][1:]]
    asked = 0
    while not slow.over:
        seat = slow.turn
        if seat == 0:
            run_on(fast, ours[1], streams)
            assert fast.dump() == slow.dump()
            fast.apply(0, fast.actions[-1])
            slow.apply(0, slow.actions[-1])
            asked += 1
        else:
            slow.apply(seat, slow.sample(theirs[1] if seat == CHANCE else theirs[0][seat]))
    run_on(fast, ours[1], streams)
    assert fast.dump() == slow.dump()
    assert asked > 5


def test_a_note_stands_for_every_decision() -> None:
    actions, _ = by_hand("jinkei", 1)
    noted = {fnv([*actions[:at], action + 1, *actions[at + 1 :]]) for at, action in enumerate(actions)}
    assert len(noted | {fnv(actions)}) == len(actions) + 1

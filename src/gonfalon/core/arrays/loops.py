"""Loops over the rules, compiled with them, because a loop that steps from interpreted code costs more than the rules.

Simulations, benchmarks and rollouts play at random.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from gonfalon.core.basics.rng import WORD, Rng
from gonfalon.core.knowledge.worlds import Worlds
from gonfalon.core.rules.state import CHANCE, ROOM, State

OFFSET: Final = 0x811C9DC5
"""The offset basis of FNV-1a for 32 bits."""
PRIME: Final = 0x01000193
"""The prime of FNV-1a for 32 bits."""


def play_out(state: State, rng: Rng) -> int:
    """Play a state to its end at random, in place, and return the number of decisions of players."""
    return state.play_out(rng)


def play_noted(state: State, rng: Rng) -> tuple[int, int]:
    """Play a game to its end at random, and return the number of players' decisions and a 32-bit hash of all
    decisions."""
    made = 0
    word: i64 = 0
    noted: i64 = OFFSET
    while state.stack:
        seat = state.turn
        if seat == CHANCE:
            action = state.chance(rng)
        else:
            actions = state.actions
            count: i64 = len(actions)
            # These are the draws of `State.play_out`, so both play the same game from the same seed.
            if word < ROOM:
                word = rng.word()
            rest: i64 = word // count
            action = actions[word - rest * count]
            word = rest
            made += 1
        state.apply(seat, action)
        # Each decision is hashed as one word. FNV-1a hashes bytes, but this hash is only compared with itself.
        low: i64 = action & WORD
        noted = ((noted ^ low) * PRIME) & WORD
    return made, int(noted)


def run_on(state: State, chance: Rng, streams: list[Rng | None]) -> None:
    """Play chance, and at random every seat with a stream, until another seat is asked or the game is over.

    Args:
        state: A full state, which changes.
        chance: The stream of chance.
        streams: For each seat its stream, or None for a seat that is asked.
    """
    while state.stack:
        seat = state.turn
        if seat == CHANCE:
            state.apply(seat, state.chance(chance))
        else:
            rng = streams[seat]
            if rng is None:
                return
            state.apply(seat, state.sample(rng))


def copy_all(states: list[State]) -> int:
    """Copy every state, and return the number of copies."""
    for state in states:
        state.clone()
    return len(states)


def mask_all(states: list[State]) -> int:
    """Make every seat's view of every state, and return the number of views."""
    made = 0
    for state in states:
        for seat in range(state.seats):
            state.mask(seat)
        made += state.seats
    return made


def deal_all(sources: list[Worlds], rng: Rng) -> int:
    """Deal a world from every view, and return the number of worlds."""
    for source in sources:
        source.sample(rng)
    return len(sources)

"""A game of a vector as bytes: a frozen state with the streams from which its chance and its opponents go on."""

from __future__ import annotations

from typing import Any, NamedTuple

from gonfalon.core.arrays.lanes import BOTS, Lanes
from gonfalon.core.basics.errors import OptionError, RecordError
from gonfalon.core.basics.rng import WORD, Rng, check_seed, going_on, next_seed
from gonfalon.core.files.freeze import DAMAGED, freeze, thaw_with_extra
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State


class Going(NamedTuple):
    """Where a game goes on: its state, its seed, and the streams of the seeds of the games after it, of chance, and of
    the opponents."""

    state: State
    seed: int
    streams: list[Rng]


def frozen(lanes: Lanes, lane: int) -> bytes:
    """The game that is played in a lane."""
    streams = [rng.__reduce__()[1] for rng in lanes.streams_of(lane)]
    return freeze(lanes.states[lane], {"seed": lanes.seeds[lane], "streams": streams})


def going(game: Game, data: bytes, seed: int | None) -> Going:
    """Where to go on: as the game would have, or from a seed of its own. Raises RecordError and OptionError."""
    seed = None if seed is None else check_seed(seed)
    state, kept = thaw_with_extra(game, data)
    if state.over:
        raise OptionError("This game is over, so there is nothing to go on with.")
    state.log = None
    if seed is not None:
        return Going(state, seed, [Rng(next_seed(seed)), Rng(seed), Rng(seed ^ BOTS)])
    if kept is None:
        raise OptionError("These bytes hold a state alone; a seed must say what chance does from here on.")
    try:
        return Going(state, check_seed(kept["seed"]), streams_of(kept["streams"]))
    except (KeyError, TypeError, ValueError):
        raise RecordError(DAMAGED) from None


def streams_of(words: Any) -> list[Rng]:
    """Three streams by their words. Raises TypeError and ValueError."""
    first, second, third = words
    return [going_on(*(int(word) & WORD for word in four)) for four in (first, second, third)]

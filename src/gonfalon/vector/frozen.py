"""A game of a vector as bytes: a frozen state with the random streams of its chance and its opponents."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from gonfalon.core.arrays.lanes import BOTS, Lanes
from gonfalon.core.basics.errors import OptionError, RecordError
from gonfalon.core.basics.rng import WORD, Rng, check_seed, next_seed, restore_rng
from gonfalon.core.files.freeze import DAMAGED, freeze, thaw_with_extra
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State


class ContinuedGame(NamedTuple):
    """A game to continue: its state, its seed, and its streams.

    The streams are those of the seeds of later games, of chance, and of the opponents.
    """

    state: State
    seed: int
    streams: list[Rng]


def freeze_lane(lanes: Lanes, lane: int) -> bytes:
    """Return the game of a lane as bytes."""
    streams = [rng.__reduce__()[1] for rng in lanes.streams_of(lane)]
    return freeze(lanes.states[lane], {"seed": lanes.seeds[lane], "streams": streams})


def thaw_game(game: Game, data: bytes, seed: int | None) -> ContinuedGame:
    """Return the game to continue, with its own streams or with those of a seed.

    Raises:
        RecordError: The bytes are damaged.
        OptionError: The game is over, or a seed is missing.
    """
    seed = None if seed is None else check_seed(seed)
    state, kept = thaw_first(game.pairings() or [game], data)
    if state.over:
        raise OptionError("This game is over and cannot continue.")
    # Vectors do not show logs.
    state.log = None
    if seed is not None:
        return ContinuedGame(state, seed, [Rng(next_seed(seed)), Rng(seed), Rng(seed ^ BOTS)])
    # Bytes of `gonfalon.freeze` have no streams.
    if kept is None:
        raise OptionError("These bytes hold only a state. Pass a seed for its chance.")
    try:
        return ContinuedGame(state, check_seed(kept["seed"]), read_streams(kept["streams"]))
    except (KeyError, TypeError, ValueError):
        raise RecordError(DAMAGED) from None


def thaw_first(games: Sequence[Game], data: bytes) -> tuple[State, Any]:
    """Return the result of `thaw_with_extra` of the first game that the bytes fit. Raises RecordError."""
    for game in games[:-1]:
        with suppress(RecordError):
            return thaw_with_extra(game, data)
    return thaw_with_extra(games[-1], data)


def read_streams(words: Sequence[Sequence[int]]) -> list[Rng]:
    """Return three streams from their words.

    Raises:
        TypeError: A word is not a number.
        ValueError: There are not three streams.
    """
    first, second, third = words
    # Bytes of any origin may contain numbers that are larger than a word.
    return [restore_rng(*(int(word) & WORD for word in four)) for four in (first, second, third)]

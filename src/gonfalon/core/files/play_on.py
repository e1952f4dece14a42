"""Playing on from any position of a finished game."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.files.replay import sights
from gonfalon.core.files.start_position import ANEW, begin_at
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat, State

OVER: Final = "The game is over there: play on from an earlier step."
NO_WORLD: Final = "The unseen cards of this position could not be dealt anew: play on from another step."


def played_on(record: Record, seat: Seat, at: float, cards: str, rng: Rng) -> Game:
    """Return a game that continues a record after `at` decisions, as a seat saw it: with the true cards, or with hidden
    cards dealt again. Raises OptionError, RecordError."""
    number, found = next_decision(at), position_of(record, seat, at)
    if found.over:
        raise OptionError(OVER)
    if cards == ANEW:
        return dealt_anew(record.game, found, seat, number, rng)
    return begin_at(record.game, found, seat, number, cards)


def next_decision(at: float) -> int:
    """The number of the decision before which `at` stands, counted from 1 as reviews and replays count them."""
    return int(at) + 1


def dealt_anew(game: Game, state: State, seat: Seat, number: int, rng: Rng) -> Game:
    """The game that goes on at a position, in a world dealt from a seat's view. Raises OptionError."""
    try:
        found = worlds(state.mask(seat)).sample(rng)
    except ValueError:
        raise OptionError(NO_WORLD) from None
    return begin_at(game.with_secrets_of(found), found, seat, number, ANEW)


def position_of(record: Record, seat: Seat, at: float) -> State:
    """Return the last position up to `at` decisions at which a seat saw something new. Moments between two decisions
    and hidden answers of others do not count. Raises RecordError."""
    found: State | None = None
    for sight in sights(record, seat, actions=False):
        if found is not None and sight.mark > at:
            break
        if not sight.moment:
            found = sight.state.clone()
    assert found is not None
    return found

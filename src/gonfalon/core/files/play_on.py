"""Playing on from a position of a finished game."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.files.replay import replay_sights
from gonfalon.core.files.start_position import ANEW, begin_at
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat, State

OVER: Final = "The game is over at this step. Play on from an earlier one."
NO_WORLD: Final = "The hidden cards of this position cannot be dealt again. Play on from another step."


def continue_record(record: Record, seat: Seat, at: float, cards: str, rng: Rng) -> Game:
    """Return a game that continues a record from a position as a seat saw it.

    Args:
        record: A finished game.
        seat: The seat from whose view the game continues.
        at: The number of decisions before the position; fractions are moments.
        cards: ANEW to deal hidden cards again, TRUE to keep them.
        rng: The source of randomness of the deal.

    Raises:
        OptionError: The game is over at that position, or its cards cannot be dealt.
        RecordError: A decision of the record is illegal.
    """
    number, found = next_decision(at), find_position(record, seat, at)
    if found.over:
        raise OptionError(OVER)
    if cards == ANEW:
        return deal_again(record.game, found, seat, number, rng)
    return begin_at(record.game, found, seat, number, cards)


def next_decision(at: float) -> int:
    """Return the number of the decision after `at` decisions, from 1, as reviews and replays count."""
    return int(at) + 1


def deal_again(game: Game, state: State, seat: Seat, number: int, rng: Rng) -> Game:
    """Return a game that continues at a position with hidden cards dealt from a seat's view. Raises OptionError."""
    try:
        found = worlds(state.mask(seat)).sample(rng)
    except ValueError:
        raise OptionError(NO_WORLD) from None
    # The dealt world may have other secret deck lists than the finished game.
    return begin_at(game.with_secrets_of(found), found, seat, number, ANEW)


def find_position(record: Record, seat: Seat, at: float) -> State:
    """Return the last full state up to `at` decisions at which a seat saw something new. Raises RecordError.

    Moments between two decisions and hidden answers of other seats do not count.
    """
    found: State | None = None
    for sight in replay_sights(record, seat, actions=False):
        if found is not None and sight.mark > at:
            break
        if not sight.moment:
            # The next step of the replay changes this state.
            found = sight.state.clone()
    assert found is not None
    return found

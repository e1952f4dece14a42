"""Records of random play."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record, load
from gonfalon.core.rules.game import Game

NAMES: Final = ("May", "David", "Ann", "Ben", "Cleo")
"""Names of the seats."""


def random_record(game: Game, seed: int, most: int | None = None, names: tuple[str, ...] = NAMES) -> Record:
    """Return the record of a game played at random; the same one for the same seed.

    Args:
        game: The game.
        seed: The seed of all decisions.
        most: Maximum number of decisions; without it the game is played to its end.
        names: Names of the seats.
    """
    record, rng, state = Record(game, list(names[: game.seats])), Rng(seed), game.start()
    while not state.over and (most is None or len(record.decisions) < most):
        seat, action = state.turn, state.sample(rng)
        record.add(seat, action)
        state.apply(seat, action)
    if state.over:
        record.close(state)
    return record


def check_record(record: Record, any_case: bool = False) -> None:
    """Assert that notation and record round-trip.

    Each action can be read from its notation, and the record, written and read again, leads to the same position.

    Args:
        record: The record.
        any_case: Whether notation in capitals must be readable too.
    """
    game = record.game
    for _, action in record.decisions:
        text = game.notation(action)
        assert game.parse(text) == action, text
        assert not any_case or game.parse(f" {text.upper()} ") == action, text
    again = load(record.dumps(), lambda name, **options: type(game)(**options))
    assert again.game.data_hash == game.data_hash
    assert again.replay().dump() == record.replay().dump()
    assert len(record.decisions) <= game.bound
